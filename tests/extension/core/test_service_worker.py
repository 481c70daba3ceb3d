"""The service worker may be killed at any moment: before a run, during one, and in the middle of a wait."""

import pytest

from tests.extension.core.conftest import Site
from tests.extension.harness import ExtensionBrowser, ScriptedRelay, run_params, scripted_relay

pytestmark = pytest.mark.browser


async def test_a_run_works_with_the_service_worker_dead(
    relay: ScriptedRelay, browser: ExtensionBrowser, pages: Site
) -> None:
    await relay.run("return 1", sites=pages.anywhere, start=pages.at("/"))
    await browser.kill_service_worker()
    body = "await tab.click({ role: 'button' }); await tab.find({ role: 'button', name: 'There' }); return 1"
    result = await relay.run(body, sites=pages.anywhere, start=pages.at("/"))
    assert (result["value"], result["final_url"], relay.welcomed) == (1, pages.at("/next"), 1)


async def test_a_new_tab_is_opened_with_the_service_worker_dead(
    relay: ScriptedRelay, browser: ExtensionBrowser, pages: Site
) -> None:
    await browser.kill_service_worker()
    assert (await relay.ask("open", url=pages.at("/next")))["tab"]["title"] == "Next"


async def test_a_run_goes_on_when_the_service_worker_is_killed_under_it(
    relay: ScriptedRelay, browser: ExtensionBrowser, pages: Site
) -> None:
    body = """await tab.progress('going');
              await tab.waitForUrl('**#on');
              await tab.click({ role: 'button' });
              await tab.find({ role: 'button', name: 'There' });
              return 1"""
    params = run_params(body, sites=pages.anywhere, start=pages.at("/"))
    answer = await relay.send_request("run", params)
    await relay.event("progress")
    await browser.kill_service_worker()
    [busy] = [tab["id"] for tab in (await relay.ask("tabs"))["tabs"] if tab["busy"]]
    await browser.page.evaluate("([id, url]) => chrome.tabs.update(id, { url })", [busy, pages.at("/#on")])
    assert (await answer)["result"]["value"] == 1


async def test_what_left_the_tab_after_the_service_worker_came_back_is_seen(
    relay: ScriptedRelay, browser: ExtensionBrowser, pages: Site
) -> None:
    await relay.run("return 1", sites=pages.anywhere, start=pages.at("/"))
    await browser.kill_service_worker()
    params = run_params("await tab.goto('/next')", sites=pages.anywhere, start=pages.at("/"))
    await relay.ask("run", **params)
    wanted = [{"method": "GET", "url": "/next"}]
    end = await relay.finish(params["run"], requests=wanted)
    assert ("GET", pages.at("/next"), 200) in [(r["method"], r["url"], r["status"]) for r in end["requests"]]


async def test_a_browser_is_paired_with_the_service_worker_dead(
    relay: ScriptedRelay, browser: ExtensionBrowser
) -> None:
    async with scripted_relay() as other:
        await browser.kill_service_worker()
        await browser.pair(other)
        assert other.welcomed == 1
