"""The HTTP of the fake Bot API: as little as the library speaks, and connections that break when told to."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from email.message import Message
from email.parser import BytesParser
from enum import StrEnum
from typing import Any
from urllib.parse import parse_qsl

Form = Mapping[str, Any]
"""The parameters of a call: text, or bytes for an uploaded file."""
Handle = Callable[[str, Form], Awaitable[tuple[int, Any]]]


class Fault(StrEnum):
    CONFLICT = "conflict"
    FLOOD = "flood"
    DROP = "drop"
    STALL = "stall"
    BLOCKED = "blocked"
    BAD_REQUEST = "bad request"
    BAD_GATEWAY = "bad gateway"
    UNAUTHORIZED = "unauthorized"


class Broken(Exception):
    """Raised by a handler for a connection that is to break (DROP) or to go silent (STALL)."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


@asynccontextmanager
async def served(handle: Handle, files: Mapping[str, bytes]) -> AsyncIterator[int]:
    """Serves on a port of the loopback until the block ends; ``files`` by the last part of their path."""
    connections: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        connections.add(task)
        try:
            while True:
                await _exchange(reader, writer, handle, files)
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        except Broken:
            writer.transport.abort()
        finally:
            writer.close()
            connections.discard(task)

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in list(connections):
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)
        await server.wait_closed()


async def _exchange(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, handle: Handle, files: Mapping[str, bytes]
) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    start, _, lines = head.partition(b"\r\n")
    path = start.decode().split(" ")[1]
    headers = BytesParser().parsebytes(lines, headersonly=True)
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    if path.startswith("/file/"):
        _write(writer, 200, files[path.rpartition("/")[2]])
        return
    try:
        status, answer = await handle(path.rpartition("/")[2], _form(headers, lines, body))
    except Broken as broken:
        if broken.fault is Fault.STALL:
            await reader.read()  # silence, until the other side gives up
        raise
    _write(writer, status, json.dumps(answer).encode())
    await writer.drain()


def _write(writer: asyncio.StreamWriter, status: int, content: bytes) -> None:
    writer.write(b"HTTP/1.1 %d Said\r\nContent-Length: %d\r\n\r\n%b" % (status, len(content), content))


def _form(headers: Message, lines: bytes, body: bytes) -> Form:
    if headers.get_content_maintype() != "multipart":
        return dict(parse_qsl(body.decode(), keep_blank_values=True))
    parts: dict[str, Any] = {}
    for part in BytesParser().parsebytes(lines + body).walk():
        if part.is_multipart():
            continue
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        name = str(part.get_param("name", header="content-disposition"))
        parts[name] = content if part.get_filename() else content.decode()
    return _with_uploads(parts)


def _with_uploads(parts: dict[str, Any]) -> Form:
    """``attach://KEY`` names the part that holds the file."""
    attached = {
        name: value.removeprefix("attach://")
        for name, value in parts.items()
        if isinstance(value, str) and value.startswith("attach://")
    }
    named = {name: parts[key] for name, key in attached.items()}
    return {name: value for name, value in parts.items() if name not in attached.values()} | named
