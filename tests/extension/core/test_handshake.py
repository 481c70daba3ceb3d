"""The extension's side of the handshake and of the end of a connection, with the real socket."""

import secrets

import pytest
from playwright.async_api import Page

from tests.extension.core.conftest import Site
from tests.extension.harness import ExtensionBrowser, ScriptedRelay, scripted_relay

pytestmark = pytest.mark.browser


async def status(browser: ExtensionBrowser) -> dict[str, str]:
    """What the offscreen document says of its socket, as the popup asks for it."""
    answer: dict[str, str] = await browser.page.evaluate(
        """() => new Promise((resolve) => {
            const line = chrome.runtime.connect({ name: "runhome-popup" });
            line.onMessage.addListener((status) => { line.disconnect(); resolve(status); });
        })"""
    )
    return answer


async def until_status(browser: ExtensionBrowser, wanted: str) -> str:
    """Waits until the socket has this status; gives the reason that goes with it."""
    reason: str = await browser.page.evaluate(
        """(wanted) => new Promise((resolve) => {
            const line = chrome.runtime.connect({ name: "runhome-popup" });
            line.onMessage.addListener(({ status, reason }) => {
                if (status !== wanted) return;
                line.disconnect();
                resolve(reason);
            });
        })""",
        wanted,
    )
    return reason


async def test_a_paired_browser_is_connected_and_unpairing_ends_it(browser: ExtensionBrowser) -> None:
    async with scripted_relay() as relay:
        await browser.pair(relay)
        assert (await status(browser))["status"] == "connected"
        await browser.command("unpair")
        await relay.until(lambda: len(relay.closed) == 1)
        assert (await status(browser))["status"] == "unpaired"


async def test_a_wrong_code_is_refused_in_the_relays_words(browser: ExtensionBrowser) -> None:
    async with scripted_relay() as relay:
        answer = await browser.command("pair", code="WRONG", port=relay.port)
    assert answer["error"] == {"code": "PAIRING_REFUSED", "message": "This code is not right.", "details": {}}


async def test_no_relay_at_the_port_is_said(browser: ExtensionBrowser) -> None:
    async with scripted_relay() as gone:
        port = gone.port
    answer = await browser.command("pair", code="K7MPQ2XW", port=port)
    assert answer["error"]["code"] == "NETWORK"
    assert str(port) in answer["error"]["message"]


async def test_a_relay_that_does_not_prove_the_key_is_left(browser: ExtensionBrowser) -> None:
    async with scripted_relay() as relay:
        relay.own_key = secrets.token_bytes(32)
        await browser.command("pair", code=relay.code, port=relay.port)
        assert "Pair again" in await until_status(browser, "stopped")
        await relay.until(lambda: 4001 in relay.closed)
        await browser.command("unpair")


async def test_a_key_that_the_relay_does_not_know_stops_the_extension(browser: ExtensionBrowser) -> None:
    async with scripted_relay() as relay:
        await browser.pair(relay)
        relay.key = secrets.token_bytes(32)
        await relay.close(1012)
        assert "Pair again" in await until_status(browser, "stopped")
        await browser.command("unpair")


@pytest.mark.parametrize(("code", "says"), [(4000, "took over"), (4003, "versions"), (4010, "revoked")])
async def test_after_a_final_close_the_extension_stays_away_until_asked(
    relay: ScriptedRelay, browser: ExtensionBrowser, code: int, says: str
) -> None:
    await relay.close(code)
    assert says in await until_status(browser, "stopped")
    await browser.page.evaluate(
        'chrome.runtime.connect({ name: "runhome-popup" }).postMessage({ connect: true })'
    )
    await relay.connected(2)


async def test_after_any_other_close_the_extension_comes_back(relay: ScriptedRelay, pages: Site) -> None:
    await relay.close(1001)
    await relay.connected(2)
    assert (await relay.run("return 1", sites=pages.anywhere))["value"] == 1


async def test_a_relay_that_comes_later_is_found(browser: ExtensionBrowser) -> None:
    async with scripted_relay() as first:
        await browser.pair(first)
        port, key, name = first.port, first.key, first.browser
    async with scripted_relay(port) as second:
        second.key, second.browser = key, name
        await second.connected()
    await browser.command("unpair")


async def test_an_unknown_method_and_a_frame_that_is_not_json(relay: ScriptedRelay) -> None:
    answer = await (await relay.send_request("dance", {}))
    assert answer["error"]["code"] == "UNKNOWN_METHOD"
    await relay.send_text("{")
    await relay.until(lambda: relay.closed == [4002])
    await relay.connected(2)


async def test_a_web_page_cannot_speak_to_the_service_worker(browser: ExtensionBrowser, pages: Site) -> None:
    page: Page = await browser.context.new_page()
    await page.goto(pages.at("/"))
    assert await page.evaluate("typeof chrome === 'undefined' || typeof chrome.runtime === 'undefined'")
    await page.close()
