"""Fixtures for helpers that act in a page: a small site, and a tab with the page scripts in it."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext

from tests.extension.page.act.editors import build, serve
from tests.extension.page.act.isolated import ActingPage
from tests.extension.page.act.site import Site, serve_site


@pytest.fixture
def site() -> Iterator[Site]:
    with serve_site() as site:
        yield site


@pytest.fixture
async def acting(plain_browser: BrowserContext) -> AsyncIterator[ActingPage]:
    acting = await ActingPage.open(plain_browser)
    yield acting
    await acting.close()
    await plain_browser.clear_cookies()


@pytest.fixture(scope="session")
def editor_kit(shared: Path) -> Iterator[str]:
    """The address of the built editor pages."""
    with serve(build(shared / "editors")) as url:
        yield url
