"""Wakes the work when something is due. It decides nothing: what is due is told by our tables alone.

APScheduler keeps one job per schedule in the same SQLite file: the schedule's next moment, with a fixed
id, a textual reference, and the schedule's number as its only argument. At start the jobs are
reconciled with our tables, while the work goes on. A job that comes too early, too late, twice or never
does no harm: it only asks the work to look, and every half minute the work looks anyway. So a machine
that slept, or whose clock was set, is half a minute late at most.
"""

import asyncio
import logging
import pickle
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from apscheduler.executors.base import BaseExecutor
from apscheduler.job import Job
from apscheduler.jobstores.base import JobLookupError
from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.date import DateTrigger
from sqlalchemy import Engine, text

from scheduler.database import make_engine

log = logging.getLogger(__name__)

HEARTBEAT_S = 30.0
AT_ONCE = 500
"""Jobs written in one transaction: the work must not wait long for the file."""
PREFIX = "schedule:"

Moments = Callable[[Collection[int] | None], Awaitable[Mapping[int, datetime]]]
NextMoment = Callable[[], Awaitable[datetime | None]]


def due(schedule_id: int) -> None:
    """What a kept job refers to. Our executor never calls it: it wakes the clock that it belongs to."""
    raise AssertionError(f"schedule {schedule_id} must be run by the clock's own executor")


class Clock:
    """``tick`` does what is due now. ``moments`` tells when schedules (None: all) have something to do
    next, ``next_moment`` the first of all."""

    def __init__(
        self,
        database: Path,
        *,
        tick: Callable[[], Awaitable[None]],
        moments: Moments,
        next_moment: NextMoment,
        heartbeat_s: float = HEARTBEAT_S,
    ) -> None:
        self._engine = make_engine(database)
        self._tick = tick
        self._moments = moments
        self._next_moment = next_moment
        self._heartbeat_s = heartbeat_s
        self._changed: set[int] = set()
        self._woken = asyncio.Event()
        self._jobs = _Jobs(engine=self._engine)
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

    def changed(self, schedule_id: int) -> None:
        """This schedule's next moment may have moved."""
        self._changed.add(schedule_id)
        self._stale.set()
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
        """Seconds to the next moment of our tables: a job that could not be written makes nothing late."""
        next_moment = await self._next_moment()
        if next_moment is None or next_moment <= began:  # what was due has been begun, or waits for its turn
            return self._heartbeat_s
        return min(self._heartbeat_s, max(0.0, (next_moment - datetime.now(UTC)).total_seconds()))

    async def _keep_jobs(self) -> None:
        """Reconciles the jobs with our tables, then follows what changes; no look ever waits for it."""
        try:
            await self._write_all(await self._differing())
        except Exception:
            log.exception("The kept jobs could not be reconciled; the next start tries again")
        while True:
            await self._stale.wait()
            self._stale.clear()
            changed, self._changed = self._changed, set()
            try:
                await self._write_all(sorted(changed))
            except Exception:
                log.exception("The jobs of %d schedules could not be written", len(changed))

    async def _differing(self) -> list[int]:
        """The schedules whose job is not what our tables tell, the next ones first."""
        kept = await asyncio.to_thread(_kept, self._engine)
        wanted = await self._moments(None)
        stale = [id for id, at in wanted.items() if kept.get(id) != at.timestamp()]
        return sorted(stale, key=lambda id: wanted[id]) + list(kept.keys() - wanted.keys())

    async def _write_all(self, schedule_ids: Sequence[int]) -> None:
        for start in range(0, len(schedule_ids), AT_ONCE):
            await self._write(schedule_ids[start : start + AT_ONCE])

    async def _write(self, schedule_ids: Sequence[int]) -> None:
        assert self._scheduler is not None
        moments = await self._moments(schedule_ids)
        await asyncio.to_thread(_put, self._jobs, self._scheduler, schedule_ids, moments)


class _Jobs(SQLAlchemyJobStore):  # type: ignore[misc]  # APScheduler has no types
    """Puts many jobs in one transaction: one by one, a hundred thousand would take minutes."""

    def put(self, jobs: Sequence[Job], gone: Sequence[str]) -> None:
        rows = [
            {
                "id": job.id,
                "next_run_time": job.next_run_time.timestamp(),
                "job_state": pickle.dumps(job.__getstate__(), self.pickle_protocol),
            }
            for job in jobs
        ]
        with self.engine.begin() as connection:
            if gone:
                connection.execute(self.jobs_t.delete().where(self.jobs_t.c.id.in_(gone)))
            if rows:
                connection.execute(self.jobs_t.insert().prefix_with("OR REPLACE"), rows)


class _Scheduler(BackgroundScheduler):  # type: ignore[misc]  # APScheduler has no types
    """Survives a job that is gone when it is to be removed: at shutdown, or taken by another process."""

    def _process_jobs(self) -> float | None:
        try:
            wait_s: float | None = super()._process_jobs()
        except JobLookupError:
            return 1.0
        return wait_s


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


def _kept(engine: Engine) -> dict[int, float]:
    """The jobs that are there: schedule -> next moment."""
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT id, next_run_time FROM apscheduler_jobs")).all()
    return {int(row[0].removeprefix(PREFIX)): float(row[1] or 0) for row in rows}


def _put(
    store: _Jobs,
    scheduler: BackgroundScheduler,
    schedule_ids: Sequence[int],
    moments: Mapping[int, datetime],
) -> None:
    jobs = [_job(scheduler, id, moments[id]) for id in schedule_ids if id in moments]
    store.put(jobs, [_job_id(id) for id in schedule_ids if id not in moments])
    scheduler.wakeup()


def _job(scheduler: BackgroundScheduler, schedule_id: int, at: datetime) -> Job:
    return Job(
        scheduler,
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


def _job_id(schedule_id: int) -> str:
    return f"{PREFIX}{schedule_id}"
