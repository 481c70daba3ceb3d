"""Tabs without the focus: typing and clicking through the whole extension, where focus() fires nothing."""

from collections.abc import AsyncIterator

import pytest

from tests.extension.harness import ExtensionBrowser, ScriptedRelay, extension_browser, scripted_relay

# The first one on a machine builds the kit of editors.
pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

TEXT = "First paragraph\n\nSecond: 안녕하세요"
POST = """
    const box = await tab.find({ role: "textbox", name });
    await tab.type(box, text, { clear: true });
    await tab.click({ role: "button", name: "Post" });
"""


@pytest.fixture(scope="module")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ExtensionBrowser]:
    async with extension_browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
async def relay(browser: ExtensionBrowser) -> AsyncIterator[ScriptedRelay]:
    async with scripted_relay() as fresh:
        await browser.pair(fresh)
        yield fresh
        await browser.command("unpair")


async def open_behind(browser: ExtensionBrowser, relay: ScriptedRelay, url: str) -> int:
    """A tab behind another one, without the focus that Playwright lends to every page."""
    tab = (await relay.ask("open", url=url))["tab"]
    [page] = [page for page in browser.context.pages if page.url == url]
    session = await browser.context.new_cdp_session(page)
    await session.send("Emulation.setFocusEmulationEnabled", {"enabled": False})
    await browser.page.bring_to_front()
    assert await page.evaluate("document.hasFocus()") is False
    return int(tab["id"])


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("plain-ce", "Div composer"),
        ("shadow-ce", "Shadow composer"),
        ("lexical-plain", "Message"),
        ("draft", "Message"),
        ("codemirror6", "Code"),
        ("monaco", "Code"),
    ],
)
async def test_an_editor_in_a_background_tab_is_typed_into(
    browser: ExtensionBrowser, relay: ScriptedRelay, editor_kit: str, page: str, name: str
) -> None:
    url = f"{editor_kit}/dev/{page}.html"
    tab = await open_behind(browser, relay, url)
    given = {"text": TEXT, "name": name}
    result = await relay.run(POST, sites=[f"{editor_kit}/*"], start=url, tab=tab, arguments=given)
    assert result["outcome"] == "returned", result["error"]
    [shown] = [opened for opened in browser.context.pages if opened.url == url]
    assert TEXT in await shown.inner_text("#posted")
    assert max(step["took_ms"] for step in result["steps"]) < 5000
    await shown.close()
