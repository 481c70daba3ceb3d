"""A real Chromium with the unpacked extension, and a relay and a site played by the test.

    async with extension_browser(tmp_path) as browser, scripted_relay() as relay, test_site(PAGES) as site:
        await browser.pair(relay)
        await relay.connected()
        result = await relay.run("return await tab.read({role: 'heading'})", sites=[f"{site}/*"])

The relay here follows docs/wire.md by hand, so that the extension is tested without our Python relay.
"""

import asyncio
import base64
import hashlib
import hmac
import itertools
import json
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from playwright.async_api import BrowserContext, CDPSession, Page, async_playwright

from relay.server import serve
from tests.chromium import EXTENSION, launch

PATIENCE_S = 20

Json = dict[str, Any]


def extension_id() -> str:
    """What Chrome makes of the manifest's key: the first 16 bytes of its SHA-256, digits written a to p."""
    key = json.loads((EXTENSION / "manifest.json").read_text())["key"]
    digest = hashlib.sha256(base64.b64decode(key)).hexdigest()[:32]
    return digest.translate(str.maketrans("0123456789abcdef", "abcdefghijklmnop"))


class Refused(Exception):
    """The extension answered a request with an error; ``code``, ``details`` as on the wire."""

    def __init__(self, error: Json) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.code: str = error["code"]
        self.details: Json = error["details"]


class ScriptedRelay:
    """The relay's side of the wire, played by a test: one browser id and key, the newest connection."""

    def __init__(self) -> None:
        self.port = 0
        self.browser = "b" + secrets.token_hex(8)
        self.key = secrets.token_bytes(32)
        self.own_key: bytes | None = None
        """What this relay proves with, when it is to be a wrong one."""
        self.code = "K7MPQ2XW"
        self.name = "home"
        self.events: list[Json] = []
        self.closed: list[int] = []
        """Close codes of connections that the extension ended, oldest first."""
        self.welcomed = 0
        self._socket: WebSocket | None = None
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Json]] = {}
        self._changed = asyncio.Condition()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Waits until ``holds()``, asked again at every frame and every change of the connection."""
        async with asyncio.timeout(PATIENCE_S), self._changed:
            await self._changed.wait_for(holds)

    async def connected(self, times: int = 1) -> None:
        """Waits until the extension has been welcomed ``times`` times and is there now."""
        await self.until(lambda: self.welcomed >= times and self._socket is not None)

    async def event(self, name: str, holds: Callable[[Json], bool] = lambda _: True) -> Json:
        """The params of the first event of this name (from the beginning) for which ``holds``."""

        def found() -> Json | None:
            hits = (e["params"] for e in self.events if e["event"] == name and holds(e["params"]))
            return next(hits, None)

        await self.until(lambda: found() is not None)
        event = found()
        assert event is not None
        return event

    async def ask(self, method: str, **params: Any) -> Any:
        """One request; raises Refused for an error."""
        frame = await self.send_request(method, params)
        async with asyncio.timeout(PATIENCE_S + 40):
            answer = await frame
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]

    async def send_request(self, method: str, params: Json) -> asyncio.Future[Json]:
        """Sends a request and gives the future of its answer frame."""
        assert self._socket is not None, "the extension is not connected"
        number = next(self._ids)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        await self._socket.send_text(json.dumps({"id": number, "method": method, "params": params}))
        return self._waiting[number]

    async def run(self, body: str, **given: Any) -> Json:
        """Runs a body and finishes it; ``given`` as for ``run_params``."""
        params = run_params(body, **given)
        result: Json = await self.ask("run", **params)
        if result["tab"] is not None:
            await self.finish(params["run"])
        return result

    async def finish(self, run: str, **given: Any) -> Json:
        asked = {"texts": [], "gone": [], "requests": [], "timeout_ms": 5_000, "screenshot": False, **given}
        result: Json = await self.ask("finish", run=run, **asked)
        return result

    async def send_text(self, text: str) -> None:
        """Sends any text as a frame."""
        assert self._socket is not None
        await self._socket.send_text(text)

    async def close(self, code: int = 1001) -> None:
        """Ends the connection from the relay's side."""
        assert self._socket is not None
        await self._socket.close(code)

    def app(self) -> FastAPI:
        app = FastAPI()

        @app.post("/pair")
        async def pair(request: Request) -> Response:
            asked = await request.json()
            if asked["code"] != self.code:
                error = {"code": "PAIRING_REFUSED", "message": "This code is not right.", "details": {}}
                return Response(json.dumps({"error": error}), 403, media_type="application/json")
            answer = {"browser": self.browser, "key": self.key.hex(), "name": self.name}
            return Response(json.dumps(answer), media_type="application/json")

        @app.websocket("/extension")
        async def extension(socket: WebSocket) -> None:
            await socket.accept()
            try:
                await self._shake(socket)
                while True:
                    await self._received(json.loads(await socket.receive_text()))
            except (WebSocketDisconnect, RuntimeError) as end:
                await self._ended(socket, getattr(end, "code", 1006))

        return app

    async def _shake(self, socket: WebSocket) -> None:
        hello = json.loads(await socket.receive_text())
        nonce = secrets.token_hex(32)
        await socket.send_text(json.dumps({"type": "challenge", "nonce": nonce}))
        proof = json.loads(await socket.receive_text())
        wanted = self._mac(self.key, "browser", nonce, proof["nonce"])
        if hello["browser"] != self.browser or proof["hmac"] != wanted:
            await socket.close(4001, "proof refused")
            return
        mac = self._mac(self.own_key or self.key, "relay", nonce, proof["nonce"])
        await socket.send_text(json.dumps({"type": "welcome", "version": 1, "hmac": mac, "name": "home"}))
        async with self._changed:
            self._socket = socket
            self.welcomed += 1
            self._changed.notify_all()

    def _mac(self, key: bytes, role: str, relay_nonce: str, browser_nonce: str) -> str:
        text = f"runhome|{role}|1|{self.browser}|{relay_nonce}|{browser_nonce}"
        return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()

    async def _received(self, frame: Json) -> None:
        async with self._changed:
            if "event" in frame:
                self.events.append(frame)
            else:
                self._waiting.pop(frame["id"]).set_result(frame)
            self._changed.notify_all()

    async def _ended(self, socket: WebSocket, code: int) -> None:
        async with self._changed:
            self.closed.append(code)
            if self._socket is socket:
                self._socket = None
                for answer in self._waiting.values():
                    answer.cancel()
                self._waiting.clear()
            self._changed.notify_all()


