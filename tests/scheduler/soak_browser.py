"""A browser that outlives the relay, as Chrome does: the real wire, real HTTP to the demo site, no Chromium.

It comes back to whichever relay serves ``port``. What it was asked to do it does to the end, even when the
relay that asked has died meanwhile.
"""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import httpx
import websockets
from websockets.asyncio.client import ClientConnection, connect

from library.demo.sessions import ACCOUNTS
from relay.chrome import extension_id
from relay.pairing import Pairing
from tests.fakes_browser import BrowserEnd, finish_reply, request_made, run_reply

TABS = 6
SLOWEST_S = 0.03
"""A post is somewhere on its way for so long, before the site has it and after."""
AGAIN_S = 0.02


class SoakBrowser:
    """``asked`` counts how often each run was asked for."""

    def __init__(self, pairing: Pairing, site: str) -> None:
        self._end = BrowserEnd(pairing.browser, pairing.key)
        self._site = site
        self._tabs: asyncio.Queue[httpx.AsyncClient] = asyncio.Queue()
        self._runs: set[asyncio.Task[None]] = set()
        self.port = self.wants_port = 0
        self.asked: Counter[str] = Counter()
        self._changed = asyncio.Condition()

    async def open_tabs(self) -> None:
        """Logged in each by itself, for the site's token changes with every write of a session."""
        (user, password), *_ = ACCOUNTS.items()
        for _ in range(TABS):
            tab = httpx.AsyncClient(base_url=self._site)
            answer = await tab.post("/login", data={"username": user, "password": password})
            assert answer.status_code == 303
            await tab.get("/")
            self._tabs.put_nowait(tab)

    async def live(self) -> None:
        """Connects, again and again, until it is cancelled."""
        while True:
            with suppress(OSError, websockets.exceptions.WebSocketException):
                address, origin = (
                    f"ws://127.0.0.1:{self.port}/extension",
                    f"chrome-extension://{extension_id()}",
                )
                async with connect(address, origin=websockets.Origin(origin), proxy=None) as socket:
                    await self._greet(socket)
                    async for text in socket:
                        self._begin(socket, json.loads(text))
            await asyncio.sleep(AGAIN_S)

    async def asked_more(self, count: int) -> None:
        """Waits until so many more runs were asked for."""
        until = self.asked.total() + count
        async with self._changed:
            await self._changed.wait_for(lambda: self.asked.total() >= until)

    async def close(self) -> None:
        """Lets what is under way end, then closes its tabs."""
        await asyncio.gather(*self._runs)
        while not self._tabs.empty():
            await self._tabs.get_nowait().aclose()

    async def _greet(self, socket: ClientConnection) -> None:
        await socket.send(json.dumps(self._end.hello()))
        await socket.send(json.dumps(self._end.proof(json.loads(await socket.recv()))))
        assert self._end.trusts(json.loads(await socket.recv()))

    def _begin(self, socket: ClientConnection, frame: Mapping[str, Any]) -> None:
        task = asyncio.create_task(self._answer(socket, frame))
        self._runs.add(task)
        task.add_done_callback(self._runs.discard)

    async def _answer(self, socket: ClientConnection, frame: Mapping[str, Any]) -> None:
        params = frame["params"]
        result = await self._post(params) if frame["method"] == "run" else finish_reply(params)
        with suppress(websockets.exceptions.WebSocketException):
            await socket.send(json.dumps({"id": frame["id"], "result": result}))

    async def _post(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        self.asked[params["run"]] += 1
        async with self._changed:
            self._changed.notify_all()
        tab = await self._tabs.get()
        try:
            await asyncio.sleep(random.uniform(0, SLOWEST_S))
            headers = {"X-CSRF-Token": tab.cookies["_csrf"]}
            answer = await tab.post("/api/posts", json=dict(params["arguments"]), headers=headers)
            await asyncio.sleep(random.uniform(0, SLOWEST_S))
        finally:
            self._tabs.put_nowait(tab)
        made = request_made(url=f"{self._site}/api/posts", status=answer.status_code)
        return run_reply(value=answer.json(), requests=[made])
