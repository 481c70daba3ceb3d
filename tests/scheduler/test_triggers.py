"""Triggers: fired once per event, never in a circle, and lost by no crash. On a fake clock."""

import asyncio
from datetime import timedelta

import pytest
from pydantic import JsonValue
from sqlalchemy import Connection, Engine, event

from library.errors import AskError, NoBrowser, UnknownName
from library.models import Call, Effect, Param, Run, Status
from scheduler.database import Database
from scheduler.journal import Journal
from scheduler.moments import TableMoments
from scheduler.schedule_rows import State
from scheduler.trigger_rows import Event
from tests.fakes import FakeCatalog, FakeClock, FakeRunner, outcome, subroutine
from tests.scheduler.conftest import CHAT, call, make_dispatcher
from tests.scheduler.statements import Statements
from tests.scheduler.timeframe import Timeframe

CATALOG = FakeCatalog(
    subroutine(),
    subroutine("list-posts", Effect.READ, params={}),
    subroutine("count", params={"number": Param(type="integer")}),
    subroutine("tell", params={name: Param(required=False) for name in ("text", "old", "new")}),
)


@pytest.fixture
def time(database: Database, journal: Journal, runner: FakeRunner, clock: FakeClock) -> Timeframe:
    door = make_dispatcher(journal, runner, clock, CATALOG)
    return Timeframe(database, journal, door, runner, clock, catalog=CATALOG)


def _saved(name: str = "tell", **arguments: JsonValue) -> Call:
    return Call(name=name, arguments=arguments, claim="", asked_by="owner", chat=CHAT)


async def _run(time: Timeframe, claim: str, name: str = "create-post") -> Run:
    run = await time.dispatcher.dispatch(call(claim, name))
    await time.after(seconds=0)
    return run


def _told(time: Timeframe) -> list[dict[str, JsonValue]]:
    return [arguments for _, name, arguments in time.runner.runs if name == "tell"]


@pytest.mark.parametrize("event", [Event.DONE, Event.FAILED, Event.UNCONFIRMED])
async def test_a_chain_fires_on_its_own_end_only(time: Timeframe, event: Event) -> None:
    await time.keeper.triggers.on_run(_saved(text="Hi"), event, "create-post")
    ends = [Status.DONE, Status.FAILED, Status.UNCONFIRMED]
    time.runner.script = [outcome(ends[0])]
    for n, end in enumerate(ends):
        time.runner.script = [outcome(end)]
        await _run(time, f"telegram:{n}")
    assert [told["text"] for told in _told(time)] == ["Hi"]
    firing = (await time.keeper.triggers.firings())[0]
    assert firing.status is Status.DONE
    assert time.notifier.runs[0].call.asked_by == "trigger:1"


async def test_a_watched_value_fires_when_it_differs_with_both_values(time: Timeframe) -> None:
    await time.keeper.triggers.on_run(_saved(), Event.CHANGE, "list-posts")
    values: list[JsonValue] = [{"n": 1}, {"n": 1}, {"n": 2}, None]
    for n, value in enumerate(values):
        time.runner.script = [outcome(value=value)]
        await _run(time, f"telegram:{n}", "list-posts")
    changes = [(told["old"], told["new"]) for told in _told(time)]
    assert changes == [('{"n": 1}', '{"n": 2}'), ('{"n": 2}', None)]


async def test_a_failed_read_is_no_change(time: Timeframe) -> None:
    await time.keeper.triggers.on_run(_saved(), Event.CHANGE, "list-posts")
    for n, status in enumerate([Status.DONE, Status.FAILED, Status.DONE]):
        time.runner.script = [outcome(status, value=None if status is Status.FAILED else 1)]
        await _run(time, f"telegram:{n}", "list-posts")
    assert _told(time) == []


async def test_results_of_a_write_are_not_compared(time: Timeframe) -> None:
    await time.keeper.triggers.on_run(_saved(), Event.CHANGE, "create-post")
    for n in range(2):
        time.runner.script = [outcome(value=n)]
        await _run(time, f"telegram:{n}")
    assert _told(time) == []


async def test_a_webhook_runs_once_per_delivery_with_its_body_as_arguments(time: Timeframe) -> None:
    _, token = await time.keeper.triggers.on_webhook(_saved(text="saved"))
    body: dict[str, JsonValue] = {"text": "from the hook", "not-a-parameter": 1}
    assert await time.keeper.triggers.receive(token, "d1", body)
    assert not await time.keeper.triggers.receive(token, "d1", body)
    assert await time.keeper.triggers.receive(token, "d2", {})
    await time.after(seconds=0)
    assert [told["text"] for told in _told(time)] == ["from the hook", "saved"]


