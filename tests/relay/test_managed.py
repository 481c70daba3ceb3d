"""A real Chromium, started, paired, stopped and killed as ``runhome browser`` does it."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from library.errors import PairingRefused, SetupError
from relay.chrome import extension_id
from relay.managed import ManagedBrowser
from relay.profile import BrowserState
from relay.server import create_app, serve
from tests.chromium import chromium_path
from tests.fakes_browser import Home

pytestmark = pytest.mark.browser

ENOUGH_S = 30


@pytest.fixture
def home() -> Home:
    return Home()


@pytest.fixture
async def port(home: Home) -> AsyncIterator[int]:
    app = create_app(home.pairings, home.browsers, home.reception, extension_id=extension_id())
    async with serve(app, 0) as port:
        yield port


@pytest.fixture
async def managed(tmp_path: Path) -> AsyncIterator[ManagedBrowser]:
    browser = ManagedBrowser(tmp_path / "profile", executable=Path(chromium_path()))
    yield browser
    await browser.stop()


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_it_pairs_by_itself_and_needs_no_code_the_second_time(
    home: Home, port: int, managed: ManagedBrowser
) -> None:
    codes: list[str] = []

    async def new_code() -> str:
        codes.append(home.pairings.new_code().text)
        return codes[-1]

    assert managed.state() is BrowserState.NEVER_STARTED
    first = await managed.start(port=port, new_code=new_code, name="Managed", headless=True)
    assert (first.paired, first.connected, managed.state()) == (True, True, BrowserState.RUNNING)
    assert home.browsers.connected_names() == ["Managed"]
    with pytest.raises(SetupError, match="already running"):
        await managed.start(port=port, new_code=new_code, headless=True)
    assert await managed.stop()
    assert managed.state() is BrowserState.STOPPED
    assert not is_alive(first.chrome_pid)
    assert not await managed.stop()

    second = await managed.start(
        port=port, new_code=new_code, name="Managed", headless=True, url="about:blank"
    )
    assert (second.paired, second.connected, len(codes)) == (False, True, 1)
    os.kill(second.chrome_pid, signal.SIGKILL)
    async with asyncio.timeout(ENOUGH_S):
        while managed.state() is BrowserState.RUNNING:  # noqa: ASYNC110 - another process gives no event
            await asyncio.sleep(0.02)
    assert managed.state() is BrowserState.CRASHED

    await home.browsers.unpair("Managed")
    third = await managed.start(port=port, new_code=new_code, name="Anew", headless=True)
    assert (third.paired, third.connected, home.browsers.connected_names()) == (True, True, ["Anew"])


async def test_a_refused_code_is_said_and_leaves_no_browser(port: int, managed: ManagedBrowser) -> None:
    async def wrong_code() -> str:
        return "22222222"

    with pytest.raises(PairingRefused, match="runhome pair"):
        await managed.start(port=port, new_code=wrong_code, headless=True)
    async with asyncio.timeout(ENOUGH_S):
        while managed.state() is BrowserState.STARTING:  # noqa: ASYNC110 - another process gives no event
            await asyncio.sleep(0.02)
    assert managed.state() is BrowserState.CRASHED


async def test_what_is_no_browser_is_said(tmp_path: Path) -> None:
    async def no_code() -> str:
        raise AssertionError("no code is needed")

    nothing = ManagedBrowser(tmp_path / "a", executable=tmp_path / "nothing")
    with pytest.raises(SetupError, match="cannot be started"):
        await nothing.start(port=1, new_code=no_code)
    not_chrome = ManagedBrowser(tmp_path / "b", executable=Path("/bin/true"))
    with pytest.raises(SetupError, match="ended right after its start"):
        await not_chrome.start(port=1, new_code=no_code)
