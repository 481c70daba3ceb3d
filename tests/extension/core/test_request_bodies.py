"""The same expression as a body of tab.request and of the page's fetch: the server gets the same bytes."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.extension.harness import ExtensionBrowser, ScriptedRelay, site
from tests.extension.request_bodies import BODIES, EACH, as_sent, echo_app

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
async def echo() -> AsyncIterator[str]:
    async with site({"/": "<title>Echo</title>"}, echo_app()) as origin:
        yield origin


async def test_every_kind_of_body_arrives_as_the_page_s_own_fetch_would_send_it(
    relay: ScriptedRelay, browser: ExtensionBrowser, echo: str
) -> None:
    ours = await relay.run(
        f"const send = (body) => tab.requestJson('/echo', {{ method: 'POST', body }}); {EACH}",
        sites=[f"{echo}/*"],
        start=f"{echo}/",
        requests=[f"POST {echo}/echo"],
    )
    assert ours["outcome"] == "returned", ours["error"]
    [page] = [page for page in browser.context.pages if page.url == f"{echo}/"]
    fetch = "async (body) => (await fetch('/echo', { method: 'POST', body })).json()"
    theirs: dict[str, Any] = await page.evaluate(f"async () => {{ const send = {fetch}; {EACH} }}")
    assert {name: as_sent(got) for name, got in ours["value"].items()} == {
        name: as_sent(got) for name, got in theirs.items()
    }
    assert len(theirs) == len(BODIES)
