"""Wakes the work when something is due. It decides nothing: what is due is told by our tables alone.

APScheduler keeps one job per schedule in the same SQLite file: the schedule's next moment, with a fixed
id, a textual reference, and the schedule's number as its only argument. The jobs follow our tables: all
are gone through at start, while the work goes on, and later those that changed. A job that comes too
early, too late, twice or never does no harm: it only asks the work to look, and the work looks anyway at
the next moment of our tables, and every half minute. So a machine that slept, or whose clock was set, is
half a minute late at most.

The jobs (``clock.py``) must not be in the way of the work, which writes to the same file: those that
changed are written a few times a second at most, only where they differ, and those that are due are taken
together.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from scheduler.database import make_engine

if TYPE_CHECKING:
    from scheduler.clock import KeptJobs

log = logging.getLogger(__name__)

HEARTBEAT_S = 30.0
AT_ONCE = 500
"""Jobs written in one transaction: the work must not wait long for the file."""
GATHER_S = 0.5
"""Between two writes of changed jobs, and between two looks at those that are due."""


class Moments(Protocol):
    """What our tables tell."""

    async def last_id(self) -> int:
        """The highest number of a schedule; 0 without any."""
        ...

    async def moments(self, schedule_ids: Collection[int]) -> Mapping[int, datetime]:
        """When each of these has something to do next; those that have nothing are left out."""
        ...

    async def next_moment(self, after: datetime) -> datetime | None:
        """The first of all that is later."""
        ...


class Waker:
    """``tick`` does what is due now."""

    def __init__(
        self,
        database: Path,
        *,
        tick: Callable[[], Awaitable[None]],
        moments: Moments,
        heartbeat_s: float = HEARTBEAT_S,
    ) -> None:
        self._engine = make_engine(database)
        self._tick = tick
        self._moments = moments
        self._heartbeat_s = heartbeat_s
        self._changed: set[int] = set()
        self._woken = asyncio.Event()
        self._stale = asyncio.Event()
        self._jobs: KeptJobs | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None

    async def start(self) -> None:
        """Looks, begins to wake, and meanwhile reconciles the kept jobs with our tables."""
        # APScheduler is not there at once, and a server that has just started need not wait for it.
        from scheduler.clock import KeptJobs

        self._loop = asyncio.get_running_loop()
        self._jobs = await asyncio.to_thread(KeptJobs, self._engine, self.wake, look_s=GATHER_S)
        for work, name in ((self._run(), "clock"), (self._keep(self._jobs), "jobs")):
            self._tasks.append(asyncio.create_task(work, name=name))

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._jobs is not None:
            await asyncio.to_thread(self._jobs.close)
        self._engine.dispose()

    def moved(self, schedule_id: int) -> None:
        """This schedule's next moment may have moved: its job follows."""
        self._changed.add(schedule_id)
        self._stale.set()

    def changed(self, schedule_id: int) -> None:
        """As ``moved``, and the work shall look now."""
        self.moved(schedule_id)
        self._woken.set()

    def wake(self) -> None:
        """The work shall look now. May be called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._woken.set)

    async def _run(self) -> None:
        while True:
            wait_s = self._heartbeat_s
            try:
                self._woken.clear()
                began = datetime.now(UTC)
                await self._tick()
                wait_s = await self._until_next(began)
            except Exception:
                # The heart must beat on: the next look may succeed (a full disk, a locked file).
                log.exception("The waker could not look; it tries again in %s s", self._heartbeat_s)
                self._woken.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), wait_s)

    async def _until_next(self, began: datetime) -> float:
        """Seconds to the next moment of our tables: a job that could not be written makes nothing late.

        What was due when the look began has been begun, or waits for its turn."""
        next_moment = await self._moments.next_moment(began)
        if next_moment is None:
            return self._heartbeat_s
        return min(self._heartbeat_s, max(0.0, (next_moment - datetime.now(UTC)).total_seconds()))

    async def _keep(self, jobs: "KeptJobs") -> None:
        """Goes through all jobs, then follows what changes; no look ever waits for it."""
        try:
            last = max(await self._moments.last_id(), await asyncio.to_thread(jobs.last_id))
            await self._write(jobs, range(1, last + 1))
        except Exception:
            log.exception("The kept jobs could not be reconciled; the next start tries again")
        while True:
            await self._stale.wait()
            self._stale.clear()
            changed, self._changed = self._changed, set()
            try:
                await self._write(jobs, sorted(changed))
            except Exception:
                log.exception("The jobs of %d schedules could not be written", len(changed))
            await asyncio.sleep(GATHER_S)

    async def _write(self, jobs: "KeptJobs", schedule_ids: Sequence[int]) -> None:
        for start in range(0, len(schedule_ids), AT_ONCE):
            some = schedule_ids[start : start + AT_ONCE]
            await asyncio.to_thread(jobs.follow, some, await self._moments.moments(some))
