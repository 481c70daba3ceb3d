"""The sites that journeys go to, each with a log of what it was asked: the demo site, and small pages."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from fastapi import FastAPI, Request, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from library.catalog import BUILT_IN
from library.demo.server import serve as serve_demo
from library.demo.site import DemoSite
from relay.server import serve

BUILT_IN_PORT = "8765"
"""The one that the built-in demo subroutines name."""

PAGES = {
    "/": "<title>Start</title><h1>Start</h1><a href='/next'>Go on</a>",
    "/next": "<title>Next</title><h1>Next</h1><button>There</button>",
    "/twins": "<title>Twins</title><form aria-label='One'><button>Save</button></form>"
    "<form aria-label='Two'><button>Save</button></form>",
    "/green": "<title>Green</title><style>body { background: rgb(10, 200, 90) }</style><h1>Green</h1>"
    "<button onclick=\"document.querySelector('p').textContent = 'Pressed.'\">Press</button><p></p>",
    "/upload": "<title>Upload</title><input type=file aria-label=Report accept='.pdf'><p></p><script>"
    "document.querySelector('input').onchange = async ({ target: { files: [file] } }) => {"
    "const bytes = new Uint8Array(await file.arrayBuffer());"
    "const sum = bytes.reduce((all, byte) => all + byte, 0);"
    "document.querySelector('p').textContent ="
    "`${file.name}: ${file.type}, ${file.size} bytes, sum ${sum}`; }</script>",
}


class Log:
    """An ASGI layer that keeps ``METHOD /path`` of every request of ``app``, in order."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.lines: list[str] = []
        self._changed = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            self.lines.append(f"{scope['method']} {scope['path']}")
            self._changed.set()
        await self._app(scope, receive, send)

    async def until(self, line: str) -> None:
        """Waits until it was asked for this; the caller bounds it."""
        while line not in self.lines:
            await self.changed()

    async def changed(self) -> None:
        """Waits until it was asked for anything more."""
        self._changed.clear()
        await self._changed.wait()

    def count(self, line: str) -> int:
        return self.lines.count(line)


@dataclass
class Demo:
    """The demo site, served."""

    site: DemoSite
    origin: str
    log: Log

    @property
    def texts(self) -> list[str]:
        """What was ever stored, the oldest first."""
        return [post.text for post in self.site.posts]

    def built_in(self, name: str, prefix: str, timeout: str = "30s") -> str:
        """A built-in demo subroutine for the port of this site, named ``prefix/name``."""
        text = (BUILT_IN / "demo" / f"{name}.js").read_text()
        assert BUILT_IN_PORT in text
        text = text.replace(f"name: {name}\n", f"name: {prefix}/{name}\n", 1)
        text = text.replace("timeout: 30s", f"timeout: {timeout}", 1)
        return text.replace(f"http://127.0.0.1:{BUILT_IN_PORT}", self.origin)


@asynccontextmanager
async def demo_site() -> AsyncIterator[Demo]:
    site = DemoSite()
    log = Log(site.app)
    site.app = log
    async with serve_demo(site) as origin:
        yield Demo(site, origin, log)


@dataclass
class Pages:
    """Small pages; ``asked`` is every request that came."""

    origin: str
    log: Log
    anywhere: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.anywhere = [f"{self.origin}/*"]

    def at(self, path: str) -> str:
        return self.origin + path


@asynccontextmanager
async def pages_site() -> AsyncIterator[Pages]:
    app = FastAPI()
    log = Log(app)

    @app.get("/{path:path}")
    async def page(path: str, request: Request) -> Response:
        html = PAGES.get(f"/{path}")
        return Response(html or "<title>No page</title>", 200 if html else 404, media_type="text/html")

    # relay.server.serve asks for an application of FastAPI, and uvicorn for any.
    async with serve(log, 0) as port:  # type: ignore[arg-type]
        yield Pages(f"http://127.0.0.1:{port}", log)


@dataclass
class Control:
    """A server that nothing may reach; ``connections`` is how many did."""

    port: int = 0
    connections: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


@asynccontextmanager
async def control_server() -> AsyncIterator[Control]:
    control = Control()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        control.connections += 1
        writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    control.port = server.sockets[0].getsockname()[1]
    async with server:
        yield control
