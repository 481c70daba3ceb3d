"""The line between relay and browser: it comes back by itself, and whoever else comes is turned away."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError, InvalidStatus

from library.models import Status
from relay.messages import CloseCode
from tests.extension.harness import ExtensionBrowser, extension_browser, extension_id
from tests.fakes_browser import BrowserEnd
from tests.journeys.household import Household, open_household, status_of, subroutine
from tests.journeys.sites import Pages

pytestmark = pytest.mark.browser

PATIENCE_S = 20
WAITING = "await tab.progress('going'); await new Promise(() => {})"


def hello(pages: Pages, name: str = "hello", body: str = "return 'hello'", effect: str = "read") -> str:
    return subroutine(name, body, sites=pages.anywhere, start=pages.at("/next"), effect=effect)


async def test_after_a_restart_of_the_relay_the_browser_comes_back_and_the_next_run_works(
    browser: ExtensionBrowser, pages: Pages, tmp_path: Path
) -> None:
    async with open_household(tmp_path, browser) as first:
        first.install("hello", hello(pages))
        await first.pair()
        assert (await first.say("/run hello")).text.startswith("✅ hello: done\nIt returned hello.")
        port = first.app.port
    async with open_household(tmp_path, browser, port=port) as second:
        await second.app.browsers.wait_connected("Home", timeout_s=PATIENCE_S)
        assert (await second.say("/run hello")).text.startswith("✅ hello: done\nIt returned hello.")
        assert [run.status for run in await second.runs("hello")] == [Status.DONE, Status.DONE]


async def test_with_two_browsers_and_none_chosen_the_list_is_the_answer(
    home: Household, pages: Pages, tmp_path: Path
) -> None:
    home.install("hello", hello(pages))
    async with extension_browser(tmp_path / "other") as other:
        await home.pair(other, "Office")
        [first] = [name for name in home.app.browsers.connected_names() if name != "Office"]
        refused = await home.say("/run hello")
        assert f'2 browsers are connected: "{first}", "Office". Say which one: browser=NAME' in refused.text
        assert status_of(await home.newest()) == (Status.FAILED, False)
        said = await home.say("/run hello browser=Office")
        assert said.text.startswith("✅ hello: done\nIt returned hello.")
        assert (await home.newest()).browser == "Office"
        wrong = await home.say("/run hello browser=Ofice")
        assert "Office" in wrong.text
        assert status_of(await home.newest()) == (Status.FAILED, False)
    await home.app.browsers.unpair("Office")


async def test_a_browser_that_is_closed_during_a_run_and_before_one_is_said_to_be_away(
    browser: ExtensionBrowser, pages: Pages, tmp_path: Path
) -> None:
    async with open_household(tmp_path / "home", browser) as home:
        acting = f"await tab.click({{ role: 'button', name: 'There' }}); {WAITING}"
        home.install("write", hello(pages, "write", acting, "write"))
        home.install("hello", hello(pages))
        async with extension_browser(tmp_path / "profile") as short_lived:
            await home.pair(short_lived, "Short")
            async with home.saying("/run write") as said:
                await said.until_shown("going")
                await short_lived.context.close()
        # Chrome closes its tabs first: the extension may still get to tell of that.
        whys = ("The tab was closed.", "The connection to the browser ended while it was running.")
        assert said.text.startswith(tuple(f"❓ write: not confirmed\n{why}" for why in whys)), said.text
        assert status_of(await home.newest()) == (Status.UNCONFIRMED, True)
        asked = pages.log.count("GET /next")
        away = await home.say("/run hello")
        assert "No browser is connected. Paired: Short." in away.text
        assert "runhome browser start" in away.text
        assert status_of(await home.newest()) == (Status.FAILED, False)
        async with extension_browser(tmp_path / "profile"):
            await home.app.browsers.wait_connected("Short", timeout_s=PATIENCE_S)
            again = await home.say("/run hello")
            assert again.text.startswith("✅ hello: done\nIt returned hello.")
        assert pages.log.count("GET /next") > asked
        assert len(await home.runs("write")) == 1


async def test_the_socket_is_closed_to_web_pages(home: Household, pages: Pages) -> None:
    page = await home.browser.context.new_page()
    await page.goto(pages.at("/next"))
    opened = await page.evaluate(
        """(port) => new Promise((resolve) => {
          const socket = new WebSocket(`ws://127.0.0.1:${port}/extension`);
          socket.onopen = () => resolve("opened");
          socket.onerror = () => resolve("refused");
        })""",
        home.app.port,
    )
    read = await page.evaluate(
        "(port) => fetch(`http://127.0.0.1:${port}/health`).then(() => 'read', () => 'refused')",
        home.app.port,
    )
    await page.close()
    assert (opened, read) == ("refused", "refused")
    with pytest.raises(InvalidStatus) as turned_away:
        async with connect(address(home), proxy=None, origin=pages.origin):  # type: ignore[arg-type]
            pass
    assert turned_away.value.response.status_code == 403
    await still_works(home, pages)


async def test_a_wrong_key_and_a_replayed_proof_are_refused(home: Household, pages: Pages) -> None:
    async with httpx.AsyncClient(trust_env=False) as http:
        asked = {"code": await home.app.new_code(), "browser_name": "Victim"}
        pairing = (await http.post(f"http://127.0.0.1:{home.app.port}/pair", json=asked)).json()
    thief = BrowserEnd(pairing["browser"], b"x" * 32)
    async with socket_of(home) as socket:
        await socket.send(json.dumps(thief.hello()))
        await socket.send(json.dumps(thief.proof(await answer(socket))))
        assert await close_code(socket) == CloseCode.PROOF_REFUSED
    victim = BrowserEnd(pairing["browser"], bytes.fromhex(pairing["key"]))
    async with socket_of(home) as socket:
        await socket.send(json.dumps(victim.hello()))
        overheard = json.dumps(victim.proof(await answer(socket)))
        await socket.send(overheard)
        assert victim.trusts(await answer(socket))
    async with socket_of(home) as socket:
        await socket.send(json.dumps(victim.hello()))
        await answer(socket)
        await socket.send(overheard)
        assert await close_code(socket) == CloseCode.PROOF_REFUSED
    await home.app.browsers.unpair("Victim")
    await still_works(home, pages)


@pytest.mark.parametrize("path", ["/extension", "/health", "/api/status", "/pair"])
async def test_a_host_that_is_not_this_machine_is_turned_away(home: Household, path: str) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", home.app.port)
    writer.write(
        f"GET {path} HTTP/1.1\r\nHost: evil.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    async with asyncio.timeout(PATIENCE_S):
        assert b" 421 " in await reader.readline()
    writer.close()
    await writer.wait_closed()


async def still_works(home: Household, pages: Pages) -> None:
    home.install("hello", hello(pages))
    assert (await home.say("/run hello")).text.startswith("✅ hello: done\nIt returned hello.")


def address(home: Household) -> str:
    return f"ws://127.0.0.1:{home.app.port}/extension"


def socket_of(home: Household) -> connect:
    origin: Any = f"chrome-extension://{extension_id()}"
    return connect(address(home), proxy=None, origin=origin, open_timeout=PATIENCE_S)


async def answer(socket: ClientConnection) -> Any:
    return json.loads(await asyncio.wait_for(socket.recv(), PATIENCE_S))


async def close_code(socket: ClientConnection) -> int | None:
    async with asyncio.timeout(PATIENCE_S):
        with suppress(ConnectionClosedError):
            async for _ in socket:
                pass
        await socket.wait_closed()
    return socket.close_code
