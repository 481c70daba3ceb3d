"""A page with Runhome's page scripts in an isolated world of it, asked for roles, names and searches."""

import json
from dataclasses import dataclass
from itertools import count
from typing import Any

from playwright.async_api import CDPSession, Page

from tests.extension.page.act.isolated import page_files

WORLDS = count()


class Refused(Exception):
    """An error of the page scripts, with its code and details."""

    def __init__(self, code: str, message: str, details: dict[str, Any]) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.details = details


# Runs an expression with `page` in scope; our own errors come back as data.
CALL = """(async () => {
  const page = globalThis.runhome.page;
  try { return { value: (await (%s)) ?? null }; }
  catch (error) {
    if (!error.code) throw error;
    return { error: { code: error.code, message: error.message, details: error.details } };
  }
})()"""


@dataclass
class FindingPage:
    """`page` is Playwright's; `run` evaluates in the isolated world, where `page` is `runhome.page`."""

    page: Page
    session: CDPSession
    context: int = 0

    @classmethod
    async def attach(cls, page: Page) -> "FindingPage":
        """Load the page scripts into a new isolated world of the page as it is now."""
        finding = cls(page, await page.context.new_cdp_session(page))
        await finding.load()
        return finding

    async def load(self) -> None:
        tree = await self.session.send("Page.getFrameTree")
        frame = tree["frameTree"]["frame"]["id"]
        world = await self.session.send(
            "Page.createIsolatedWorld", {"frameId": frame, "worldName": f"runhome-find-{next(WORLDS)}"}
        )
        self.context = world["executionContextId"]
        source = "\n;\n".join(file.read_text(encoding="utf-8") for file in page_files("ISOLATED_FILES"))
        await self._evaluate(f"{source}\n;void 0")

    async def _evaluate(self, expression: str) -> Any:
        answer = await self.session.send(
            "Runtime.evaluate",
            {
                "expression": expression,
                "contextId": self.context,
                "returnByValue": True,
                "awaitPromise": True,
            },
        )
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"]["exception"].get("description"))
        return answer["result"].get("value")

    async def run(self, expression: str, **arguments: object) -> Any:
        """The value of a JavaScript expression; keyword arguments are its constants.

        Raises Refused for the page scripts' own errors.
        """
        names = ", ".join(arguments)
        values = ", ".join(json.dumps(value) for value in arguments.values())
        answer = await self._evaluate(CALL % f"(({names}) => ({expression}))({values})")
        if "error" in answer:
            raise Refused(**answer["error"])
        return answer["value"]

    async def found(self, target: object, key: str = "id") -> list[str]:
        """The given attribute of every visible match, in the order of the page."""
        return list(
            await self.run("page.findAll(target).map((e) => e.getAttribute(key))", target=target, key=key)
        )
