"""Queues: every item goes out at most once, in order, and the work stops when it must. On a fake clock."""

import asyncio
import sqlite3
from collections.abc import Mapping
from datetime import time as wall
from datetime import timedelta

import pytest
from pydantic import JsonValue
from sqlalchemy import event

from library.errors import NoBrowser
from library.models import Outcome, Status
from scheduler.database import Database
from scheduler.dispatcher import Dispatcher
from scheduler.guards import Guards, QuietHours
from scheduler.journal import Journal
from scheduler.queue_rows import ItemStatus
from scheduler.queue_work import SIDE_BY_SIDE, Report
from scheduler.schedule_rows import State, Terms
from tests.fakes import FakeClock, FakeRunner, outcome
from tests.scheduler.conftest import CHAT, make_dispatcher
from tests.scheduler.timeframe import Timeframe

P, D, F, U, S = (
    ItemStatus.PENDING,
    ItemStatus.DONE,
    ItemStatus.FAILED,
    ItemStatus.UNCONFIRMED,
    ItemStatus.SKIPPED,
)
FAILS = outcome(Status.FAILED, "Not found.")


@pytest.fixture
async def time(
    database: Database, journal: Journal, dispatcher: Dispatcher, runner: FakeRunner, clock: FakeClock
) -> Timeframe:
    frame = Timeframe(database, journal, dispatcher, runner, clock)
    await frame.keeper.queues.create("news", "create-post", chat=CHAT)
    return frame


async def _fill(time: Timeframe, count: int) -> None:
    await time.keeper.queues.add("news", [{"text": f"post {n}"} for n in range(count)])


async def _states(time: Timeframe) -> list[ItemStatus]:
    return [item.status for item in await time.keeper.queues.items("news", limit=1000)]


def _sent(time: Timeframe) -> list[object]:
    return [arguments["text"] for _, _, arguments in time.runner.runs]


async def _work(time: Timeframe, most: int | None = None) -> Report:
    return await time.keeper.queue_work.run("news", by="work:telegram:1", most=most)


async def _work_and_tell(time: Timeframe) -> None:
    queue = await time.keeper.queues.get("news")
    async with time.keeper.untold.until_told("work:telegram:1", queue, CHAT):
        await _work(time)


async def test_all_items_go_out_in_order_with_their_results_beside_them(time: Timeframe) -> None:
    await _fill(time, 3)
    time.runner.otherwise = lambda arguments: outcome(value={"said": arguments["text"]})
    report = await _work(time)
    assert (report.done, report.total, report.why) == (3, 3, "")
    assert _sent(time) == ["post 0", "post 1", "post 2"]
    items = await time.keeper.queues.items("news")
    assert [item.value for item in items] == [{"said": text} for text in _sent(time)]
    assert [item.run_id for item in items] == [run_id for run_id, _, _ in time.runner.runs]


@pytest.mark.parametrize(
    ("name", "guards", "at_once"),
    [
        ("list-posts", Guards(), SIDE_BY_SIDE),
        ("list-posts", Guards(most_per_day=20), 1),
        ("create-post", Guards(), 1),
    ],
)
async def test_reads_go_side_by_side_unless_a_guard_counts_them(
    time: Timeframe, name: str, guards: Guards, at_once: int
) -> None:
    await time.keeper.queues.create("others", name, chat=CHAT)
    await time.keeper.queues.set_guards("others", guards)
    arguments: dict[str, JsonValue] = {"text": "Hello"} if name == "create-post" else {}
    await time.keeper.queues.add("others", [arguments] * 7)
    time.runner.hold()
    work = asyncio.create_task(time.keeper.queue_work.run("others", by="work:1"))
    await asyncio.wait_for(time.runner.started_times(at_once), 5)
    assert len(await time.journal.unfinished()) == at_once
    time.runner.let_go()
    report = await work
    assert (report.done, report.ended, time.runner.most_at_once) == (7, 7, at_once)
    assert [item.status for item in await time.keeper.queues.items("others")] == [D] * 7


async def test_reads_side_by_side_are_stopped_as_others_are(time: Timeframe) -> None:
    await time.keeper.queues.create("others", "list-posts", chat=CHAT)
    await time.keeper.queues.add("others", [{}] * 9)
    time.runner.script = [FAILS, FAILS, FAILS]
    report = await time.keeper.queue_work.run("others", by="work:1")
    assert "3 items failed in a row" in report.why
    items = await time.keeper.queues.items("others")
    assert [item.status for item in items[:3]] == [F, F, F]
    others = [item.status for item in items[3:]]
    under_way = others.count(D)
    assert under_way < SIDE_BY_SIDE
    assert others == [D] * under_way + [P] * (6 - under_way)


