"""The owner's own hand in a browser: opens a page. No subroutine, no manifest, no verdict."""

from library.errors import PageError
from relay.browsers import Browsers
from relay.session import Result

PATIENCE_S = 60.0


class Workbench:
    def __init__(self, browsers: Browsers) -> None:
        self._browsers = browsers

    async def open(self, url: str, *, browser: str | None) -> Result:
        """Opens a tab in Runhome's group and gives it, loaded: ``{id, url, title, busy}``."""
        session = self._browsers.choose(browser)
        try:
            answer = await session.ask("open", {"url": url}, timeout_s=PATIENCE_S)
        except TimeoutError as error:
            raise PageError(f"{url} did not open within {PATIENCE_S:.0f} s.", code="TIMEOUT") from error
        tab = answer["tab"]
        assert isinstance(tab, dict)
        return tab
