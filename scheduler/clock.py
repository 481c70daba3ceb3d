"""Wakes the work when something is due. It decides nothing: what is due is told by our tables alone.

APScheduler keeps one job per schedule in the same SQLite file: the schedule's next moment, with a fixed
id, a textual reference, and the schedule's number as its only argument. The jobs follow our tables: all
are gone through at start, while the work goes on, and later those that changed. A job that comes too
early, too late, twice or never does no harm: it only asks the work to look, and the work looks anyway at
the next moment of our tables, and every half minute. So a machine that slept, or whose clock was set, is
half a minute late at most.

The jobs must not be in the way of the work, which writes to the same file: those that changed are
written a few times a second at most, only where they differ, and those that are due are taken together.
"""

import asyncio
import logging
import pickle
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from apscheduler.executors.base import BaseExecutor
from apscheduler.job import Job
from apscheduler.jobstores.base import JobLookupError
from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.date import DateTrigger
from sqlalchemy import Engine, Integer, cast, func, select

from scheduler.database import make_engine

log = logging.getLogger(__name__)

HEARTBEAT_S = 30.0
AT_ONCE = 500
"""Jobs written in one transaction: the work must not wait long for the file."""
GATHER_S = 0.5
"""Between two writes of changed jobs, and between two looks at those that are due."""
PREFIX = "schedule:"


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


def due(schedule_id: int) -> None:
    """What a kept job refers to. Our executor never calls it: it wakes the clock that it belongs to."""
    raise AssertionError(f"schedule {schedule_id} must be run by the clock's own executor")


class Clock:
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
        self._jobs = _Jobs(self._engine)
        self._stale = asyncio.Event()
        self._scheduler: BackgroundScheduler | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None

    async def start(self) -> None:
        """Looks, begins to wake, and meanwhile reconciles the kept jobs with our tables."""
        self._loop = asyncio.get_running_loop()
        self._scheduler = await asyncio.to_thread(_started, self._jobs, self.wake)
        for work, name in ((self._run(), "clock"), (self._keep_jobs(), "jobs")):
            self._tasks.append(asyncio.create_task(work, name=name))

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._scheduler is not None:
            await asyncio.to_thread(self._scheduler.shutdown)
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
                log.exception("The clock could not look; it tries again in %s s", self._heartbeat_s)
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

    async def _keep_jobs(self) -> None:
        """Goes through all jobs, then follows what changes; no look ever waits for it."""
        try:
            last = max(await self._moments.last_id(), await asyncio.to_thread(self._jobs.last_id))
            await self._write(range(1, last + 1))
        except Exception:
            log.exception("The kept jobs could not be reconciled; the next start tries again")
        while True:
            await self._stale.wait()
            self._stale.clear()
            changed, self._changed = self._changed, set()
            try:
                await self._write(sorted(changed))
            except Exception:
                log.exception("The jobs of %d schedules could not be written", len(changed))
            await asyncio.sleep(GATHER_S)

    async def _write(self, schedule_ids: Sequence[int]) -> None:
        assert self._scheduler is not None
        for start in range(0, len(schedule_ids), AT_ONCE):
            some = schedule_ids[start : start + AT_ONCE]
            moments = await self._moments.moments(some)
            if await asyncio.to_thread(self._jobs.follow, some, moments):
                self._scheduler.wakeup()


