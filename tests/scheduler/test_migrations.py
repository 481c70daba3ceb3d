"""The migrations: from nothing to the tables that the models describe."""

from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlmodel import SQLModel

from scheduler import tables, time_tables
from scheduler.database import MIGRATIONS, bring_up_to_date, make_engine
from scheduler.migrations import HEAD

OURS = {row.__tablename__ for module in (tables, time_tables) for row in vars(module).values()
        if isinstance(row, type) and issubclass(row, SQLModel) and row is not SQLModel}  # fmt: skip


def _differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return list(compare_metadata(context, SQLModel.metadata))


def test_the_migrations_build_exactly_what_the_models_say(tmp_path: Path) -> None:
    engine = make_engine(tmp_path / "runhome.db")
    with engine.connect() as connection:
        assert len(_differences(connection)) > len(OURS) > 5
    bring_up_to_date(engine)
    with engine.connect() as connection:
        assert _differences(connection) == []
    engine.dispose()


def test_the_head_that_a_quick_start_compares_with_is_the_newest_version() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD
