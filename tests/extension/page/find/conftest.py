"""One tab with the finding scripts in it, filled anew by each test."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from playwright.async_api import BrowserContext

from tests.extension.page.find.finding import FindingPage

Show = Callable[[str], Awaitable[FindingPage]]


@pytest.fixture
async def show(plain_browser: BrowserContext) -> AsyncIterator[Show]:
    """Shows HTML (declarative shadow roots too) in a fresh tab and loads the page scripts into it."""
    page = await plain_browser.new_page()

    async def shown(html: str) -> FindingPage:
        await page.goto("about:blank")
        await page.set_content(f"<!doctype html>{html}")
        return await FindingPage.attach(page)

    yield shown
    await page.close()
