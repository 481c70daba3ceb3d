"""Where the bench plays: one page in two Chromiums, Playwright's and Runhome's.

In one browser each would pay for the other: Playwright is told of every request of ours, our extension of
each of its.
"""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from playwright.async_api import Page, async_playwright

from bot.app import App, open_app
from bot.settings import RelaySettings, Settings
from relay.chrome import CLOSED_NETWORK
from relay.managed import ManagedBrowser
from relay.server import serve
from tests.chromium import chromium_path


@dataclass(frozen=True)
class Stage:
    """``page`` is Playwright's tab, ``app`` has a browser of its own with a tab at ``address``."""

    app: App
    page: Page
    address: str


def site() -> FastAPI:
    """The page, and an API that gives back what it gets."""
    app = FastAPI(openapi_url=None)
    text = Path(__file__).with_name("page.html").read_text(encoding="utf-8")

    @app.get("/")
    async def page() -> HTMLResponse:
        return HTMLResponse(text)

    @app.post("/api/echo")
    async def echo(body: dict[str, str]) -> dict[str, str]:
        return body

    return app


@asynccontextmanager
async def stage() -> AsyncIterator[Stage]:
    """Takes everything down at the end, also after an error."""
    with tempfile.TemporaryDirectory(prefix="runhome-bench-", ignore_cleanup_errors=True) as folder:
        settings = Settings(data=Path(folder, "data"), relay=RelaySettings(port=0))
        async with (
            serve(site(), 0) as port,
            open_app(settings, only_local=True) as app,
            _with_extension(app, Path(folder, "ours")),
            _chromium(Path(folder, "theirs")) as endpoint,
            async_playwright() as playwright,
        ):
            browser = await playwright.chromium.connect_over_cdp(endpoint)
            page = await browser.contexts[0].new_page()
            address = f"http://127.0.0.1:{port}"
            await page.goto(address)
            yield Stage(app, page, address)


@asynccontextmanager
async def _with_extension(app: App, profile: Path) -> AsyncIterator[None]:
    browser = ManagedBrowser(profile, executable=Path(chromium_path()))
    await browser.start(port=app.port, new_code=app.new_code, name="Bench", headless=True)
    try:
        await app.browsers.wait_connected(None, timeout_s=30)
        yield
    finally:
        await browser.stop()


@asynccontextmanager
async def _chromium(profile: Path) -> AsyncIterator[str]:
    """A Chromium; yields the address of its DevTools."""
    flags = [
        f"--user-data-dir={profile}",
        "--remote-debugging-port=0",
        "--headless=new",
        *CLOSED_NETWORK,
        *(["--no-sandbox"] if os.geteuid() == 0 else []),
        "about:blank",  # Playwright waits for ever at the new tab page.
    ]
    process = await asyncio.create_subprocess_exec(
        chromium_path(), *flags, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    try:
        async with asyncio.timeout(30):
            line = b""
            while b"DevTools listening on" not in line:
                line = await process.stderr.readline()
        drained = asyncio.create_task(process.stderr.read())
        yield line.decode().split("listening on ")[1].strip()
        drained.cancel()
    finally:
        process.terminate()
        await process.wait()
