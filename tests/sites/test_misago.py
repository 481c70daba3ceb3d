"""The built-in Misago subroutines on a real Misago forum, and what the forum itself says afterwards."""

import secrets

import httpx
import pytest
from pydantic import JsonValue

from library.catalog import Catalog
from library.models import Status
from tests.sites.home import Home

pytestmark = [pytest.mark.sites, pytest.mark.browser, pytest.mark.timeout(600)]


async def threads(site: httpx.AsyncClient, word: str) -> list[int]:
    """Numbers of the threads with this word in their title, among the latest."""
    answer = await site.get("/api/threads/", params={"category": "", "list": "all"})
    return [thread["id"] for thread in answer.raise_for_status().json()["results"] if word in thread["title"]]


async def posts(site: httpx.AsyncClient, thread: int) -> list[str]:
    """HTML of the posts on the first page of a thread."""
    answer = await site.get(f"/api/threads/{thread}/posts/")
    return [post["content"] for post in answer.raise_for_status().json()["post_set"]["results"]]


async def test_a_thread_is_started_once_and_answered_once(
    misago: httpx.AsyncClient, at_home: Home, catalog: Catalog
) -> None:
    word = f"word{secrets.token_hex(4)}"
    asked = {"title": f"About {word}", "text": "The *first* post, 안녕 👋", "category": "first CATEGORY"}
    started = await at_home.run(catalog.get("misago/create-thread"), asked)
    assert started.verdict.status is Status.DONE, started
    (thread,) = await threads(misago, word)
    assert started.evidence.value == {"thread": thread, "url": f"/t/about-{word}/{thread}/"}

    reply_asked: dict[str, JsonValue] = {"thread": thread, "text": f"A reply with {word} in it"}
    replied = await at_home.run(catalog.get("misago/reply"), reply_asked)
    assert replied.verdict.status is Status.DONE, replied
    first, reply = await posts(misago, thread)
    assert "<em>first</em> post, 안녕 👋" in first
    assert reply == f"<p>A reply with {word} in it</p>"


async def test_a_category_that_does_not_exist_is_answered_with_those_that_do(
    misago: httpx.AsyncClient, at_home: Home, catalog: Catalog
) -> None:
    word = f"word{secrets.token_hex(4)}"
    asked = {"title": f"About {word}", "text": "Never posted", "category": "Frist"}
    outcome = await at_home.run(catalog.get("misago/create-thread"), asked)
    assert (outcome.verdict.status, outcome.acted) == (Status.FAILED, False)
    assert "There is: First category." in outcome.verdict.rests_on
    assert await threads(misago, word) == []


async def test_a_reply_that_the_forum_refuses_has_failed(
    misago: httpx.AsyncClient, at_home: Home, catalog: Catalog
) -> None:
    outcome = await at_home.run(catalog.get("misago/reply"), {"thread": 2**31 - 1, "text": "Never posted"})
    assert outcome.verdict.status is Status.FAILED
    assert "404" in outcome.verdict.rests_on
