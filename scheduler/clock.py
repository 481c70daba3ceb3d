"""The jobs that APScheduler keeps in our SQLite file, one a schedule. Decides nothing; ``waker.py`` says why.

The only module that knows APScheduler.
"""

import pickle
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from apscheduler.executors.base import BaseExecutor
from apscheduler.job import Job
from apscheduler.jobstores.base import JobLookupError
from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.date import DateTrigger
from sqlalchemy import Engine, Integer, cast, func, select

PREFIX = "schedule:"


def due(schedule_id: int) -> None:
    """What kept jobs refer to by name, old ones too. Our executor never calls it: it wakes the waker."""
    raise AssertionError(f"schedule {schedule_id} must be run by our own executor")


class KeptJobs:
    """Calls ``wake``, from a thread of its own, when a job is due. Every method waits for the disk."""

    def __init__(self, engine: Engine, wake: Callable[[], None], *, look_s: float) -> None:
        """``look_s``: between two looks at those that are due, at least."""
        self._store = _Store(engine)
        self._scheduler = _Scheduler(
            timezone=UTC,
            jobstores={"default": self._store},
            executors={"default": _WakingExecutor(wake)},
        )
        self._scheduler.look_s = look_s
        self._scheduler.start()

    def last_id(self) -> int:
        """The highest number of a schedule that has a job; 0 without any."""
        return self._store.last_id()

    def follow(self, schedule_ids: Sequence[int], moments: Mapping[int, datetime]) -> None:
        """Makes the jobs of these schedules what ``moments`` tells."""
        if self._store.follow(schedule_ids, moments):
            self._scheduler.wakeup()

    def close(self) -> None:
        self._scheduler.shutdown()


class _Store(SQLAlchemyJobStore):  # type: ignore[misc]  # APScheduler has no types
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

    look_s = 0.0

    def _process_jobs(self) -> float | None:
        try:
            wait_s: float | None = super()._process_jobs()
        except JobLookupError:  # it was shut down meanwhile, and knows no job any more
            return None
        return None if wait_s is None else max(wait_s, self.look_s)


class _WakingExecutor(BaseExecutor):  # type: ignore[misc]  # APScheduler has no types
    """Instead of calling a job's function, wakes the waker."""

    def __init__(self, wake: Callable[[], None]) -> None:
        super().__init__()
        self._wake = wake

    def _do_submit_job(self, job: Any, run_times: Any) -> None:
        self._wake()
        self._run_job_success(job.id, [])


def _job_id(schedule_id: int) -> str:
    return f"{PREFIX}{schedule_id}"
