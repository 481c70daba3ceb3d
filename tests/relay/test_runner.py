"""A run over the imaginary wire: what is sent, what comes back, what becomes of a lost browser."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest
from pydantic import JsonValue

from library.errors import BrowserNotChosen, NoBrowser, UnknownName
from library.models import Outcome, Progress, Proof, Status, Subroutine
from relay.runner import Runner
from scheduler.ports import Runner as RunnerPort
from tests.fakes_browser import (
    PATIENCE_S,
    FakeExtension,
    Home,
    Refuses,
    page_that_shows,
    request_made,
    run_reply,
)
from tests.relay.subroutines import read, write

POSTED = {"request": "POST /api/posts", "status": 201}
ARGUMENTS: Mapping[str, JsonValue] = {"text": "Hello", "pin": "0420"}
PROVEN = run_reply(value={"id": 3}, requests=[request_made()])


@pytest.fixture
def home() -> Home:
    return Home()


@pytest.fixture
async def extension(home: Home) -> AsyncIterator[FakeExtension]:
    async with FakeExtension(home.pair("Chrome")).connected(home) as extension:
        yield extension


async def run(
    home: Home,
    subroutine: Subroutine,
    *,
    proof: Proof = Proof.UNLESS_DONE,
    browser: str | None = None,
    **more: Any,
) -> Outcome:
    async with asyncio.timeout(PATIENCE_S):
        return await home.runner.run("r1", subroutine, ARGUMENTS, browser=browser, proof=proof, **more)


def test_the_runner_is_what_the_scheduler_asks_for(home: Home) -> None:
    port: RunnerPort = home.runner
    assert isinstance(port, Runner)


async def test_a_proven_run_takes_one_round_trip_and_lets_go_of_the_tab(
    home: Home, extension: FakeExtension
) -> None:
    extension.replies["run"] = PROVEN
    extension.replies["finish"] = lambda params: None
    outcome = await run(home, write(POSTED))
    assert outcome.verdict.status is Status.DONE
    assert (outcome.browser, outcome.acted, outcome.evidence.value) == ("Chrome", True, {"id": 3})
    finish = await extension.was_asked("finish")
    assert (finish["hold"], finish["texts"], finish["timeout_ms"]) == (False, [], 0)


async def test_what_is_sent_is_what_the_wire_says(home: Home, extension: FakeExtension) -> None:
    await run(home, write(permissions={"requests": ["POST /x"], "cookies": True}))
    params = await extension.was_asked("run")
    assert params["arguments"] == {"text": "Hello", "pin": "0420"}
    assert params["secrets"] == ["pin"]
    assert params["timeout_ms"] == 30_000
    assert params["subroutine"]["params"] == ["text", "pin"]
    assert params["subroutine"]["permissions"] == {"requests": ["POST /x"], "cookies": True}


async def test_an_optional_argument_that_is_absent_is_sent_as_null(
    home: Home, extension: FakeExtension
) -> None:
    await home.runner.run("r1", read(), {"text": "a"}, browser=None, proof=Proof.NEVER)
    assert (await extension.was_asked("run"))["arguments"] == {"text": "a", "pin": None}


async def test_a_text_is_waited_for_while_the_tab_is_kept(home: Home, extension: FakeExtension) -> None:
    extension.replies["finish"] = page_that_shows("Hello")
    outcome = await run(home, write({"text": "{text}"}, {"gone": "Sending"}, {"request": "POST /api/posts"}))
    first = next(params for method, params in extension.asked if method == "finish")
    assert (first["texts"], first["gone"], first["hold"]) == (["Hello"], ["Sending"], True)
    assert first["requests"] == [{"method": "POST", "url": "http://127.0.0.1:8765/api/posts"}]
    assert outcome.verdict.status is Status.UNCONFIRMED
    assert [text.found for text in outcome.evidence.texts] == [True, False]


async def test_a_run_proven_by_a_text_takes_no_picture(home: Home, extension: FakeExtension) -> None:
    extension.replies["finish"] = page_that_shows("Hello")
    outcome = await run(home, write({"text": "{text}"}))
    assert outcome.verdict.status is Status.DONE
    assert outcome.evidence.screenshot is None
    assert "screenshot" not in extension.methods()


async def test_the_picture_of_an_unproven_run_is_taken_before_the_tab_is_let_go(
    home: Home, extension: FakeExtension
) -> None:
    outcome = await run(home, write({"text": "{text}"}))
    assert outcome.evidence.screenshot == b"PNG"
    await extension.was_asked("finish", times=2)
    assert extension.methods() == ["run", "finish", "screenshot", "finish"]
    assert [params["hold"] for method, params in extension.asked if method == "finish"] == [True, False]


@pytest.mark.parametrize(("proof", "pictures"), [(Proof.ALWAYS, 1), (Proof.UNLESS_DONE, 0), (Proof.NEVER, 0)])
async def test_a_done_run_is_pictured_as_asked(
    home: Home, extension: FakeExtension, proof: Proof, pictures: int
) -> None:
    extension.replies["run"] = PROVEN
    await run(home, write(POSTED), proof=proof)
    assert extension.methods().count("screenshot") == pictures


async def test_a_picture_that_fails_leaves_the_rest(home: Home, extension: FakeExtension) -> None:
    def no_picture(_: Mapping[str, Any]) -> Mapping[str, Any]:
        raise Refuses("TAB_CLOSED", "The tab was closed.")

    extension.replies["screenshot"] = no_picture
    outcome = await run(home, write(POSTED))
    assert outcome.verdict.status is Status.UNCONFIRMED
    assert outcome.evidence.screenshot_problem == "The tab was closed."


async def test_a_refused_request_is_not_waited_over(home: Home, extension: FakeExtension) -> None:
    extension.replies["run"] = run_reply(requests=[request_made(status=403)])
    outcome = await run(home, write(POSTED, {"text": "{text}"}))
    assert outcome.verdict.status is Status.FAILED
    assert next(params for method, params in extension.asked if method == "finish")["timeout_ms"] == 0


async def test_a_request_that_only_the_network_saw_proves_it(home: Home, extension: FakeExtension) -> None:
    extension.replies["finish"] = page_that_shows(requests=[request_made(source="network")])
    assert (await run(home, write(POSTED))).verdict.status is Status.DONE


async def test_a_secret_text_is_masked_in_the_evidence(home: Home, extension: FakeExtension) -> None:
    extension.replies["finish"] = page_that_shows("PIN 0420")
    outcome = await run(home, write({"text": "PIN {pin}"}))
    assert outcome.verdict.status is Status.DONE
    assert "0420" not in outcome.model_dump_json(exclude={"evidence": {"screenshot"}})


async def test_events_become_progress_in_order(home: Home, extension: FakeExtension) -> None:
    def telling(params: Mapping[str, Any]) -> Mapping[str, Any]:
        step = {
            "n": 1,
            "helper": "click",
            "args": [{"role": "button", "name": "Post"}],
            "at_ms": 1,
            "took_ms": 2,
        }
        extension.tell("step", run="r1", step=step)
        extension.tell("progress", run="r1", text="Half", fraction=0.5)
        extension.tell("progress", run="r1", text="Broken", fraction=7)
        extension.tell("progress", run="another", text="Not ours")
        extension.tell("log", run="r1", text="posting")
        extension.tell("sneeze", run="r1")
        return PROVEN

    extension.replies["run"] = telling
    heard: list[Progress] = []
    await run(home, write(POSTED), on_progress=heard.append)
    assert [(one.text, one.fraction) for one in heard] == [
        ('1. click button "Post"', None),
        ("Half", 0.5),
        ("posting", None),
    ]


@pytest.mark.parametrize(
    ("subroutine", "status"), [(write(POSTED), Status.UNCONFIRMED), (read(), Status.FAILED)]
)
async def test_a_browser_lost_on_the_way_is_an_outcome(
    home: Home, extension: FakeExtension, subroutine: Subroutine, status: Status
) -> None:
    step = {"n": 1, "helper": "click", "at_ms": 1, "took_ms": 2, "acted": True}

    def cut(_: Mapping[str, Any]) -> None:
        extension.tell("step", run="r1", step=step)
        extension.wire.cut()

    extension.replies["run"] = cut
    outcome = await run(home, subroutine)
    assert outcome.verdict.status is status
    assert outcome.acted
    assert [one.helper for one in outcome.evidence.steps] == ["click"]
    assert outcome.evidence.fault is not None
    assert outcome.evidence.fault.code == "BROWSER_LOST"


async def test_a_browser_lost_before_the_end_was_seen_leaves_a_write_unconfirmed(
    home: Home, extension: FakeExtension
) -> None:
    extension.replies["finish"] = lambda _: extension.wire.cut()
    assert (await run(home, write({"text": "Hello"}))).verdict.status is Status.UNCONFIRMED


@pytest.mark.parametrize(
    "answer", [{}, {"outcome": "danced"}, run_reply(steps=[{"n": "one"}]), run_reply(acted=None)]
)
async def test_an_answer_that_cannot_be_understood_is_an_outcome(
    home: Home, extension: FakeExtension, answer: dict[str, Any]
) -> None:
    extension.replies["run"] = answer
    outcome = await run(home, write(POSTED))
    assert (outcome.verdict.status, outcome.acted) == (Status.UNCONFIRMED, True)


@pytest.mark.parametrize(
    ("code", "status", "acted"), [("PAUSED", Status.FAILED, False), ("INTERNAL", Status.UNCONFIRMED, True)]
)
async def test_an_error_instead_of_an_answer(
    home: Home, extension: FakeExtension, code: str, status: Status, acted: bool
) -> None:
    def refuse(_: Mapping[str, Any]) -> Mapping[str, Any]:
        raise Refuses(code, "Runhome is paused in this browser.")

    extension.replies["run"] = refuse
    outcome = await run(home, write(POSTED))
    assert (outcome.verdict.status, outcome.acted) == (status, acted)
    assert "paused in this browser" in outcome.verdict.rests_on


async def test_a_silent_browser_is_given_up_and_told_to_stop(
    home: Home, extension: FakeExtension, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("relay.runner.GUARD_S", 0.05)
    extension.replies["run"] = lambda params: None
    outcome = await run(home, write(POSTED, timeout_s=0.05))
    assert outcome.verdict.status is Status.UNCONFIRMED
    assert await extension.was_asked("cancel") == {"run": "r1"}


async def test_a_run_is_cancelled(home: Home, extension: FakeExtension) -> None:
    started: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    extension.replies["run"] = lambda params: None

    def cancel(_: Mapping[str, Any]) -> Mapping[str, Any]:
        extension.wire.browser_sends(
            {"id": started.result(), "result": run_reply(outcome="cancelled", acted=False)}
        )
        return {"cancelled": True}

    extension.replies["cancel"] = cancel
    running = asyncio.create_task(run(home, write(POSTED)))
    await extension.was_asked("run")
    started.set_result(1)
    assert await home.runner.cancel("r1")
    assert (await running).verdict.status is Status.CANCELLED
    assert not await home.runner.cancel("r1")


async def test_many_runs_at_once_keep_their_answers_apart(home: Home, extension: FakeExtension) -> None:
    extension.replies["run"] = lambda params: run_reply(value=params["arguments"]["text"])
    runs = [
        home.runner.run(f"r{n}", read(), {"text": str(n)}, browser=None, proof=Proof.NEVER) for n in range(50)
    ]
    outcomes = await asyncio.gather(*runs)
    assert [outcome.evidence.value for outcome in outcomes] == [str(n) for n in range(50)]


async def test_before_anything_leaves_errors_are_raised(home: Home) -> None:
    with pytest.raises(NoBrowser, match="No browser is paired"):
        await run(home, read())
    first, second = FakeExtension(home.pair("Chrome")), FakeExtension(home.pair("Work"))
    with pytest.raises(NoBrowser, match="Paired: Chrome, Work"):
        await run(home, read())
    async with first.connected(home):
        with pytest.raises(NoBrowser, match='"Work" is paired but not connected'):
            await run(home, read(), browser="work")
        async with second.connected(home):
            with pytest.raises(BrowserNotChosen, match='"Chrome", "Work"'):
                await run(home, read())
            with pytest.raises(UnknownName, match="Chrome"):
                await run(home, read(), browser="Chrom")
            assert (await run(home, read(), browser="Work")).browser == "Work"
    assert first.asked == []
