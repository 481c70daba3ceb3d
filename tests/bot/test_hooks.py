"""Webhooks from outside: one run per delivery, and no word about what exists."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from fastapi import FastAPI
from pydantic import JsonValue

from bot import hooks
from library.errors import UnknownName


class FakeTriggers:
    """Knows one token; takes each delivery once."""

    def __init__(self) -> None:
        self.deliveries: list[str] = []
        self.bodies: list[dict[str, JsonValue]] = []

    async def receive(self, token: str, delivery: str, body: dict[str, JsonValue]) -> bool:
        if token != "secret":
            raise UnknownName("hook", "***", [])
        is_new = delivery not in self.deliveries
        self.deliveries.append(delivery)
        self.bodies.append(body)
        return is_new


@pytest.fixture
def triggers() -> FakeTriggers:
    return FakeTriggers()


@pytest.fixture
async def outside(triggers: FakeTriggers) -> AsyncIterator[httpx.AsyncClient]:
    async with _client(triggers) as client:
        yield client


@asynccontextmanager
async def _client(triggers: FakeTriggers) -> AsyncIterator[httpx.AsyncClient]:
    app = FastAPI()
    app.include_router(hooks.create_router(triggers))  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client:
        yield client


@pytest.mark.parametrize("header", hooks.DELIVERY_HEADERS)
async def test_a_delivery_that_comes_again_is_taken_once(
    outside: httpx.AsyncClient, triggers: FakeTriggers, header: str
) -> None:
    headers = {header.title(): "d1"}
    first = await outside.post("/hooks/secret", json={"text": "x"}, headers=headers)
    again = await outside.post("/hooks/secret", json={"text": "x"}, headers=headers)
    assert (first.status_code, first.json()) == (202, {"taken": True})
    assert (again.status_code, again.json()) == (200, {"taken": False})
    assert triggers.deliveries == ["d1", "d1"]
    assert triggers.bodies[0] == {"text": "x"}


async def test_without_an_id_every_request_is_an_event_of_its_own(
    outside: httpx.AsyncClient, triggers: FakeTriggers
) -> None:
    for _ in range(2):
        assert (await outside.post("/hooks/secret", content=b"")).status_code == 202
    assert triggers.bodies == [{}, {}]
    assert len(set(triggers.deliveries)) == 2


async def test_an_unknown_token_learns_nothing(outside: httpx.AsyncClient, triggers: FakeTriggers) -> None:
    answer = await outside.post("/hooks/secreT", json={})
    assert (answer.status_code, answer.json()) == (404, {"error": "There is no such hook."})
    assert triggers.bodies == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "The body is not JSON."),
        (b"\xff\xfe", "The body is not JSON."),
        (b"[" * 100_000, "The body is not JSON."),
        (b'{"n": NaN}', "The body is not JSON."),
        (b"[1]", "The body must be a JSON object: its keys become the arguments."),
        (json.dumps({"text": "x" * hooks.MOST_BYTES}).encode(), "The body is longer than 262144 bytes."),
    ],
)
async def test_a_body_that_cannot_be_arguments_is_refused(
    outside: httpx.AsyncClient, triggers: FakeTriggers, content: bytes, said: str
) -> None:
    answer = await outside.post("/hooks/secret", content=content)
    assert (answer.status_code, answer.json()) == (400, {"error": said})
    assert triggers.bodies == []


async def test_a_body_without_an_end_is_read_only_so_far(
    outside: httpx.AsyncClient, triggers: FakeTriggers
) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 65536
            yield b" " * 65536

    answer = await outside.post("/hooks/secret", content=endless())
    assert answer.status_code == 400
    assert sent < hooks.MOST_BYTES + 3 * 65536


async def test_a_hook_is_only_posted_to(outside: httpx.AsyncClient) -> None:
    assert (await outside.get("/hooks/secret")).status_code == 405
