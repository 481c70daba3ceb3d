"""The paired browsers and those of them that are connected. Knows no sockets and no HTTP."""

import asyncio

from library.errors import BrowserNotChosen, NoBrowser
from library.models import Browser
from relay.messages import CloseCode
from relay.pairing import Pairing, Pairings
from relay.session import Session


class Browsers:
    def __init__(self, pairings: Pairings) -> None:
        self._pairings = pairings
        self._sessions: dict[str, Session] = {}
        self._changed = asyncio.Event()

    def key_of(self, browser: str) -> bytes | None:
        return self._pairings.key_of(browser)

    def name_of(self, session: Session) -> str:
        return self._pairings.name_of(session.browser)

    def all(self) -> tuple[Browser, ...]:
        """Every paired browser, in the order of pairing, with the tabs of those that are connected."""
        return tuple(self._describe(pairing) for pairing in self._pairings.all())

    def connected_names(self) -> list[str]:
        return [browser.name for browser in self.all() if browser.connected]

    def choose(self, name: str | None) -> Session:
        """The session to use: the named browser's, or the only one that is connected.

        Raises UnknownName (nearest names), NoBrowser (not connected, or none is paired), BrowserNotChosen.
        """
        if name is not None:
            return self._session_named(name)
        if not self._sessions:
            raise NoBrowser(self._why_none())
        if len(self._sessions) > 1:
            names = self.connected_names()
            quoted = ", ".join(f'"{one}"' for one in names)
            raise BrowserNotChosen(
                f"{len(names)} browsers are connected: {quoted}. Say which one: browser=NAME",
                details={"names": names},
            )
        return next(iter(self._sessions.values()))

    async def wait_connected(self, name: str | None, *, timeout_s: float) -> Session:
        """``choose``, but a browser that is not connected has ``timeout_s`` to come. Raises as it does."""
        try:
            async with asyncio.timeout(timeout_s):
                while True:
                    self._changed.clear()
                    try:
                        return self.choose(name)
                    except NoBrowser:
                        await self._changed.wait()
        except TimeoutError:
            return self.choose(name)

    def rename(self, old: str, new: str) -> Pairing:
        """Raises UnknownName for ``old``, AskError when ``new`` is empty or taken."""
        return self._pairings.rename(old, new)

    async def unpair(self, name: str) -> Pairing:
        """Ends the pairing and, with code 4010, its connection. Raises UnknownName."""
        pairing = self._pairings.remove(name)
        session = self._sessions.get(pairing.browser)
        if session is not None:
            await session.close(CloseCode.REVOKED, "this browser was unpaired")
        return pairing

    # --- what the reception calls -----------------------------------------------------------------

    async def attach(self, session: Session) -> None:
        """The newest connection of a browser wins: the older one is closed with 4000."""
        if self._pairings.key_of(session.browser) is None:
            # Unpaired between its hello and its proof.
            await session.close(CloseCode.REVOKED, "this browser was unpaired")
            return
        older = self._sessions.get(session.browser)
        self._sessions[session.browser] = session
        self._changed.set()
        if older is not None:
            await older.close(CloseCode.REPLACED, "a newer connection of this browser took over")

    def detach(self, session: Session) -> None:
        if self._sessions.get(session.browser) is session:
            del self._sessions[session.browser]
            self._changed.set()

    # --- small things -----------------------------------------------------------------------------

    def _session_named(self, name: str) -> Session:
        pairing = self._pairings.find(name)
        session = self._sessions.get(pairing.browser)
        if session is None:
            raise NoBrowser(
                f'The browser "{pairing.name}" is paired but not connected. '
                "Start it on the home machine, or: runhome browser start"
            )
        return session

    def _why_none(self) -> str:
        names = self._pairings.names()
        if not names:
            return "No browser is paired yet. On the home machine: runhome browser start, or runhome pair"
        return (
            f"No browser is connected. Paired: {', '.join(names)}. On the home machine: runhome browser start"
        )

    def _describe(self, pairing: Pairing) -> Browser:
        session = self._sessions.get(pairing.browser)
        return Browser(name=pairing.name, connected=session is not None, tabs=session.tabs if session else ())
