"""The commands that start a browser, with a real Chromium: browser, run, try and the demo."""

import asyncio
import json
import os
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from library.demo.server import serve
from library.demo.site import DemoSite
from library.errors import SetupError
from tests.bot.cli.commands import ENOUGH_S, Runhome, as_process, line_with, process
from tests.chromium import chromium_path

pytestmark = pytest.mark.browser

QUESTIONS = """\
? button
? Log
find({role: "button", name: "Lgo in"}, {timeout: 100})
type({label: "Name"}, "a; b")
"""


@pytest.fixture
async def site() -> AsyncIterator[str]:
    async with serve(DemoSite()) as address:
        yield address


async def test_a_managed_browser_from_start_to_stop(home: Path, tmp_path: Path, site: str) -> None:
    chromium_path()
    profile = str(tmp_path / "my profile")
    async with process(home, "up") as up:
        await line_with(up, "Runhome is up")
        try:
            start = ["browser", "start", "--headless", "--name", "My Chrome", "--profile", profile]
            started = await as_process(home, *start, "--url", f"{site}/login")
            assert (started.code, started.err) == (0, 'Starting "My Chrome" ...\n')
            assert '"My Chrome" runs (process ' in started.out
            assert "newly paired" in started.out
            assert "runhome browser stop --name 'My Chrome'" in started.out
            again = await as_process(home, *start)
            assert again.code == 1
            assert "already running" in again.err
            [listed] = json.loads((await as_process(home, "browser", "list", "--json")).out)
            assert (listed["name"], listed["connected"]) == ("My Chrome", True)
            await _try_a_page(home, site)
        finally:
            stopped = await as_process(home, "browser", "stop", "--name", "My Chrome", "--profile", profile)
        assert stopped.out == '"My Chrome" is closed.\n'


async def _try_a_page(home: Path, site: str) -> None:
    tried = await as_process(home, "try", f"{site}/login", typed=QUESTIONS)
    assert (tried.code, tried.err) == (0, f"Opening {site}/login ...\n")
    one, words, missing, typed = tried.out.split("\n> ")[1:]
    assert '{role: "button", name: "Log in"}' in one
    assert '{role: "button", name: "Log in"}' in words
    assert 'NOT_FOUND: No button named "Lgo in"' in missing
    assert 'button "Log in"' in missing
    assert typed.strip().endswith('"a; b"')


def port_is_free() -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", 8765))
        except OSError:
            return False
    return True


@pytest.fixture
def scratch() -> Iterator[Path]:
    """The demo's temporary folder, so that what it leaves can be seen. Chrome's sockets need a short path."""
    chromium_path()
    if not port_is_free():
        pytest.skip("needs port 8765, which the demo's subroutines name")
    with TemporaryDirectory() as folder:
        yield Path(folder)


def left_in(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def has_begun(scratch: Path) -> bool:
    """Its browser's keeper has taken the profile."""
    return bool(list(scratch.glob("runhome-demo-*/profile/*.json")))


async def test_the_demo_posts_once_and_leaves_nothing_but_the_picture(home: Path, scratch: Path) -> None:
    said = await as_process(home, "demo", "--text", 'Say "hi" = -x', TMPDIR=str(scratch))
    assert (said.code, said.err) == (0, "")
    assert "✅ create-post: done" in said.out
    assert 'has it: "Say "hi" = -x", post 1' in said.out
    [picture] = left_in(scratch)
    assert picture.endswith((".jpg", ".png"))
    assert f"[photo] {scratch / picture}" in said.out
    assert left_in(home.parent) == []


@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM])
async def test_an_interrupted_demo_leaves_nothing(home: Path, scratch: Path, name: signal.Signals) -> None:
    async with process(home, "demo", TMPDIR=str(scratch)) as child, asyncio.timeout(ENOUGH_S):
        await line_with(child, "Starting a demo site")
        while not has_begun(scratch):  # noqa: ASYNC110 - another process's file gives no event
            await asyncio.sleep(0.02)
        child.send_signal(name)
        child.send_signal(name)
        _, err = await child.communicate()
    assert (child.returncode, err.decode()) == (130, "\nCleaning up ...\n")
    assert left_in(scratch) == []
    assert not [line for line in _processes() if str(scratch) in line]


async def test_a_taken_port_is_one_sentence(home: Path, scratch: Path) -> None:
    with socket.create_server(("127.0.0.1", 8765)):
        said = await as_process(home, "demo", TMPDIR=str(scratch))
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith("Port 8765 is already taken by ")
    assert said.err.endswith("the demo's site needs it. Stop that program, then try again.\n")
    assert left_in(scratch) == []


def test_no_chrome_is_one_sentence(runhome: Runhome, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise SetupError("No Chrome or Chromium was found on this machine. Install Chromium.")

    monkeypatch.setattr("relay.chrome.find_chrome", nowhere)
    said = runhome("demo")
    assert (said.code, said.out) == (1, "")
    assert said.err == "No Chrome or Chromium was found on this machine. Install Chromium.\n"


def _processes() -> list[str]:
    lines = []
    for pid in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else []):
        try:
            lines.append(Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return lines
