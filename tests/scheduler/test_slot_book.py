"""How slots are written: what is due together costs one transaction and a handful of statements."""

from datetime import UTC, datetime, timedelta

import pytest

from library.models import Status
from scheduler.database import Database
from scheduler.dispatcher import Dispatcher
from scheduler.journal import Journal
from scheduler.slot_book import SlotBook
from tests.fakes import FakeClock, FakeRunner, outcome
from tests.scheduler.statements import Statements
from tests.scheduler.timeframe import Timeframe

NINE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def time(
    database: Database, journal: Journal, dispatcher: Dispatcher, runner: FakeRunner, clock: FakeClock
) -> Timeframe:
    return Timeframe(database, journal, dispatcher, runner, clock)


@pytest.fixture
def book(database: Database) -> SlotBook:
    return SlotBook(database)


@pytest.mark.parametrize("due", [1, 100])
async def test_all_that_is_due_is_opened_in_one_transaction_and_the_same_few_statements(
    time: Timeframe, book: SlotBook, due: int
) -> None:
    for _ in range(due):
        await time.schedule("daily 09:00")
    with Statements() as seen:
        look = await book.look(NINE, most=due)
    assert len(look.opened) == len(look.to_try) == due
    assert not look.more
    assert seen.begun == 1
    assert len(seen.asked) <= 5  # due, busy, slots written, schedules moved on, to be tried


async def test_a_look_at_nothing_asks_two_questions_and_writes_nothing(book: SlotBook) -> None:
    with Statements() as seen:
        look = await book.look(NINE, most=10)
    assert (look.opened, look.to_try, look.more) == ([], [], False)
    assert [text.split()[0] for text in seen.asked] == ["SELECT", "SELECT"]


async def test_more_than_one_transaction_takes_asks_for_another_look(
    time: Timeframe, book: SlotBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    await time.schedule("every 1m")
    monkeypatch.setattr("scheduler.slot_book.MOST_SLOTS", 3)
    now = time.clock() + timedelta(minutes=5)
    looks = [await book.look(now, most=10) for _ in range(2)]
    assert [look.more for look in looks] == [True, False]
    assert len(await time.slots()) == 5
    assert [slot.slot for slot, _ in looks[1].to_try] == sorted(slot.slot for slot, _ in looks[1].to_try)


async def test_an_attempt_begins_once_and_only_while_the_slot_is_open(
    time: Timeframe, book: SlotBook
) -> None:
    await time.schedule("daily 09:00")
    ((slot, _),) = (await book.look(NINE, most=1)).to_try
    with Statements() as seen:
        assert await book.start(slot)
    assert len(seen.asked) == 1
    await book.end(slot, Status.DONE, "", at=NINE, run_id=None)
    assert not await book.start(slot)


async def test_a_good_end_takes_three_statements_and_counts_failures_anew(
    time: Timeframe, book: SlotBook
) -> None:
    await time.schedule("daily 09:00")
    time.runner.script = [outcome(Status.FAILED)]
    await time.at(NINE)
    assert (await time.keeper.schedules.find("#1")).failures_in_row == 1
    ((slot, _),) = (await book.look(NINE + DAY, most=1)).to_try
    with Statements() as seen:
        ended = await book.end(slot, Status.DONE, "It is there.", at=NINE + DAY, run_id="r1")
    assert len(seen.asked) == 3
    assert (ended.slot.status, ended.slot.reason, ended.slot.run_id) == (Status.DONE, "It is there.", "r1")
    assert (ended.slot.try_at, ended.slot.finished_at) == (None, NINE + DAY)
    assert ended.schedule is not None
    assert ended.schedule.failures_in_row == 0


async def test_a_slot_that_has_ended_keeps_its_end(time: Timeframe, book: SlotBook) -> None:
    await time.schedule("daily 09:00")
    ((slot, _),) = (await book.look(NINE, most=1)).to_try
    await book.end(slot, Status.DONE, "It is there.", at=NINE, run_id="r1")
    again = await book.end(slot, Status.FAILED, "It is not.", at=NINE + DAY, run_id="r2")
    assert (again.slot.status, again.slot.reason, again.slot.run_id) == (Status.DONE, "It is there.", "r1")
    assert again.schedule is not None
    assert again.schedule.failures_in_row == 0
