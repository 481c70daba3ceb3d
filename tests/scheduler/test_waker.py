"""The clock: wakes the work at the right moment, keeps one job per schedule, and may be wrong without
harm."""

import asyncio
import sqlite3
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta

import pytest

from scheduler.database import Database
from scheduler.waker import Waker


class Moments:
    """What our tables would tell; counts the looks.

    It tells no next moment of all: only jobs, changes and the heartbeat wake its clock."""

    def __init__(self, **moments: datetime) -> None:
        self.at = {int(name[1:]): moment for name, moment in moments.items()}
        self.looks = 0
        self.last = datetime.min.replace(tzinfo=UTC)
        self.looked = asyncio.Condition()

    async def last_id(self) -> int:
        return max(self.at, default=0)

    async def moments(self, schedule_ids: Collection[int]) -> Mapping[int, datetime]:
        return {id: at for id, at in self.at.items() if id in schedule_ids}

    async def next_moment(self, after: datetime) -> datetime | None:
        return None

    async def tick(self) -> None:
        async with self.looked:
            self.looks += 1
            self.last = datetime.now(UTC)
            self.looked.notify_all()

    async def looked_since(self, moment: datetime) -> None:
        async with self.looked:
            await asyncio.wait_for(self.looked.wait_for(lambda: self.last >= moment), 20)

    async def looked_times(self, count: int) -> None:
        async with self.looked:
            await asyncio.wait_for(self.looked.wait_for(lambda: self.looks >= count), 10)


def _jobs(database: Database) -> dict[str, float]:
    connection = sqlite3.connect(database.path)
    rows = connection.execute("SELECT id, next_run_time FROM apscheduler_jobs").fetchall()
    connection.close()
    return dict(rows)


def _changes(database: Database) -> int:
    """How many jobs were ever written: each takes a new place in its table."""
    connection = sqlite3.connect(database.path)
    (last,) = connection.execute("SELECT max(rowid) FROM apscheduler_jobs").fetchone()
    connection.close()
    return int(last)


async def _jobs_become(database: Database, wanted: Mapping[str, float]) -> None:
    async with asyncio.timeout(10):
        while _jobs(database) != wanted:  # noqa: ASYNC110  (another thread writes them)
            await asyncio.sleep(0.01)


def _clock(database: Database, moments: Moments, heartbeat_s: float = 600) -> Waker:
    return Waker(database.path, tick=moments.tick, moments=moments, heartbeat_s=heartbeat_s)


async def test_the_work_looks_at_the_moment_of_a_schedule(database: Database) -> None:
    soon = datetime.now(UTC) + timedelta(seconds=1)
    moments = Moments(s7=soon)
    clock = _clock(database, moments)
    await clock.start()
    await moments.looked_since(soon)
    assert moments.looks <= 2
    await clock.close()


async def test_a_moment_that_passed_while_it_was_down_wakes_it_at_once(database: Database) -> None:
    began = datetime.now(UTC)
    moments = Moments(s7=began - timedelta(days=3))
    clock = _clock(database, moments)
    await clock.start()
    await moments.looked_since(began)
    await clock.close()


async def test_there_is_one_job_for_a_schedule_across_restarts_and_none_for_those_that_are_gone(
    database: Database,
) -> None:
    later = datetime(2100, 1, 1, tzinfo=UTC)
    moments = Moments(s1=later, s2=later)
    for _ in range(3):
        clock = _clock(database, moments)
        await clock.start()
        await _jobs_become(database, {"schedule:1": later.timestamp(), "schedule:2": later.timestamp()})
        await clock.close()
    moments.at = {2: later + timedelta(hours=1)}
    clock = _clock(database, moments)
    await clock.start()
    await _jobs_become(database, {"schedule:2": moments.at[2].timestamp()})
    await clock.close()


async def test_a_changed_schedule_moves_or_loses_its_job(database: Database) -> None:
    later = datetime(2100, 1, 1, tzinfo=UTC)
    moments = Moments(s1=later)
    clock = _clock(database, moments)
    await clock.start()
    moments.at = {1: later + timedelta(hours=1), 3: later}
    clock.changed(1)
    clock.changed(3)
    await _jobs_become(database, {"schedule:1": moments.at[1].timestamp(), "schedule:3": later.timestamp()})
    moments.at = {}
    clock.changed(1)
    clock.changed(3)
    await _jobs_become(database, {})
    await clock.close()


async def test_it_looks_every_heartbeat_whatever_the_jobs_say(database: Database) -> None:
    moments = Moments()
    clock = _clock(database, moments, heartbeat_s=0.01)
    await clock.start()
    await moments.looked_times(5)
    await clock.close()


async def test_a_look_that_fails_does_not_stop_the_heart(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    moments = Moments()

    async def fails_once() -> None:
        await moments.tick()
        if moments.looks == 1:
            raise OSError("disk full")

    clock = Waker(database.path, tick=fails_once, moments=moments, heartbeat_s=0.01)
    await clock.start()
    await moments.looked_times(3)
    await clock.close()
    assert "disk full" in caplog.text


async def test_it_looks_before_the_jobs_of_many_schedules_are_reconciled(database: Database) -> None:
    later = datetime(2100, 1, 1, tzinfo=UTC)
    moments = Moments(**{f"s{n}": later for n in range(1, 2_001)})
    clock = _clock(database, moments)
    await clock.start()
    await moments.looked_times(1)
    looked = len(_jobs(database))
    await _jobs_become(database, {f"schedule:{n}": later.timestamp() for n in range(1, 2_001)})
    await clock.close()
    assert looked < 2_000


async def test_the_next_moment_of_the_tables_wakes_it_even_without_a_job(database: Database) -> None:
    soon = datetime.now(UTC) + timedelta(seconds=1)

    class OfTheTables(Moments):
        async def next_moment(self, after: datetime) -> datetime | None:
            return soon

    moments = OfTheTables()
    clock = _clock(database, moments)
    await clock.start()
    await moments.looked_since(soon)
    assert _jobs(database) == {}
    await clock.close()


async def test_jobs_that_are_due_together_are_taken_together_and_wake_it_once(database: Database) -> None:
    soon = datetime.now(UTC) + timedelta(seconds=1)
    moments = Moments(**{f"s{n}": soon for n in range(1, 101)})
    clock = _clock(database, moments)
    await clock.start()
    await moments.looked_since(soon)
    await _jobs_become(database, {})
    assert moments.looks <= 2
    await clock.close()


async def test_a_job_that_is_as_it_should_be_is_not_written_again(database: Database) -> None:
    later = datetime(2100, 1, 1, tzinfo=UTC)
    moments = Moments(s1=later)
    clock = _clock(database, moments)
    await clock.start()
    await _jobs_become(database, {"schedule:1": later.timestamp()})
    before = _changes(database)
    clock.changed(1)
    moments.at[2] = later
    clock.changed(2)
    await _jobs_become(database, {f"schedule:{n}": later.timestamp() for n in (1, 2)})
    await clock.close()
    assert _changes(database) == before + 1
