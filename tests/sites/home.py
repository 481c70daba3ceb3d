"""A home as a person has it, to try subroutines in: our relay and a paired Chromium with the extension."""

import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from playwright.async_api import BrowserContext, Page
from pydantic import JsonValue

from library.arguments import bind
from library.models import Outcome, Proof, Subroutine
from relay.browsers import Browsers
from relay.pairing import Pairings
from relay.pairing_file import PairingFile
from relay.reception import Reception
from relay.runner import Runner
from relay.server import create_app, serve
from tests.extension.harness import extension_browser, extension_id

PATIENCE_S = 30


class Home:
    """``context`` is the browser that a person would use; ``run`` plays a subroutine in it."""

    def __init__(self, context: BrowserContext, runner: Runner) -> None:
        self.context = context
        self._runner = runner

    async def run(self, subroutine: Subroutine, values: Mapping[str, JsonValue]) -> Outcome:
        arguments = bind(subroutine, values)
        run = f"r{secrets.token_hex(6)}"
        return await self._runner.run(run, subroutine, arguments, browser=None, proof=Proof.UNLESS_DONE)

    async def page(self) -> Page:
        return await self.context.new_page()


@asynccontextmanager
async def home(folder: Path) -> AsyncIterator[Home]:
    """Starts all of it on free ports with its files in ``folder``, and ends it."""
    pairings = Pairings(PairingFile(folder / "pairings.json"), now=lambda: datetime.now(UTC))
    browsers = Browsers(pairings)
    app = create_app(pairings, browsers, Reception(browsers), extension_id=extension_id())
    async with serve(app, 0) as port, extension_browser(folder / "profile") as browser:
        answer = await browser.command("pair", code=pairings.new_code().text, port=port, name="test")
        assert answer["ok"], answer
        await browsers.wait_connected(None, timeout_s=PATIENCE_S)
        yield Home(browser.context, Runner(browsers))
