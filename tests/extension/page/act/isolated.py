"""A page with Runhome's page scripts in an isolated world, called as the offscreen document calls them."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, Page

EXTENSION = Path(__file__).parents[4] / "extension"
WORLD = "runhome"


@dataclass(frozen=True)
class Answer:
    """What a call gave: a value, or an error of docs/wire.md, and what it told on the way."""

    ok: bool
    value: Any
    error: Mapping[str, Any]
    acted: bool
    notes: list[Mapping[str, Any]]
    took_ms: float

    @property
    def code(self) -> str | None:
        return self.error.get("code")


def page_files(name: str) -> list[Path]:
    """The files of one list in extension/page/files.js, without the port, which needs an extension."""
    listing = (EXTENSION / "page" / "files.js").read_text(encoding="utf-8")
    block = re.search(rf"{name} = \[(.*?)\]", listing, re.DOTALL)
    assert block is not None, f"files.js has no list {name}"
    names = [found for found in re.findall(r'"(page/[^"]+)"', block[1]) if found != "page/port.js"]
    return [EXTENSION / found for found in names]


def _source(files: list[Path]) -> str:
    return "\n;\n".join(file.read_text(encoding="utf-8") for file in files)


@dataclass
class ActingPage:
    """One tab: `page` is Playwright's, `call` runs a helper in the isolated world of its main frame."""

    page: Page
    session: CDPSession
    contexts: dict[str, int] = field(default_factory=dict)

    @classmethod
    async def open(
        cls, browser: BrowserContext, url: str | None = None, *, main: bool = True
    ) -> "ActingPage":
        """Without ``main`` the page's own world gets its script only by ``add_main``."""
        page = await browser.new_page()
        session = await browser.new_cdp_session(page)
        acting = cls(page, session)
        session.on("Runtime.executionContextCreated", acting._context_created)
        session.on("Runtime.bindingCalled", acting._binding_called)
        await session.send("Page.enable")
        await session.send("Runtime.enable")
        await session.send("Runtime.addBinding", {"name": "trustedInput", "executionContextName": WORLD})
        stand_in = Path(__file__).with_name("isolated.js")
        isolated = _source([*page_files("ISOLATED_FILES"), stand_in])
        if main:
            source = _source(page_files("MAIN_FILES"))
            await session.send("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        await session.send("Page.addScriptToEvaluateOnNewDocument", {"source": isolated, "worldName": WORLD})
        if url is not None:
            await page.goto(url)
        return acting

    async def add_main(self) -> None:
        await self.page.evaluate(_source(page_files("MAIN_FILES")))

    def _context_created(self, event: Mapping[str, Any]) -> None:
        context = event["context"]
        if context["name"] == WORLD:
            self.contexts[context["auxData"]["frameId"]] = context["id"]

    async def _binding_called(self, event: Mapping[str, Any]) -> None:
        for action in json.loads(event["payload"]):
            if "text" in action:
                await self.session.send("Input.insertText", {"text": action["text"]})
            else:
                await self.page.keyboard.press(action["key"])
        await self._evaluate("standIn.inputDone()")

    async def _evaluate(self, expression: str) -> Any:
        tree = await self.session.send("Page.getFrameTree")
        answer = await self.session.send(
            "Runtime.evaluate",
            {
                "expression": expression,
                "contextId": self.contexts[tree["frameTree"]["frame"]["id"]],
                "awaitPromise": True,
                "returnByValue": True,
            },
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise AssertionError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    async def call(
        self, helper: str, *args: object, deadline_ms: int = 5000, options: Mapping[str, object] | None = None
    ) -> Answer:
        """Runs one helper; `options` are what the manifest asks for (`csrf`, `input`)."""
        call = json.dumps([helper, args, {"deadline_ms": deadline_ms, "options": options or {}}])
        answer = await self._evaluate(f"standIn.call(...{call})")
        return Answer(
            answer["ok"],
            answer.get("value"),
            answer.get("error", {}),
            answer["acted"],
            answer["notes"],
            answer["took_ms"],
        )

    async def close(self) -> None:
        await self.page.close()
