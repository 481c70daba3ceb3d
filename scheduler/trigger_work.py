"""Works firings: runs each through the one door, tries again what may be, and tells the chat. It keeps
no time.

As with slots, ``tick`` does what is due now; after a crash it takes every firing up again under the
same claim.
"""

import asyncio
import json
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from pydantic import JsonValue
from sqlmodel import Session, col, select

from library.errors import AskError, SubroutineError
from library.models import Call, Param, Run, Status
from scheduler.database import Database
from scheduler.edges import Edges
from scheduler.retries import next_try
from scheduler.time_tables import FiringRow, TriggerRow
from scheduler.trigger_rows import Firing, Trigger, firing_of, trigger_of

MOST_AT_ONCE = 100
"""Firings under way; each that ends makes room for the next."""

LOOK_AGAIN = timedelta(seconds=30)
"""At a run that was left running, which only the next start may judge."""

log = logging.getLogger(__name__)


class TriggerWork:
    """``changed`` is called when there is room for firings that waited."""

    def __init__(
        self, database: Database, edges: Edges, *, changed: Callable[[], None] = lambda: None
    ) -> None:
        self._database = database
        self._edges = edges
        self.changed = changed
        self._one_tick = asyncio.Lock()
        self._busy: dict[int, asyncio.Task[None]] = {}

    async def tick(self) -> None:
        """Starts every firing whose next attempt is due."""
        async with self._one_tick:
            for firing, trigger in await self._to_try(self._edges.now()):
                task = asyncio.create_task(self._work(firing, trigger), name=firing.claim)
                self._busy[firing.id] = task
                task.add_done_callback(partial(self._let_go, firing))

    async def idle(self) -> None:
        """Waits until no firing is under way."""
        while self._busy:
            await asyncio.wait(list(self._busy.values()))

    async def close(self) -> None:
        """Leaves the firings under way as they are: the next start takes them up."""
        for task in self._busy.values():
            task.cancel()
        await asyncio.gather(*self._busy.values(), return_exceptions=True)

    def _let_go(self, firing: Firing, task: asyncio.Task[None]) -> None:
        if len(self._busy) >= MOST_AT_ONCE:
            self.changed()
        self._busy.pop(firing.id, None)
        if not task.cancelled() and task.exception() is not None:
            log.error("The work on %s broke off", firing.claim, exc_info=task.exception())

    async def _work(self, firing: Firing, trigger: Trigger) -> None:
        if self._edges.now() > firing.deadline and await self._edges.journal.of_claim(firing.claim) is None:
            await self._end(
                firing, trigger, Status.MISSED, firing.reason or "Home was off until it was late."
            )
            return
        await self._edges.home.ensure_browser(trigger.call.browser)
        try:
            run = await self._edges.dispatcher.dispatch(self._call(firing, trigger))
        except (AskError, SubroutineError) as error:
            await self._end(firing, trigger, Status.FAILED, str(error))
            return
        if not run.status.is_final:
            await self._update(firing, try_at=self._edges.now() + LOOK_AGAIN)
            return
        why = run.verdict.rests_on if run.verdict else ""
        again = next_try(run, attempt=firing.attempt, deadline=firing.deadline, now=self._edges.now())
        if again is not None:
            later = {"attempt": firing.attempt + 1, "try_at": again, "reason": why}
            await self._update(firing, **later)
            return
        status = Status.SKIPPED if run.status is Status.CANCELLED else run.status
        await self._end(firing, trigger, status, why, run=run)

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
        query = (
            select(FiringRow, TriggerRow)
            .join(TriggerRow)
            .where(FiringRow.status == Status.QUEUED, col(FiringRow.try_at) <= now)
            .where(col(FiringRow.id).not_in(list(self._busy)))
            .order_by(col(FiringRow.id))
            .limit(MOST_AT_ONCE - len(self._busy))
        )
        return await self._database.read(
            lambda session: [(firing_of(row), trigger_of(of)) for row, of in session.exec(query)]
        )

    async def _end(
        self, firing: Firing, trigger: Trigger, status: Status, reason: str, *, run: Run | None = None
    ) -> None:
        run_id = run.id if run is not None else None
        await self._update(firing, status=status, reason=reason, run_id=run_id, try_at=None)
        if run is not None:
            await self._edges.notifier.run_finished(run)
        else:
            await self._edges.notifier.note(trigger.chat, f"{trigger.title}: {status}. {reason}")

    async def _update(self, firing: Firing, **values: object) -> None:
        def work(session: Session) -> None:
            row = session.get(FiringRow, firing.id)
            if row is not None and row.status == Status.QUEUED:
                for name, value in values.items():
                    setattr(row, name, value)
                session.add(row)

        await self._database.run(work)


def _fitted(value: JsonValue, param: Param) -> JsonValue:
    """A number or a list, where a text is asked for, is given as JSON."""
    if param.type == "string" and value is not None and not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return value
