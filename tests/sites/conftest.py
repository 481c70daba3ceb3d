"""One home for all sites: the same browser profile, logged in everywhere as a person would be."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from library.catalog import Catalog
from tests.sites.home import Home, home
from tests.sites.programs import running


@pytest.fixture(scope="session")
async def at_home(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Home]:
    async with home(tmp_path_factory.mktemp("home")) as started:
        yield started


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return Catalog()


@pytest.fixture(scope="session")
async def wordpress(shared: Path, at_home: Home) -> AsyncIterator[httpx.AsyncClient]:
    """WordPress with its editor logged in at home. The client is nobody: it sees what the public sees."""
    async with running(shared, "wordpress") as url:
        page = await at_home.page()
        await page.goto(f"{url}/wp-login.php")
        await page.get_by_label("Username or Email Address").fill("editor")
        await page.get_by_label("Password", exact=True).fill("editor-pass-1")
        await page.get_by_role("button", name="Log In").click()
        await page.wait_for_url(f"{url}/wp-admin/**")
        await page.close()
        async with _public(url) as client:
            yield client


@pytest.fixture(scope="session")
async def misago(shared: Path, at_home: Home) -> AsyncIterator[httpx.AsyncClient]:
    """Misago with its administrator, who may post as fast as a test does, logged in at home."""
    async with running(shared, "misago") as url:
        page = await at_home.page()
        await page.goto(url)
        await page.get_by_role("button", name="Sign in").click()
        await page.get_by_placeholder("Username or e-mail").fill("Admin")
        await page.get_by_placeholder("Password").fill("admin-pass-1")
        await page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
        await page.get_by_role("button", name="Start thread").wait_for()
        await page.close()
        async with _public(url) as client:
            yield client


@pytest.fixture(scope="session")
async def jupyterlab(shared: Path, at_home: Home) -> AsyncIterator[str]:
    """The address of a JupyterLab that is logged in at home."""
    async with running(shared, "jupyterlab") as url:
        page = await at_home.page()
        await page.goto(f"{url}/login")
        await page.get_by_label("Password").fill("admin-pass-1")
        await page.get_by_role("button", name="Log in").click()
        await page.wait_for_url(f"{url}/lab**")
        await page.close()
        yield url


def _public(url: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=url, trust_env=False, timeout=30)