async def test_n_items_are_taken_and_the_rest_waits(time: Timeframe) -> None:
    await _fill(time, 5)
    assert (await _work(time, 2)).done == 2
    assert await _states(time) == [D, D, P, P, P]
    assert (await _work(time)).done == 3


async def test_progress_counts_every_item(time: Timeframe) -> None:
    await _fill(time, 3)
    time.runner.script = [outcome(), FAILS]
    seen: list[Report] = []
    await time.keeper.queue_work.run("news", by="work:1", on_report=seen.append)
    assert [(report.done, report.failed) for report in seen] == [(1, 0), (1, 1), (2, 1)]
    assert seen[-1].ended == seen[-1].total
    assert seen[-1].seconds_left == 0


@pytest.mark.parametrize(
    ("script", "states", "why"),
    [
        ([FAILS, FAILS, FAILS], [F, F, F, P, P], "3 items failed in a row"),
        ([outcome(Status.UNCONFIRMED, "Not known.")], [U, P, P, P, P], "an item is unconfirmed"),
    ],
)
async def test_the_breaker_stops_the_queue_and_says_why(
    time: Timeframe, script: list[object], states: list[ItemStatus], why: str
) -> None:
    await _fill(time, 5)
    time.runner.script = list(script)  # type: ignore[arg-type]
    report = await _work(time)
    assert await _states(time) == states
    assert why in report.why
    queue = await time.keeper.queues.get("news")
    assert queue.state is State.DISABLED
    assert why in queue.note
    assert why in (await _work(time)).why
    assert len(time.runner.runs) == len(script)
    await time.keeper.queues.resume("news")
    assert (await _work(time)).done == 5 - len(script)


async def test_failures_that_are_not_in_a_row_do_not_stop_it(time: Timeframe) -> None:
    await _fill(time, 6)
    time.runner.script = [FAILS, FAILS, outcome(), FAILS, FAILS, outcome()]
    report = await _work(time)
    assert (report.done, report.failed, report.why) == (2, 4, "")


async def test_without_a_browser_the_items_stay_pending(time: Timeframe) -> None:
    await _fill(time, 2)
    time.runner.script = [NoBrowser("No browser is connected.")]
    report = await _work(time)
    assert report.why == "No browser is connected."
    assert await _states(time) == [P, P]
    assert (await _work(time)).done == 2
    assert len({claim.id for claim in await time.journal.recent()}) == 3


async def test_work_can_be_stopped_after_the_item_it_is_at_and_gone_on_with(time: Timeframe) -> None:
    await _fill(time, 3)
    time.runner.hold()
    task = asyncio.create_task(_work(time))
    await asyncio.wait_for(time.runner.started_times(1), 5)
    assert "being worked" in (await _work(time)).why
    assert await time.keeper.queue_work.stop("news")
    time.runner.let_go()
    report = await task
    assert (report.done, report.why) == (1, "Stopped as you asked.")
    assert await _states(time) == [D, P, P]
    assert not await time.keeper.queue_work.stop("news")
    assert (await _work(time)).done == 2
    assert _sent(time) == ["post 0", "post 1", "post 2"]


async def test_after_a_crash_the_item_under_way_is_unconfirmed_and_the_rest_pending(
    time: Timeframe,
) -> None:
    await _fill(time, 3)
    time.runner.hold()
    task = asyncio.create_task(_work_and_tell(time))
    await asyncio.wait_for(time.runner.started_times(1), 5)
    await time.dispatcher.close(grace_s=0)
    with pytest.raises(asyncio.CancelledError):
        await task
    time.dispatcher = make_dispatcher(time.journal, time.runner, time.clock)
    for _ in range(2):
        keeper = time.restarted()
        await keeper.settle()
        await keeper.close()
    await keeper.recovery.resume()
    ((_, note),) = time.notifier.notes
    assert note.startswith(
        "The machine stopped while the queue news was worked: 1 unconfirmed. Stopped, because an item"
    )
    assert note.endswith("To go on, send /queue resume news and then /queue run news.")
    assert await _states(time) == [U, P, P]
    assert (await keeper.queues.get("news")).state is State.DISABLED
    assert len(time.runner.runs) == 1


async def test_a_new_queue_is_not_taken_for_a_deleted_one_nor_a_new_item_for_a_removed_one(
    time: Timeframe,
) -> None:
    """Their numbers are in the claims of runs, which stay: the same number again would be done already."""
    await _fill(time, 2)
    await _work(time)
    await time.keeper.queues.delete("news")
    await time.keeper.queues.create("news", "create-post", chat=CHAT)
    await _fill(time, 1)
    (item,) = await time.keeper.queues.items("news")
    await time.keeper.queues.remove("news", item.id)
    await _fill(time, 1)
    assert (await time.keeper.queues.items("news"))[0].id > item.id
    assert (await _work(time)).done == 1
    assert len(time.runner.runs) == 3