class _Jobs(SQLAlchemyJobStore):  # type: ignore[misc]  # APScheduler has no types
    """Writes and takes many jobs in one transaction: one by one, each would wait for the disk."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine=engine)
        self._reading = engine.execution_options(runhome_lock="DEFERRED")

    def last_id(self) -> int:
        """The highest number of a schedule that has a job; 0 without any."""
        number = cast(func.substr(self.jobs_t.c.id, len(PREFIX) + 1), Integer)
        with self._reading.begin() as connection:
            return connection.execute(select(func.max(number))).scalar() or 0

    def follow(self, schedule_ids: Sequence[int], moments: Mapping[int, datetime]) -> bool:
        """Makes the jobs of these schedules what ``moments`` tells. False when they were so already."""
        kept = self._kept(schedule_ids)
        gone = [_job_id(id) for id in schedule_ids if id in kept and id not in moments]
        moved = {id: at for id, at in moments.items() if kept.get(id) != at.timestamp()}
        if not gone and not moved:
            return False
        rows = [self._row(id, at) for id, at in moved.items()]
        with self.engine.begin() as connection:
            if gone:
                connection.execute(self.jobs_t.delete().where(self.jobs_t.c.id.in_(gone)))
            if rows:
                connection.execute(self.jobs_t.insert().prefix_with("OR REPLACE"), rows)
        return True

    def get_next_run_time(self) -> datetime | None:
        """As the store's own, but without the lock of those who write."""
        with self._reading.begin() as connection:
            first = connection.execute(select(func.min(self.jobs_t.c.next_run_time))).scalar()
        return None if first is None else datetime.fromtimestamp(first, UTC)

    def get_due_jobs(self, now: datetime) -> list[Job]:
        """Takes all that are due out of the file, and gives one: the work that it wakes looks for itself."""
        first = self.get_next_run_time()
        if first is None or first > now:
            return []
        due = self.jobs_t.delete().where(self.jobs_t.c.next_run_time <= now.timestamp())
        with self.engine.begin() as connection:
            taken = connection.execute(due.returning(self.jobs_t.c.job_state)).scalars().all()
        return [self._reconstitute_job(state) for state in taken[:1]]

    def remove_job(self, job_id: str) -> None:
        """Nothing: a job that is due has been taken already."""

    def _kept(self, schedule_ids: Sequence[int]) -> dict[int, float]:
        """The jobs that are there: schedule -> next moment."""
        ids = [_job_id(id) for id in schedule_ids]
        query = select(self.jobs_t.c.id, self.jobs_t.c.next_run_time).where(self.jobs_t.c.id.in_(ids))
        with self._reading.begin() as connection:
            rows = connection.execute(query).all()
        return {int(row.id.removeprefix(PREFIX)): row.next_run_time for row in rows}

    def _row(self, schedule_id: int, at: datetime) -> dict[str, object]:
        job = Job(
            self._scheduler,
            id=_job_id(schedule_id),
            name="due",
            trigger=DateTrigger(at),
            func="scheduler.clock:due",
            args=(schedule_id,),
            kwargs={},
            executor="default",
            misfire_grace_time=None,
            coalesce=True,
            max_instances=1,
            next_run_time=at,
        )
        state = pickle.dumps(job.__getstate__(), self.pickle_protocol)
        return {"id": job.id, "next_run_time": at.timestamp(), "job_state": state}


class _Scheduler(BackgroundScheduler):  # type: ignore[misc]  # APScheduler has no types
    """Looks a few times a second at most."""

    def _process_jobs(self) -> float | None:
        try:
            wait_s: float | None = super()._process_jobs()
        except JobLookupError:  # it was shut down meanwhile, and knows no job any more
            return None
        return None if wait_s is None else max(wait_s, GATHER_S)


class _WakingExecutor(BaseExecutor):  # type: ignore[misc]  # APScheduler has no types
    """Instead of calling a job's function, wakes the clock."""

    def __init__(self, wake: Callable[[], None]) -> None:
        super().__init__()
        self._wake = wake

    def _do_submit_job(self, job: Any, run_times: Any) -> None:
        self._wake()
        self._run_job_success(job.id, [])


def _started(jobs: _Jobs, wake: Callable[[], None]) -> BackgroundScheduler:
    scheduler = _Scheduler(
        timezone=UTC,
        jobstores={"default": jobs},
        executors={"default": _WakingExecutor(wake)},
    )
    scheduler.start()
    return scheduler


def _job_id(schedule_id: int) -> str:
    return f"{PREFIX}{schedule_id}"
