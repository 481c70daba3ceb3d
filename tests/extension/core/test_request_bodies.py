"""The same expression as a body of tab.request and of the page's fetch: the server gets the same bytes."""

import base64
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastapi import FastAPI, Request

from tests.extension.harness import ExtensionBrowser, ScriptedRelay, site

pytestmark = pytest.mark.browser

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


@pytest.fixture(scope="module")
async def echo() -> AsyncIterator[str]:
    app = FastAPI()

    @app.post("/echo")
    async def echo(request: Request) -> dict[str, str | None]:
        body = base64.b64encode(await request.body()).decode()
        return {"type": request.headers.get("content-type"), "body": body}

    async with site({"/": "<title>Echo</title>"}, app) as origin:
        yield origin


async def test_every_kind_of_body_arrives_as_the_page_s_own_fetch_would_send_it(
    relay: ScriptedRelay, browser: ExtensionBrowser, echo: str
) -> None:
    bodies = ", ".join(f"{json.dumps(name)}: () => {made}" for name, made in BODIES.items())
    each = f"""{FORM} const bodies = {{ {bodies} }}; const got = {{}};
        for (const [name, make] of Object.entries(bodies)) got[name] = await send(make()); return got;"""
    ours = await relay.run(
        f"const send = (body) => tab.requestJson('/echo', {{ method: 'POST', body }}); {each}",
        sites=[f"{echo}/*"],
        start=f"{echo}/",
        requests=[f"POST {echo}/echo"],
    )
    assert ours["outcome"] == "returned", ours["error"]
    [page] = [page for page in browser.context.pages if page.url == f"{echo}/"]
    fetch = "async (body) => (await fetch('/echo', { method: 'POST', body })).json()"
    theirs: dict[str, Any] = await page.evaluate(f"async () => {{ const send = {fetch}; {each} }}")
    assert {name: as_sent(got) for name, got in ours["value"].items()} == {
        name: as_sent(got) for name, got in theirs.items()
    }
    assert len(theirs) == len(BODIES)


def as_sent(got: dict[str, str]) -> tuple[str | None, bytes]:
    """Content type and body, with the boundary of a multipart body, made anew each time, as ``=``."""
    kind, body = got["type"], base64.b64decode(got["body"])
    _, _, boundary = (kind or "").partition("boundary=")
    if not boundary:
        return kind, body
    return kind.replace(boundary, "="), body.replace(boundary.encode(), b"=")
