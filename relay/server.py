"""The one loopback server: pairing, health, the extension's socket, and whatever routers the bot mounts.

The only module that knows FastAPI and uvicorn on this side; import it only where a server is really started.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from socket import socket
from urllib.parse import urlsplit

import uvicorn
from fastapi import APIRouter, FastAPI, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from library.errors import PairingRefused
from relay.browsers import Browsers
from relay.guard import LoopbackOnly
from relay.listening import HOST, bind
from relay.messages import LARGEST_FRAME
from relay.pairing import Pairings
from relay.reception import Reception

log = logging.getLogger(__name__)

SHUTDOWN_S = 3


class PairRequest(BaseModel):
    code: str = Field(max_length=32)
    browser_name: str = Field("Browser", max_length=200)


def create_app(
    pairings: Pairings,
    browsers: Browsers,
    reception: Reception,
    *,
    extension_id: str,
    name: str = "home",
    version: str = "",
    routers: Sequence[APIRouter] = (),
    public_url: str = "",
    public_paths: Sequence[str] = (),
) -> FastAPI:
    """The application. ``name`` is what the extension shows as the machine it is paired with.

    ``public_url`` is where a tunnel or proxy reaches ``public_paths`` (prefixes) from outside, no others.
    """
    app = FastAPI(title="Runhome", version=version, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_exception_handler(PairingRefused, _pairing_refused)
    app.add_middleware(
        LoopbackOnly,
        extension_id=extension_id,
        public_host=urlsplit(public_url).netloc,
        public_paths=tuple(public_paths),
    )
    app.include_router(_pairing_routes(pairings, name=name))
    app.include_router(_browser_routes(browsers, reception, version=version))
    for router in routers:
        app.include_router(router)
    return app


def _pairing_routes(pairings: Pairings, *, name: str) -> APIRouter:
    router = APIRouter()

    @router.post("/pair")
    async def pair(asked: PairRequest) -> dict[str, str]:
        pairing = pairings.redeem(asked.code, asked.browser_name)
        log.info("paired a browser as %s", pairing.name)
        return {"browser": pairing.browser, "key": pairing.key.hex(), "name": name}

    return router


def _browser_routes(browsers: Browsers, reception: Reception, *, version: str) -> APIRouter:
    router = APIRouter()

    @router.get("/health")
    async def health() -> dict[str, object]:
        return {"version": version, "browsers": browsers.connected_names()}

    @router.websocket("/extension")
    async def extension(websocket: WebSocket) -> None:
        await websocket.accept()
        await reception.receive(_Socket(websocket))

    return router


async def _pairing_refused(_: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"error": {"code": PairingRefused.code, "message": str(error)}}, status_code=403)


class _Socket:
    """A WebSocket as a session wants it: text frames, and no exceptions of the library."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket

    async def send(self, text: str) -> None:
        try:
            await self._websocket.send_text(text)
        except (WebSocketDisconnect, RuntimeError) as error:
            # Starlette raises RuntimeError for a send after the close.
            raise ConnectionError("the socket has ended") from error

    async def receive(self) -> str | None:
        if self._websocket.client_state.name != "CONNECTED":
            return None
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            return None
        text: str | None = message.get("text")
        # The wire is text only. An empty frame is a malformed one, and the protocol says so.
        return text if text is not None else ""

    async def close(self, code: int, reason: str) -> None:
        # RFC 6455 allows 123 bytes of reason.
        short = reason.encode()[:123].decode(errors="ignore")
        try:
            await self._websocket.close(code, short)
        except (WebSocketDisconnect, RuntimeError) as error:
            raise ConnectionError("the socket has ended") from error


class _Server(uvicorn.Server):
    """uvicorn, but signals stay with the program, and ``ready`` says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
        return nullcontext()

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


@asynccontextmanager
async def serve(app: FastAPI, port: int) -> AsyncIterator[int]:
    """Serves on 127.0.0.1 while the block runs; yields the port (0 takes a free one).

    Raises SetupError when the port is taken, before anything else happens.
    """
    listener = bind(port)
    server = _Server(_config(app))
    task = asyncio.create_task(server.serve(sockets=[listener]), name="relay server")
    ready = asyncio.create_task(server.ready.wait())
    try:
        await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
        yield listener.getsockname()[1]
    finally:
        ready.cancel()
        server.should_exit = True
        await task
        listener.close()


def _config(app: FastAPI) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        host=HOST,
        http="h11",
        ws="websockets-sansio",  # The other implementation stands on an interface that websockets deprecates.
        ws_max_size=LARGEST_FRAME,
        ws_ping_interval=None,  # A browser busy with a page for half a minute is not a dead one.
        ws_per_message_deflate=False,  # Compressing for the loopback costs more than it saves.
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_S,
    )
