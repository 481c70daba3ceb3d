"""How something ended reaches its chat also when the process dies before the message has left. Fake clock."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from library.models import Call, ChatRef, Run, Status
from scheduler.schedule_rows import Terms
from scheduler.terms import Missed
from scheduler.trigger_rows import Event
from tests.fakes import FakeNotifier, outcome
from tests.scheduler.conftest import CHAT, call
from tests.scheduler.timeframe import Timeframe

NINE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
FAILS = outcome(Status.FAILED, "No.", acted=True)


class SilentNotifier(FakeNotifier):
    """A chat that no message reaches; ``asked`` is set when the first was to leave."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()

    async def run_finished(self, run: Run) -> None:
        await self._never()

    async def note(self, chat: ChatRef | None, text: str) -> None:
        await self._never()

    async def _never(self) -> None:
        self.asked.set()
        await asyncio.Event().wait()


class SlowNotifier(FakeNotifier):
    """A chat whose messages arrive when ``free`` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.free = asyncio.Event(), asyncio.Event()

    async def run_finished(self, run: Run) -> None:
        self.asked.set()
        await self.free.wait()
        await super().run_finished(run)


async def _dies_before_telling(time: Timeframe, at: datetime) -> None:
    """The work looks at this moment, and the process ends when the first message was to leave."""
    time.notifier = silent = SilentNotifier()
    keeper = time.restarted()
    time.clock.at = at
    await keeper.tick()
    await asyncio.wait_for(silent.asked.wait(), 20)
    await keeper.close()
    time.notifier = FakeNotifier()


async def _starts_again(time: Timeframe) -> None:
    keeper = time.restarted()
    await keeper.settle()
    await keeper.recovery.resume()
    await keeper.close()


async def _texts_after_two_starts(time: Timeframe) -> list[str]:
    """What is told: a run by its status. The second start must add nothing."""
    for _ in range(2):
        await _starts_again(time)
    assert await time.keeper.untold.all() == []
    return [*(run.status for run in time.notifier.runs), *(text for _, text in time.notifier.notes)]


async def test_the_result_of_a_slot_is_told_by_the_next_start_and_once(time: Timeframe) -> None:
    await time.schedule("daily 09:00")
    await _dies_before_telling(time, NINE)
    assert await time.ends() == [Status.DONE]
    assert await _texts_after_two_starts(time) == [Status.DONE]
    assert time.notifier.runs[0].call.chat == CHAT
    assert len(time.runner.runs) == 1


async def test_what_was_delivered_is_not_told_again(time: Timeframe) -> None:
    await time.schedule("daily 09:00")
    await time.at(NINE)
    assert len(time.notifier.runs) == 1
    assert await time.keeper.untold.all() == []
    await _starts_again(time)
    assert len(time.notifier.runs) == 1


async def test_a_quiet_schedule_is_told_of_failures_only_also_after_a_crash(time: Timeframe) -> None:
    await time.schedule("every 1h", terms=Terms(quiet=True))
    await time.at(NINE)
    time.runner.script = [FAILS]
    await _dies_before_telling(time, NINE + HOUR)
    assert await _texts_after_two_starts(time) == [Status.FAILED]


async def test_an_alert_that_was_due_is_told_too(time: Timeframe) -> None:
    await time.schedule("every 1h")
    time.runner.otherwise = FAILS
    await time.at(NINE)
    await _dies_before_telling(time, NINE + HOUR)
    failed, alert = await _texts_after_two_starts(time)
    assert failed == Status.FAILED
    assert alert.startswith("#1 create-post has failed 2 times in a row.")


async def test_slots_that_were_missed_are_told_of_after_a_crash(time: Timeframe) -> None:
    await time.schedule("daily 09:00", terms=Terms(missed=Missed.ASK))
    await _dies_before_telling(time, NINE + HOUR)
    (note,) = await _texts_after_two_starts(time)
    assert note.startswith("#1 create-post: the slot of Mon 2026-03-02 09:00 was missed.")
    assert note.endswith("Send /trigger #1 to run it once now.")


async def test_a_slot_that_took_from_a_queue_is_told_of_after_a_crash(time: Timeframe) -> None:
    await time.keeper.queues.create("news", "create-post", chat=CHAT)
    await time.keeper.queues.add("news", [{"text": "one"}])
    await time.schedule("daily 09:00", terms=Terms(queue="news", take=1))
    await _dies_before_telling(time, NINE)
    (note,) = await _texts_after_two_starts(time)
    assert note == "#1 create-post, Mon 2026-03-02 09:00: done. Queue news: 1 done."


async def test_the_result_of_a_firing_is_told_after_a_crash(time: Timeframe) -> None:
    chained = Call(name="list-posts", claim="", asked_by="owner", chat=CHAT)
    await time.keeper.triggers.on_run(chained, Event.DONE, "create-post")
    await time.dispatcher.dispatch(call("telegram:1"))
    await _dies_before_telling(time, NINE)
    assert await _texts_after_two_starts(time) == [Status.DONE]
    assert time.notifier.runs[0].call.name == "list-posts"


async def test_a_firing_without_a_run_is_told_of_after_a_crash(time: Timeframe) -> None:
    chained = Call(name="list-posts", claim="", asked_by="owner", chat=CHAT)
    await time.keeper.triggers.on_run(chained, Event.DONE, "create-post")
    await time.dispatcher.dispatch(call("telegram:1"))
    await _dies_before_telling(time, time.clock() + 13 * HOUR)
    (note,) = await _texts_after_two_starts(time)
    assert note == "t1 list-posts on done of create-post: missed. Home was off until it was late."


@pytest.mark.parametrize("is_deleted", [False, True])
async def test_the_run_of_a_trigger_that_is_deleted_meanwhile_is_told(
    time: Timeframe, is_deleted: bool
) -> None:
    chained = Call(name="list-posts", claim="", asked_by="owner", chat=CHAT)
    await time.keeper.triggers.on_run(chained, Event.DONE, "create-post")
    await time.dispatcher.dispatch(call("telegram:1"))
    time.runner.hold()
    await time.keeper.tick()
    await asyncio.wait_for(time.runner.started_times(2), 20)
    if is_deleted:
        await time.keeper.triggers.delete("t1")
    time.runner.let_go()
    await time.keeper.trigger_work.idle()
    assert [run.call.name for run in time.notifier.runs] == ["list-posts"]


async def test_what_ends_after_the_start_is_told_by_its_own_work_and_not_twice(time: Timeframe) -> None:
    await time.schedule("daily 09:00")
    time.notifier = slow = SlowNotifier()
    keeper = time.restarted()
    await keeper.settle()
    time.clock.at = NINE
    await keeper.tick()
    await asyncio.wait_for(slow.asked.wait(), 20)
    await keeper.recovery.resume()
    slow.free.set()
    await keeper.slot_work.idle()
    await keeper.close()
    assert len(slow.runs) == 1


WORK = "work:telegram:1"


async def _worked(time: Timeframe, *, most: int, told: bool) -> None:
    """Work on a queue of three rows; its chat is told how it ended, or the process ends before that."""
    await time.keeper.queues.create("news", "create-post", chat=CHAT)
    await time.keeper.queues.add("news", [{"text": text} for text in "abc"])
    queue = await time.keeper.queues.get("news")
    ended, delivered = asyncio.Event(), asyncio.Event()

    async def work_and_tell() -> None:
        async with time.keeper.untold.until_told(WORK, queue, CHAT):
            await time.keeper.queue_work.run("news", by=WORK, most=most)
            ended.set()
            await delivered.wait()

    task = asyncio.create_task(work_and_tell())
    await asyncio.wait_for(ended.wait(), 20)
    if told:
        delivered.set()
        await task
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize(
    ("most", "words"),
    [
        (2, "2 done. 1 waiting. Send /queue run news to go on."),
        (3, "3 done. Nothing is waiting any more. /queue results news shows what became of the rows."),
    ],
)
async def test_work_on_a_queue_is_told_of_after_a_crash(time: Timeframe, most: int, words: str) -> None:
    await _worked(time, most=most, told=False)
    notes = await _texts_after_two_starts(time)
    assert notes == [f"The machine stopped while the queue news was worked: {words}"]
    assert time.notifier.notes[0][0] == CHAT


async def test_work_whose_end_was_told_is_not_told_of_again(time: Timeframe) -> None:
    await _worked(time, most=2, told=True)
    assert await _texts_after_two_starts(time) == []


async def test_broken_work_on_a_queue_that_is_gone_is_not_told(time: Timeframe) -> None:
    await _worked(time, most=2, told=False)
    await time.keeper.queues.delete("news")
    assert await _texts_after_two_starts(time) == []
