"""Wakes the work when something is due. It decides nothing: what is due is told by our tables alone.

APScheduler keeps one job per schedule in the same SQLite file: the schedule's next moment, with a fixed
id, a textual reference, and the schedule's number as its only argument. At start the jobs are
reconciled with our tables. A job that comes too early, too late, twice or never does no harm: it only
asks the work to look, and every half minute the work looks anyway. So a machine that slept, or whose
clock was set, is half a minute late at most.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from apscheduler.executors.base import BaseExecutor
from apscheduler.jobstores.base import JobLookupError
from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler
from sqlalchemy import Engine, text

from scheduler.database import make_engine

log = logging.getLogger(__name__)

HEARTBEAT_S = 30.0

Moments = Callable[[Collection[int] | None], Awaitable[Mapping[int, datetime]]]


def due(schedule_id: int) -> None:
    """What a kept job refers to. Our executor never calls it: it wakes the clock that it belongs to."""
    raise AssertionError(f"schedule {schedule_id} must be run by the clock's own executor")


class Clock:
    """``tick`` does what is due now. ``moments`` tells when schedules (None: all) have something to do
    next."""

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
        self._scheduler: BackgroundScheduler | None = None
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def start(self) -> None:
        """Reconciles the kept jobs with our tables, and begins to wake."""
        self._loop = asyncio.get_running_loop()
        moments = await self._moments(None)
        self._scheduler = await asyncio.to_thread(_started, self._engine, self.wake)
        await asyncio.to_thread(_reconcile, self._engine, self._scheduler, moments)
        self._task = asyncio.create_task(self._run(), name="clock")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._scheduler is not None:
            await asyncio.to_thread(self._scheduler.shutdown)
        self._engine.dispose()

    def changed(self, schedule_id: int) -> None:
        """This schedule's next moment may have moved."""
        self._changed.add(schedule_id)
        self._woken.set()

    def wake(self) -> None:
        """The work shall look now. May be called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._woken.set)

    async def _run(self) -> None:
        while True:
            try:
                self._woken.clear()
                await self._tick()
                await self._set_jobs()
            except Exception:
                # The heart must beat on: the next look may succeed (a full disk, a locked file).
                log.exception("The clock could not look; it tries again in %s s", self._heartbeat_s)
                self._woken.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), self._heartbeat_s)

    async def _set_jobs(self) -> None:
        changed, self._changed = self._changed, set()
        if not changed or self._scheduler is None:
            return
        moments = await self._moments(changed)
        await asyncio.to_thread(_set_jobs, self._scheduler, changed, moments)


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


def _started(engine: Engine, wake: Callable[[], None]) -> BackgroundScheduler:
    scheduler = _Scheduler(
        timezone=UTC,
        jobstores={"default": SQLAlchemyJobStore(engine=engine)},
        executors={"default": _WakingExecutor(wake)},
        job_defaults={"misfire_grace_time": None, "coalesce": True},
    )
    scheduler.start()
    return scheduler


def _reconcile(engine: Engine, scheduler: BackgroundScheduler, moments: Mapping[int, datetime]) -> None:
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT id, next_run_time FROM apscheduler_jobs")).all()
    kept = {str(row[0]): float(row[1]) for row in rows if row[1] is not None}
    wanted = {_job_id(schedule_id): at for schedule_id, at in moments.items()}
    for job_id in kept.keys() - wanted.keys():
        _remove(scheduler, job_id)
    stale = {id for id in moments if kept.get(_job_id(id)) != moments[id].timestamp()}
    _set_jobs(scheduler, stale, moments)


def _set_jobs(
    scheduler: BackgroundScheduler, schedule_ids: Iterable[int], moments: Mapping[int, datetime]
) -> None:
    for schedule_id in schedule_ids:
        if schedule_id not in moments:
            _remove(scheduler, _job_id(schedule_id))
            continue
        scheduler.add_job(
            "scheduler.clock:due",
            "date",
            run_date=moments[schedule_id],
            args=[schedule_id],
            id=_job_id(schedule_id),
            replace_existing=True,
        )


def _remove(scheduler: BackgroundScheduler, job_id: str) -> None:
    with suppress(JobLookupError):
        scheduler.remove_job(job_id)


def _job_id(schedule_id: int) -> str:
    return f"schedule:{schedule_id}"
