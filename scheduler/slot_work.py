"""Works slots: opens what is due, runs each through the one door, tries again what may be, and tells
the chat.

``tick`` does what is due now and returns; it may be called at any time, as often as one likes. It keeps
no time: the clock calls it. After a crash the next tick takes up every slot where its row says it was,
under the same claim.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime
from functools import partial
from itertools import count

from library.errors import AskError, SubroutineError
from library.models import Run, Status
from scheduler.attempts import BUSY_WAIT, LOOK_AGAIN, call_off, was_sent
from scheduler.edges import Edges
from scheduler.lanes import BUSY
from scheduler.retries import next_try
from scheduler.schedule_rows import Schedule, Slot
from scheduler.slot_book import Opened, SlotBook
from scheduler.slot_items import SlotItems
from scheduler.under_way import UnderWay
from scheduler.untold import Telling


class SlotWork:
    """``moved`` is called with a schedule's id whenever its next moment may have moved, ``changed`` when
    there is also something to look for."""

    def __init__(
        self,
        book: SlotBook,
        items: SlotItems,
        edges: Edges,
        *,
        moved: Callable[[int], None] = lambda _: None,
        changed: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._book = book
        self._items = items
        self._edges = edges
        self.moved = moved
        self.changed = changed
        self._one_tick = asyncio.Lock()
        self._under_way = UnderWay()
        self._notes = UnderWay()
        self._numbers = count(1)
        self._look_again = False

    async def tick(self) -> None:
        """Opens and starts all that is due."""
        async with self._one_tick:
            now, more = self._edges.now(), True
            while more:
                room, begun = self._under_way.room, self._under_way.numbers
                look = await self._book.look(now, most=room, but=begun)
                more, self._look_again = look.more, len(look.to_try) >= room
                for slot, schedule in look.to_try:
                    ended = partial(self._slot_ended, slot)
                    work = self._work(slot, schedule)
                    self._under_way.begin(slot.id, work, name=f"slot {slot.claim}", ended=ended)
                for opened in look.opened:
                    self.moved(opened.schedule.id)
                    self._note_unrun(opened)

    async def idle(self) -> None:
        """Waits until no slot is under way."""
        await self._under_way.idle()
        await self._notes.idle()

    async def close(self) -> None:
        """Leaves the slots under way as they are: the next start takes them up."""
        await self._under_way.close()
        await self._notes.close()

    def _slot_ended(self, slot: Slot) -> None:
        (self.changed if self._look_again else self.moved)(slot.schedule_id)

    async def _work(self, slot: Slot, schedule: Schedule) -> None:
        if slot.status is Status.QUEUED or not await self._was_sent(slot, schedule):
            if self._edges.now() > slot.deadline:
                await self._miss(slot, schedule, slot.reason or "Its window was over before it could be run.")
                return
            if not await self._edges.home.ensure_browser(schedule.call.browser):
                await self._wait_for_browser(slot, schedule)
                return
        if not await self._book.start(slot):
            return
        if schedule.terms.queue is not None:
            status, reason = await self._items.work(slot, schedule, schedule.terms.queue)
            await self._end(slot, schedule, status, reason)
            return
        await self._run(slot, schedule)

    async def _run(self, slot: Slot, schedule: Schedule) -> None:
        signed = {"claim": slot.claim, "asked_by": f"schedule:{schedule.id}"}
        try:
            run = await self._edges.dispatcher.dispatch(schedule.call.model_copy(update=signed))
        except (AskError, SubroutineError) as error:
            if error.code == BUSY:
                until = self._edges.now() + BUSY_WAIT
                await self._later(slot, until, str(error), attempt=slot.attempt)
            else:
                await self._end(slot, schedule, Status.FAILED, str(error))
            return
        if not run.status.is_final:
            # It was left running, and only the next start may judge it: a database that failed for a moment.
            await self._book.look_again(slot, self._edges.now() + LOOK_AGAIN)
            self._look_again = True
            return
        again = next_try(run, attempt=slot.attempt, deadline=slot.deadline, now=self._edges.now())
        why = run.verdict.rests_on if run.verdict else ""
        if again is not None:
            await self._later(slot, again, why, attempt=slot.attempt + 1)
            return
        status = Status.SKIPPED if run.status is Status.CANCELLED else run.status
        await self._end(slot, schedule, status, why, run=run)

    async def _was_sent(self, slot: Slot, schedule: Schedule) -> bool:
        """Whether an attempt went to the browser before the machine stopped."""
        if schedule.terms.queue is not None:
            return await self._items.has_begun(slot)
        return await was_sent(self._edges, slot.claim)

    async def _wait_for_browser(self, slot: Slot, schedule: Schedule) -> None:
        reason = f"No browser was connected until {schedule.local(slot.deadline)}."
        if self._edges.now() >= slot.deadline:
            await self._miss(slot, schedule, reason)
        else:
            until = min(self._edges.now() + LOOK_AGAIN, slot.deadline)
            await self._later(slot, until, reason, attempt=slot.attempt)

    async def _later(self, slot: Slot, until: datetime, reason: str, *, attempt: int) -> None:
        await self._book.wait(slot, until, reason, attempt=attempt)
        self._look_again = True

    async def _miss(self, slot: Slot, schedule: Schedule, why: str) -> None:
        await call_off(self._edges, slot.claim, why)
        await self._end(slot, schedule, Status.MISSED, why)

    async def _end(
        self, slot: Slot, schedule: Schedule, status: Status, reason: str, *, run: Run | None = None
    ) -> None:
        run_id = run.id if run is not None else None
        tellings = await self._book.end(
            slot, status, reason, at=self._edges.now(), run_id=run_id, chat=schedule.chat
        )
        for telling in tellings:
            await self._edges.teller.tell(telling, run)

    def _note_unrun(self, opened: Opened) -> None:
        """No look waits for it: a chat may take half a minute."""
        for telling in opened.tellings:
            note, name = self._note(telling), f"a note about {opened.schedule.title}"
            self._notes.begin(next(self._numbers), note, name=name, ended=lambda: None)

    async def _note(self, telling: Telling) -> None:
        await self._edges.teller.tell(telling)
