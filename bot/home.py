"""The machine where the browser runs: starts the managed browser when it may. Knows no clock."""

import logging
from collections.abc import Callable
from pathlib import Path

from bot.settings import BrowserSettings
from library.errors import RunhomeError
from relay.browsers import Browsers
from relay.managed import ManagedBrowser, NewCode

log = logging.getLogger(__name__)

MANAGED = "Managed"
"""The name of the browser that `runhome browser start` starts, unless it is given another."""
CONNECT_S = 20.0
RETURN_S = 6.0
"""How long a browser that is already running may take to come back after a restart of the relay: the
extension tries every 5 s at least."""


def profile_folder(data: Path, name: str) -> Path:
    """Where the profile of a managed browser lies. Only letters and digits of ``name`` count."""
    safe = "".join(letter if letter.isalnum() else "-" for letter in name).strip("-").lower()
    return data / "browsers" / (safe or "managed")


class ManagedHome:
    """Satisfies ``scheduler.ports.Home``."""

    def __init__(
        self,
        settings: BrowserSettings,
        data: Path,
        browsers: Browsers,
        *,
        port: Callable[[], int],
        code: NewCode,
    ) -> None:
        self._settings = settings
        self._data = data
        self._browsers = browsers
        self._port = port
        self._code = code

    async def ensure_browser(self, name: str | None) -> bool:
        """True when the browser is connected, started here where ``browser.autostart`` allows it."""
        if await self._is_connected(name, RETURN_S):
            return True
        if not self._settings.autostart or name not in (None, MANAGED):
            return False
        try:
            await ManagedBrowser(profile_folder(self._data, MANAGED)).start(
                port=self._port(), new_code=self._code, name=MANAGED, headless=self._settings.headless
            )
        except RunhomeError as error:
            log.warning("the managed browser was not started: %s", error)
        return await self._is_connected(name, CONNECT_S)

    async def _is_connected(self, name: str | None, timeout_s: float) -> bool:
        try:
            await self._browsers.wait_connected(name, timeout_s=timeout_s)
        except RunhomeError:
            return False
        return True
