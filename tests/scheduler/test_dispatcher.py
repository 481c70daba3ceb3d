"""The one door: once per claim, a row before anything happens, an end for everything."""

import asyncio
import logging

import pytest

from library.errors import AskError, BadArgument, NoBrowser, NotAllowed, RunhomeError, UnknownName
from library.models import Call, Param, Progress, Status
from scheduler.dispatcher import Dispatcher
from scheduler.journal import Journal
from scheduler.lanes import Lanes
from tests.fakes import FakeCatalog, FakeClock, FakeFiles, FakeRunner, outcome, subroutine
from tests.scheduler.conftest import CHAT, call, make_dispatcher, new_run


async def test_a_call_ends_as_the_runner_says(
    dispatcher: Dispatcher, journal: Journal, runner: FakeRunner
) -> None:
    run = await dispatcher.dispatch(call(text="Hello"))
    assert run.status is Status.DONE
    assert run == await journal.get(run.id)
    assert runner.runs == [(run.id, "create-post", {"text": "Hello"})]


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (call(name="craete-post"), UnknownName),
        (call(name="create-post", txet="Hello"), BadArgument),
        (call(asked_by="telegram:stranger"), NotAllowed),
    ],
)
async def test_a_call_that_cannot_be_carried_out_raises_and_leaves_no_row(
    dispatcher: Dispatcher, journal: Journal, runner: FakeRunner, wrong: Call, error: type[RunhomeError]
) -> None:
    with pytest.raises(error):
        await dispatcher.dispatch(wrong)
    assert await journal.recent() == []
    assert runner.runs == []


async def test_a_second_call_with_the_same_claim_waits_for_the_first_ones_run(
    dispatcher: Dispatcher, runner: FakeRunner
) -> None:
    runner.hold()
    both = [asyncio.create_task(dispatcher.dispatch(call())) for _ in range(2)]
    await asyncio.wait_for(runner.started.wait(), 5)
    runner.let_go()
    first, second = await asyncio.gather(*both)
    assert first == second
    assert len(runner.runs) == 1


async def test_a_claim_stays_taken_after_its_run_has_ended_and_in_the_next_process(
    dispatcher: Dispatcher, journal: Journal, runner: FakeRunner, clock: FakeClock
) -> None:
    first = await dispatcher.dispatch(call())
    assert await dispatcher.dispatch(call()) == first
    assert await make_dispatcher(journal, runner, clock).dispatch(call()) == first
    assert len(runner.runs) == 1


SEND = FakeCatalog(subroutine("send", params={"file": Param(format="file"), "note": Param(required=False)}))


async def test_the_runner_gets_the_file_and_the_row_keeps_its_name(
    journal: Journal, runner: FakeRunner, clock: FakeClock
) -> None:
    run = await make_dispatcher(journal, runner, clock, SEND).dispatch(call(name="send", file="report.pdf"))
    file = {"name": "report.pdf", "type": "text/plain", "data": "cmVwb3J0LnBkZg=="}
    assert runner.runs == [(run.id, "send", {"file": file, "note": None})]
    assert (await journal.get(run.id)).call.arguments == {"file": "report.pdf"}


async def test_a_file_that_is_not_there_raises_and_leaves_no_row(
    journal: Journal, runner: FakeRunner, clock: FakeClock
) -> None:
    with pytest.raises(UnknownName, match=r'no file named "reprot\.pdf"'):
        await make_dispatcher(journal, runner, clock, SEND).dispatch(call(name="send", file="reprot.pdf"))
    assert (await journal.recent(), runner.runs) == ([], [])


async def test_a_file_that_went_away_while_the_run_waited_is_a_failure_that_changed_nothing(
    journal: Journal, runner: FakeRunner, clock: FakeClock
) -> None:
    files = FakeFiles("report.pdf")
    lanes = Lanes(per_chat=1)
    await lanes.enter(CHAT)
    door = make_dispatcher(journal, runner, clock, SEND, files=files, lanes=lanes)
    task = asyncio.create_task(door.dispatch(call(name="send", file="report.pdf")))
    await asyncio.sleep(0)
    files.names = ()
    lanes.leave(CHAT)
    run = await task
    assert (run.status, run.acted, runner.runs) == (Status.FAILED, False, [])


async def test_a_claim_of_another_call_is_refused_and_its_run_not_shown(dispatcher: Dispatcher) -> None:
    await dispatcher.dispatch(call("api:key", asked_by="owner"))
    with pytest.raises(AskError, match="another call"):
        await dispatcher.dispatch(call("api:key", asked_by="telegram:9"))


async def test_a_claim_with_other_arguments_is_refused_and_not_taken_for_done(
    dispatcher: Dispatcher, runner: FakeRunner
) -> None:
    await dispatcher.dispatch(call("api:key", text="one"))
    with pytest.raises(AskError, match="another call"):
        await dispatcher.dispatch(call("api:key", text="two"))
    assert len(runner.runs) == 1


async def test_a_row_that_waited_at_a_crash_is_not_run_with_other_arguments(
    dispatcher: Dispatcher, journal: Journal, runner: FakeRunner, clock: FakeClock
) -> None:
    await journal.claim(new_run("api:key", clock))
    with pytest.raises(AskError, match="another call"):
        await dispatcher.dispatch(call("api:key", text="two"))
    assert runner.runs == []


async def test_the_row_is_running_durably_before_the_runner_is_called(
    dispatcher: Dispatcher, journal: Journal, runner: FakeRunner
) -> None:
    runner.hold()
    task = asyncio.create_task(dispatcher.dispatch(call()))
    await asyncio.wait_for(runner.started.wait(), 5)
    run = (await journal.recent())[0]
    assert (run.status, run.started_at is not None) == (Status.RUNNING, True)
    runner.let_go()
    await task


