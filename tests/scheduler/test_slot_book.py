"""How slots are written: what is due together costs one transaction and a handful of statements."""

from datetime import UTC, datetime, timedelta

import pytest

from library.models import Status
from scheduler.database import Database
from scheduler.slot_book import SlotBook
from scheduler.untold import Message
from tests.fakes import outcome
from tests.scheduler.conftest import CHAT
from tests.scheduler.statements import Statements
from tests.scheduler.timeframe import Timeframe

NINE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
DAY = timedelta(days=1)


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
    await book.end(slot, Status.DONE, "", at=NINE, run_id=None, chat=CHAT)
    assert not await book.start(slot)


async def test_a_good_end_takes_four_statements_and_counts_failures_anew(
    time: Timeframe, book: SlotBook
) -> None:
    await time.schedule("daily 09:00")
    time.runner.script = [outcome(Status.FAILED)]
    await time.at(NINE)
    assert (await time.keeper.schedules.find("#1")).failures_in_row == 1
    ((slot, _),) = (await book.look(NINE + DAY, most=1)).to_try
    with Statements() as seen:
        tellings = await book.end(slot, Status.DONE, "It is there.", at=NINE + DAY, run_id="r1", chat=CHAT)
    assert len(seen.asked) == 4  # the end, the failures, what it has become, that it is to be told
    assert [telling.message for telling in tellings] == [Message(CHAT, run_id="r1")]
    ended = (await time.slots())[-1]
    assert (ended.status, ended.reason, ended.run_id) == (Status.DONE, "It is there.", "r1")
    assert (ended.try_at, ended.finished_at) == (None, NINE + DAY)
    assert (await time.keeper.schedules.find("#1")).failures_in_row == 0


async def test_a_slot_that_has_ended_keeps_its_end(time: Timeframe, book: SlotBook) -> None:
    await time.schedule("daily 09:00")
    ((slot, _),) = (await book.look(NINE, most=1)).to_try
    await book.end(slot, Status.DONE, "It is there.", at=NINE, run_id="r1", chat=CHAT)
    again = await book.end(slot, Status.FAILED, "It is not.", at=NINE + DAY, run_id="r2", chat=CHAT)
    assert again == []
    (ended,) = await time.slots()
    assert (ended.status, ended.reason, ended.run_id) == (Status.DONE, "It is there.", "r1")
    assert (await time.keeper.schedules.find("#1")).failures_in_row == 0


async def test_of_a_schedule_that_was_deleted_meanwhile_only_a_run_is_told(
    time: Timeframe, book: SlotBook
) -> None:
    for _ in range(2):
        await time.schedule("daily 09:00")
    (ran, _), (unrun, _) = (await book.look(NINE, most=2)).to_try
    for number in ("#1", "#2"):
        await time.keeper.schedules.delete(number)
    told = await book.end(ran, Status.DONE, "It is there.", at=NINE, run_id="r1", chat=CHAT)
    assert [telling.message for telling in told] == [Message(CHAT, run_id="r1")]
    assert await book.end(unrun, Status.MISSED, "Too late.", at=NINE, run_id=None, chat=CHAT) == []
