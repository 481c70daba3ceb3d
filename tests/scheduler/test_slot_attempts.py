"""Attempts at a slot: tried again, waiting for a browser, taken up after a crash. On a fake clock."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from library.errors import NoBrowser, SetupError
from library.models import Status
from scheduler.lanes import Lanes
from scheduler.schedule_rows import Terms
from tests.fakes import outcome
from tests.scheduler.conftest import call, make_dispatcher, new_run
from tests.scheduler.timeframe import Timeframe

NINE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


async def test_what_surely_did_not_happen_is_tried_again_until_it_works(time: Timeframe) -> None:
    await time.schedule("daily 09:00")
    time.runner.script = [NoBrowser("No browser."), outcome(Status.FAILED, "Not found.", acted=False)]
    await time.at(NINE)
    assert await time.ends() == [Status.QUEUED]
    await time.after(seconds=29)
    assert len(time.runner.runs) == 1
    await time.after(seconds=1)
    await time.after(seconds=60)
    slot = (await time.slots())[0]
    assert (slot.status, slot.attempt, len(time.runner.runs)) == (Status.DONE, 3, 3)
    assert [run.status for run in time.notifier.runs] == [Status.DONE]


@pytest.mark.parametrize("status", [Status.UNCONFIRMED, Status.FAILED])
async def test_a_write_that_may_have_happened_is_never_tried_again(time: Timeframe, status: Status) -> None:
    await time.schedule("daily 09:00")
    time.runner.script = [outcome(status, "It is not known.", acted=True)]
    await time.at(NINE)
    await time.after(hours=6)
    assert await time.ends() == [status]
    assert len(time.runner.runs) == 1


async def test_retries_end_with_the_window_and_the_slot_with_the_last_reason(time: Timeframe) -> None:
    await time.schedule("every 2 minutes", name="list-posts")
    time.runner.otherwise = outcome(Status.FAILED, "The site answered 500.", acted=False)
    start = time.clock()
    for second in range(0, 240, 30):
        await time.at(start + timedelta(minutes=2, seconds=second))
    slots = await time.slots()
    assert [(slot.status, slot.reason) for slot in slots[:1]] == [(Status.FAILED, "The site answered 500.")]
    assert slots[0].attempt == 3
    assert len({run_id for run_id, _, _ in time.runner.runs}) == len(time.runner.runs)


async def test_a_home_that_sleeps_is_waited_for_within_the_window(time: Timeframe) -> None:
    await time.schedule("daily 09:00")
    time.home.awake = False
    await time.at(NINE)
    await time.after(minutes=10)
    assert (await time.ends(), time.runner.runs) == ([Status.QUEUED], [])
    time.home.awake = True
    await time.after(minutes=1)
    assert await time.ends() == [Status.DONE]


async def test_a_home_that_never_wakes_makes_the_slot_missed(time: Timeframe) -> None:
    await time.schedule("daily 09:00", terms=Terms(window=HOUR))
    time.home.awake = False
    for minute in (0, 30, 59, 60, 61):
        await time.at(NINE + timedelta(minutes=minute))
    slot = (await time.slots())[0]
    assert slot.status is Status.MISSED
    assert slot.reason == "No browser was connected until Mon 2026-03-02 10:00."
    assert time.runner.runs == []
    assert len(time.notifier.notes) == 1


async def test_after_a_restart_an_open_slot_goes_on_under_the_same_claim(time: Timeframe) -> None:
    await time.schedule("daily 09:00")
    time.runner.hold()
    time.clock.at = NINE
    await time.keeper.tick()
    await asyncio.wait_for(time.runner.started_times(1), 5)
    await time.keeper.slot_work.close()
    await time.dispatcher.close(grace_s=0)
    time.dispatcher = make_dispatcher(time.journal, time.runner, time.clock)
    keeper = time.restarted()
    await keeper.recovery.settle()
    await keeper.recovery.resume()
    await time.at(NINE + timedelta(minutes=2))
    assert [run.status for run in time.notifier.runs] == [Status.UNCONFIRMED]
    slot = (await time.slots())[0]
    assert slot.status is Status.UNCONFIRMED
    assert slot.run_id == time.runner.runs[0][0]
    assert len(time.runner.runs) == 1


@pytest.mark.parametrize(("late", "end"), [(2, Status.DONE), (13 * 60, Status.MISSED)])
async def test_a_run_that_waited_for_a_lane_at_the_crash_goes_out_within_its_window_only(
    time: Timeframe, late: int, end: Status
) -> None:
    for _ in range(5):
        await time.schedule("daily 09:00")
    time.runner.hold()
    time.clock.at = NINE
    await time.keeper.tick()
    await asyncio.wait_for(time.runner.started_times(4), 5)
    async with asyncio.timeout(5):
        while len(await time.journal.unfinished()) < 5:  # noqa: ASYNC110  (written in the background)
            await asyncio.sleep(0.01)
    await time.keeper.slot_work.close()
    await time.dispatcher.close(grace_s=0)
    time.runner.let_go()
    time.dispatcher = make_dispatcher(time.journal, time.runner, time.clock)
    keeper = time.restarted()
    await keeper.recovery.settle()
    await time.at(NINE + timedelta(minutes=late))
    assert sorted(await time.ends()) == sorted([Status.UNCONFIRMED] * 4 + [end])
    assert await time.journal.unfinished() == []
    assert len(time.runner.runs) == (5 if end is Status.DONE else 4)


async def test_a_run_that_waited_for_a_lane_at_the_crash_ends_when_no_browser_comes_either(
    time: Timeframe,
) -> None:
    await time.schedule("daily 09:00")
    time.home.awake = False
    await time.at(NINE)
    (slot,) = await time.slots()
    await time.journal.claim(new_run(slot.claim, time.clock))
    await time.at(slot.deadline)
    assert await time.ends() == [Status.MISSED]
    assert await time.journal.unfinished() == []


async def test_a_slot_at_a_door_where_too_many_of_its_chat_wait_comes_back_and_does_not_fail(
    time: Timeframe,
) -> None:
    time.dispatcher = make_dispatcher(
        time.journal, time.runner, time.clock, lanes=Lanes(per_chat=1, waiting_per_chat=1)
    )
    time.restarted()
    await time.schedule("daily 09:00")
    time.runner.hold()
    asked = [asyncio.create_task(time.dispatcher.dispatch(call("telegram:0")))]
    await asyncio.wait_for(time.runner.started_times(1), 5)
    asked.append(asyncio.create_task(time.dispatcher.dispatch(call("telegram:1"))))
    async with asyncio.timeout(5):
        while len(await time.journal.unfinished()) < 2:  # noqa: ASYNC110  (written in the background)
            await asyncio.sleep(0.01)
    await time.at(NINE)
    assert await time.ends() == [Status.QUEUED]
    time.runner.let_go()
    await asyncio.gather(*asked)
    await time.after(seconds=2)
    assert await time.ends() == [Status.DONE]


async def test_an_open_slot_that_was_not_sent_is_missed_when_the_machine_comes_back_too_late(
    time: Timeframe,
) -> None:
    await time.schedule("daily 09:00")
    time.home.awake = False
    await time.at(NINE)
    time.home.awake = True
    await time.at(NINE + timedelta(hours=13))
    assert await time.ends() == [Status.MISSED]
    assert time.runner.runs == []


async def test_a_run_that_the_database_lost_sight_of_is_judged_by_the_next_start(time: Timeframe) -> None:
    full = True

    def disk_full(session: object, run: object) -> None:
        if full:
            raise SetupError("The database cannot be used: disk full.")

    await time.schedule("daily 09:00")
    time.journal.in_same_commit(disk_full)
    await time.at(NINE)
    full = False
    for _ in range(3):
        await time.after(minutes=1)
    assert await time.ends() == [Status.RUNNING]
    await time.restarted().recovery.settle()
    await time.after(minutes=1)
    assert await time.ends() == [Status.UNCONFIRMED]
    assert len(time.runner.runs) == 1
