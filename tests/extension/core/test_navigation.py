"""Which tab a run takes, and what happens to helper calls when the page goes elsewhere."""

import asyncio

import pytest

from tests.extension.core.conftest import Site
from tests.extension.harness import ExtensionBrowser, Refused, ScriptedRelay, run_params, site

pytestmark = pytest.mark.browser


async def test_a_run_opens_its_start_in_the_background_and_keeps_to_that_tab(
    relay: ScriptedRelay, browser: ExtensionBrowser, pages: Site
) -> None:
    only = [pages.at("/next?fresh")]
    first = await relay.run("return 1", sites=only)
    second = await relay.run("return 2", sites=only)
    assert first["tab"] == second["tab"]
    tab = await browser.page.evaluate("(id) => chrome.tabs.get(id)", first["tab"])
    group = await browser.page.evaluate("(id) => chrome.tabGroups.get(id)", tab["groupId"])
    assert (tab["active"], group["title"], tab["url"]) == (False, "Runhome", only[0])


async def test_a_new_tab_whose_way_its_blank_page_cut_short_goes_again(
    relay: ScriptedRelay, browser: ExtensionBrowser, pages: Site
) -> None:
    body = "return await tab.read({ role: 'heading' })"
    run = asyncio.create_task(relay.run(body, sites=[pages.at("/held")], start=pages.at("/held")))
    async with asyncio.timeout(20):
        while "/held" not in pages.asked:  # noqa: ASYNC110 - the site gives no event
            await asyncio.sleep(0.02)
    await browser.page.evaluate(
        """async (url) => {
          const [tab] = (await chrome.tabs.query({})).filter((one) => one.pendingUrl === url);
          await chrome.tabs.update(tab.id, { url: "about:blank" });
        }""",
        pages.at("/held"),
    )
    result = await run
    assert result["value"] == "Held", result["error"]


async def test_a_run_goes_to_its_start_first_unless_only_the_hash_differs(
    relay: ScriptedRelay, pages: Site
) -> None:
    await relay.run("await tab.goto('/next')", sites=pages.anywhere, start=pages.at("/"))
    result = await relay.run("return 1", sites=pages.anywhere, start=pages.at("/"))
    assert result["final_url"] == pages.at("/")
    await relay.run("await tab.goto('#there')", sites=pages.anywhere, start=pages.at("/"))
    asked = len(pages.asked)
    result = await relay.run("return 1", sites=pages.anywhere, start=pages.at("/"))
    assert (result["final_url"], len(pages.asked)) == (pages.at("/#there"), asked)


async def test_where_a_start_redirects_to_is_remembered(relay: ScriptedRelay, pages: Site) -> None:
    for _ in range(2):
        result = await relay.run("return 1", sites=pages.anywhere, start=pages.at("/moved"))
        assert result["final_url"] == pages.at("/outside")
    assert pages.asked[-2:] == ["/moved", "/outside"]
    asked = pages.asked.count("/moved")
    await relay.run("return 1", sites=pages.anywhere, start=pages.at("/moved"))
    assert pages.asked.count("/moved") == asked


async def test_two_runs_at_once_take_two_tabs_and_one_tab_takes_one_run(
    relay: ScriptedRelay, pages: Site
) -> None:
    params = run_params("await tab.progress('going'); await new Promise(() => {})", sites=pages.anywhere)
    slow = await relay.send_request("run", params)
    await relay.event("progress")
    tabs = (await relay.ask("tabs"))["tabs"]
    [busy] = [tab["id"] for tab in tabs if tab["busy"]]
    other = await relay.run("return 1", sites=pages.anywhere)
    assert other["tab"] != busy
    refused = await relay.run("return 1", sites=pages.anywhere, tab=busy)
    assert (refused["outcome"], refused["error"]["code"], refused["tab"]) == ("refused", "BUSY", None)
    await relay.ask("cancel", run=params["run"])
    assert (await slow)["result"]["outcome"] == "cancelled"


async def test_a_click_that_navigates_succeeds_and_the_next_call_meets_the_new_page(
    relay: ScriptedRelay, pages: Site
) -> None:
    body = """await tab.click({ role: 'button', name: 'Go' });
              await tab.find({ role: 'button', name: 'There' }); return 1"""
    result = await relay.run(body, sites=pages.anywhere, start=pages.at("/"))
    assert (result["value"], result["acted"], result["final_url"]) == (1, True, pages.at("/next"))


