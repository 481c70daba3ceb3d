"""The database: durable, one writer, and plain words when the file is unusable."""

import asyncio
import sqlite3
import subprocess
import sys
import threading
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import StatementError
from sqlmodel import Session

from library.errors import SetupError
from scheduler.database import Database, bring_up_to_date, make_engine
from scheduler.tables import UpdateRow
from tests.fakes import FakeClock


def _update(claim: str, clock: FakeClock) -> UpdateRow:
    return UpdateRow(claim=claim, at=clock())


@pytest.mark.parametrize(
    ("setting", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 10_000)],
)
async def test_every_connection_is_durable_and_checks_references(
    database: Database, setting: str, value: object
) -> None:
    assert await database.read(lambda s: s.connection().execute(text(f"PRAGMA {setting}")).scalar()) == value


async def test_all_work_runs_in_one_thread_that_is_not_the_loops(database: Database) -> None:
    threads = await asyncio.gather(*(database.run(lambda _: threading.get_ident()) for _ in range(20)))
    assert len(set(threads)) == 1
    assert threading.get_ident() not in threads


async def test_an_error_rolls_the_transaction_back(database: Database, clock: FakeClock) -> None:
    def fails(session: Session) -> None:
        session.add(_update("telegram:1", clock))
        session.flush()
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        await database.run(fails)
    assert await database.read(lambda session: session.get(UpdateRow, "telegram:1")) is None


async def test_what_was_committed_is_there_for_the_next_process(tmp_path: Path, clock: FakeClock) -> None:
    first = await Database.open(tmp_path / "runhome.db")
    await first.run(lambda session: session.add(_update("telegram:1", clock)))
    await first.close()
    second = await Database.open(tmp_path / "runhome.db")
    row = await second.read(lambda session: session.get(UpdateRow, "telegram:1"))
    await second.close()
    assert row is not None
    assert row.at == clock()


async def test_a_time_without_a_zone_is_refused(database: Database) -> None:
    naive = UpdateRow(claim="x", at=datetime(2026, 3, 2, 8, 0))
    with pytest.raises(StatementError, match="no time zone"):
        await database.run(lambda session: session.add(naive))


async def test_a_file_that_is_no_database_is_answered_with_what_to_check(tmp_path: Path) -> None:
    path = tmp_path / "runhome.db"
    path.write_bytes(b"not a database, but a long enough text to be read as a header" * 20)
    with pytest.raises(SetupError, match=r"runhome\.db cannot be used"):
        await Database.open(path)


async def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "runhome.db"
    await (await Database.open(path)).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(SetupError, match="newer Runhome"):
        await Database.open(path)


async def test_a_writer_that_reads_first_waits_for_another_process(
    database: Database, clock: FakeClock
) -> None:
    other = sqlite3.connect(database.path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    other.execute("INSERT INTO updates (claim, at) VALUES ('other', '2026-03-02 08:00:00.000000')")

    def read_then_write(session: Session) -> bool:
        seen = session.get(UpdateRow, "other") is not None
        session.add(_update("ours", clock))
        return seen

    waiting = asyncio.create_task(database.run(read_then_write))
    await asyncio.sleep(0)
    other.execute("COMMIT")
    other.close()
    assert await asyncio.wait_for(waiting, 5)


def test_an_up_to_date_database_starts_without_alembic(tmp_path: Path) -> None:
    path = tmp_path / "runhome.db"
    bring_up_to_date(make_engine(path))
    code = (
        "import sys; from pathlib import Path; from scheduler.database import bring_up_to_date, make_engine\n"
        "bring_up_to_date(make_engine(Path(sys.argv[1])))\n"
        "sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], timeout=60).returncode == 0
