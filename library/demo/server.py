"""Serves the demo site on the loopback: within an event loop for tests, or as the whole process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

import uvicorn

from library.demo.site import DemoSite

HOST = "127.0.0.1"
_POLL_S = 0.005


@asynccontextmanager
async def serve(site: DemoSite, *, port: int = 0) -> AsyncIterator[str]:
    """The site's address (``http://127.0.0.1:41234``) while the block runs; port 0 lets the system choose."""
    server = uvicorn.Server(_config(site, port))
    running = asyncio.create_task(_run(server))
    try:
        while not server.started:
            if running.done():
                running.result()
            await asyncio.sleep(_POLL_S)
        (socket, *_) = server.servers[0].sockets
        yield f"http://{HOST}:{cast('int', socket.getsockname()[1])}"
    finally:
        server.should_exit = server.force_exit = True
        await running


def run(site: DemoSite, *, port: int) -> None:
    """Serves until the process is told to stop."""
    uvicorn.Server(_config(site, port)).run()


async def _run(server: uvicorn.Server) -> None:
    """uvicorn ends the process when a port is taken; as a part of a process it may not."""
    try:
        await server.serve()
    except SystemExit as error:
        raise OSError("the demo site could not be served; is its port taken?") from error


def _config(site: DemoSite, port: int) -> uvicorn.Config:
    return uvicorn.Config(
        site.app, host=HOST, port=port, log_level="warning", lifespan="off", timeout_graceful_shutdown=1
    )