async def test_a_webhook_token_is_not_on_the_disk_and_a_wrong_one_tells_nothing(time: Timeframe) -> None:
    trigger, token = await time.keeper.triggers.on_webhook(_saved())
    assert len(token) >= 40
    assert token not in repr(trigger)
    await time.database.close()
    assert token.encode() not in time.database.path.read_bytes()


async def test_a_wrong_token_is_refused(time: Timeframe) -> None:
    _, token = await time.keeper.triggers.on_webhook(_saved())
    with pytest.raises(UnknownName) as refusal:
        await time.keeper.triggers.receive(token + "x", "d1", {})
    assert token not in str(refusal.value)


@pytest.mark.parametrize(
    ("edges", "last"),
    [
        ([], ("create-post", "create-post")),
        ([("create-post", "tell")], ("tell", "create-post")),
        ([("create-post", "tell"), ("tell", "list-posts")], ("list-posts", "create-post")),
    ],
)
async def test_a_circle_of_triggers_is_refused_when_it_is_saved(
    time: Timeframe, edges: list[tuple[str, str]], last: tuple[str, str]
) -> None:
    triggers = time.keeper.triggers
    for of_name, then in edges:
        await triggers.on_run(_saved(then), Event.DONE, of_name)
    with pytest.raises(AskError, match=r"circle without end: .*→.*Nothing was saved"):
        await triggers.on_run(_saved(last[1]), Event.FAILED, last[0])
    assert len(await triggers.all()) == len(edges)


async def test_a_paused_trigger_lets_events_go_and_a_deleted_one_is_gone(time: Timeframe) -> None:
    triggers = time.keeper.triggers
    saved = await triggers.on_run(_saved(), Event.DONE, "create-post")
    assert (await triggers.pause(f"#{saved.id}")).state is State.PAUSED
    await _run(time, "telegram:1")
    await triggers.resume("1")
    await _run(time, "telegram:2")
    assert len(_told(time)) == 1
    await triggers.delete("1")
    await _run(time, "telegram:3")
    assert len(_told(time)) == 1
    with pytest.raises(UnknownName):
        await triggers.pause("1")


async def test_a_new_trigger_is_not_taken_for_a_deleted_one(time: Timeframe) -> None:
    for n in range(2):
        saved = await time.keeper.triggers.on_run(_saved(), Event.DONE, "create-post")
        await _run(time, f"telegram:{n}")
        await time.keeper.triggers.delete(str(saved.id))
    assert len(_told(time)) == 2


async def test_an_event_that_was_written_before_a_crash_is_worked_after_it(time: Timeframe) -> None:
    await time.keeper.triggers.on_run(_saved(), Event.DONE, "create-post")
    await time.dispatcher.dispatch(call("telegram:1"))
    assert _told(time) == []
    time.restarted()
    await time.after(seconds=1)
    await time.after(seconds=1)
    assert len(_told(time)) == 1


async def test_what_surely_did_not_happen_is_tried_again(time: Timeframe) -> None:
    await time.keeper.triggers.on_run(_saved(), Event.DONE, "create-post")
    time.runner.script = [outcome(), NoBrowser("No browser.")]
    await _run(time, "telegram:1")
    assert (await time.keeper.triggers.firings())[0].status is Status.QUEUED
    await time.after(seconds=30)
    firing = (await time.keeper.triggers.firings())[0]
    assert (firing.status, firing.attempt) == (Status.DONE, 2)


async def test_a_firing_that_is_tried_later_asks_the_clock_to_look_at_its_moment(time: Timeframe) -> None:
    asked: list[None] = []
    time.keeper.trigger_work.changed = lambda: asked.append(None)
    await time.keeper.triggers.on_run(_saved(), Event.DONE, "create-post")
    time.runner.script = [outcome(), NoBrowser("No browser.")]
    await _run(time, "telegram:1")
    assert len(asked) == 1
    now, moments = time.clock(), TableMoments(time.database)
    assert await moments.next_moment(now) == now + timedelta(seconds=30)
    assert await moments.next_moment(now + timedelta(seconds=30)) is None


async def test_a_firing_waits_for_a_browser_and_uses_no_attempt_up(time: Timeframe) -> None:
    await time.keeper.triggers.on_run(_saved(), Event.DONE, "create-post")
    time.home.awake = False
    await _run(time, "telegram:1")
    await time.after(hours=11)
    assert (await time.keeper.triggers.firings())[0].status is Status.QUEUED
    time.home.awake = True
    await time.after(seconds=30)
    firing = (await time.keeper.triggers.firings())[0]
    assert (firing.status, firing.attempt) == (Status.DONE, 1)


