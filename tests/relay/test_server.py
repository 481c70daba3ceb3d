"""The loopback server from outside: who is let in, who is turned away, and how it starts and stops."""

import asyncio
import json
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from fastapi import APIRouter
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError, InvalidStatus

from library.errors import SetupError
from relay.listening import bind
from relay.messages import CloseCode
from relay.reception import Reception
from relay.server import create_app, serve
from tests.fakes_browser import NOW, PATIENCE_S, BrowserEnd, Home

EXTENSION_ID = "a" * 32
EXTENSION_ORIGIN = f"chrome-extension://{EXTENSION_ID}"


@dataclass(frozen=True)
class Served:
    home: Home
    port: int

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def socket(self, **options: Any) -> connect:
        return connect(
            f"ws://127.0.0.1:{self.port}/extension", proxy=None, open_timeout=PATIENCE_S, **options
        )

    def end(self, name: str = "Chrome", **changes: Any) -> BrowserEnd:
        pairing = self.home.pair(name)
        return BrowserEnd(pairing.browser, changes.pop("key", pairing.key), **changes)


@pytest.fixture(scope="module")
async def served() -> AsyncIterator[Served]:
    home = Home()
    app = create_app(home.pairings, home.browsers, home.reception, extension_id=EXTENSION_ID, version="9.9")
    async with serve(app, 0) as port:
        yield Served(home, port)


@pytest.fixture
async def client(served: Served) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=served.base, trust_env=False) as client:
        yield client


async def answer(socket: ClientConnection) -> Any:
    return json.loads(await asyncio.wait_for(socket.recv(), PATIENCE_S))


async def shake_hands(socket: ClientConnection, end: BrowserEnd) -> None:
    await socket.send(json.dumps(end.hello()))
    await socket.send(json.dumps(end.proof(await answer(socket))))


async def close_code(socket: ClientConnection) -> int:
    """With which code the relay closed the socket; whatever it sends before is passed over."""
    async with asyncio.timeout(PATIENCE_S):
        with suppress(ConnectionClosedError):
            async for _ in socket:
                pass
        await socket.wait_closed()
    assert socket.close_code is not None
    return socket.close_code


# --- pairing and health ---------------------------------------------------------------------------


async def test_a_code_is_exchanged_for_a_key_that_opens_the_socket(
    served: Served, client: httpx.AsyncClient
) -> None:
    code = served.home.pairings.new_code().text
    given = await client.post(
        "/pair", json={"code": code, "browser_name": "Pixel"}, headers={"Origin": EXTENSION_ORIGIN}
    )
    pairing = given.json()
    assert (given.status_code, pairing["name"], len(pairing["key"])) == (200, "home", 64)
    end = BrowserEnd(pairing["browser"], bytes.fromhex(pairing["key"]))
    async with served.socket(origin=EXTENSION_ORIGIN) as socket:
        await shake_hands(socket, end)
        assert end.trusts(await answer(socket))
        await served.home.browsers.wait_connected("Pixel", timeout_s=PATIENCE_S)
        health = (await client.get("/health")).json()
        assert health == {"version": "9.9", "browsers": ["Pixel"]}


async def test_a_wrong_code_is_refused_in_words(client: httpx.AsyncClient) -> None:
    given = await client.post("/pair", json={"code": "22222222", "browser_name": "x"})
    assert given.status_code == 403
    assert given.json()["error"]["code"] == "PAIRING_REFUSED"
    assert "runhome pair" in given.json()["error"]["message"]


