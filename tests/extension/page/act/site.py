"""A small site for trying page scripts: pages given as text, and an echo of what reached the server."""

import base64
import http.server
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus


@dataclass(frozen=True)
class Asked:
    """One request as the server saw it."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Reply:
    """What the server answers."""

    body: str | bytes = ""
    status: int = HTTPStatus.OK
    type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)


class Site:
    """Answers by path; remembers what was asked. `url` is its address without a slash at the end."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.asked: list[Asked] = []
        self.answers: dict[str, Reply | Callable[[Asked], Reply]] = {
            "/": Reply("<!doctype html><title>Site</title>")
        }
        self.stopped = threading.Event()

    def page(self, html: str, **headers: str) -> str:
        """Puts a page at /page and gives its address. Header names have _ for -."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers["/page"] = Reply(
            f"<!doctype html><meta charset=utf-8><title>Page</title>{html}", headers=named
        )
        return f"{self.url}/page"

    def writes(self) -> list[Asked]:
        return [asked for asked in self.asked if asked.method not in ("GET", "HEAD")]

    def answer(self, asked: Asked) -> Reply:
        self.asked.append(asked)
        known = self.answers.get(asked.path.split("?")[0])
        if known is None:
            return echo(asked)
        return known if isinstance(known, Reply) else known(asked)


def echo(asked: Asked) -> Reply:
    """The request as JSON: `{method, path, headers (lower case), body (base64)}`."""
    told = {
        "method": asked.method,
        "path": asked.path,
        "headers": {name.lower(): value for name, value in asked.headers.items()},
        "body": base64.b64encode(asked.body).decode(),
    }
    return Reply(json.dumps(told), type="application/json")


def _handler(site: Site) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            pass

        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            reply = site.answer(Asked(self.command, self.path, dict(self.headers.items()), body))
            data = reply.body.encode() if isinstance(reply.body, str) else reply.body
            self.send_response(reply.status)
            for name, value in {
                "Content-Type": reply.type,
                "Cache-Control": "no-store",
                **reply.headers,
            }.items():
                self.send_header(name, value)
            if reply.status not in (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED):
                self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD" and reply.status != HTTPStatus.NO_CONTENT:
                self._send(data)

        def _send(self, data: bytes) -> None:
            try:
                self.wfile.write(data)
            except ConnectionError:
                self.close_connection = True

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = handle_any

    return Handler


@contextmanager
def serve_site() -> Iterator[Site]:
    """A site on a loopback port of the system's choice, until the block ends."""
    site = Site("")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(site)) as server:
        server.daemon_threads = True
        server.block_on_close = False
        site.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield site
        finally:
            site.stopped.set()
            server.shutdown()
            thread.join()
