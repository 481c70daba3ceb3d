"""Bodies of requests of every kind, and a server that tells which bytes it got."""

import base64
import json

from fastapi import FastAPI, Request
from fastapi.middleware.cors import CORSMiddleware

BYTES = "Uint8Array.from({ length: 256 }, (_, at) => at)"
BODIES = {
    "a string": "'h\\u00e9llo \\r\\n \\ud55c\\uad6d\\uc5b4 \\u{1f44b}'",
    "an empty string": "''",
    "URL-encoded": "new URLSearchParams([['a', '1 + 1'], ['a', '\\ud55c'], ['b', '']])",
    "JSON": "JSON.stringify({ text: '\\u{1f44b}', list: [1, null, true] })",
    "a form": "form([['text', 'one\\r\\ntwo'], ['text', 'again'], ['\\ud55c \"quoted\"', '']])",
    "a form with files": (
        f"form([['text', 'x'], ['file', new File([{BYTES}], 'a \"b\" \\ud55c.gif', {{ type: 'image/gif' }})],"
        " ['blob', new Blob(['y'])], ['none', new File([], '')]])"
    ),
    "a Blob": f"new Blob([{BYTES}], {{ type: 'image/png' }})",
    "a Blob without a type": "new Blob(['x'])",
    "a File": "new File(['x'], 'a.csv', { type: 'text/csv' })",
    "an ArrayBuffer": f"{BYTES}.buffer",
    "a part of an array": f"{BYTES}.subarray(100, 200)",
}
FORM = """const form = (entries) => entries.reduce((made, [name, value]) => (made.append(name, value), made),
  new FormData());"""
_MAKERS = ", ".join(f"{json.dumps(name)}: () => {made}" for name, made in BODIES.items())
EACH = f"""{FORM} const bodies = {{ {_MAKERS} }};
  const got = {{}};
  for (const [name, make] of Object.entries(bodies)) got[name] = await send(make());
  return got;"""
"""Sends each by ``send(body)``, which gives what the server told; returns that by the names of ``BODIES``."""


def echo_app() -> FastAPI:
    """``POST /echo`` tells content type and body (base64), to pages of other sites too."""
    app = FastAPI()
    app.add_middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["POST"], allow_headers=["*"])

    @app.post("/echo")
    async def echo(request: Request) -> dict[str, str | None]:
        body = base64.b64encode(await request.body()).decode()
        return {"type": request.headers.get("content-type"), "body": body}

    return app


def as_sent(got: dict[str, str]) -> tuple[str | None, bytes]:
    """Content type and body, with the boundary of a multipart body, made anew each time, as ``=``."""
    kind, body = got["type"], base64.b64decode(got["body"])
    _, _, boundary = (kind or "").partition("boundary=")
    if not boundary:
        return kind, body
    return kind.replace(boundary, "="), body.replace(boundary.encode(), b"=")
