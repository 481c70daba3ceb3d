"""What is sent to SQLite meanwhile: the statements, and how many transactions changed something durably."""

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event
from sqlmodel import Session

from scheduler.prepared import Prepared


class Statements:
    """``with Statements() as seen: ...``; only what one test sends may go on meanwhile."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, Any]] = []
        self.begun = 0
        """How many transactions."""
        self._run_prepared = Prepared.run

    def __enter__(self) -> "Statements":
        event.listen(Engine, "before_cursor_execute", self._note)
        event.listen(Engine, "begin", self._begin)
        run = self._run_prepared

        def noted(prepared: Prepared, session: Session, values: Mapping[str, object]) -> sqlite3.Cursor:
            sql, places = prepared._compiled
            self.sent.append((sql, [place(values) for place in places]))
            return run(prepared, session, values)

        Prepared.run = noted  # type: ignore[assignment,method-assign]
        return self

    def __exit__(self, *_: object) -> None:
        Prepared.run = self._run_prepared  # type: ignore[method-assign]
        event.remove(Engine, "before_cursor_execute", self._note)
        event.remove(Engine, "begin", self._begin)

    @property
    def asked(self) -> list[str]:
        """The statements themselves, without what begins and ends a transaction."""
        return [text for text, _ in self.sent if text.split()[0] in ("SELECT", "INSERT", "UPDATE", "DELETE")]

    def plans(self, path: Path) -> list[str]:
        """How SQLite would go about each SELECT."""
        connection = sqlite3.connect(path)
        selects = [(text, given) for text, given in self.sent if text.startswith("SELECT")]
        steps = [
            connection.execute(f"EXPLAIN QUERY PLAN {text}", given).fetchall() for text, given in selects
        ]
        connection.close()
        return [row[3] for rows in steps for row in rows]

    def _begin(self, _: Any) -> None:
        self.begun += 1

    def _note(self, _: Any, __: Any, statement: str, parameters: Any, *___: Any) -> None:
        self.sent.append((statement, parameters))
