"""Requests to real programs: they take what tab.request sends, with the token that each of them wants."""

import secrets
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from library.models import Outcome, Status
from library.subroutine_file import parse
from tests.extension.harness import site
from tests.extension.request_bodies import BODIES, EACH, as_sent, echo_app
from tests.sites.home import Home

pytestmark = [pytest.mark.sites, pytest.mark.browser, pytest.mark.timeout(600)]

UPLOAD = """/*---
name: upload-media
version: 1.0.0
sites: ["{site}/*"]
start: {site}/wp-admin/post-new.php
params:
  name: {{type: string}}
effect: write
csrf: wpApiSettings.nonce
permissions:
  requests: ["POST {site}/wp-json/wp/v2/media"]
expect:
  - request: POST /wp-json/wp/v2/media
    status: 201
---*/
const pixel = "R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==";
const bytes = Uint8Array.from(atob(pixel), (letter) => letter.charCodeAt(0));
const form = new FormData();
form.append("title", `Titled ${{name}} 안녕`);
form.append("file", new File([bytes], `${{name}}.gif`, {{ type: "image/gif" }}));
const media = await tab.requestJson("/wp-json/wp/v2/media", {{ method: "POST", body: form }});
return {{ source: media.source_url, title: media.title.rendered }};
"""

NOTE = """/*---
name: write-note
version: 1.0.0
sites: ["{site}/*"]
start: {site}/lab
params:
  name: {{type: string}}
  text: {{type: string}}
effect: write
permissions:
  requests: ["PUT {site}/api/contents/*", "GET {site}/api/contents/*", "DELETE {site}/api/contents/*"]
expect:
  - request: PUT /api/contents/*
    status: 201
---*/
const place = `/api/contents/${{name}}.md`;
await tab.requestJson(place, {{ method: "PUT", json: {{ type: "file", format: "text", content: text }} }});
const note = await tab.requestJson(`${{place}}?content=1`);
await tab.requestJson(place, {{ method: "DELETE" }});
return {{ content: note.content }};
"""


async def play(home: Home, source: str, site: str, **values: str) -> dict[str, object]:
    outcome: Outcome = await home.run(parse(source.format(site=site)), dict(values))
    assert outcome.verdict.status is Status.DONE, outcome
    assert isinstance(outcome.evidence.value, dict)
    return dict(outcome.evidence.value)


async def test_wordpress_takes_a_file_as_multipart(wordpress: httpx.AsyncClient, at_home: Home) -> None:
    name = f"pixel{secrets.token_hex(4)}"
    media = await play(at_home, UPLOAD, str(wordpress.base_url).rstrip("/"), name=name)
    assert media["title"] == f"Titled {name} 안녕"
    got = await wordpress.get(str(media["source"]))
    assert got.headers["content-type"] == "image/gif"
    assert got.content.startswith(b"GIF89a")


async def test_jupyterlab_takes_a_note_with_its_token_from_the_cookie(jupyterlab: str, at_home: Home) -> None:
    text = "One\n\n**two** 안녕 👋\n"
    note = await play(at_home, NOTE, jupyterlab, name=f"note{secrets.token_hex(4)}", text=text)
    assert note["content"] == text


ECHO = """/*---
name: send-every-body
version: 1.0.0
sites: ["{site}/*"]
start: {start}
effect: write
permissions:
  requests: ["POST {echo}/echo"]
expect:
  - request: POST {echo}/echo
    status: 200
---*/
const send = (body) => tab.requestJson("{echo}/echo", {{ method: "POST", body }});
{each}
"""


@pytest.fixture(scope="module")
async def echo() -> AsyncIterator[str]:
    async with site({"/": "<title>Echo</title>"}, echo_app()) as origin:
        yield origin


async def test_every_kind_of_body_leaves_real_pages_as_a_plain_fetch_would_send_it(
    wordpress: httpx.AsyncClient, misago: httpx.AsyncClient, jupyterlab: str, at_home: Home, echo: str
) -> None:
    page = await at_home.page()
    await page.goto(f"{echo}/")
    fetch = "async (body) => (await fetch('/echo', { method: 'POST', body })).json()"
    theirs = sent(await page.evaluate(f"async () => {{ const send = {fetch}; {EACH} }}"))
    await page.close()
    assert theirs.keys() == BODIES.keys()
    for program, path in ((wordpress, "/wp-admin/post-new.php"), (misago, "/"), (jupyterlab, "/lab")):
        at = str(program if isinstance(program, str) else program.base_url).rstrip("/")
        outcome = await at_home.run(parse(ECHO.format(site=at, start=at + path, echo=echo, each=EACH)), {})
        assert outcome.verdict.status is Status.DONE, outcome
        assert sent(outcome.evidence.value) == theirs, at


def sent(told: Any) -> dict[str, tuple[str | None, bytes]]:
    return {kind: as_sent(got) for kind, got in told.items()}
