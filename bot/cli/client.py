"""Talks to a running Runhome over its loopback API; where none runs, hosts one in this process meanwhile.

So each command has one path: it asks the API, whoever serves it.
"""

import json
import os
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx

from bot.address import Address, read_address
from bot.settings import Settings, load_settings
from library.errors import HomeError, RunhomeError, SetupError

Json = dict[str, Any]

PATIENCE_S = 90
"""For one answer: opening a page may take a minute."""
ANSWER_S = 10
"""How long a Runhome that is busy may take to say how it is."""


class Client:
    """The API of one running Runhome. ``is_hosted``: it lives in this process and ends with it."""

    def __init__(self, http: httpx.AsyncClient, port: int, *, is_hosted: bool) -> None:
        self._http = http
        self.port = port
        self.is_hosted = is_hosted

    async def status(self) -> Json:
        return await self._json("GET", "/api/status")

    async def pair_code(self) -> Json:
        return await self._json("POST", "/api/codes/pair")

    async def invite_code(self) -> Json:
        return await self._json("POST", "/api/codes/invite")

    async def cancel(self, *, claim: str) -> Json:
        """``{"cancelled": bool}``: stops the run that was asked for with this claim."""
        return await self._json("POST", "/api/runs/cancel", headers={"Idempotency-Key": claim})

    async def open(self, ask: Mapping[str, Any]) -> Json:
        return await self._json("POST", "/api/open", ask)

    def run(self, ask: Mapping[str, Any], *, claim: str) -> AsyncIterator[Json]:
        """``{"progress": …}`` any number of times, then ``{"run": …}``. Raises what the dispatcher raised."""
        return self._stream("/api/runs", ask, {"Idempotency-Key": claim})

    def chat(self, text: str, *, chat: str, button: bool = False) -> AsyncIterator[Json]:
        """``{"send" | "edit": {id, text, buttons, photo, file}}``, until the answer is complete."""
        return self._stream("/api/chat", {"text": text, "chat": chat, "button": button}, {})

    async def _json(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Json:
        with _told_when_broken_off():
            response = await self._http.request(method, path, json=body, headers=headers, timeout=PATIENCE_S)
            answer: Json = response.raise_for_status().json()
        _raise(answer)
        return answer

    async def _stream(
        self, path: str, body: Mapping[str, Any], headers: dict[str, str]
    ) -> AsyncIterator[Json]:
        request = self._http.stream("POST", path, json=body, headers=headers, timeout=None)
        with _told_when_broken_off():
            async with request as response:
                response.raise_for_status()
                async for line in response.aiter_lines():
                    answer: Json = json.loads(line)
                    _raise(answer)
                    yield answer


@contextmanager
def _told_when_broken_off() -> Iterator[None]:
    try:
        yield
    except httpx.HTTPError as error:
        raise HomeError(
            "Runhome broke off its answer; was it stopped? Its log says why. "
            "What became of a run: `runhome chat`, then /status"
        ) from error


def _raise(answer: Json) -> None:
    """An error that crossed the API is raised again with its own words and code."""
    error = answer.get("error")
    if isinstance(error, dict):
        raise RunhomeError(error["message"], code=error["code"], details=error.get("details") or {})


@asynccontextmanager
async def hosted_or_running(settings: Settings | None = None) -> AsyncIterator[Client]:
    """The Runhome that runs, else one hosted here (no Telegram, no clock) until the block ends."""
    settings = settings or load_settings()
    address = await answering(settings.data)
    if address is not None:
        async with _http(address) as http:
            yield Client(http, address.port, is_hosted=False)
        return
    from bot.app import open_app

    async with open_app(settings, only_local=True) as app, client_of(app.address) as client:
        yield client


@asynccontextmanager
async def client_of(address: Address) -> AsyncIterator[Client]:
    """A Runhome that lives in this process."""
    async with _http(address) as http:
        yield Client(http, address.port, is_hosted=True)


@asynccontextmanager
async def running() -> AsyncIterator[Client]:
    """The Runhome that runs; SetupError where none does."""
    address = await answering(load_settings().data)
    if address is None:
        raise SetupError("Runhome is not running. Start it with `runhome up`, then try again.")
    async with _http(address) as http:
        yield Client(http, address.port, is_hosted=False)


async def answering(data: Path) -> Address | None:
    """Where the Runhome of this data folder answers; None where none runs (a crash may have left its file).

    Raises SetupError when it is there and hangs.
    """
    address = read_address(data)
    if address is None:
        return None
    try:
        async with _http(address) as http:
            response = await http.get("/api/status", timeout=ANSWER_S)
    except httpx.TimeoutException as error:
        if not is_alive(address.pid):
            return None
        raise SetupError(
            f"Runhome (process {address.pid}) does not answer on 127.0.0.1:{address.port}. "
            "If it goes on like that, end that process and start it again with `runhome up`."
        ) from error
    except httpx.HTTPError:
        return None
    return address if response.status_code == httpx.codes.OK and _is_status(response) else None


def is_alive(pid: int) -> bool:
    """Whether there is such a process; on Windows, where asking would end it, always."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _is_status(response: httpx.Response) -> bool:
    """Another program may have the port by now, and answer everything with 200."""
    try:
        answer = response.json()
    except ValueError:
        return False
    return isinstance(answer, dict) and "browsers" in answer


def _http(address: Address) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{address.port}",
        headers={"Authorization": f"Bearer {address.token}"},
        trust_env=False,
        verify=False,  # Plain HTTP: reading the machine's certificates takes longer than the whole question.
    )
