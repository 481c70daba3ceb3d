"""The demo site over HTTP: what it takes, what it refuses, and how it misbehaves when told to."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from library.demo.behaviour import Answer, Behaviour
from library.demo.server import serve
from library.demo.site import DemoSite


@pytest.fixture
async def site() -> DemoSite:
    return DemoSite(control=True)


@pytest.fixture
async def client(site: DemoSite) -> AsyncIterator[httpx.AsyncClient]:
    async with serve(site) as url, httpx.AsyncClient(base_url=url, trust_env=False) as client:
        yield client


async def log_in(client: httpx.AsyncClient, user: str = "demo") -> None:
    answer = await client.post("/login", data={"username": user, "password": f"{user}-pass-1"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    await client.get("/")


async def post(client: httpx.AsyncClient, text: str, *, token: str | None = None) -> httpx.Response:
    given = client.cookies["_csrf"] if token is None else token
    return await client.post("/api/posts", json={"text": text}, headers={"X-CSRF-Token": given})


async def test_nothing_is_shown_to_whoever_is_not_logged_in(client: httpx.AsyncClient) -> None:
    assert (await client.get("/")).headers["location"] == "/login"
    assert (await client.get("/api/posts")).status_code == 401
    assert (await client.post("/api/posts", json={"text": "x"})).status_code == 401


async def test_a_wrong_password_is_told_on_the_form(client: httpx.AsyncClient) -> None:
    answer = await client.post("/login", data={"username": "demo", "password": "wrong"})
    assert answer.status_code == 401
    assert 'role="alert"' in answer.text


async def test_a_post_is_stored_and_shown(client: httpx.AsyncClient, site: DemoSite) -> None:
    await log_in(client)
    answer = await post(client, "Hello")
    assert (answer.status_code, answer.json()["url"]) == (201, "/p/1")
    assert [stored.text for stored in site.posts] == ["Hello"]
    assert [shown["text"] for shown in (await client.get("/api/posts")).json()["posts"]] == ["Hello"]


async def test_every_write_needs_the_newest_token(client: httpx.AsyncClient, site: DemoSite) -> None:
    await log_in(client)
    old = client.cookies["_csrf"]
    await post(client, "one")
    for token in (old, "", "guessed"):
        answer = await post(client, "two", token=token)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "TOKEN")
    assert (await post(client, "two")).status_code == 201
    assert [stored.text for stored in site.posts] == ["one", "two"]


@pytest.mark.parametrize("body", [{"text": ""}, {"text": " \n "}, {"text": "x" * 281}, {}, {"text": 1}, []])
async def test_what_is_no_post_is_refused(client: httpx.AsyncClient, site: DemoSite, body: object) -> None:
    await log_in(client)
    answer = await client.post("/api/posts", json=body, headers={"X-CSRF-Token": client.cookies["_csrf"]})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "TEXT")
    assert site.posts == []


async def test_only_its_author_deletes_a_post_and_the_log_keeps_it(
    client: httpx.AsyncClient, site: DemoSite
) -> None:
    await log_in(client, "second")
    await post(client, "mine")
    await log_in(client, "demo")
    headers = {"X-CSRF-Token": client.cookies["_csrf"]}
    assert (await client.delete("/api/posts/1", headers=headers)).status_code == 403
    await log_in(client, "second")
    answer = await client.delete("/api/posts/1", headers={"X-CSRF-Token": client.cookies["_csrf"]})
    assert answer.status_code == 204
    assert (site.visible, [stored.text for stored in site.posts]) == ([], ["mine"])
    assert (await client.get("/api/posts/1")).status_code == 404


@pytest.mark.parametrize(
    ("answer", "status", "stored"),
    [(Answer.FAIL, 500, 0), (Answer.FAIL_AFTER, 500, 1), (Answer.REFUSE_WITH_200, 200, 0)],
)
async def test_it_misbehaves_as_often_as_told(
    client: httpx.AsyncClient, site: DemoSite, answer: Answer, status: int, stored: int
) -> None:
    await log_in(client)
    site.behaviour = Behaviour(answer=answer, times=1)
    refused = await post(client, "one")
    assert refused.status_code == status
    assert "error" in refused.json()
    assert len(site.posts) == stored
    assert (await post(client, "two")).status_code == 201


async def test_a_dropped_connection_gives_no_answer_although_the_post_is_stored(
    client: httpx.AsyncClient, site: DemoSite
) -> None:
    await log_in(client)
    site.behaviour = Behaviour(answer=Answer.DROP)
    with pytest.raises(httpx.TransportError):
        await post(client, "one")
    assert len(site.posts) == 1


async def test_the_switch_is_turned_by_programs_and_not_by_pages(
    client: httpx.AsyncClient, site: DemoSite
) -> None:
    answer = await client.post("/control", json={"answer": "fail", "delay_ms": 5})
    assert answer.json() == {"answer": "fail", "delay_ms": 5, "times": None}
    assert site.behaviour == Behaviour(answer=Answer.FAIL, delay_ms=5)
    refused = await client.post("/control", json={}, headers={"Origin": "https://evil.test"})
    assert refused.status_code == 403
    assert (await client.post("/control", json={"answer": "explode"})).status_code == 422


async def test_there_is_no_switch_unless_it_is_wanted() -> None:
    async with serve(DemoSite()) as url, httpx.AsyncClient(base_url=url, trust_env=False) as client:
        assert (await client.post("/control", json={})).status_code == 404


async def test_every_answer_carries_the_strict_policy(client: httpx.AsyncClient) -> None:
    for path in ("/login", "/api/posts", "/static/app.js"):
        policy = (await client.get(path)).headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "require-trusted-types-for 'script'" in policy


async def test_a_file_keeps_the_posts_over_a_restart(tmp_path: Path) -> None:
    data = tmp_path / "posts.jsonl"
    async with serve(DemoSite(data)) as url, httpx.AsyncClient(base_url=url, trust_env=False) as client:
        await log_in(client)
        await post(client, "one")
        await post(client, "two")
        await client.delete("/api/posts/1", headers={"X-CSRF-Token": client.cookies["_csrf"]})
    again = DemoSite(data)
    assert [stored.text for stored in again.posts] == ["one", "two"]
    assert [shown.text for shown in again.visible] == ["two"]
    events = [json.loads(line)["event"] for line in data.read_text("utf-8").splitlines()]
    assert events == ["posted", "posted", "deleted"]