async def test_no_browser_is_a_failed_run_that_surely_did_not_happen(
    dispatcher: Dispatcher, runner: FakeRunner
) -> None:
    runner.script = [NoBrowser("No browser is connected. Open Chrome at home.")]
    run = await dispatcher.dispatch(call())
    assert (run.status, run.acted) == (Status.FAILED, False)
    assert run.verdict is not None
    assert run.verdict.rests_on == "No browser is connected. Open Chrome at home."
    assert run.evidence is not None
    assert run.evidence.fault is not None
    assert run.evidence.fault.code == "NO_BROWSER"


@pytest.mark.parametrize(
    ("name", "status"), [("create-post", Status.UNCONFIRMED), ("list-posts", Status.FAILED)]
)
async def test_a_foreign_error_becomes_a_reference_that_the_log_explains(
    dispatcher: Dispatcher,
    runner: FakeRunner,
    caplog: pytest.LogCaptureFixture,
    name: str,
    status: Status,
) -> None:
    runner.script = [ZeroDivisionError("secret inner text")]
    with caplog.at_level(logging.ERROR):
        run = await dispatcher.dispatch(call(name=name))
    assert (run.status, run.acted) == (status, True)
    assert run.verdict is not None
    assert f"E-{run.id}" in run.verdict.rests_on
    assert "secret inner text" not in run.model_dump_json()
    assert f"E-{run.id}" in caplog.text
    assert "secret inner text" in caplog.text


async def test_a_caller_who_leaves_does_not_end_the_run(
    dispatcher: Dispatcher, journal: Journal, runner: FakeRunner
) -> None:
    runner.hold()
    caller = asyncio.create_task(dispatcher.dispatch(call()))
    await asyncio.wait_for(runner.started.wait(), 5)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    again = asyncio.create_task(dispatcher.dispatch(call()))
    await asyncio.sleep(0)
    runner.let_go()
    assert (await again).status is Status.DONE
    assert len(runner.runs) == 1


async def test_progress_reaches_the_caller(dispatcher: Dispatcher) -> None:
    seen: list[Progress] = []
    await dispatcher.dispatch(call(), seen.append)
    assert [progress.text for progress in seen] == ["half way"]


async def test_a_run_under_way_is_cancelled_by_the_runner(
    dispatcher: Dispatcher, journal: Journal, runner: FakeRunner
) -> None:
    runner.hold()
    task = asyncio.create_task(dispatcher.dispatch(call()))
    await asyncio.wait_for(runner.started.wait(), 5)
    assert await dispatcher.cancel(runner.runs[0][0])
    assert (await task).status is Status.CANCELLED
    assert not await dispatcher.cancel(runner.runs[0][0])


async def test_a_chat_has_four_runs_at_once_and_the_rest_in_order(
    dispatcher: Dispatcher, runner: FakeRunner
) -> None:
    texts = [f"post {n}" for n in range(7)]
    runner.hold()
    tasks = [
        asyncio.create_task(dispatcher.dispatch(call(f"telegram:{n}", text=text)))
        for n, text in enumerate(texts)
    ]
    await asyncio.wait_for(runner.started.wait(), 5)
    runner.let_go()
    await asyncio.gather(*tasks)
    assert [arguments["text"] for _, _, arguments in runner.runs] == texts
    assert runner.most_at_once <= 4


async def test_a_waiting_run_that_is_called_off_was_never_sent(
    dispatcher: Dispatcher, journal: Journal, runner: FakeRunner
) -> None:
    runner.hold()
    tasks = [asyncio.create_task(dispatcher.dispatch(call(f"telegram:{n}"))) for n in range(5)]
    await asyncio.wait_for(runner.started_times(4), 5)
    last = (await journal.recent())[0]
    assert await dispatcher.cancel(last.id)
    ended = await tasks[4]
    assert (ended.status, ended.acted, ended.started_at) == (Status.CANCELLED, False, None)
    runner.let_go()
    await asyncio.gather(*tasks)
    assert len(runner.runs) == 4


async def test_the_journal_gets_no_secret_but_the_runner_does(
    journal: Journal, runner: FakeRunner, clock: FakeClock
) -> None:
    login = subroutine("login", params={"password": Param(secret=True)})
    door = make_dispatcher(journal, runner, clock, FakeCatalog(login))
    run = await door.dispatch(call(name="login", password="hunter2"))
    assert run.call.arguments == {"password": "•••"}
    assert runner.runs[0][2] == {"password": "hunter2"}


async def test_closing_waits_for_the_runs_under_way(
    journal: Journal, runner: FakeRunner, clock: FakeClock
) -> None:
    door = make_dispatcher(journal, runner, clock)
    runner.script = [outcome(value=1)]
    task = asyncio.create_task(door.dispatch(call()))
    await asyncio.sleep(0)
    await door.close()
    assert (await task).status is Status.DONE
    assert CHAT == (await task).call.chat


async def test_what_lasts_longer_than_closing_waits_is_left_running_for_the_crash_rule(
    journal: Journal, runner: FakeRunner, clock: FakeClock
) -> None:
    door = make_dispatcher(journal, runner, clock)
    runner.hold()
    task = asyncio.create_task(door.dispatch(call()))
    await asyncio.wait_for(runner.started.wait(), 5)
    await door.close(grace_s=0)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await journal.recent())[0].status is Status.RUNNING
