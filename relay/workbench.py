"""The owner's own hands in a browser: open a page, call one helper. No manifest, no verdict."""

from collections.abc import Sequence

from pydantic import JsonValue

from library.errors import PageError
from relay.browsers import Browsers
from relay.session import Result

PATIENCE_S = 60.0


class Workbench:
    def __init__(self, browsers: Browsers) -> None:
        self._browsers = browsers

    async def open(self, url: str, *, browser: str | None) -> Result:
        """Opens a tab in Runhome's group and gives it, loaded: ``{id, url, title, busy}``."""
        answer = await self._ask("open", {"url": url}, browser)
        tab = answer["tab"]
        assert isinstance(tab, dict)
        return tab

    async def helper(
        self, tab: int, helper: str, args: Sequence[JsonValue], *, browser: str | None
    ) -> JsonValue:
        """Calls ``tab.<helper>(*args)`` and gives its value. Raises PageError with the helper's own code."""
        return (await self._ask("helper", {"tab": tab, "helper": helper, "args": list(args)}, browser))[
            "value"
        ]

    async def _ask(self, method: str, params: Result, browser: str | None) -> Result:
        try:
            return await self._browsers.choose(browser).ask(method, params, timeout_s=PATIENCE_S)
        except TimeoutError as error:
            raise PageError(
                f"The browser did not answer within {PATIENCE_S:.0f} s.", code="TIMEOUT"
            ) from error
