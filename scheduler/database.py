"""The one SQLite file: its connection, its only thread, its schema. Knows no table.

All work goes through one thread (``commits.py``), so that there is one writer and the event loop never waits
for the disk: ``await database.run(fn)`` calls ``fn(session)`` there; when it returns, all of it is durable.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlmodel import Session

from library.errors import SetupError
from scheduler.commits import Commits
from scheduler.migrations import HEAD
from scheduler.prepared import say

T = TypeVar("T")

BUSY_TIMEOUT_MS = 10_000
MIGRATIONS = Path(__file__).parent / "migrations"


class Database:
    """Opened by ``await Database.open(path)``; close it with ``await database.close()``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._engine = make_engine(path)
        self._commits = Commits(self._engine)
        self._closed = False

    @classmethod
    async def open(cls, path: Path) -> "Database":
        """Makes the file and its folder when missing, and brings the schema up to date.

        Raises SetupError when the file cannot be used, or was written by a newer Runhome."""
        database = cls(path)
        try:
            with _translated(path):
                await asyncio.to_thread(bring_up_to_date, database._engine)
        except BaseException:
            await database.close()
            raise
        return database

    async def run(self, work: Callable[[Session], T], *, patience_s: float = 0.0) -> T:
        """Calls ``work(session)`` in the database's thread; an error undoes all that it did.

        With patience it waits a while for others, to share their commit."""
        with _translated(self.path):
            piece = self._commits.submit(work, writes=True, patience_s=patience_s)
            return await asyncio.wrap_future(piece)

    async def read(self, work: Callable[[Session], T]) -> T:
        """As ``run``, for work that changes nothing: it takes no write lock."""
        with _translated(self.path):
            return await asyncio.wrap_future(self._commits.submit(work, writes=False))

    async def close(self) -> None:
        """Waits for the work under way. Closing again does nothing."""
        if not self._closed:
            self._closed = True
            await asyncio.to_thread(self._commits.close)
            self._engine.dispose()


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    """A database that cannot be used is told in words that may be shown."""
    try:
        yield
    except DatabaseError as error:
        unusable = isinstance(error, OperationalError)
        if unusable or "malformed" in str(error) or "not a database" in str(error):
            raise _unusable(path, error) from error
        raise


def make_engine(path: Path) -> Engine:
    """An engine whose transactions say themselves which lock they take (Python's own guessing is off)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": BUSY_TIMEOUT_MS / 1000})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    # SQLAlchemy compiles a statement anew for each savepoint's name, which costs more than the savepoint.
    for method, words in _SAVEPOINTS.items():
        setattr(engine.dialect, method, partial(_say_savepoint, words))
    return engine


_SAVEPOINTS = {
    "do_savepoint": "SAVEPOINT",
    "do_rollback_to_savepoint": "ROLLBACK TO SAVEPOINT",
    "do_release_savepoint": "RELEASE SAVEPOINT",
}
"""Methods of sqlalchemy.engine.Dialect, and the words of SQLite for them."""


def _say_savepoint(words: str, connection: Connection, name: str) -> None:
    """``name`` is SQLAlchemy's own: sa_savepoint_1."""
    say(connection.connection.driver_connection, f"{words} {name}")


def bring_up_to_date(engine: Engine) -> None:
    """Runs the migrations that are missing. Alembic is imported only then: that takes longer than all
    else."""
    with engine.connect() as connection:
        if _revision(connection) == HEAD:
            return
    from alembic import command
    from alembic.config import Config
    from alembic.util.exc import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise SetupError(
                f"The database {engine.url.database} was written by a newer Runhome. "
                "Update Runhome, or give it another data folder."
            ) from error


def _revision(connection: Connection) -> str | None:
    known = connection.execute(text("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'")).first()
    if known is None:
        return None
    row = connection.execute(text("SELECT version_num FROM alembic_version")).first()
    return None if row is None else str(row[0])


def _prepare(connection: Any, _record: Any) -> None:
    connection.isolation_level = None
    for setting in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        f"busy_timeout = {BUSY_TIMEOUT_MS}",
    ):
        connection.execute(f"PRAGMA {setting}")


def _begin(connection: Connection) -> None:
    # A transaction that reads first and writes later cannot wait for another writer: it would fail at once.
    lock = connection.get_execution_options().get("runhome_lock", "IMMEDIATE")
    say(connection.connection.driver_connection, f"BEGIN {lock}")


def _unusable(path: Path, error: Exception) -> SetupError:
    cause = getattr(error, "orig", error)
    return SetupError(
        f"The database {path} cannot be used: {cause}. Check that its disk has room and that it is yours."
    )
