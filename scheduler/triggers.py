"""Saved triggers: kept, listed, paused, deleted, and fired by events. It runs nothing.

An event of a run is written down in the commit that ends the run, a webhook's before it is answered: a
crash loses none, and (trigger, event) is unique, so that none fires twice.
"""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

import sqlalchemy
from pydantic import JsonValue
from sqlalchemy import bindparam
from sqlmodel import Session, SQLModel, col, select

from library.errors import AskError, UnknownName
from library.models import Call, Effect, Run, Status
from scheduler.database import Database
from scheduler.prepared import Prepared
from scheduler.schedule_rows import State
from scheduler.time_tables import FiringRow, TriggerRow
from scheduler.trigger_rows import Event, Firing, Trigger, firing_of, trigger_of

TOKEN_BYTES = 32

# Asked at the end of every run, so it is written once.
_TABLE = SQLModel.metadata.tables["triggers"]
_WAITING = Prepared(
    sqlalchemy.select(_TABLE.c.id).where(
        _TABLE.c.of_name == bindparam("name"), _TABLE.c.state == State.ACTIVE.value
    )
)


class Triggers:
    """``fired`` is called, from any thread, when a firing was written."""

    def __init__(
        self, database: Database, *, now: Callable[[], datetime], fired: Callable[[], None] = lambda: None
    ) -> None:
        self._database = database
        self._now = now
        self.fired = fired

    async def on_webhook(self, call: Call) -> tuple[Trigger, str]:
        """A new trigger and its secret token, which is shown once: only its SHA-256 is kept."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        row = self._row(call, Event.WEBHOOK)
        row.token_hash = _hashed(token)
        return await self._database.run(lambda session: _saved(session, row)), token

    async def on_run(self, call: Call, event: Event, of_name: str) -> Trigger:
        """Fires when a run of ``of_name`` ends so; ``CHANGE``: when that read returns a new value.

        Raises AskError for a loop."""

        def work(session: Session) -> Trigger:
            rows = session.exec(select(TriggerRow)).all()
            edges = [(row.of_name, row.name) for row in rows if row.of_name is not None]
            _refuse_loop([*edges, (of_name, call.name)], of_name)
            row = self._row(call, event)
            row.of_name = of_name
            return _saved(session, row)

        return await self._database.run(work)

    async def all(self) -> list[Trigger]:
        """In the order of their numbers."""
        query = select(TriggerRow).order_by(col(TriggerRow.id))
        return await self._database.read(lambda session: [trigger_of(row) for row in session.exec(query)])

    async def pause(self, what: str) -> Trigger:
        """By ``t3`` or ``3``. Events that come meanwhile are let go."""
        return await self._set(what, State.PAUSED)

    async def resume(self, what: str) -> Trigger:
        return await self._set(what, State.ACTIVE)

    async def delete(self, what: str) -> Trigger:
        def work(session: Session) -> Trigger:
            row = _found(session, what)
            session.delete(row)
            return trigger_of(row)

        return await self._database.run(work)

    async def firings(self, trigger_id: int | None = None, *, limit: int = 20) -> list[Firing]:
        """The newest first."""
        query = select(FiringRow).order_by(col(FiringRow.id).desc()).limit(limit)
        if trigger_id is not None:
            query = query.where(FiringRow.trigger_id == trigger_id)
        return await self._database.read(lambda session: [firing_of(row) for row in session.exec(query)])

    async def receive(self, token: str, delivery: str, body: Mapping[str, JsonValue]) -> bool:
        """A webhook came. False when this delivery came before, or the trigger is paused.

        Raises UnknownName, which says nothing of what exists, for a token that is not known."""

        def work(session: Session) -> bool:
            row = session.exec(select(TriggerRow).where(TriggerRow.token_hash == _hashed(token))).first()
            if row is None:
                raise UnknownName("hook", "***", [])
            if row.state != State.ACTIVE:
                return False
            return self._fire(session, row, f"delivery:{delivery}", body)

        return await self._database.run(work)

    def follow(self, session: Session, run: Run) -> None:
        """Fires what waits for this run's end (``Journal.in_same_commit``)."""
        ids = _WAITING.run(session, {"name": run.call.name}).fetchall()
        for row in [session.get_one(TriggerRow, id) for (id,) in ids]:
            if row.kind == Event.CHANGE:
                self._compare(session, row, run)
            elif row.kind == run.status:
                self._fire(session, row, f"run:{run.id}", {})

    def _compare(self, session: Session, row: TriggerRow, run: Run) -> None:
        if run.effect is not Effect.READ or run.status is not Status.DONE or run.evidence is None:
            return
        new = json.dumps(run.evidence.value, ensure_ascii=False, sort_keys=True)
        old, row.last_value = row.last_value, new
        session.add(row)
        if old is not None and old != new:
            arguments: dict[str, JsonValue] = {"old": json.loads(old), "new": run.evidence.value}
            self._fire(session, row, f"run:{run.id}", arguments)

    def _fire(
        self, session: Session, row: TriggerRow, event: str, arguments: Mapping[str, JsonValue]
    ) -> bool:
        known = select(FiringRow.id).where(FiringRow.trigger_id == row.id, FiringRow.event == event)
        if row.id is None or session.exec(known).first() is not None:
            return False
        firing = FiringRow(
            trigger_id=row.id,
            event=event,
            arguments=json.dumps(dict(arguments), ensure_ascii=False),
            status=Status.QUEUED,
            at=self._now(),
            try_at=self._now(),
        )
        session.add(firing)
        session.flush()
        self.fired()
        return True

    def _row(self, call: Call, event: Event) -> TriggerRow:
        return TriggerRow(
            kind=event,
            name=call.name,
            call=call.model_dump_json(),
            state=State.ACTIVE,
            created_at=self._now(),
        )

    async def _set(self, what: str, state: State) -> Trigger:
        def work(session: Session) -> Trigger:
            row = _found(session, what)
            row.state, row.last_value = state, None
            session.add(row)
            return trigger_of(row)

        return await self._database.run(work)


def _saved(session: Session, row: TriggerRow) -> Trigger:
    session.add(row)
    session.flush()
    return trigger_of(row)


def _found(session: Session, what: str) -> TriggerRow:
    number = what.casefold().lstrip("t#")
    row = session.get(TriggerRow, int(number)) if number.isdecimal() else None
    if row is None:
        ids = session.exec(select(TriggerRow.id).order_by(col(TriggerRow.id))).all()
        raise UnknownName("trigger", what, [f"t{id}" for id in ids])
    return row


def _refuse_loop(edges: Iterable[tuple[str, str]], start: str) -> None:
    """Follows the edges from a name; coming back to it is a loop."""
    after: dict[str, list[str]] = {}
    for before, then in edges:
        after.setdefault(before, []).append(then)
    paths = [[start]]
    seen: set[str] = set()
    while paths:
        path = paths.pop()
        for name in after.get(path[-1], []):
            if name == start:
                shown = " → ".join([*path, name])
                raise AskError(f"That would run in a circle without end: {shown}. Nothing was saved.")
            if name not in seen:
                seen.add(name)
                paths.append([*path, name])


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
