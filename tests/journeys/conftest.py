"""One browser, one household, the demo site and a few pages for all journeys; each is put back in order."""

from collections.abc import AsyncIterator, Iterator

import pytest

from library.demo.behaviour import Behaviour
from library.demo.sessions import ACCOUNTS
from tests.extension.harness import ExtensionBrowser, extension_browser
from tests.journeys.household import Household, open_household
from tests.journeys.sites import Demo, Pages, demo_site, pages_site


@pytest.fixture(scope="session", autouse=True)
def no_settings_of_mine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whoever runs the tests may have a Runhome of their own, with settings."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RUNHOME_HOME", str(tmp_path_factory.mktemp("settings")))
        yield


@pytest.fixture(scope="session")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ExtensionBrowser]:
    async with extension_browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture(scope="session")
async def demo_open(browser: ExtensionBrowser) -> AsyncIterator[Demo]:
    """Logged in as a person would be."""
    async with demo_site() as demo:
        user, password = next(iter(ACCOUNTS.items()))
        page = await browser.context.new_page()
        await page.goto(f"{demo.origin}/login")
        await page.get_by_label("Name").fill(user)
        await page.get_by_label("Password").fill(password)
        await page.get_by_role("button", name="Log in").click()
        await page.get_by_role("button", name="Log out").wait_for()
        await page.close()
        yield demo


@pytest.fixture
def demo(demo_open: Demo) -> Demo:
    """The demo site, behaving; its log is empty."""
    demo_open.site.behaviour = Behaviour()
    demo_open.log.lines.clear()
    return demo_open


@pytest.fixture(scope="session")
async def pages() -> AsyncIterator[Pages]:
    async with pages_site() as served:
        yield served


@pytest.fixture(scope="session")
async def household(
    browser: ExtensionBrowser, demo_open: Demo, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Household]:
    async with open_household(tmp_path_factory.mktemp("home"), browser) as opened:
        for name in ("create-post", "list-posts", "delete-post"):
            opened.install(f"here/{name}", demo_open.built_in(name, "here"))
        yield opened


@pytest.fixture
async def home(household: Household) -> Household:
    """The household with its browser connected."""
    await household.come_home()
    return household
