"""Every due slot ends in exactly one way, whatever the clock and the machine do. On a fake clock."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from time import tzset
from zoneinfo import ZoneInfo

import pytest

from library.errors import AskError, UnknownName
from library.models import ChatRef, Status
from scheduler.rules import next_slots
from scheduler.schedule_rows import State, Terms
from scheduler.terms import Missed, Overlap
from tests.fakes import FakeNotifier, outcome
from tests.scheduler.conftest import make_dispatcher
from tests.scheduler.timeframe import Timeframe

NINE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
OLD = Status.MISSED


async def test_a_slot_runs_once_at_its_time_and_the_next_one_a_day_later(time: Timeframe) -> None:
    schedule = await time.schedule("daily 09:00")
    assert schedule.next_at == NINE
    await time.at(NINE - timedelta(seconds=1))
    assert await time.slots() == []
    for _ in range(3):
        await time.at(NINE)
    slot = (await time.slots())[0]
    assert (slot.slot, slot.status, slot.finished_at) == (NINE, Status.DONE, NINE)
    assert slot.run_id == time.runner.runs[0][0]
    await time.at(NINE + DAY)
    assert await time.ends() == [Status.DONE, Status.DONE]
    assert len(time.runner.runs) == 2
    assert [run.call.asked_by for run in time.notifier.runs] == [f"schedule:{schedule.id}"] * 2


async def test_a_sleep_of_three_hours_is_made_good_once(time: Timeframe) -> None:
    await time.schedule("every 1h")
    await time.at(NINE)
    await time.after(hours=3, minutes=30)
    assert await time.ends() == [Status.DONE, OLD, OLD, Status.DONE]
    assert len(time.runner.runs) == 2


@pytest.mark.parametrize(
    ("missed", "last", "runs"), [(Missed.ONCE, Status.DONE, 1), (Missed.SKIP, OLD, 0), (Missed.ASK, OLD, 0)]
)
async def test_a_sleep_of_three_days_lists_every_slot_and_runs_at_most_the_newest(
    time: Timeframe, missed: Missed, last: Status, runs: int
) -> None:
    await time.schedule("daily 09:00", terms=Terms(missed=missed))
    await time.at(NINE + 2 * DAY + HOUR)
    assert await time.ends() == [OLD, OLD, last]
    assert len(time.runner.runs) == runs
    assert len(time.notifier.notes) == 1
    assert ("/trigger #1" in time.notifier.notes[0][1]) is (missed is Missed.ASK)
    await time.at(NINE + 3 * DAY)
    assert (await time.ends())[3:] == [Status.DONE]


async def test_a_window_that_is_over_is_over(time: Timeframe) -> None:
    await time.schedule("daily 09:00", terms=Terms(window=timedelta(hours=2)))
    await time.at(NINE + 3 * HOUR)
    assert await time.ends() == [OLD]
    assert time.runner.runs == []


async def test_a_clock_that_is_set_back_runs_nothing_twice(time: Timeframe) -> None:
    await time.schedule("every 1h")
    await time.at(NINE)
    await time.at(NINE - 2 * HOUR)
    await time.at(NINE)
    assert await time.ends() == [Status.DONE]
    await time.at(NINE + HOUR)
    assert await time.ends() == [Status.DONE, Status.DONE]


@pytest.mark.parametrize(
    ("start", "local_hours"),
    [
        (datetime(2026, 3, 28, 0, 0, tzinfo=UTC), [(28, 2), (29, 3), (30, 2)]),
        (datetime(2026, 10, 24, 0, 0, tzinfo=UTC), [(24, 2), (25, 2), (26, 2)]),
    ],
)
async def test_across_both_clock_changes_each_local_day_has_one_slot(
    time: Timeframe, start: datetime, local_hours: list[tuple[int, int]]
) -> None:
    time.clock.at = start
    await time.schedule("daily 02:30" if start.month == 10 else "daily 02:00", zone="Europe/Berlin")
    for minutes in range(0, 3 * 24 * 60, 30):
        time.clock.at = start + timedelta(minutes=minutes)
        await time.keeper.slot_work.tick()
        await time.keeper.slot_work.idle()
    berlin = [slot.slot.astimezone(ZoneInfo("Europe/Berlin")) for slot in await time.slots()]
    assert [(at.day, at.hour) for at in berlin] == local_hours
    assert set(await time.ends()) == {Status.DONE}


@pytest.fixture
def machine_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Sets the zone of this process, as travelling with a laptop does."""

    def set_zone(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        tzset()

    yield set_zone
    monkeypatch.undo()
    tzset()


async def test_a_change_of_the_machines_time_zone_moves_no_slot(
    time: Timeframe, machine_zone: Callable[[str], None]
) -> None:
    machine_zone("Europe/Berlin")
    schedule = await time.schedule("daily 09:00", zone="Europe/Berlin")
    announced = next_slots(schedule.rule, time.clock(), 3)
    for zone, slot in zip(("Asia/Seoul", "America/Los_Angeles", "Pacific/Apia"), announced, strict=True):
        machine_zone(zone)
        time.restarted()
        await time.at(slot - timedelta(seconds=1))
        await time.at(slot)
    assert [slot.slot for slot in await time.slots()] == announced
    assert await time.ends() == [Status.DONE] * 3


async def test_what_is_announced_is_what_fires_and_asking_changes_nothing(time: Timeframe) -> None:
    await time.schedule("every 1h")
    announced = [item.at for item in await time.keeper.schedules.upcoming(timedelta(hours=3))]
    time.clock.at = NINE + timedelta(seconds=5)
    for _ in range(3):
        await time.keeper.schedules.all()
        await time.keeper.schedules.upcoming()
        await time.keeper.schedules.slots()
        await time.keeper.schedules.find("#1")
    assert await time.slots() == []
    for hour in range(3):
        await time.at(NINE + hour * HOUR)
    assert [slot.slot for slot in await time.slots()] == announced


@pytest.mark.parametrize(
    ("overlap", "ends"),
    [(Overlap.SKIP, [Status.DONE, Status.SKIPPED]), (Overlap.WAIT, [Status.DONE, Status.DONE])],
)
async def test_a_slot_that_finds_the_one_before_still_running_is_skipped_or_waits(
    time: Timeframe, overlap: Overlap, ends: list[Status]
) -> None:
    await time.schedule("every 1h", terms=Terms(overlap=overlap))
    time.runner.hold()
    time.clock.at = NINE
    await time.keeper.tick()
    await asyncio.wait_for(time.runner.started_times(1), 5)
    time.clock.at = NINE + HOUR
    await time.keeper.tick()
    assert len(time.runner.runs) == 1
    time.runner.let_go()
    await time.keeper.slot_work.idle()
    await time.at(NINE + HOUR)
    assert await time.ends() == ends


async def test_two_failures_alert_and_ten_switch_off(time: Timeframe) -> None:
    await time.schedule("every 1h")
    time.runner.otherwise = outcome(Status.FAILED, "No.", acted=True)
    for hour in range(11):
        await time.at(NINE + hour * HOUR)
    assert await time.ends() == [Status.FAILED] * 10
    schedule = await time.keeper.schedules.find("#1")
    assert (schedule.state, schedule.note) == (State.DISABLED, "Failed 10 times in a row.")
    alerts = [text for _, text in time.notifier.notes]
    assert [text.split(" has ")[1].split(".")[0] for text in alerts] == [
        "failed 2 times in a row",
        "failed 10 times in a row and is switched off",
    ]
    time.runner.otherwise = outcome()
    await time.keeper.schedules.resume("#1")
    await time.at(NINE + 12 * HOUR)
    assert (await time.ends())[-1] is Status.DONE


async def test_a_quiet_schedule_tells_only_what_went_wrong(time: Timeframe) -> None:
    await time.schedule("every 1h", terms=Terms(quiet=True))
    time.runner.script = [outcome(), outcome(Status.UNCONFIRMED, "Not known."), outcome()]
    for hour in range(3):
        await time.at(NINE + hour * HOUR)
    assert [run.status for run in time.notifier.runs] == [Status.UNCONFIRMED]


async def test_a_call_that_no_longer_fits_ends_its_slot_with_the_sentence(time: Timeframe) -> None:
    await time.schedule("daily 09:00")
    del time.catalog.by_name["create-post"]
    time.dispatcher = make_dispatcher(time.journal, time.runner, time.clock, time.catalog)
    time.restarted()
    await time.at(NINE)
    slot = (await time.slots())[0]
    assert slot.status is Status.FAILED
    assert "create-post" in slot.reason


async def test_a_paused_schedule_has_no_due_slots_and_goes_on_from_now(time: Timeframe) -> None:
    await time.schedule("every 1h")
    await time.keeper.schedules.pause("create-post")
    await time.at(NINE + 2 * HOUR)
    await time.keeper.schedules.resume("#1")
    await time.at(NINE + 2 * HOUR)
    assert await time.slots() == []
    await time.at(NINE + 3 * HOUR)
    assert [slot.slot for slot in await time.slots()] == [NINE + 3 * HOUR]


async def test_a_pause_uses_up_none_of_the_times_that_were_asked_for(time: Timeframe) -> None:
    await time.schedule("daily 09:00 times=3 until 2026-12-31")
    await time.at(NINE)
    await time.keeper.schedules.pause("create-post")
    await time.after(days=5)
    resumed = await time.keeper.schedules.resume("create-post")
    announced = next_slots(resumed.rule, time.clock(), 5)
    for _ in range(5):
        await time.after(days=1)
    assert [slot.slot for slot in await time.slots()] == [NINE, *announced]
    assert len(announced) == 2
    assert (await time.keeper.schedules.find("#1")).state is State.ENDED


async def test_a_pause_does_not_move_the_end_that_was_asked_for(time: Timeframe) -> None:
    await time.schedule("daily 09:00 times=3 until 2026-03-04")
    await time.keeper.schedules.pause("create-post")
    await time.after(days=1, hours=2)
    resumed = await time.keeper.schedules.resume("create-post")
    assert next_slots(resumed.rule, time.clock(), 5) == [NINE + timedelta(days=2)]
    await time.keeper.schedules.pause("create-post")
    await time.after(days=9)
    assert (await time.keeper.schedules.resume("create-post")).state is State.ENDED


async def test_a_rule_with_an_end_ends_its_schedule(time: Timeframe) -> None:
    await time.schedule("every 1h times=2")
    for hour in range(4):
        await time.at(NINE + hour * HOUR)
    assert await time.ends() == [Status.DONE, Status.DONE]
    assert (await time.keeper.schedules.find("#1")).state is State.ENDED
    assert await time.keeper.schedules.all() == []


async def test_jitter_moves_the_moment_but_not_the_slot(time: Timeframe) -> None:
    schedule = await time.schedule("daily 09:00", terms=Terms(jitter=timedelta(minutes=30)))
    assert schedule.next_at == NINE
    await time.at(NINE)
    assert await time.slots() == []
    await time.after(minutes=30)
    slot = (await time.slots())[0]
    assert (slot.slot, slot.status) == (NINE, Status.DONE)


async def test_a_deleted_schedule_leaves_with_its_slots_but_not_its_runs(time: Timeframe) -> None:
    await time.schedule("daily 09:00")
    await time.at(NINE)
    await time.keeper.schedules.delete("#1")
    await time.at(NINE + DAY)
    assert await time.slots() == []
    assert len(await time.journal.recent()) == 1


async def test_a_persons_answer_ends_the_slot_too(time: Timeframe) -> None:
    await time.schedule("daily 09:00")
    time.runner.script = [outcome(Status.UNCONFIRMED, "Not known.")]
    await time.at(NINE)
    await time.journal.resolve(time.runner.runs[0][0], Status.DONE, by="owner")
    slot = (await time.slots())[0]
    assert slot.status is Status.DONE
    assert slot.reason.startswith("You said that it worked.")


async def test_schedules_are_found_by_number_or_by_a_name_that_only_one_has(time: Timeframe) -> None:
    first = await time.schedule("daily 09:00")
    assert (await time.keeper.schedules.find("create-post")).id == first.id
    await time.schedule("daily 10:00")
    with pytest.raises(AskError, match=r"scheduled 2 times: #1, #2"):
        await time.keeper.schedules.find("create-post")
    assert (await time.keeper.schedules.find("#2")).title == "#2 create-post"
    with pytest.raises(UnknownName, match="create-post"):
        await time.keeper.schedules.find("create-pots")


async def test_running_a_schedules_call_now_does_not_disturb_its_slots(time: Timeframe) -> None:
    schedule = await time.schedule("daily 09:00")
    now = await time.keeper.schedules.call_now("#1", claim="telegram:5", asked_by="owner", chat=None)
    await time.dispatcher.dispatch(now)
    assert (await time.keeper.schedules.find("#1")).next_at == schedule.next_at
    assert await time.slots() == []
    await time.at(NINE)
    assert len(time.runner.runs) == 2


async def test_a_slot_whose_jitter_has_not_passed_yet_is_not_lost_when_the_one_before_is_late(
    time: Timeframe,
) -> None:
    await time.schedule("every 1h", terms=Terms(jitter=timedelta(minutes=50)))
    await time.at(NINE + HOUR + timedelta(seconds=1))
    await time.at(NINE + HOUR + timedelta(minutes=50))
    assert [slot.slot for slot in await time.slots()] == [NINE, NINE + HOUR]


async def test_a_thousand_slots_at_once_are_begun_in_turn_and_all_end(
    time: Timeframe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scheduler.under_way.MOST_AT_ONCE", 3)
    for _ in range(8):
        await time.schedule("daily 09:00")
    time.clock.at = NINE
    begun = []
    for _ in range(3):
        await time.keeper.tick()
        await time.keeper.slot_work.idle()
        begun.append(len(time.runner.runs))
    assert begun == [3, 6, 8]
    assert await time.ends() == [Status.DONE] * 8


class HeldUpNotifier(FakeNotifier):
    """A chat that takes its time: every note waits until ``free`` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.free = asyncio.Event()

    async def note(self, chat: ChatRef | None, text: str) -> None:
        await self.free.wait()
        await super().note(chat, text)


async def test_no_slot_waits_for_a_note_to_a_chat(time: Timeframe) -> None:
    time.notifier = slow = HeldUpNotifier()
    time.restarted()
    await time.schedule("daily 09:00", terms=Terms(missed=Missed.SKIP))
    await time.schedule("daily 10:00")
    time.clock.at = NINE + HOUR
    await asyncio.wait_for(time.keeper.tick(), 20)
    await asyncio.wait_for(time.runner.started_times(1), 20)
    assert slow.notes == []
    slow.free.set()
    await time.keeper.slot_work.idle()
    assert len(slow.notes) == 1
    assert await time.ends() == [OLD, Status.DONE]
