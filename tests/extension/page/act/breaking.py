"""A site whose connections break when a write has been taken: what a browser then sends again, it refuses."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.extension.page.act.site import Asked

LINGER_NOT = struct.pack("ii", 1, 0)
"""Closing sends a reset instead of an end."""


class BreakingSite:
    """Takes a write that has the right token, makes another token, and breaks the connection unanswered."""

    def __init__(self, place: str) -> None:
        self.url = ""
        self.place = place
        """Where its page has the token: ``meta`` or ``cookie``."""
        self.taken: list[bytes] = []
        self.refused: list[bytes] = []

    @property
    def token(self) -> str:
        return f"t{len(self.taken)}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                asked = await _read(reader)
                if asked.method == "POST" and asked.headers.get("x-csrf-token") == self.token:
                    self.taken.append(asked.body)
                    return _reset(writer)
                writer.write(self._answer(asked))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    def _answer(self, asked: Asked) -> bytes:
        if asked.method == "POST":
            self.refused.append(asked.body)
            return _http("403 Forbidden", "CSRF token mismatch", self._cookie())
        tag = f'<meta name="csrf-token" content="{self.token}">' if self.place == "meta" else ""
        return _http("200 OK", f"<!doctype html><title>Site</title>{tag}", self._cookie())

    def _cookie(self) -> str:
        return f"Set-Cookie: _csrf={self.token}\r\n" if self.place == "cookie" else ""


async def _read(reader: asyncio.StreamReader) -> Asked:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    method, path, _ = first.split(" ")
    return Asked(method, path, headers, await reader.readexactly(int(headers.get("content-length", 0))))


def _http(status: str, html: str, headers: str) -> bytes:
    body = html.encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n{headers}\r\n"
    return head.encode() + body


def _reset(writer: asyncio.StreamWriter) -> None:
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NOT)
    writer.transport.abort()


@asynccontextmanager
async def serve_breaking(place: str) -> AsyncIterator[BreakingSite]:
    site = BreakingSite(place)
    server = await asyncio.start_server(site.serve, "127.0.0.1", 0)
    site.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    async with server:
        yield site
        server.close()