@asynccontextmanager
async def scripted_relay(port: int = 0) -> AsyncIterator[ScriptedRelay]:
    """A relay on a free port of the loopback."""
    relay = ScriptedRelay()
    async with serve(relay.app(), port) as relay.port:
        yield relay
        with suppress(RuntimeError, AssertionError):
            await relay.close()


def run_params(
    body: str,
    *,
    sites: Sequence[str],
    start: str | None = None,
    arguments: Mapping[str, Any] | None = None,
    requests: Sequence[str] = (),
    cookies: bool = False,
    input: str = "dom",
    secret: Sequence[str] = (),
    timeout_ms: int = 15_000,
    tab: int | None = None,
    run: str | None = None,
) -> Json:
    """The params of ``run`` as on the wire, with what most tests do not care about filled in."""
    arguments = dict(arguments or {})
    subroutine = {
        "name": "test",
        "version": "1.0.0",
        "effect": "write",
        "sites": list(sites),
        "start": start,
        "input": input,
        "csrf": None,
        "permissions": {"requests": list(requests), "cookies": cookies},
        "params": list(arguments),
        "body": body,
    }
    return {
        "run": run or "r" + secrets.token_hex(6),
        "subroutine": subroutine,
        "arguments": arguments,
        "secrets": list(secret),
        "timeout_ms": timeout_ms,
        "tab": tab,
    }


