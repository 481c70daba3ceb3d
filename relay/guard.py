"""Turns away every request that is not meant for this loopback server, before any application code sees it.

A web page in the same browser reaches 127.0.0.1 too: by name (DNS rebinding shows in ``Host``) or across
origins (shows in ``Origin``). Plain ASGI, for HTTP and WebSocket alike.
"""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MISDIRECTED = 421
FORBIDDEN = 403


class LoopbackOnly:
    """``extension_id`` is the one extension whose pages may ask across origins.

    ``public_host`` may ask for what begins with one of ``public_paths``: what a tunnel or proxy brings.
    """

    def __init__(
        self, app: App, *, extension_id: str, public_host: str = "", public_paths: tuple[str, ...] = ()
    ) -> None:
        self._app = app
        self._public_host = public_host.lower()
        self._public_paths = public_paths
        self._extension_origin = f"chrome-extension://{extension_id}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            await _refuse(scope["type"], *refusal, send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        port = scope["server"][1]
        hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        host = _only(scope, b"host")
        if host is not None and self._is_public(host.lower(), scope["path"]):
            return None
        if host is None or host.lower() not in hosts:
            return MISDIRECTED, f"This server answers to 127.0.0.1:{port} only."
        if not any(name == b"origin" for name, _ in scope["headers"]):
            return None
        origin = _only(scope, b"origin")
        if origin == self._extension_origin or origin == f"http://{host.lower()}":
            return None
        return FORBIDDEN, "This server answers to the Runhome extension and to its own pages only."

    def _is_public(self, host: str, path: str) -> bool:
        return bool(self._public_host) and host == self._public_host and path.startswith(self._public_paths)


def _only(scope: Scope, name: bytes) -> str | None:
    """The header's value; None when it is missing, or there more than once, or not ASCII."""
    values = [value for key, value in scope["headers"] if key == name]
    if len(values) != 1 or not values[0].isascii():
        return None
    return str(values[0].decode("ascii"))


async def _refuse(kind: str, status: int, message: str, send: Send) -> None:
    body = json.dumps({"error": {"code": "NOT_FOR_YOU", "message": message}}).encode()
    prefix = "websocket.http" if kind == "websocket" else "http"
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": f"{prefix}.response.start", "status": status, "headers": headers})
    await send({"type": f"{prefix}.response.body", "body": body, "more_body": False})
