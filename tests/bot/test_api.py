"""The loopback API as a script meets it: on a real server, with a fake browser behind it."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.bot.cli.commands import Up, open_up
from tests.fakes_browser import page_that_shows, request_made, run_reply

Json = dict[str, Any]
POST = {"name": "create-post", "arguments": {"text": "x"}, "proof": "never"}
SEND = """/*---
name: send-report
version: 1.0.0
sites: ["http://127.0.0.1/*"]
params: {file: {format: file}}
effect: read
---*/
await tab.upload({ label: "Report" }, file);
"""


@pytest.fixture(scope="module")
async def up(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Up]:
    async with open_up(tmp_path_factory.mktemp("home")) as up:
        up.extension.replies |= {
            "run": run_reply(value={"url": "/p/1"}, requests=[request_made()]),
            "finish": page_that_shows("x"),
        }
        yield up


@pytest.fixture
async def api(up: Up) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"Authorization": f"Bearer {up.app.address.token}"}
    base = f"http://127.0.0.1:{up.app.port}"
    async with httpx.AsyncClient(base_url=base, headers=headers, trust_env=False, timeout=30) as client:
        yield client


async def lines(api: httpx.AsyncClient, path: str, ask: Json, **headers: str) -> list[Json]:
    answer = await api.post(path, json=ask, headers=headers)
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


@pytest.mark.parametrize("authorization", [None, "", "Bearer", "Bearer wrong", "Basic x", "bearer"])
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/status"),
        ("GET", "/api/runs/r1"),
        ("POST", "/api/runs"),
        ("POST", "/api/chat"),
        ("POST", "/api/open"),
        ("POST", "/api/codes/pair"),
        ("POST", "/api/codes/invite"),
        ("POST", "/api/runs/cancel"),
    ],
)
async def test_nothing_is_answered_without_the_token(
    up: Up, method: str, path: str, authorization: str | None
) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}
    async with httpx.AsyncClient(trust_env=False) as stranger:
        answer = await stranger.request(method, f"http://127.0.0.1:{up.app.port}{path}", headers=headers)
    assert answer.status_code == 401
    assert "data folder" in answer.json()["detail"]


async def test_a_web_page_is_refused_even_with_the_token(api: httpx.AsyncClient) -> None:
    assert (await api.get("/api/status", headers={"Origin": "http://evil.test"})).status_code == 403
    assert (await api.get("/api/status", headers={"Host": "evil.test"})).status_code == 421


async def test_the_status_names_browsers_and_channels(api: httpx.AsyncClient) -> None:
    status = (await api.get("/api/status")).json()
    assert [(one["name"], one["connected"]) for one in status["browsers"]] == [("Chrome", True)]
    assert (status["running"], status["telegram"]) == ([], "off")


async def test_a_run_ends_its_stream_and_can_be_read_again(api: httpx.AsyncClient) -> None:
    *before, last = await lines(api, "/api/runs", POST)
    assert all("progress" in line for line in before)
    run = last["run"]
    assert (run["status"], run["call"]["asked_by"], run["evidence"]["value"]) == (
        "done",
        "owner",
        {"url": "/p/1"},
    )
    assert (await api.get(f"/api/runs/{run['id']}")).json()["verdict"] == run["verdict"]


async def test_an_idempotency_key_runs_once_also_at_the_same_time(api: httpx.AsyncClient, up: Up) -> None:
    asked = up.extension.methods().count("run")
    headers = {"Idempotency-Key": "k1"}
    answers = await asyncio.gather(*(lines(api, "/api/runs", POST, **headers) for _ in range(3)))
    assert len({answer[-1]["run"]["id"] for answer in answers}) == 1
    assert up.extension.methods().count("run") == asked + 1
    other = await lines(api, "/api/runs", POST)
    assert other[-1]["run"]["id"] != answers[0][-1]["run"]["id"]


@pytest.mark.parametrize(
    ("ask", "code", "part"),
    [
        ({}, "ASK", "either the name of a subroutine or a file's text"),
        ({"name": "create-post", "source": "x"}, "ASK", "not both"),
        ({"name": "create-pots"}, "UNKNOWN_NAME", 'Did you mean "create-post"'),
        ({"name": "create-post", "words": ["txt=x"]}, "BAD_ARGUMENT", 'Did you mean "text"'),
        ({"name": "create-post", "arguments": {"text": 5}}, "BAD_ARGUMENT", "text"),
        ({"source": "nothing"}, "SUBROUTINE", "line 1"),
        ({"source": SEND, "words": ["file=../report.pdf"]}, "BAD_ARGUMENT", 'the folder "files" of the data'),
        ({"source": SEND, "words": ["file=report.pdf"]}, "UNKNOWN_NAME", 'Put it into the folder "files"'),
    ],
)
async def test_an_ask_that_does_not_fit_is_an_error_in_the_stream(
    api: httpx.AsyncClient, ask: Json, code: str, part: str
) -> None:
    [line] = await lines(api, "/api/runs", ask)
    assert line["error"]["code"] == code
    assert part in line["error"]["message"]


async def test_an_unknown_key_is_refused_not_ignored(api: httpx.AsyncClient) -> None:
    answer = await api.post("/api/runs", json=POST | {"browsr": "x"})
    assert answer.status_code == 422
    assert "browsr" in answer.text


async def test_a_run_that_is_unknown_is_said(api: httpx.AsyncClient) -> None:
    error = (await api.get("/api/runs/rnothing")).json()["error"]
    assert error["code"] == "UNKNOWN_NAME"


async def test_a_reader_that_goes_away_does_not_end_the_run(api: httpx.AsyncClient, up: Up) -> None:
    reply = up.extension.replies["run"]
    times = up.extension.methods().count("run") + 1

    async def leave() -> None:
        async with api.stream("POST", "/api/runs", json=POST, headers={"Idempotency-Key": "k2"}):
            await up.extension.was_asked("run", times=times)

    up.extension.replies["run"] = lambda _: None
    try:
        async with asyncio.timeout(10):
            await leave()
    finally:
        up.extension.replies["run"] = reply
    [unfinished] = (await api.get("/api/status")).json()["running"]
    cancelled = await api.post("/api/runs/cancel", headers={"Idempotency-Key": "k2"})
    assert cancelled.json() == {"cancelled": True}
    run = (await api.get(f"/api/runs/{unfinished}")).json()
    assert run["call"]["claim"] == "api:k2"
    assert (await api.post("/api/runs/cancel", headers={"Idempotency-Key": "no"})).json() == {
        "cancelled": False
    }


async def test_a_chat_is_answered_message_by_message(api: httpx.AsyncClient) -> None:
    answer = await lines(api, "/api/chat", {"text": "/library", "chat": "c"})
    assert [next(iter(line)) for line in answer] == ["send"]
    sent = answer[0]["send"]
    assert set(sent) == {"id", "text", "buttons", "photo", "file"}
    assert "create-post" in sent["text"]


async def test_a_page_is_opened_in_the_group(api: httpx.AsyncClient, up: Up) -> None:
    tab = {"id": 7, "url": "http://127.0.0.1:1/", "title": "T", "busy": False}
    up.extension.replies["open"] = {"tab": tab}
    assert (await api.post("/api/open", json={"url": "http://127.0.0.1:1/"})).json() == {"tab": tab}
    error = (await api.post("/api/open", json={"url": "x", "browser": "Chrom"})).json()["error"]
    assert 'Did you mean "Chrome"' in error["message"]


async def test_the_codes_are_for_one_use_and_some_minutes(api: httpx.AsyncClient, up: Up) -> None:
    code = (await api.post("/api/codes/pair")).json()
    assert (len(code["code"]), code["minutes"]) == (8, 10)
    assert up.app.pairings.redeem(code["code"], "Other").name == "Other"
    await up.app.browsers.unpair("Other")
    assert (await api.post("/api/codes/invite")).json()["minutes"] > 0
