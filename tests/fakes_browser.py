"""A fake extension that speaks docs/wire.md, and a home to connect it to, by an imaginary wire. No Chromium.

home = Home()
extension = FakeExtension(home.pair("Chrome"))
extension.replies["run"] = run_reply(value=3)
async with extension.connected(home):
    outcome = await home.runner.run(...)
"""

import asyncio
import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from relay.browsers import Browsers
from relay.pairing import Pairing, Pairings
from relay.reception import Reception
from relay.runner import Runner

NOW = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
PATIENCE_S = 5

Reply = Mapping[str, Any] | Callable[[Mapping[str, Any]], Mapping[str, Any] | None]
"""The result of a method, or a function of its params; None of a function means that no answer is sent."""


class Refuses(Exception):
    """Raised by a reply function: the method is answered with this error."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class MemoryStore:
    """A PairingStore that forgets everything at the end of the test."""

    def __init__(self) -> None:
        self.saved: list[Pairing] = []

    def load(self) -> list[Pairing]:
        return list(self.saved)

    def save(self, pairings: Any) -> None:
        self.saved = list(pairings)


class Home:
    """The relay without its server: what bot/app.py builds, over memory."""

    def __init__(self, *, now: Callable[[], datetime] = lambda: NOW) -> None:
        self.pairings = Pairings(MemoryStore(), now=now)
        self.browsers = Browsers(self.pairings)
        self.reception = Reception(self.browsers)
        self.runner = Runner(self.browsers)

    def pair(self, name: str = "Chrome") -> Pairing:
        return self.pairings.redeem(self.pairings.new_code().text, name)


class Wire:
    """Both ends of an imaginary WebSocket; the relay's end satisfies relay.session.Socket."""

    def __init__(self) -> None:
        self._to_relay: asyncio.Queue[str | None] = asyncio.Queue()
        self._to_browser: asyncio.Queue[str | None] = asyncio.Queue()
        self.closed: tuple[int, str] | None = None
        self._cut = asyncio.Event()

    # The relay's end.

    async def send(self, text: str) -> None:
        if self.closed is not None:
            raise ConnectionError("the wire is cut")
        self._to_browser.put_nowait(text)

    async def receive(self) -> str | None:
        return await self._to_relay.get()

    async def close(self, code: int, reason: str) -> None:
        self.cut(code, reason)

    # The browser's end.

    def browser_sends(self, frame: Mapping[str, Any] | str) -> None:
        self._to_relay.put_nowait(frame if isinstance(frame, str) else json.dumps(frame))

    async def browser_receives(self, *, patience_s: float | None = PATIENCE_S) -> dict[str, Any] | None:
        """The next frame; None when the wire was cut."""
        async with asyncio.timeout(patience_s):
            text = await self._to_browser.get()
        frame: dict[str, Any] | None = None if text is None else json.loads(text)
        return frame

    async def close_code(self) -> int:
        """Waits for the end; gives its code."""
        async with asyncio.timeout(PATIENCE_S):
            await self._cut.wait()
        assert self.closed is not None
        return self.closed[0]

    def cut(self, code: int = 1006, reason: str = "") -> None:
        if self.closed is None:
            self.closed = (code, reason)
            self._cut.set()
            self._to_relay.put_nowait(None)
            self._to_browser.put_nowait(None)


class BrowserEnd:
    """The browser's side of the handshake. Written from docs/wire.md, independent of relay/handshake.py."""

    def __init__(self, browser: str, key: bytes, *, nonce: str = "2" * 64, version: int = 1) -> None:
        self.browser = browser
        self.key = key
        self.nonce = nonce
        self.version = version
        self.relay_nonce = ""

    def hello(self) -> dict[str, Any]:
        return {"type": "hello", "version": self.version, "browser": self.browser}

    def proof(self, challenge: Mapping[str, Any]) -> dict[str, Any]:
        self.relay_nonce = challenge["nonce"]
        return {"type": "proof", "nonce": self.nonce, "hmac": self._hmac("browser")}

    def trusts(self, welcome: Mapping[str, Any]) -> bool:
        return welcome["type"] == "welcome" and hmac.compare_digest(welcome["hmac"], self._hmac("relay"))

    def _hmac(self, role: str) -> str:
        said = "|".join(("runhome", role, str(self.version), self.browser, self.relay_nonce, self.nonce))
        return hmac.new(self.key, said.encode(), hashlib.sha256).hexdigest()


