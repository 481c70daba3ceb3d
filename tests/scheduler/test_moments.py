"""What the tables tell the clock, in a bounded number of steps however many schedules there are."""

from datetime import UTC, datetime, timedelta

import pytest

from library.errors import NoBrowser
from scheduler.database import Database
from scheduler.moments import TableMoments
from scheduler.schedule_rows import Terms
from tests.scheduler.statements import Statements
from tests.scheduler.timeframe import Timeframe

NINE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def moments(database: Database) -> TableMoments:
    return TableMoments(database)


async def test_without_schedules_there_is_no_moment(moments: TableMoments) -> None:
    assert await moments.last_id() == 0
    assert await moments.moments([1, 2]) == {}
    assert await moments.next_moment(NINE) is None


async def test_a_schedule_has_its_next_slot_its_jitter_added(time: Timeframe, moments: TableMoments) -> None:
    await time.schedule("daily 09:00")
    await time.schedule("daily 10:00", terms=Terms(jitter=timedelta(minutes=5)))
    told = await moments.moments([1, 2, 3])
    assert await moments.last_id() == 2
    assert told[1] == NINE
    assert NINE + timedelta(hours=1) < told[2] < NINE + timedelta(hours=1, minutes=5)
    assert await moments.moments([2]) == {2: told[2]}


async def test_one_that_is_paused_has_no_moment(time: Timeframe, moments: TableMoments) -> None:
    await time.schedule("daily 09:00")
    await time.schedule("daily 10:00")
    await time.keeper.schedules.pause("#1")
    assert await moments.moments([1, 2]) == {2: NINE + timedelta(hours=1)}
    assert await moments.next_moment(NINE - DAY) == NINE + timedelta(hours=1)


async def test_another_attempt_at_a_slot_comes_before_the_next_slot(
    time: Timeframe, moments: TableMoments
) -> None:
    await time.schedule("daily 09:00")
    time.runner.script = [NoBrowser("No browser.")]
    await time.at(NINE)
    again = NINE + timedelta(seconds=30)
    assert await moments.moments([1]) == {1: again}
    assert await moments.next_moment(NINE) == again


async def test_the_next_moment_is_one_to_come_whatever_is_under_way(
    time: Timeframe, moments: TableMoments
) -> None:
    """What is due has been begun, or waits for room: it must not hide the slot after it."""
    await time.schedule("daily 09:00")
    await time.schedule("daily 09:05")
    time.runner.hold()
    time.clock.at = NINE
    await time.keeper.tick()
    await time.runner.started.wait()
    assert await moments.next_moment(NINE) == NINE + timedelta(minutes=5)
    time.runner.let_go()
    await time.keeper.slot_work.idle()


@pytest.mark.parametrize("asked", [1, 2, 500])
async def test_schedules_are_looked_up_by_number_and_not_by_a_walk_through_all(
    database: Database, moments: TableMoments, asked: int
) -> None:
    with Statements() as seen:
        await moments.moments(range(asked))
    assert seen.plans(database.path)[0] == "SEARCH schedules USING INTEGER PRIMARY KEY (rowid=?)"


async def test_the_next_moment_is_found_by_indexes_in_one_transaction(
    database: Database, moments: TableMoments
) -> None:
    with Statements() as seen:
        await moments.next_moment(NINE)
    assert seen.begun == 1
    searched = [plan for plan in seen.plans(database.path) if plan.startswith(("SEARCH", "SCAN"))]
    assert len(searched) == 3
    assert all(plan.startswith("SEARCH") and "INDEX" in plan for plan in searched)
