"""The crash rule: what becomes of runs that the machine's end cut short. Run by the process that owns
the clock.

1. ``running`` write: ``unconfirmed``. It may have happened; the machine never tries it again by itself.
2. ``running`` read: run again, in the same row.
3. ``queued``: was surely not sent. Run again while it is fresh, else ``missed``.
4. Runs of schedules, triggers and queues are left ``queued``: their owners take them up again, by the
   same claim.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from library.errors import RunhomeError
from library.models import Effect, Evidence, Outcome, Run, Status, Verdict
from scheduler.dispatcher import Dispatcher
from scheduler.journal import Journal
from scheduler.ports import Home, Notifier
from scheduler.run_rows import MASK

FRESH = timedelta(minutes=15)
"""A person who sent a command this long ago still wants it done."""

STOPPED = "The machine stopped while it ran: whether it happened is not known."
OWNERS = ("schedule:", "trigger:", "queue:")


class Recovery:
    def __init__(
        self,
        *,
        journal: Journal,
        dispatcher: Dispatcher,
        notifier: Notifier,
        home: Home,
        now: Callable[[], datetime],
    ) -> None:
        self._journal = journal
        self._dispatcher = dispatcher
        self._notifier = notifier
        self._home = home
        self._now = now
        self._to_tell: list[Run] = []
        self._to_resume: list[Run] = []

    async def settle(self) -> None:
        """Gives every row left behind its place. Call it once, before the first call is dispatched."""
        for run in await self._journal.unfinished():
            if run.status is Status.RUNNING and run.effect is Effect.WRITE:
                self._to_tell.append(await self._journal.finish(run, _stopped(run), self._now()))
                continue
            if run.status is Status.RUNNING:
                await self._journal.requeue(run.id)
            if not run.call.claim.startswith(OWNERS):
                await self._resume_or_end(run)

    async def resume(self) -> None:
        """Runs again what may be, and tells the chats. Call it when the channels are up."""
        for run in self._to_resume:
            await self._home.ensure_browser(run.call.browser)
            try:
                self._to_tell.append(await self._dispatcher.dispatch(run.call))
            except RunhomeError as error:
                self._to_tell.append(await self._end(run, Status.CANCELLED, str(error)))
        self._to_resume = []
        while self._to_tell:
            await self._notifier.run_finished(self._to_tell.pop(0))

    async def _resume_or_end(self, run: Run) -> None:
        if MASK in run.call.arguments.values():
            why = "The machine stopped before it was sent, and its secret value is not kept. Send it again."
            self._to_tell.append(await self._end(run, Status.MISSED, why))
        elif self._now() - run.created_at > FRESH:
            why = "The machine stopped before it was sent, and started again too late. Nothing was done."
            self._to_tell.append(await self._end(run, Status.MISSED, why))
        else:
            self._to_resume.append(run)

    async def _end(self, run: Run, status: Status, why: str) -> Run:
        return await self._journal.end_unsent(run.id, status, why, self._now())


def _stopped(run: Run) -> Outcome:
    verdict = Verdict(status=Status.UNCONFIRMED, rests_on=STOPPED)
    return Outcome(verdict=verdict, evidence=Evidence(), browser=run.browser)
