"""`runhome run` and its neighbours against a Runhome that runs, with a fake browser."""

import asyncio
import json
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.bot.cli.commands import ENOUGH_S, Up, line_with, process
from tests.fakes_browser import FakeExtension, page_that_shows, request_made, run_reply

FILE = """/*---
name: say
version: 1.0.0
sites: ["http://127.0.0.1:8765/*"]
start: http://127.0.0.1:8765/
params:
  text: {type: string}
  times: {type: integer, required: false}
effect: write
---*/
await tab.click({role: "button"});
return {said: text};
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "say.js"
    path.write_text(FILE)
    return str(path)


def arguments(up: Up) -> Any:
    return [params for method, params in up.extension.asked if method == "run"][-1]["arguments"]


async def test_the_json_of_a_run_has_everything_it_rests_on(up: Up) -> None:
    up.extension.replies["run"] = run_reply(
        value={"url": "/p/1"},
        requests=[request_made()],
        steps=[
            {
                "n": 1,
                "helper": "click",
                "args": [],
                "at_ms": 1,
                "took_ms": 2,
                "acted": True,
                "value": None,
                "error": None,
            }
        ],
    )
    up.extension.replies["finish"] = page_that_shows('say "hi" = -x')
    said = await up.runhome("run", "create-post", 'text=say "hi" = -x', "--json")
    assert said.err == ""
    run = json.loads(said.out)
    assert (said.code, run["status"], run["browser"]) == (0, "done", "Chrome")
    assert run["id"].startswith("r")
    assert "201" in run["verdict"]["rests_on"]
    assert run["evidence"]["value"] == {"url": "/p/1"}
    assert run["evidence"]["steps"][0]["helper"] == "click"
    assert run["evidence"]["requests"][0]["status"] == 201
    assert run["evidence"]["timings_ms"]
    assert arguments(up) == {"text": 'say "hi" = -x'}


@pytest.mark.parametrize(
    ("reply", "code", "verdict"),
    [
        (run_reply(requests=[request_made()]), 0, "done"),
        (run_reply(requests=[request_made(status=403)]), 1, "failed"),
        (run_reply(), 3, "not confirmed"),
    ],
)
async def test_the_exit_code_is_the_verdict(up: Up, reply: dict[str, Any], code: int, verdict: str) -> None:
    up.extension.replies |= {"run": reply, "finish": page_that_shows("x")}
    said = await up.runhome("run", "create-post", "text=x", "--browser", "Chrome")
    assert (said.code, said.err) == (code, "")
    assert f"create-post: {verdict}\n" in said.out
    assert "screenshot: " in said.out


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["text=-5", "times=2"], {"text": "-5", "times": 2}),
        (["--text", "--loud", "--times=3"], {"text": "--loud", "times": 3}),
        (["Hello", "you two"], {"text": "Hello you two", "times": None}),
        (["-v"], {"text": "-v", "times": None}),
        (["text=", "times=1"], {"text": "", "times": 1}),
    ],
)
async def test_a_files_arguments_come_as_the_shell_has_them(
    up: Up, file: str, words: list[str], wanted: dict[str, object]
) -> None:
    said = await up.runhome("run", file, *words)
    assert said.err == ""
    assert arguments(up) == wanted


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["create-post"], "text is missing. It is: What to say"),
        (["create-post", "txt=x"], 'There is no parameter "txt". Did you mean "text"?'),
        (["creat-post", "text=x"], 'There is no subroutine named "creat-post". Did you mean "create-post"'),
        (
            ["create-post", "text=x", "--browser", "Chrom"],
            'There is no browser named "Chrom". Did you mean "Chrome"?',
        ),
    ],
)
async def test_what_does_not_fit_is_said_and_nothing_runs(up: Up, words: list[str], part: str) -> None:
    asked = up.extension.methods().count("run")
    said = await up.runhome("run", *words)
    assert said.code == 1
    assert part in said.out + said.err
    assert "Traceback" not in said.err
    assert up.extension.methods().count("run") == asked


async def test_the_same_claim_never_runs_twice(up: Up) -> None:
    up.extension.replies["run"] = run_reply(requests=[request_made()])
    first = await up.runhome("run", "create-post", "text=once", "--claim", "c1", "--json")
    asked = up.extension.methods().count("run")
    again = await up.runhome("run", "create-post", "text=once", "--claim", "c1", "--json")
    assert json.loads(first.out)["id"] == json.loads(again.out)["id"]
    assert up.extension.methods().count("run") == asked


@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM])
async def test_ctrl_c_stops_the_run_too(
    up: Up, name: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.fakes_browser.PATIENCE_S", ENOUGH_S)  # a process has to start first
    up.extension.replies["run"] = lambda _: None
    up.extension.replies["cancel"] = lambda _: {"cancelled": True}
    times = up.extension.methods().count("run") + 1
    cancels = up.extension.methods().count("cancel") + 1
    async with process(up.home, "run", "create-post", "text=x") as child, asyncio.timeout(ENOUGH_S):
        asked = await up.extension.was_asked("run", times=times)
        child.send_signal(name)
        assert await child.wait() == 130
        assert (await up.extension.was_asked("cancel", times=cancels))["run"] == asked["run"]
    up.extension.replies["run"] = run_reply()


async def test_an_invitation_is_a_command_to_send(up: Up) -> None:
    said = await up.runhome("invite")
    assert said.out.startswith("Send this to your bot within ")
    assert "    /pair " in said.out
    assert "there is no bot yet, Telegram is off: `runhome setup` takes the bot's token" in said.err
    code = json.loads((await up.runhome("invite", "--json")).out)
    assert set(code) == {"code", "minutes"}


async def test_pairing_waits_until_a_browser_has_come(up: Up) -> None:
    async with process(up.home, "pair") as child:
        code = (await line_with(child, "    ")).strip()
        assert len(code) == 8
        pairing = up.app.pairings.redeem(code, "Second")
        await line_with(child, "type this code within")
        assert child.returncode is None
        second = FakeExtension(pairing)
        async with second.connected(up.here):
            assert 'Paired: "Second".' in await line_with(child, "Paired")
            async with asyncio.timeout(ENOUGH_S):
                assert await child.wait() == 0
            refused = await up.runhome("run", "create-post", "text=x")
            assert refused.code == 1
            assert '2 browsers are connected: "Chrome", "Second"' in refused.out + refused.err
            listed = json.loads((await up.runhome("browser", "list", "--json")).out)
            assert {one["name"]: one["connected"] for one in listed} == {"Chrome": True, "Second": True}
    await up.app.browsers.unpair("Second")


async def test_a_chat_from_a_pipe_is_answered_line_by_line(up: Up) -> None:
    said = await up.runhome("chat", typed="/library\n/browsers\n")
    assert said.code == 0
    assert said.out.index("create-post") < said.out.index("Chrome")


async def test_a_page_cannot_move_the_cursor_of_the_terminal(up: Up) -> None:
    error = {"code": "NOT_FOUND", "message": "No button\x1b[2J\x1b[H named Post."}
    up.extension.replies["run"] = run_reply(outcome="threw", error=error, acted=False)
    said = await up.runhome("run", "create-post", "text=hi")
    assert "named Post." in said.out
    assert "\x1b" not in said.out + said.err
