"""What the person or Chrome does with the tab of a run, before and during it, and what is said then."""

import pytest
from playwright.async_api import expect

from library.models import Status
from tests.extension.harness import extension_id
from tests.journeys.household import Household, status_of, subroutine
from tests.journeys.pictures import colour_in_the_middle
from tests.journeys.sites import Pages

pytestmark = pytest.mark.browser

WAITING = "await tab.progress('going'); await new Promise(() => {})"


def at(pages: Pages, path: str, name: str, body: str, effect: str = "read", more: str = "") -> str:
    """A subroutine whose tab no other one takes."""
    page = pages.at(path)
    return subroutine(name, body, sites=[page, pages.at("/next")], start=page, effect=effect, more=more)


async def test_runs_in_quick_succession_keep_to_one_tab(home: Household, pages: Pages) -> None:
    home.install("quick", at(pages, "/?quick", "quick", "return 1"))
    before = await home.tabs()
    for _ in range(4):
        assert (await home.say("/run quick")).text.startswith("✅ quick: done")
    assert len([tab for tab in await home.tabs() if tab not in before]) <= 1


async def test_new_tabs_open_without_a_hitch_while_somebody_debugs_the_browser(
    home: Household, pages: Pages
) -> None:
    """Playwright stops each new tab for a moment: the blank page then came after ours and took it away."""
    for number in range(4):
        home.install("fresh", at(pages, f"/?fresh-{number}", "fresh", "return 1"))
        assert (await home.say("/run fresh")).text.startswith("✅ fresh: done")
        run = await home.newest()
        assert run.evidence is not None
        assert run.evidence.timings_ms["total_ms"] < 10_000


async def test_a_click_that_navigates_is_followed(home: Household, pages: Pages) -> None:
    body = """await tab.click({ role: "link", name: "Go on" });
              return await tab.read({ role: "heading" })"""
    home.install("go-on", at(pages, "/", "go-on", body, "write", f"expect:\n  - url: {pages.at('/next')}"))
    before = pages.log.count("GET /next")
    said = await home.say("/run go-on")
    assert said.text.startswith(f"✅ go-on: done\nThe page's address is {pages.at('/next')}.\nNext\n")
    assert pages.log.count("GET /next") == before + 1


async def test_a_tab_that_chrome_put_to_sleep_is_woken(home: Household, pages: Pages) -> None:
    home.install("asleep", at(pages, "/?asleep", "asleep", "return await tab.read({ role: 'heading' })"))
    assert (await home.say("/run asleep")).text.startswith("✅ asleep: done\n")
    [tab] = [tab for tab in await home.tabs() if tab["url"] == pages.at("/?asleep")]
    await home.browser.page.evaluate("(id) => chrome.tabs.discard(id)", tab["id"])
    said = await home.say("/run asleep")
    assert said.text.startswith("✅ asleep: done\nIt returned Start.")
    assert len([tab for tab in await home.tabs() if tab["url"] == pages.at("/?asleep")]) == 1


async def test_the_picture_is_of_the_background_tab(home: Household, pages: Pages) -> None:
    home.install("green", at(pages, "/green", "green", "throw new Error('Not today')"))
    said = await home.say("/run green")
    assert said.text.startswith("❌ green: failed\nError: Not today (line 1 of the body).")
    [tab] = [tab for tab in await home.tabs() if tab["url"] == pages.at("/green")]
    assert tab["active"] is False
    _, _, colour = await colour_in_the_middle(home.browser, said.answer["photo"])
    assert all(abs(is_ - should) < 6 for is_, should in zip(colour, (10, 200, 90), strict=True)), colour


async def test_a_tab_moved_out_of_the_group_is_let_go_at_once(home: Household, pages: Pages) -> None:
    home.install("moved-out", at(pages, "/?moved-out", "moved-out", WAITING))
    async with home.saying("/run moved-out") as said:
        await said.until_shown("going")
        [tab] = [tab for tab in await home.tabs() if tab["url"] == pages.at("/?moved-out")]
        await home.browser.page.evaluate("(id) => chrome.tabs.ungroup(id)", tab["id"])
    assert said.text.startswith(
        "❌ moved-out: failed\nThe tab was closed or taken out of the Runhome group. Nothing had begun"
    )
    await home.browser.page.evaluate("(id) => chrome.tabs.remove(id)", tab["id"])


async def test_pause_in_the_popup_ends_a_run_and_refuses_the_next_until_resume(
    home: Household, pages: Pages
) -> None:
    home.install("paused", at(pages, "/?paused", "paused", WAITING))
    home.install("after-pause", at(pages, "/?paused", "after-pause", "return 1"))
    popup = await home.browser.context.new_page()
    await popup.goto(f"chrome-extension://{extension_id()}/popup/popup.html")
    try:
        async with home.saying("/run paused") as said:
            await said.until_shown("going")
            await popup.get_by_role("button", name="Pause").click()
        assert said.text.startswith("❌ paused: refused\nRunhome is paused in this browser.")
        refused = await home.say("/run after-pause")
        assert refused.text.startswith("❌ after-pause: refused\nRunhome is paused in this browser.")
        assert "Resume" in refused.text
    finally:
        await popup.get_by_role("button", name="Resume").click()
    await expect(popup.get_by_role("button", name="Pause")).to_be_visible()
    assert (await home.say("/run after-pause")).text.startswith("✅ after-pause: done")
    await popup.close()


async def test_stop_ends_a_run_at_once(home: Household, pages: Pages) -> None:
    home.install("stopped", at(pages, "/?stopped", "stopped", WAITING, "write"))
    async with home.saying("/run stopped") as said:
        await said.until_shown("going")
        stop = await home.say("/stop")
        assert stop.text.startswith("Stopping stopped (r")
    assert said.text.startswith("⏹ stopped: stopped\nIt was cancelled. Nothing had begun on the site")
    assert status_of(await home.newest()) == (Status.CANCELLED, False)
    assert (await home.say("/stop")).text == "Nothing is running."


async def test_a_run_works_with_the_service_worker_dead(home: Household, pages: Pages) -> None:
    home.install("worker-dead", at(pages, "/?worker", "worker-dead", "return 1"))
    await home.browser.kill_service_worker()
    assert (await home.say("/run worker-dead")).text.startswith("✅ worker-dead: done")


async def test_a_run_outlives_the_service_worker(home: Household, pages: Pages) -> None:
    body = """await tab.progress("going");
              await tab.waitForUrl("**#on");
              await tab.click({ role: "link" });
              await tab.waitForUrl("**/next")"""
    more = f"expect:\n  - request: GET {pages.at('/next')}"
    home.install("outlives", at(pages, "/?outlives", "outlives", body, "write", more))
    async with home.saying("/run outlives") as said:
        await said.until_shown("going")
        [tab] = [tab for tab in await home.tabs() if tab["url"] == pages.at("/?outlives")]
        await home.browser.kill_service_worker()
        go = [tab["id"], pages.at("/?outlives#on")]
        await home.browser.page.evaluate("([id, url]) => chrome.tabs.update(id, { url })", go)
    assert said.text.startswith("✅ outlives: done\nThe site answered 200 to GET /next.")
