"""The crash rule: what becomes of runs, and of queues' items, that the machine's end cut short. Run by the
process that owns the clock.

1. ``running`` write: ``unconfirmed``. It may have happened; the machine never tries it again by itself.
2. ``running`` read: run again, in the same row.
3. ``queued``: was surely not sent. Run again while it is fresh, else ``missed``.
4. Runs of schedules, triggers and queues are left ``queued``: their owners take them up again, by the
   same claim.
5. The chat is told, by the first process that has channels. Schedules and triggers tell of their own runs;
   what is left of their tellings is told too.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from library.errors import RunhomeError
from library.models import Effect, Evidence, Outcome, Run, Status, Verdict
from scheduler.dispatcher import Dispatcher
from scheduler.item_book import ItemBook
from scheduler.journal import Journal
from scheduler.ports import Home
from scheduler.run_rows import MASK
from scheduler.teller import Teller
from scheduler.untold import Telling

FRESH = timedelta(minutes=15)
"""A person who sent a command this long ago still wants it done."""

STOPPED = "The machine stopped while it ran: whether it happened is not known."
TELLERS = ("schedule:", "trigger:")
OWNERS = (*TELLERS, "queue:")


class Recovery:
    def __init__(
        self,
        *,
        journal: Journal,
        dispatcher: Dispatcher,
        items: ItemBook,
        teller: Teller,
        home: Home,
        now: Callable[[], datetime],
    ) -> None:
        self._journal = journal
        self._dispatcher = dispatcher
        self._items = items
        self._teller = teller
        self._home = home
        self._now = now
        self._to_resume: list[Run] = []
        self._to_tell: list[Telling] = []

    async def settle(self) -> None:
        """Gives every row left behind its place. Call it once, before the first call is dispatched."""
        for run in await self._journal.unfinished():
            if run.status is Status.RUNNING and run.effect is Effect.WRITE:
                if not run.call.claim.startswith(TELLERS):
                    await self._teller.untold.run(run)
                await self._journal.finish(run, _stopped(run), self._now())
                continue
            if run.status is Status.RUNNING:
                await self._journal.requeue(run.id)
            if not run.call.claim.startswith(OWNERS):
                await self._resume_or_end(run)
        await self._items.settle()
        # Now: what is written down later is told by whoever wrote it.
        self._to_tell = await self._teller.untold.all()

    async def resume(self) -> None:
        """Tells the chats, and runs again what may be. Call it when the channels are up."""
        await self._tell()
        for run in self._to_resume:
            await self._home.ensure_browser(run.call.browser)
            try:
                await self._dispatcher.dispatch(run.call)
            except RunhomeError as error:
                await self._journal.end_unsent(run.id, Status.CANCELLED, str(error), self._now())
            await self._tell()
        self._to_resume = []

    async def _tell(self) -> None:
        """What is known by now, each once."""
        self._to_tell = [telling for telling in self._to_tell if not await self._teller.tell(telling)]

    async def _resume_or_end(self, run: Run) -> None:
        await self._teller.untold.run(run)
        if MASK in run.call.arguments.values():
            why = "The machine stopped before it was sent, and its secret value is not kept. Send it again."
            await self._journal.end_unsent(run.id, Status.MISSED, why, self._now())
        elif self._now() - run.created_at > FRESH:
            why = "The machine stopped before it was sent, and started again too late. Nothing was done."
            await self._journal.end_unsent(run.id, Status.MISSED, why, self._now())
        else:
            self._to_resume.append(run)


def _stopped(run: Run) -> Outcome:
    verdict = Verdict(status=Status.UNCONFIRMED, rests_on=STOPPED)
    return Outcome(verdict=verdict, evidence=Evidence(), browser=run.browser)
