"""Works firings: runs each through the one door, tries again what may be, and tells the chat. It keeps
no time.

As with slots, ``tick`` does what is due now; after a crash it takes every firing up again under the
same claim.
"""

import asyncio
import json
from collections.abc import Callable
from datetime import datetime

from pydantic import JsonValue
from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from library.errors import AskError, SubroutineError
from library.models import Call, Param, Run, Status
from scheduler.attempts import BUSY_WAIT, LOOK_AGAIN, call_off, was_sent
from scheduler.database import Database
from scheduler.edges import Edges
from scheduler.lanes import BUSY
from scheduler.retries import next_try
from scheduler.slot_tellings import of_run
from scheduler.time_tables import FiringRow, TriggerRow
from scheduler.trigger_rows import Firing, Trigger, firing_of, trigger_of
from scheduler.under_way import UnderWay
from scheduler.untold import Message, Telling, tell_later

# Written once and run as it is, as in the journal: it is run at every look.
_TO_TRY = (
    select(FiringRow, TriggerRow)
    .join(TriggerRow)
    .where(FiringRow.status == Status.QUEUED.value, col(FiringRow.try_at) <= bindparam("now"))
    .where(col(FiringRow.id).not_in(bindparam("but", expanding=True)))
    .order_by(col(FiringRow.id))
    .limit(bindparam("most"))
)


class TriggerWork:
    """``changed`` is called when there is room for firings that waited, and when one is to be tried later."""

    def __init__(
        self, database: Database, edges: Edges, *, changed: Callable[[], None] = lambda: None
    ) -> None:
        self._database = database
        self._edges = edges
        self.changed = changed
        self._one_tick = asyncio.Lock()
        self._under_way = UnderWay()

    async def tick(self) -> None:
        """Starts every firing whose next attempt is due."""
        async with self._one_tick:
            for firing, trigger in await self._to_try(self._edges.now()):
                work = self._work(firing, trigger)
                self._under_way.begin(firing.id, work, name=firing.claim, ended=self._firing_ended)

    async def idle(self) -> None:
        """Waits until no firing is under way."""
        await self._under_way.idle()

    async def close(self) -> None:
        """Leaves the firings under way as they are: the next start takes them up."""
        await self._under_way.close()

    def _firing_ended(self) -> None:
        if self._under_way.room == 1:
            self.changed()

    async def _work(self, firing: Firing, trigger: Trigger) -> None:
        if not await was_sent(self._edges, firing.claim):
            if self._edges.now() > firing.deadline:
                await self._miss(firing, trigger, firing.reason or "Home was off until it was late.")
                return
            if not await self._edges.home.ensure_browser(trigger.call.browser):
                await self._wait_for_browser(firing, trigger)
                return
        await self._run(firing, trigger)

    async def _run(self, firing: Firing, trigger: Trigger) -> None:
        try:
            run = await self._edges.dispatcher.dispatch(self._call(firing, trigger))
        except (AskError, SubroutineError) as error:
            if error.code == BUSY:
                await self._later(firing, self._edges.now() + BUSY_WAIT, str(error))
            else:
                await self._end(firing, trigger, Status.FAILED, str(error))
            return
        why = run.verdict.rests_on if run.verdict else ""
        if not run.status.is_final:
            await self._later(firing, self._edges.now() + LOOK_AGAIN, why)
            return
        again = next_try(run, attempt=firing.attempt, deadline=firing.deadline, now=self._edges.now())
        if again is not None:
            await self._later(firing, again, why, attempt=firing.attempt + 1)
            return
        status = Status.SKIPPED if run.status is Status.CANCELLED else run.status
        await self._end(firing, trigger, status, why, run=run)

    async def _wait_for_browser(self, firing: Firing, trigger: Trigger) -> None:
        reason = "No browser was connected while it waited."
        if self._edges.now() >= firing.deadline:
            await self._miss(firing, trigger, reason)
        else:
            await self._later(firing, min(self._edges.now() + LOOK_AGAIN, firing.deadline), reason)

    async def _later(
        self, firing: Firing, try_at: datetime, reason: str, *, attempt: int | None = None
    ) -> None:
        """The next attempt, or the same one once more."""
        values = {"try_at": try_at, "reason": reason, "attempt": attempt or firing.attempt}
        await self._database.run(lambda session: _change(session, firing, **values))
        self.changed()

    def _call(self, firing: Firing, trigger: Trigger) -> Call:
        """The saved call with what the event brought, as far as the subroutine has parameters for it."""
        params = self._edges.catalog.get(trigger.call.name).params
        brought = {
            name: _fitted(value, params[name]) for name, value in firing.arguments.items() if name in params
        }
        arguments = {**trigger.call.arguments, **brought}
        signed = {"arguments": arguments, "claim": firing.claim, "asked_by": f"trigger:{trigger.id}"}
        return trigger.call.model_copy(update=signed)

    async def _to_try(self, now: datetime) -> list[tuple[Firing, Trigger]]:
        asked = {"now": now, "but": self._under_way.numbers, "most": self._under_way.room}
        return await self._database.read(
            lambda session: [
                (firing_of(row), trigger_of(of)) for row, of in session.exec(_TO_TRY, params=asked)
            ]
        )

    async def _miss(self, firing: Firing, trigger: Trigger, why: str) -> None:
        await call_off(self._edges, firing.claim, why)
        await self._end(firing, trigger, Status.MISSED, why)

    async def _end(
        self, firing: Firing, trigger: Trigger, status: Status, reason: str, *, run: Run | None = None
    ) -> None:
        run_id = run.id if run is not None else None
        messages = [Message(trigger.chat, f"{trigger.title}: {status}. {reason}")]
        if run_id is not None:
            messages = of_run(trigger.chat, run_id)

        def work(session: Session) -> list[Telling]:
            was_deleted = session.get(FiringRow, firing.id) is None
            is_end = _change(session, firing, status=status, reason=reason, run_id=run_id, try_at=None)
            # Of a trigger that was deleted meanwhile, only what was carried out is still of interest.
            is_told = is_end or (was_deleted and run_id is not None)
            return [tell_later(session, message) for message in messages] if is_told else []

        for telling in await self._database.run(work):
            await self._edges.teller.tell(telling, run)


def _change(session: Session, firing: Firing, **values: object) -> bool:
    """False when it has ended, or its trigger was deleted, meanwhile."""
    row = session.get(FiringRow, firing.id)
    if row is None or row.status != Status.QUEUED:
        return False
    for name, value in values.items():
        setattr(row, name, value)
    session.add(row)
    return True


def _fitted(value: JsonValue, param: Param) -> JsonValue:
    """A number or a list, where a text is asked for, is given as JSON."""
    if param.type == "string" and value is not None and not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return value
