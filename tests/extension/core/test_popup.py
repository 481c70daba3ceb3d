"""What the popup and the options page show, and that they show what is, not what was."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Page, expect

from tests.extension.core.conftest import Site
from tests.extension.harness import ExtensionBrowser, ScriptedRelay, extension_id, scripted_relay

pytestmark = pytest.mark.browser


@asynccontextmanager
async def popup(browser: ExtensionBrowser, tab: int | None = None) -> AsyncIterator[Page]:
    """The popup, opened as a page of its own and told which tab it is about."""
    page = await browser.context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    about = "" if tab is None else f"?tab={tab}"
    await page.goto(f"chrome-extension://{extension_id()}/popup/popup.html{about}")
    yield page
    await page.close()
    assert problems == []


async def badge(browser: ExtensionBrowser) -> str:
    text: str = await browser.page.evaluate("chrome.action.getBadgeText({})")
    return text


async def test_an_unpaired_browser_is_paired_by_typing_the_code(browser: ExtensionBrowser) -> None:
    async with scripted_relay() as relay, popup(browser) as page:
        await browser.page.evaluate("(port) => chrome.storage.local.set({ port })", relay.port)
        await expect(page.get_by_role("status")).to_have_text("Not paired")
        await page.get_by_label("Pairing code").fill("wrong")
        await page.get_by_role("button", name="Pair").click()
        await expect(page.get_by_role("alert")).to_have_text("This code is not right.")
        await page.get_by_label("Pairing code").fill(relay.code.lower())
        await page.get_by_role("button", name="Pair").click()
        await expect(page.get_by_role("status")).to_have_text("Connected to home")
        await expect(page.get_by_label("Pairing code")).to_be_hidden()
        await browser.page.wait_for_function("async () => await chrome.action.getBadgeText({}) === 'ON'")
        await browser.command("unpair")
        await browser.page.wait_for_function("async () => await chrome.action.getBadgeText({}) === ''")


async def test_the_popup_follows_the_socket_while_it_is_open(
    relay: ScriptedRelay, browser: ExtensionBrowser
) -> None:
    async with popup(browser) as page:
        await expect(page.get_by_role("status")).to_have_text("Connected to home")
        await relay.close(4000)
        await expect(page.get_by_role("status")).to_have_text("Stopped")
        await expect(page.get_by_text("took over")).to_be_visible()
        await browser.page.wait_for_function("async () => await chrome.action.getBadgeText({}) === '!'")
        await page.get_by_role("button", name="Try again").click()
        await expect(page.get_by_role("status")).to_have_text("Connected to home")


async def test_a_tab_is_shared_and_taken_back(
    relay: ScriptedRelay, browser: ExtensionBrowser, pages: Site
) -> None:
    theirs = await browser.context.new_page()
    await theirs.goto(pages.at("/next?popup"))
    tab = await browser.tab_id(theirs)
    async with popup(browser, tab) as page:
        await page.get_by_role("button", name="Share this tab").click()
        await relay.event("tabs", lambda event: tab in [one["id"] for one in event["tabs"]])
        await page.get_by_role("button", name="Remove this tab").click()
        await expect(page.get_by_role("button", name="Share this tab")).to_be_visible()
    assert tab not in [one["id"] for one in (await relay.ask("tabs"))["tabs"]]
    await theirs.close()


async def test_a_page_of_chrome_cannot_be_shared(relay: ScriptedRelay, browser: ExtensionBrowser) -> None:
    async with popup(browser, await browser.tab_id(browser.page)) as page:
        await expect(page.get_by_role("button", name="Share this tab")).to_be_disabled()


async def test_pause_and_resume(relay: ScriptedRelay, browser: ExtensionBrowser) -> None:
    async with popup(browser) as page:
        await page.get_by_role("button", name="Pause").click()
        await expect(page.get_by_role("status")).to_have_text("Paused")
        await relay.event("state", lambda state: state["paused"])
        assert await badge(browser) == "!"
        await page.get_by_role("button", name="Resume").click()
        await expect(page.get_by_role("status")).to_have_text("Connected to home")


async def test_the_options_are_kept_and_unpairing_is_there(
    relay: ScriptedRelay, browser: ExtensionBrowser
) -> None:
    page = await browser.context.new_page()
    await page.goto(f"chrome-extension://{extension_id()}/options/options.html")
    await expect(page.get_by_text(f"Paired with home on port {relay.port}.")).to_be_visible()
    await page.get_by_label("Name of this browser").fill("Kitchen")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Saved.")).to_be_visible()
    await page.get_by_role("button", name="Unpair").click()
    await expect(page.get_by_text("Not paired.")).to_be_visible()
    await relay.until(lambda: len(relay.closed) == 1)
    await page.reload()
    await expect(page.get_by_label("Name of this browser")).to_have_value("Kitchen")
    await page.close()


async def test_text_from_a_relay_is_shown_as_text(browser: ExtensionBrowser) -> None:
    async with scripted_relay() as relay, popup(browser) as page:
        relay.name = "<img src=x onerror=alert(1)>"
        await browser.pair(relay)
        await page.reload()
        await expect(page.get_by_role("status")).to_have_text(f"Connected to {relay.name}")
        assert await page.locator("img[src=x]").count() == 0
    await browser.command("unpair")
