"""Talks to a running Runhome over its loopback API; where none runs, hosts one in this process for as long as needed.

So each command has one path: it asks the API, whoever serves it.
"""

import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from bot.settings import Settings, load_settings
from library.errors import RunhomeError, SetupError

ADDRESS_FILE = "running.json"
"""In the data folder, mode 0600: the port and the token of the Runhome that runs now."""

Json = dict[str, Any]


class Client:
    """The API of one running Runhome. ``is_hosted``: it lives in this process and ends with it."""

    def __init__(self, http: httpx.AsyncClient, *, is_hosted: bool) -> None:
        self._http = http
        self.is_hosted = is_hosted

    async def status(self) -> Json:
        return await self._json("GET", "/api/status")

    async def pair_code(self) -> Json:
        return await self._json("POST", "/api/codes/pair")

    async def invite_code(self) -> Json:
        return await self._json("POST", "/api/codes/invite")

    async def cancel(self, run_id: str) -> Json:
        return await self._json("POST", f"/api/runs/{run_id}/cancel")

    async def helper(self, ask: Mapping[str, Any]) -> Json:
        return await self._json("POST", "/api/helper", ask)

    async def open(self, ask: Mapping[str, Any]) -> Json:
        return await self._json("POST", "/api/open", ask)

    def run(self, ask: Mapping[str, Any], *, claim: str) -> AsyncIterator[Json]:
        """``{"progress": …}`` any number of times, then ``{"run": …}``. Raises the error that the dispatcher raised."""
        return self._stream("/api/runs", ask, {"Idempotency-Key": claim})

    def chat(self, text: str, *, chat: str, button: bool = False) -> AsyncIterator[Json]:
        """``{"send" | "edit": {id, text, buttons, photo, file}}``, until the answer is complete."""
        return self._stream("/api/chat", {"text": text, "chat": chat, "button": button}, {})

    async def _json(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Json:
        response = await self._http.request(method, path, json=body)
        answer: Json = response.json()
        _raise(answer)
        return answer

    async def _stream(self, path: str, body: Mapping[str, Any], headers: dict[str, str]) -> AsyncIterator[Json]:
        async with self._http.stream("POST", path, json=body, headers=headers, timeout=None) as response:
            async for line in response.aiter_lines():
                answer: Json = json.loads(line)
                _raise(answer)
                yield answer


def _raise(answer: Json) -> None:
    """An error that crossed the API is raised again with its own words and code."""
    error = answer.get("error")
    if isinstance(error, dict):
        raise RunhomeError(error["message"], code=error["code"], details=error.get("details") or {})


@asynccontextmanager
async def hosted_or_running(settings: Settings | None = None) -> AsyncIterator[Client]:
    """The Runhome that runs, else one hosted here (no Telegram, no clock) until the block ends."""
    settings = settings or load_settings()
    address = await _answering(settings.data)
    if address is not None:
        async with _http(address) as http:
            yield Client(http, is_hosted=False)
        return
    from bot.app import open_app

    async with open_app(settings, only_local=True) as app, _http(app.address) as http:
        yield Client(http, is_hosted=True)


@asynccontextmanager
async def running() -> AsyncIterator[Client]:
    """The Runhome that runs; SetupError where none does."""
    address = await _answering(load_settings().data)
    if address is None:
        raise SetupError("Runhome is not running. Start it with `runhome up`, then try again.")
    async with _http(address) as http:
        yield Client(http, is_hosted=False)


async def _answering(data: Path) -> Json | None:
    """The address in the file, if somebody answers there with our token."""
    try:
        address: Json = json.loads((data / ADDRESS_FILE).read_text(encoding="utf-8"))
        async with _http(address) as http:
            response = await http.get("/api/status", timeout=5)
    except (OSError, ValueError, KeyError, httpx.HTTPError):
        return None
    return address if response.status_code == httpx.codes.OK else None


def _http(address: Json) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{address['port']}",
        headers={"Authorization": f"Bearer {address['token']}"},
        trust_env=False,
    )


def write_address(data: Path, port: int, token: str) -> Json:
    """Leaves word of where this process serves; the file is removed by :func:`forget_address`."""
    address = {"port": port, "token": token, "pid": os.getpid()}
    path = data / ADDRESS_FILE
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump(address, file)
    return address
