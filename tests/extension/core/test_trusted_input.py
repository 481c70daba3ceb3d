"""`input: trusted`: events that a page cannot tell from a person's, in a tab behind others too."""

import pytest

from tests.extension.core.conftest import Site
from tests.extension.harness import ExtensionBrowser, ScriptedRelay

pytestmark = pytest.mark.browser

BODY = """
await tab.click({ role: 'button', name: 'Only a person' });
await tab.click({ role: 'textbox' });
await tab.press('h');
await tab.press('Shift+I', { role: 'textbox' });
await tab.hover({ role: 'button' });
return await tab.read({ role: 'log' });
"""


async def test_a_page_that_insists_on_a_person_is_acted_in(
    relay: ScriptedRelay, browser: ExtensionBrowser, pages: Site
) -> None:
    result = await relay.run(BODY, sites=pages.anywhere, start=pages.at("/insists"), input="trusted")
    assert result["value"] == "click true 'hI'", result["error"]
    assert result["acted"] is True
    # Chrome lets an extension attach to a tab once: that it can again shows that the run let go.
    await browser.page.evaluate("(tabId) => chrome.debugger.attach({ tabId }, '1.3')", result["tab"])
    await browser.page.evaluate("(tabId) => chrome.debugger.detach({ tabId })", result["tab"])


async def test_without_the_manifests_word_the_page_sees_no_person(relay: ScriptedRelay, pages: Site) -> None:
    body = "await tab.click({ role: 'button' }); return await tab.read({ role: 'log' })"
    result = await relay.run(body, sites=pages.anywhere, start=pages.at("/insists?again"))
    assert result["value"] == "click false ''"
