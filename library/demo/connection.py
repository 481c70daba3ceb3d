"""Dropping a connection without an answer, which HTTP frameworks rightly do not offer. For the demo only."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

_KEY = "runhome.transport"


class WithTransport:
    """Outermost ASGI layer: keeps uvicorn's transport in the scope, where ``drop`` finds it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope[_KEY] = getattr(getattr(send, "__self__", None), "transport", None)
        await self._app(scope, receive, send)


async def drop(request: Request) -> Response:
    """Ends the connection; the response it gives is never sent, because nobody is there any more."""
    transport = request.scope[_KEY]
    if not isinstance(transport, asyncio.Transport):
        raise TypeError("only a server with a transport can drop a connection; this one is not uvicorn")
    transport.abort()
    while (await request.receive())["type"] != "http.disconnect":
        pass
    return Response(status_code=500)