@pytest.mark.parametrize("wanted", ["'/app/done'", "/app\\/d.ne$/", "'**/app/done'", "here"])
async def test_a_url_is_waited_for(relay: ScriptedRelay, pages: Site, wanted: str) -> None:
    body = f"await tab.click({{ role: 'button' }}); return (await tab.waitForUrl({wanted})).url"
    given = {"here": pages.at("/app/done")}
    result = await relay.run(body, sites=pages.anywhere, start=pages.at("/app"), arguments=given)
    assert result["value"] == pages.at("/app/done")


async def test_a_url_that_never_comes_is_said(relay: ScriptedRelay, pages: Site) -> None:
    body = "await tab.waitForUrl('/nowhere', { timeout: 50 })"
    result = await relay.run(body, sites=pages.anywhere, start=pages.at("/"))
    assert result["error"]["code"] == "TIMEOUT"
    assert pages.at("/") in result["error"]["message"]


async def test_a_hanging_regular_expression_hangs_its_body_only(relay: ScriptedRelay, pages: Site) -> None:
    body = "await tab.waitForUrl(/^(([a-z:/.0-9])+)+#$/)"
    result = await relay.run(body, sites=pages.anywhere, start=pages.at("/"), timeout_ms=800)
    assert result["outcome"] == "timed_out"
    assert (await relay.run("return 1", sites=pages.anywhere))["value"] == 1


async def test_a_page_that_cannot_be_reached_is_said(relay: ScriptedRelay, pages: Site) -> None:
    async with site({}) as gone:
        pass
    result = await relay.run("return 1", sites=[f"{gone}/*"])
    assert (result["outcome"], result["error"]["code"]) == ("refused", "NETWORK")
    with pytest.raises(Refused, match="NETWORK"):
        await relay.ask("open", url=gone)


async def test_no_page_to_open_is_said(relay: ScriptedRelay) -> None:
    result = await relay.run("return 1", sites=["https://*.example.test/*"])
    assert (result["outcome"], result["error"]["code"]) == ("refused", "NO_TAB")


async def test_a_strict_page_is_acted_in(relay: ScriptedRelay, pages: Site) -> None:
    body = "await tab.click({ role: 'button', name: 'Press' }); return 1"
    result = await relay.run(body, sites=pages.anywhere, start=pages.at("/strict"))
    assert (result["outcome"], result["value"]) == ("returned", 1)


async def test_a_page_is_opened_by_itself(relay: ScriptedRelay, pages: Site) -> None:
    tab = (await relay.ask("open", url=pages.at("/next")))["tab"]
    assert (tab["url"], tab["title"]) == (pages.at("/next"), "Next")


async def test_a_tab_that_is_closed_under_a_body_ends_it(
    relay: ScriptedRelay, browser: ExtensionBrowser, pages: Site
) -> None:
    params = run_params("await tab.progress('going'); await new Promise(() => {})", sites=pages.anywhere)
    answer = await relay.send_request("run", params)
    await relay.event("progress")
    [busy] = [tab["id"] for tab in (await relay.ask("tabs"))["tabs"] if tab["busy"]]
    await browser.page.evaluate("(id) => chrome.tabs.remove(id)", busy)
    async with asyncio.timeout(5):
        result = (await answer)["result"]
    assert (result["outcome"], result["error"]["code"]) == ("threw", "TAB_CLOSED")


async def test_a_run_sent_right_behind_a_farewell_takes_the_same_tab(
    relay: ScriptedRelay, pages: Site
) -> None:
    only = [pages.at("/next?farewell")]
    runs = [run_params("return 1", sites=only) for _ in range(3)]
    tabs = set()
    for params in runs:
        tabs.add((await relay.ask("run", **params))["tab"])
        nothing = {"texts": [], "gone": [], "requests": [], "timeout_ms": 0, "screenshot": False}
        await relay.send_request("finish", {"run": params["run"], **nothing, "hold": False})
    assert len(tabs) == 1


@pytest.mark.parametrize(("limit", "last"), [("", 3), ("limit: 4,", 2)])
async def test_rows_are_gathered_over_pages_that_are_documents_of_their_own(
    relay: ScriptedRelay, limit: str, last: int
) -> None:
    pages = {
        f"/list/{page}": f"<title>{page}</title><ul><li>row {page}a<li>row {page}b</ul>"
        + (f"<a href='/list/{page + 1}'>Next</a>" if page < 3 else "")
        for page in (1, 2, 3)
    }
    async with site(pages) as origin:
        body = f"""return await tab.extract({{ text: {{ property: 'text' }} }},
            {{ rows: {{ role: 'listitem' }}, {limit} next: {{ role: 'link', name: 'Next' }} }})"""
        result = await relay.run(body, sites=[f"{origin}/*"], start=f"{origin}/list/1")
    rows = [row["text"] for row in result["value"] or []]
    assert rows == [f"row {page}{letter}" for page in range(1, last + 1) for letter in "ab"], result["error"]