async def test_no_key_and_no_code_is_logged(
    served: Served, client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    code = served.home.pairings.new_code().text
    key = (await client.post("/pair", json={"code": code, "browser_name": "Log"})).json()["key"]
    assert code not in caplog.text
    assert key not in caplog.text


# --- who is turned away ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.test"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Host": "127.0.0.1.evil.test:{port}"}, 421),
        ({"Host": "[::1]:{port}"}, 421),
        ({"Host": "LOCALHOST:{port}"}, 200),
        ({"Origin": "http://evil.test"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://127.0.0.1:{port}"}, 403),
        ({"Origin": "http://localhost:{port}"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": f"chrome-extension://{'b' * 32}"}, 403),
        ({"Origin": ""}, 403),
        ({"Origin": EXTENSION_ORIGIN}, 200),
        ({"Origin": "http://127.0.0.1:{port}"}, 200),
    ],
)
async def test_host_and_origin_are_checked_on_every_request(
    served: Served, client: httpx.AsyncClient, headers: dict[str, str], status: int
) -> None:
    sent = {name: value.format(port=served.port) for name, value in headers.items()}
    assert (await client.get("/health", headers=sent)).status_code == status
    if status == 200:
        async with served.socket(additional_headers=_other_than_host(sent)):
            return
    if "Host" not in sent:
        with pytest.raises(InvalidStatus) as refused:
            async with served.socket(additional_headers=sent):
                pass
        assert refused.value.response.status_code == status


def _other_than_host(headers: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name != "Host"}


async def test_a_socket_for_another_host_is_turned_away(served: Served) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(
        b"GET /extension HTTP/1.1\r\nHost: evil.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    async with asyncio.timeout(PATIENCE_S):
        assert b" 421 " in await reader.readline()
    writer.close()
    await writer.wait_closed()


async def test_an_origin_given_twice_is_turned_away(client: httpx.AsyncClient) -> None:
    twice = [("Origin", EXTENSION_ORIGIN), ("Origin", EXTENSION_ORIGIN)]
    assert (await client.get("/health", headers=twice)).status_code == 403


async def test_a_wrong_key_is_refused(served: Served) -> None:
    async with served.socket() as socket:
        await shake_hands(socket, served.end("Thief", key=b"x" * 32))
        assert await close_code(socket) == CloseCode.PROOF_REFUSED


async def test_a_replayed_proof_is_refused(served: Served) -> None:
    end = served.end("Victim")
    async with served.socket() as socket:
        await socket.send(json.dumps(end.hello()))
        overheard = json.dumps(end.proof(await answer(socket)))
        await socket.send(overheard)
        assert end.trusts(await answer(socket))
    async with served.socket() as socket:
        await socket.send(json.dumps(end.hello()))
        await answer(socket)
        await socket.send(overheard)
        assert await close_code(socket) == CloseCode.PROOF_REFUSED


async def test_a_second_connection_replaces_the_first(served: Served) -> None:
    end = served.end("Twice")
    async with served.socket() as first, served.socket() as second:
        await shake_hands(first, end)
        await answer(first)
        await shake_hands(second, end)
        assert await close_code(first) == CloseCode.REPLACED
        assert end.trusts(await answer(second))


@pytest.mark.parametrize("frame", [b"\x00bytes", "garbage", '{"type": "proof"}'])
async def test_what_is_no_hello_ends_the_socket(served: Served, frame: str | bytes) -> None:
    async with served.socket() as socket:
        await socket.send(frame)
        assert await close_code(socket) == CloseCode.PROTOCOL_ERROR


async def test_who_says_no_hello_in_time_is_sent_away() -> None:
    home, over = Home(), asyncio.Event()

    async def wait_for_the_test(seconds: float) -> None:
        assert seconds == 10
        await over.wait()

    reception = Reception(home.browsers, sleep=wait_for_the_test)
    app = create_app(home.pairings, home.browsers, reception, extension_id=EXTENSION_ID)
    async with serve(app, 0) as port, Served(home, port).socket() as silent:
        over.set()
        assert await close_code(silent) == CloseCode.TOO_SLOW


async def test_a_frame_of_many_megabytes_comes_through(served: Served) -> None:
    end = served.end("Large")
    async with served.socket(max_size=None) as socket:
        await shake_hands(socket, end)
        await answer(socket)
        session = await served.home.browsers.wait_connected("Large", timeout_s=PATIENCE_S)
        asking = asyncio.create_task(session.ask("screenshot", {"tab": 1}, timeout_s=PATIENCE_S))
        request = await answer(socket)
        data = "A" * 20_000_000
        await socket.send(json.dumps({"id": request["id"], "result": {"mime": "image/png", "data": data}}))
        assert (await asking)["data"] == data


# --- starting and stopping ------------------------------------------------------------------------


async def test_a_taken_port_is_said_in_words(served: Served) -> None:
    app = create_app(
        served.home.pairings, served.home.browsers, served.home.reception, extension_id=EXTENSION_ID
    )
    with pytest.raises(SetupError, match=rf"Port {served.port} is already taken by .*choose another port"):
        async with serve(app, served.port):
            pass


async def test_it_stops_with_a_browser_connected_and_starts_again_on_the_same_port() -> None:
    home = Home()
    app = create_app(home.pairings, home.browsers, home.reception, extension_id=EXTENSION_ID)
    tasks = asyncio.all_tasks()
    async with serve(app, 0) as port:
        first = Served(home, port)
        socket = await first.socket()
        await shake_hands(socket, first.end())
        await home.browsers.wait_connected(None, timeout_s=PATIENCE_S)
    await socket.wait_closed()
    await asyncio.sleep(0)
    assert home.browsers.connected_names() == []
    assert {task.get_name() for task in asyncio.all_tasks() - tasks} == set()
    async with serve(app, port) as again:
        assert again == port


async def test_the_bots_routers_stand_beside_and_are_guarded() -> None:
    home, router = Home(now=lambda: NOW), APIRouter(prefix="/api")

    @router.get("/ping")
    async def ping() -> str:
        return "pong"

    app = create_app(
        home.pairings, home.browsers, home.reception, extension_id=EXTENSION_ID, routers=[router]
    )
    async with serve(app, 0) as port, httpx.AsyncClient(trust_env=False) as client:
        url = f"http://127.0.0.1:{port}/api/ping"
        assert (await client.get(url)).json() == "pong"
        assert (await client.get(url, headers={"Host": "evil.test"})).status_code == 421


async def test_small_answers_do_not_wait_for_an_acknowledgement() -> None:
    accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def on_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = writer.get_extra_info("socket")
        accepted.set_result(peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    listener = bind(0)
    async with await asyncio.start_server(on_connection, sock=listener):
        _, writer = await asyncio.open_connection(*listener.getsockname())
        assert await accepted != 0
        writer.close()
        await writer.wait_closed()
