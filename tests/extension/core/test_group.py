"""Only the tabs of the Runhome group are ours, and taking that back works at once."""

import asyncio

import pytest

from tests.extension.core.conftest import Site
from tests.extension.harness import ExtensionBrowser, Json, ScriptedRelay, run_params

pytestmark = pytest.mark.browser

WAITING = "await tab.progress('going'); await new Promise(() => {})"


async def test_a_shared_tab_is_used_where_it_is(
    relay: ScriptedRelay, browser: ExtensionBrowser, pages: Site
) -> None:
    page = await browser.context.new_page()
    await page.goto(pages.at("/next?mine"))
    tab = await browser.share(page)
    result = await relay.run("await tab.find({ role: 'button' }); return 1", sites=pages.anywhere, tab=tab)
    assert (result["tab"], result["value"]) == (tab, 1)
    await page.close()
    await relay.event("tabs", lambda event: tab not in [one["id"] for one in event["tabs"]])


async def test_no_script_of_ours_is_in_a_tab_that_is_not_shared(
    relay: ScriptedRelay, browser: ExtensionBrowser, pages: Site
) -> None:
    page = await browser.context.new_page()
    await page.goto(pages.at("/next?theirs"))
    tab = await browser.tab_id(page)
    refused = await relay.run("return 1", sites=pages.anywhere, tab=tab)
    assert (refused["outcome"], refused["error"]["code"]) == ("refused", "NO_TAB")
    [there] = await browser.page.evaluate(
        "(tabId) => chrome.scripting.executeScript({ target: { tabId }, func: () => 'runhome' in window })",
        tab,
    )
    assert there["result"] is False
    await page.close()


@pytest.mark.parametrize("how", ["unshare", "pause"])
async def test_taking_it_back_ends_a_run_at_once(
    relay: ScriptedRelay, browser: ExtensionBrowser, pages: Site, how: str
) -> None:
    answer = await relay.send_request("run", run_params(WAITING, sites=pages.anywhere, start=pages.at("/")))
    await relay.event("progress")
    [busy] = [tab["id"] for tab in (await relay.ask("tabs"))["tabs"] if tab["busy"]]
    await browser.command(how, tab=busy, paused=True)
    async with asyncio.timeout(5):
        result: Json = (await answer)["result"]
    assert result["error"]["code"] == ("TAB_CLOSED" if how == "unshare" else "PAUSED")
    await browser.command("pause", paused=False)


async def test_pause_refuses_and_resume_works_again(
    relay: ScriptedRelay, browser: ExtensionBrowser, pages: Site
) -> None:
    body = "await tab.find({ role: 'button' }); return 1"
    await relay.run(body, sites=pages.anywhere, start=pages.at("/"))
    await browser.command("pause", paused=True)
    assert await relay.event("state") == {"paused": True}
    refused = await relay.run(body, sites=pages.anywhere)
    assert (refused["outcome"], refused["error"]["code"]) == ("refused", "PAUSED")
    await browser.command("pause", paused=False)
    await relay.event("state", lambda state: not state["paused"])
    assert (await relay.run(body, sites=pages.anywhere, start=pages.at("/")))["value"] == 1


async def test_a_page_opened_by_a_shared_tab_stays_in_the_group(
    relay: ScriptedRelay, browser: ExtensionBrowser, pages: Site
) -> None:
    page = await browser.context.new_page()
    await page.goto(pages.at("/next?opener"))
    await browser.share(page)
    async with browser.context.expect_page() as opened:
        await page.evaluate("open('/next?opened')")
    await relay.event("tabs", lambda event: any(tab["url"].endswith("?opened") for tab in event["tabs"]))
    await (await opened.value).close()
    await page.close()


async def test_runs_that_open_their_tabs_at_once_share_one_group(
    relay: ScriptedRelay, browser: ExtensionBrowser, pages: Site
) -> None:
    for tab in (await relay.ask("tabs"))["tabs"]:
        await browser.page.evaluate("(id) => chrome.tabs.remove(id)", tab["id"])
    await relay.event("tabs", lambda event: event["tabs"] == [])
    body = "await tab.find({ role: 'button' }); return 1"
    runs = [run_params(body, sites=pages.anywhere, start=pages.at("/")) for _ in range(3)]
    answers = await asyncio.gather(*(relay.ask("run", **params) for params in runs))
    assert [(answer["value"], answer["error"]) for answer in answers] == [(1, None)] * 3
    groups = await browser.page.evaluate("() => chrome.tabGroups.query({ title: 'Runhome' })")
    assert len(groups) == 1
    for params in runs:
        await relay.finish(params["run"])
