"""Statements that run for every run: compiled once, then said straight to SQLite's driver.

SQLAlchemy's way from a compiled statement to the driver takes several times as long as SQLite itself. What is
said here is in the transaction of the session all the same, and its errors are SQLAlchemy's.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from sqlalchemy import ClauseElement
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler
from sqlmodel import Session

DRIVER = "driver"
"""Where a session of ours keeps the driver's connection, in ``Session.info``."""

_DIALECT = sqlite.dialect()


class Prepared:
    """``statement`` has a ``bindparam`` for each value that changes; ``statement.run(session, values)``.

    Rows come as the driver gives them: plain tuples, times as text."""

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement

    def run(self, session: Session, values: Mapping[str, object]) -> sqlite3.Cursor:
        """Raises as ``session.execute`` does."""
        sql, places = self._compiled
        return say(session.info[DRIVER], sql, [place(values) for place in places])

    @cached_property
    def _compiled(self) -> tuple[str, Sequence[Callable[[Mapping[str, object]], Any]]]:
        """The text, and for each place in it what to read of the values."""
        compiled = self._statement.compile(dialect=_DIALECT)
        assert isinstance(compiled, SQLCompiler)
        assert compiled.positiontup is not None
        return str(compiled), [_place(compiled, name) for name in compiled.positiontup]


def say(driver: Any, sql: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
    """``driver`` is the driver's connection, by which SQLAlchemy speaks too."""
    try:
        cursor: sqlite3.Cursor = driver.execute(sql, values)
    except sqlite3.Error as error:
        raise DBAPIError.instance(sql, list(values), error, sqlite3.Error, dialect=_DIALECT) from error
    return cursor


def _place(compiled: SQLCompiler, name: str) -> Callable[[Mapping[str, object]], Any]:
    bind = compiled.binds[name]
    kind: Any = bind.type.dialect_impl(_DIALECT)
    convert: Callable[[object], object] = kind.bind_processor(_DIALECT) or (lambda value: value)
    if bind.required:
        return lambda values: convert(values[bind.key])
    fixed = convert(bind.value)
    return lambda _: fixed
