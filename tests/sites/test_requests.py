"""Requests to real programs: they take what tab.request sends, with the token that each of them wants."""

import secrets

import httpx
import pytest

from library.models import Outcome, Status
from library.subroutine_file import parse
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