class ExtensionBrowser:
    """A Chromium with the extension. ``page`` is an extension page: tests speak to the worker through it."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.context = context
        self.page = page

    async def command(self, type: str, **params: Any) -> Json:
        """A message to the service worker, as the popup sends it: ``{ok, value}`` or ``{ok, error}``."""
        answer: Json = await self.page.evaluate(
            "m => chrome.runtime.sendMessage(m)", {"type": type, **params}
        )
        return answer

    async def pair(self, relay: ScriptedRelay) -> None:
        """Pairs with a relay, as ``runhome browser start`` does it, and waits until it is connected."""
        before = relay.welcomed
        answer = await self.command("pair", code=relay.code, port=relay.port, name="test")
        assert answer["ok"], answer
        await relay.connected(before + 1)

    async def kill_service_worker(self) -> None:
        """Stops the service worker as Chrome does after 30 s of idleness."""
        page = await self.context.new_page()
        await page.goto(f"chrome-extension://{extension_id()}/manifest.json")
        session: CDPSession = await self.context.new_cdp_session(page)
        await session.send("ServiceWorker.enable")
        await session.send("ServiceWorker.stopAllWorkers")
        await page.close()

    async def crash_sandbox(self) -> None:
        """Ends the process of the sandboxed iframe, as running out of memory does."""
        session = await self.context.new_cdp_session(self.page)
        targets = (await session.send("Target.getTargets", {"filter": [{}]}))["targetInfos"]
        [sandbox] = [target for target in targets if target["url"].endswith("/sandbox/sandbox.html")]
        asked = {"targetId": sandbox["targetId"], "flatten": False}
        inner = (await session.send("Target.attachToTarget", asked))["sessionId"]
        crash = json.dumps({"id": 1, "method": "Page.crash"})
        await session.send("Target.sendMessageToTarget", {"sessionId": inner, "message": crash})
        await session.detach()

    async def tab_id(self, page: Page) -> int:
        """Chrome's id of a tab that Playwright opened; its URL must be the only one of its kind."""
        tabs: list[Json] = await self.page.evaluate("() => chrome.tabs.query({})")
        [tab] = [tab for tab in tabs if tab["url"] == page.url]
        return int(tab["id"])

    async def share(self, page: Page) -> int:
        """Puts a tab into the group, as the popup does; gives its id."""
        tab = await self.tab_id(page)
        answer = await self.command("share", tab=tab)
        assert answer["ok"], answer
        return tab


@asynccontextmanager
async def extension_browser(profile: Path) -> AsyncIterator[ExtensionBrowser]:
    """Starts Chromium with the extension in this profile folder; closes it at the end."""
    async with async_playwright() as playwright:
        context = await launch(playwright, profile, extension=True)
        try:
            page = await context.new_page()
            await _when_installed(page)
            yield ExtensionBrowser(context, page)
        finally:
            await context.close()


async def _when_installed(page: Page) -> None:
    """The extension's pages exist a moment after the browser does."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                await page.goto(f"chrome-extension://{extension_id()}/options/options.html")
                await page.wait_for_function("globalThis.chrome?.runtime?.id")
                return
            except Exception as error:
                if "ERR_BLOCKED_BY_CLIENT" not in str(error) and "ERR_FILE_NOT_FOUND" not in str(error):
                    raise


Answer = str | tuple[str, Mapping[str, str]]


@asynccontextmanager
async def site(pages: Mapping[str, Answer], app: FastAPI | None = None) -> AsyncIterator[str]:
    """Serves HTML by path (text, or text and headers) beside the routes of ``app``; yields the origin."""
    app = app or FastAPI()
    for path, answer in pages.items():
        html, headers = (answer, {}) if isinstance(answer, str) else answer
        app.add_api_route(path, _page(html, headers), methods=["GET"])
    async with serve(app, 0) as port:
        yield f"http://127.0.0.1:{port}"


def _page(html: str, headers: Mapping[str, str]) -> Callable[[], Response]:
    def answer() -> Response:
        return Response(html, media_type="text/html", headers=dict(headers))

    return answer
