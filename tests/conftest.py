"""Fixtures shared by every folder of tests: the shared material, and one Chromium without our extension."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from playwright.async_api import BrowserContext, async_playwright
from xdist.scheduler import LoadScopeScheduling

from tests.chromium import launch

settings.register_profile("runhome", deadline=None)  # a busy machine is no failure
settings.load_profile("runhome")

SHARED = Path(__file__).parent.parent.parent / "shared"


SITES = "tests/sites/"
FIRST = (SITES, "tests/extension/page/act/test_editors")
"""What other people's programs take longest to start for: begun first, beside everything else."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(FIRST))


class Pieces(LoadScopeScheduling):  # type: ignore[misc]
    """Two workers share the suite by files, which keep their browser and ports; the sites are one piece.

    xdist's own groups do not work with pytest 9.2: they write into a node id that is no longer read.
    """

    def _split_scope(self, nodeid: str) -> str:
        return SITES if nodeid.startswith(SITES) else nodeid.partition("::")[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Pieces:
    return Pieces(config, log)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder beside the checkout with other people's material; a user's clone does not have it."""
    if not SHARED.is_dir():
        pytest.skip(
            "needs ../shared (other people's sites, editors, contracts and W3C cases), which is not here"
        )
    return SHARED


@pytest.fixture(scope="session")
async def plain_browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[BrowserContext]:
    """A Chromium without the extension, for trying page scripts alone."""
    async with async_playwright() as playwright:
        context = await launch(playwright, tmp_path_factory.mktemp("profile"), extension=False)
        yield context
        await context.close()