async def test_an_item_whose_arguments_no_longer_fit_fails_with_the_sentence(time: Timeframe) -> None:
    await time.keeper.queues.add("news", [{"txet": "Hello"}, {"text": "Hello"}])
    report = await _work(time)
    assert (report.failed, report.done) == (1, 1)
    assert "text" in (await time.keeper.queues.items("news"))[0].reason


async def test_a_least_gap_is_waited_for_and_a_cap_ends_the_work(time: Timeframe) -> None:
    guards = Guards(least_gap=timedelta(minutes=5), most_per_day=2)
    await time.keeper.queues.set_guards("news", guards)
    await _fill(time, 3)
    start = time.clock()
    report = await _work(time)
    assert (report.done, time.clock() - start) == (2, timedelta(minutes=5))
    assert "the most is 2 a day" in report.why
    assert await _states(time) == [D, D, P]


async def test_nothing_goes_out_in_quiet_hours(time: Timeframe) -> None:
    await time.keeper.queues.set_guards("news", Guards(quiet_hours=QuietHours(start=wall(7), end=wall(9))))
    await _fill(time, 1)
    assert "Quiet hours" in (await _work(time)).why
    assert time.runner.runs == []


async def test_the_same_text_is_asked_about_and_goes_out_when_a_person_says_yes(time: Timeframe) -> None:
    await time.keeper.queues.set_guards("news", Guards(no_repeat_within_days=30))
    await time.keeper.queues.add("news", [{"text": "Hello"}, {"text": "hello "}, {"text": "Bye"}])
    report = await _work(time)
    second = (await time.keeper.queues.items("news"))[1].id
    assert report.done == 1
    assert "same text was already published" in report.why
    assert f"/queue allow news {second}" in report.why
    await time.keeper.queues.allow("news", second)
    assert (await _work(time)).done == 2


async def test_a_slot_takes_n_items_and_sums_them_up(time: Timeframe) -> None:
    await _fill(time, 5)
    time.runner.script = [outcome(), FAILS]
    await time.schedule("every 1h", terms=Terms(queue="news", take=2))
    await time.after(hours=1)
    await time.after(hours=1)
    slots = await time.slots()
    assert [slot.status for slot in slots] == [Status.FAILED, Status.DONE]
    assert slots[0].reason == "Queue news: 1 done, 1 failed."
    assert await _states(time) == [D, F, D, D, P]
    await time.after(hours=1)
    await time.after(hours=1)
    assert [slot.reason for slot in (await time.slots())[2:]] == [
        "Queue news: 1 done.",
        "Queue news: no item was taken. It is empty.",
    ]
    assert (await time.ends())[-1] is Status.SKIPPED


async def test_after_a_crash_a_slot_takes_only_what_it_had_not_taken(time: Timeframe) -> None:
    await _fill(time, 5)
    await time.schedule("daily 09:00", terms=Terms(queue="news", take=3))
    time.runner.hold()
    time.clock.pass_(hours=1)
    await time.keeper.tick()
    await asyncio.wait_for(time.runner.started_times(1), 5)
    await time.keeper.slot_work.close()
    time.runner.let_go()
    await time.dispatcher.close()
    time.dispatcher = make_dispatcher(time.journal, time.runner, time.clock)
    time.restarted()
    await time.after(minutes=1)
    assert await time.ends() == [Status.DONE]
    assert _sent(time) == ["post 0", "post 1", "post 2"]
    assert await _states(time) == [D, D, D, P, P]


async def test_the_next_item_leaves_only_when_its_own_row_is_durable(time: Timeframe) -> None:
    """The end of one and the claim of the next share a commit: another reader of the file sees both."""
    seen: list[list[str]] = []

    def look(arguments: Mapping[str, JsonValue]) -> Outcome:
        with sqlite3.connect(time.database.path) as other:
            seen.append([status for (status,) in other.execute("SELECT status FROM runs ORDER BY id")])
        other.close()
        return outcome()

    time.runner.otherwise = look
    await _fill(time, 4)
    await _work(time)
    assert [statuses[-1] for statuses in seen] == ["running"] * 4
    assert [len(statuses) for statuses in seen] == [1, 2, 3, 4]


async def test_an_item_costs_about_one_commit(time: Timeframe) -> None:
    commits: list[int] = []
    event.listen(time.database._engine, "commit", lambda _: commits.append(1))
    await _fill(time, 20)
    await _work(time)
    assert len(commits) < 2 * 20


async def test_an_end_that_is_not_proven_is_written_down_before_the_next_is_asked_for(
    time: Timeframe,
) -> None:
    time.runner.script = [outcome(Status.UNCONFIRMED, "Nothing proves it.")]
    await _fill(time, 3)
    report = await _work(time)
    assert (report.unconfirmed, report.done, len(time.runner.runs)) == (1, 0, 1)