class FakeExtension:
    """Answers each method with ``replies[method]`` and remembers in ``asked`` what it was asked."""

    def __init__(self, pairing: Pairing) -> None:
        self.end = BrowserEnd(pairing.browser, pairing.key)
        self.wire = Wire()
        self.replies: dict[str, Reply] = {
            "run": run_reply(),
            "finish": finish_reply,
            "cancel": {"cancelled": True},
            "screenshot": {"mime": "image/png", "data": "UE5H", "width": 1, "height": 1},
            "tabs": {"tabs": []},
        }
        self.asked: list[tuple[str, Mapping[str, Any]]] = []
        self._heard = asyncio.Condition()

    @asynccontextmanager
    async def connected(self, home: Home) -> AsyncIterator["FakeExtension"]:
        """Connected, greeted and answering while the block runs."""
        serving = asyncio.create_task(home.reception.receive(self.wire))
        await self.greet()
        answering = asyncio.create_task(self._answer_everything())
        await home.browsers.wait_connected(home.pairings.name_of(self.end.browser), timeout_s=PATIENCE_S)
        try:
            yield self
        finally:
            self.wire.cut()
            await asyncio.gather(serving, answering)

    async def greet(self) -> None:
        self.wire.browser_sends(self.end.hello())
        challenge = await self.wire.browser_receives()
        assert challenge is not None
        self.wire.browser_sends(self.end.proof(challenge))
        welcome = await self.wire.browser_receives()
        assert welcome is not None
        assert self.end.trusts(welcome)

    def tell(self, event: str, **params: Any) -> None:
        self.wire.browser_sends({"event": event, "params": params})

    async def was_asked(self, method: str, *, times: int = 1) -> Mapping[str, Any]:
        """Waits until the method has been asked that often; gives the params of its last time."""
        async with asyncio.timeout(PATIENCE_S), self._heard:
            await self._heard.wait_for(lambda: self.methods().count(method) >= times)
        return next(params for name, params in reversed(self.asked) if name == method)

    def methods(self) -> list[str]:
        return [method for method, _ in self.asked]

    async def _answer_everything(self) -> None:
        while (frame := await self.wire.browser_receives(patience_s=None)) is not None:
            if "method" in frame:
                self.asked.append((frame["method"], frame["params"]))
                self._answer(frame)
                async with self._heard:
                    self._heard.notify_all()

    def _answer(self, frame: Mapping[str, Any]) -> None:
        reply = self.replies.get(frame["method"], _unknown)
        try:
            result = reply(frame["params"]) if callable(reply) else reply
        except Refuses as error:
            fault = {"code": error.code, "message": str(error), "details": {}}
            self.wire.browser_sends({"id": frame["id"], "error": fault})
        else:
            if result is not None:
                self.wire.browser_sends({"id": frame["id"], "result": result})


def _unknown(_: Mapping[str, Any]) -> None:
    raise Refuses("UNKNOWN_METHOD", "This extension does not know the method.")


def run_reply(**changes: Any) -> dict[str, Any]:
    """A body that returned, on tab 12; ``changes`` replace parts of it."""
    return {
        "outcome": "returned",
        "value": None,
        "error": None,
        "acted": True,
        "tab": 12,
        "steps": [],
        "requests": [],
        "logs": [],
        "final_url": "http://127.0.0.1:8765/",
        "title": "Home",
        "timings": {"tab_ms": 0.1, "body_ms": 1.0, "total_ms": 1.1},
    } | changes


def request_made(method: str = "POST", path: str = "/api/posts", **changes: Any) -> dict[str, Any]:
    """A request of a helper, answered 201."""
    return {
        "source": "helper",
        "method": method,
        "url": f"http://127.0.0.1:8765{path}",
        "status": 201,
        "error": None,
        "at_ms": 1.0,
        "took_ms": 2.0,
        "request_body": None,
        "response_body": None,
    } | changes


def finish_reply(
    params: Mapping[str, Any], *, visible: tuple[str, ...] = (), **changes: Any
) -> dict[str, Any]:
    """What ``finish`` answers on a page that shows ``visible``."""
    return {
        "texts": [
            {"text": text, "found": text in visible, "excerpt": ""}
            for text in (*params["texts"], *params["gone"])
        ],
        "notices": [],
        "requests": [],
        "final_url": "http://127.0.0.1:8765/",
        "title": "Home",
        "screenshot": None,
        "screenshot_problem": None,
    } | changes


def page_that_shows(*visible: str, **changes: Any) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A reply for ``finish``: the page shows these texts and no other."""
    return lambda params: finish_reply(params, visible=visible, **changes)