async def test_a_firing_for_which_no_browser_came_is_missed_and_said(time: Timeframe) -> None:
    await time.keeper.triggers.on_run(_saved(), Event.DONE, "create-post")
    time.home.awake = False
    await _run(time, "telegram:1")
    await time.after(hours=12)
    assert (await time.keeper.triggers.firings())[0].status is Status.MISSED
    assert time.notifier.notes == [
        (CHAT, "t1 tell on done of create-post: missed. No browser was connected while it waited.")
    ]


@pytest.mark.parametrize(("hours", "end", "runs"), [(0, Status.DONE, 1), (13, Status.MISSED, 0)])
async def test_a_firing_that_waited_for_a_lane_at_the_crash_goes_out_within_its_window_or_is_missed(
    time: Timeframe, hours: int, end: Status, runs: int
) -> None:
    await time.keeper.triggers.on_run(_saved(), Event.DONE, "create-post")
    await time.dispatcher.dispatch(call("telegram:0"))
    time.runner.hold()
    others = [
        asyncio.create_task(time.dispatcher.dispatch(call(f"telegram:{n}", "list-posts")))
        for n in range(1, 5)
    ]
    await asyncio.wait_for(time.runner.started_times(5), 5)
    await time.keeper.tick()
    async with asyncio.timeout(5):
        while len(await time.journal.unfinished()) < 5:  # noqa: ASYNC110  (written in the background)
            await asyncio.sleep(0.01)
    await time.keeper.trigger_work.close()
    await time.dispatcher.close(grace_s=0)
    await asyncio.gather(*others, return_exceptions=True)
    time.runner.let_go()
    time.clock.pass_(hours=hours)
    time.dispatcher = make_dispatcher(time.journal, time.runner, time.clock, CATALOG)
    await time.restarted().recovery.settle()
    await time.after(seconds=0)
    firing = (await time.keeper.triggers.firings())[0]
    assert (firing.status, len(_told(time))) == (end, runs)
    assert [run for run in await time.journal.unfinished() if run.call.claim == firing.claim] == []
    assert ["missed" in text for _, text in time.notifier.notes] == [True] * (1 - runs)


async def test_a_firing_that_could_not_be_run_for_half_a_day_is_missed(time: Timeframe) -> None:
    await time.keeper.triggers.on_run(_saved(), Event.DONE, "create-post")
    await time.dispatcher.dispatch(call("telegram:1"))
    await time.at(time.clock() + timedelta(hours=13))
    assert (await time.keeper.triggers.firings())[0].status is Status.MISSED
    assert _told(time) == []
    assert "missed" in time.notifier.notes[0][1]


async def test_arguments_that_do_not_fit_end_the_firing_with_the_sentence(time: Timeframe) -> None:
    _, token = await time.keeper.triggers.on_webhook(_saved("count"))
    await time.keeper.triggers.receive(token, "d1", {"number": "many"})
    await time.after(seconds=0)
    firing = (await time.keeper.triggers.firings())[0]
    assert firing.status is Status.FAILED
    assert "number" in firing.reason


async def test_a_person_who_confirms_a_run_fires_its_chain(time: Timeframe) -> None:
    await time.keeper.triggers.on_run(_saved(), Event.DONE, "create-post")
    time.runner.script = [outcome(Status.UNCONFIRMED)]
    run = await _run(time, "telegram:1")
    assert _told(time) == []
    await time.journal.resolve(run.id, Status.DONE, by="owner")
    await time.after(seconds=0)
    assert len(_told(time)) == 1


async def test_a_look_that_finds_nothing_asks_one_question_of_an_index_and_takes_no_lock(
    time: Timeframe, database: Database
) -> None:
    await time.keeper.triggers.on_run(_saved(text="Hi"), Event.DONE, "create-post")
    await _run(time, "telegram:1")
    with Statements() as seen:
        await time.keeper.trigger_work.tick()
    assert [text.split()[0] for text, _ in seen.sent if text.startswith("BEGIN IMM")] == []
    assert len(seen.asked) == 1
    searched = [step for step in seen.plans(database.path) if "firings" in step]
    assert searched == ["SEARCH firings USING INDEX ix_firings_open (status=? AND try_at<?)"]


async def test_every_look_asks_with_the_same_statement(time: Timeframe) -> None:
    """To build it anew costs more than the disk does."""
    asked: list[object] = []

    def note(_: Connection, statement: object, *__: object) -> None:
        asked.append(statement)

    event.listen(Engine, "before_execute", note)
    try:
        for _ in range(3):
            await time.keeper.trigger_work.tick()
    finally:
        event.remove(Engine, "before_execute", note)
    assert len(asked) == 3
    assert len(set(map(id, asked))) == 1
