"""The migrations: from nothing to the tables that the models describe."""

from pathlib import Path

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine
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


def _upgraded(engine: Engine, to: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, to)


def test_an_older_database_keeps_its_rows_and_no_number_is_used_again(tmp_path: Path) -> None:
    engine = make_engine(tmp_path / "runhome.db")
    _upgraded(engine, "0004")
    item = "INSERT INTO items (queue_id, position, arguments, status, reason, attempt, allowed)"
    item += " VALUES (1, 1.0, '{}', 'pending', '', 1, 0)"
    queue = "INSERT INTO queues (name, subroutine, state, note, guards, failures_in_row, created_at)"
    queue += " VALUES ('news', 'create-post', 'active', '', '{}', 0, '2026-03-02')"
    with engine.begin() as connection:
        connection.exec_driver_sql(queue)
        for _ in range(2):
            connection.exec_driver_sql(item)
    bring_up_to_date(engine)
    with engine.begin() as connection:
        assert connection.exec_driver_sql("SELECT id FROM items").scalars().all() == [1, 2]
        connection.exec_driver_sql("DELETE FROM items WHERE id = 2")
        connection.exec_driver_sql(item)
        assert connection.exec_driver_sql("SELECT id FROM items").scalars().all() == [1, 3]
        connection.exec_driver_sql("DELETE FROM queues")
        assert connection.exec_driver_sql("SELECT id FROM items").scalars().all() == []
        made = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%'")
        assert len(made.all()) == 6
    engine.dispose()
