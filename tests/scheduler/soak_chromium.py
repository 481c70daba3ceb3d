"""A real Chromium with our extension for the rounds of killing: it comes back to its one port by itself."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.app import open_app
from library.demo.sessions import ACCOUNTS
from tests.extension.harness import ExtensionBrowser, extension_browser
from tests.journeys.sites import Log
from tests.scheduler.soak_child import BROWSER_S, settings

POST = "POST /api/posts"


class ChromiumBrowser:
    """What it was asked for is what the site was asked for."""

    def __init__(self, log: Log, port: int) -> None:
        self._log = log
        self.port = self.wants_port = port

    async def asked_more(self, count: int) -> None:
        until = self._log.count(POST) + count
        while self._log.count(POST) < until:
            await self._log.changed()


@asynccontextmanager
async def chromium(folder: Path, profile: Path, site: str, log: Log) -> AsyncIterator[ChromiumBrowser]:
    """Logged in at the site and paired with whoever serves this folder."""
    async with extension_browser(profile) as extension:
        await _log_in(extension, site)
        async with open_app(settings(folder), only_local=True) as app:
            asked = {"code": await app.new_code(), "port": app.port, "name": "Chrome"}
            answer = await extension.command("pair", **asked)
            assert answer["ok"], answer
            await app.browsers.wait_connected("Chrome", timeout_s=BROWSER_S)
            port = app.port
        yield ChromiumBrowser(log, port)


async def _log_in(extension: ExtensionBrowser, site: str) -> None:
    user, password = next(iter(ACCOUNTS.items()))
    page = await extension.context.new_page()
    await page.goto(f"{site}/login")
    await page.get_by_label("Name").fill(user)
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("button", name="Log in").click()
    await page.get_by_role("button", name="Log out").wait_for()
    await page.close()
