"""The built-in WordPress subroutines on a real WordPress, and what the site itself says afterwards."""

import secrets

import httpx
import pytest
from pydantic import JsonValue

from library.catalog import Catalog
from library.models import Outcome, Status
from tests.sites.home import Home

pytestmark = [pytest.mark.sites, pytest.mark.browser, pytest.mark.timeout(600)]


def value(outcome: Outcome, key: str) -> JsonValue:
    assert outcome.verdict.status is Status.DONE, outcome
    assert isinstance(outcome.evidence.value, dict)
    return outcome.evidence.value[key]


async def published(site: httpx.AsyncClient, word: str) -> list[dict[str, dict[str, str]]]:
    answer = await site.get("/wp-json/wp/v2/posts", params={"search": word})
    found: list[dict[str, dict[str, str]]] = answer.raise_for_status().json()
    return found


async def comments(site: httpx.AsyncClient, post: JsonValue) -> list[str]:
    answer = await site.get("/wp-json/wp/v2/comments", params={"post": str(post)})
    return [comment["content"]["rendered"] for comment in answer.raise_for_status().json()]


async def test_a_post_is_published_once_with_the_text_as_it_was_meant(
    wordpress: httpx.AsyncClient, at_home: Home, catalog: Catalog
) -> None:
    word = f"word{secrets.token_hex(4)}"
    asked = {"title": f"Fish & <chips> {word}", "text": "One\ntwo\n\n<b>Three</b> 안녕 👋"}
    outcome = await at_home.run(catalog.get("wordpress/publish-post"), asked)
    assert value(outcome, "status") == "publish"
    (post,) = await published(wordpress, word)
    assert post["title"]["rendered"] == f"Fish &amp; &lt;chips&gt; {word}"
    assert post["link"] == value(outcome, "url")
    content = post["content"]["rendered"]
    assert "<p>One<br>two</p>" in content.replace("<br />", "<br>")
    assert "&lt;b&gt;Three&lt;/b&gt; 안녕 👋" in content


async def test_a_comment_is_written_once_and_a_second_time_refused_by_the_site(
    wordpress: httpx.AsyncClient, at_home: Home, catalog: Catalog
) -> None:
    word = f"word{secrets.token_hex(4)}"
    posted = await at_home.run(
        catalog.get("wordpress/publish-post"), {"title": f"For comments {word}", "text": "Say something."}
    )
    asked = {"post": value(posted, "url"), "text": f"First {word}\n\nand <last>"}
    outcome = await at_home.run(catalog.get("wordpress/comment"), asked)
    assert outcome.verdict.rests_on == "The site answered 302 to POST /wp-comments-post.php."
    (rendered,) = await comments(wordpress, value(posted, "id"))
    assert f"<p>First {word}</p>" in rendered
    again = await at_home.run(catalog.get("wordpress/comment"), asked)
    assert again.verdict.status is Status.FAILED
    assert len(await comments(wordpress, value(posted, "id"))) == 1


async def test_a_session_that_has_ended_is_refused_by_the_site_and_nothing_is_published(
    wordpress: httpx.AsyncClient, at_home: Home, catalog: Catalog
) -> None:
    word = f"word{secrets.token_hex(4)}"
    cookies = await at_home.context.cookies(str(wordpress.base_url))
    await at_home.context.clear_cookies(name="wordpress_logged_in_" + _site_hash(cookies))
    try:
        outcome = await at_home.run(catalog.get("wordpress/publish-post"), {"title": word, "text": "never"})
    finally:
        await at_home.context.add_cookies(cookies)  # type: ignore[arg-type]
    assert outcome.verdict.status is Status.FAILED
    assert outcome.verdict.rests_on.startswith("Refused: token.")
    assert await published(wordpress, word) == []


def _site_hash(cookies: object) -> str:
    assert isinstance(cookies, list)
    name: str = next(
        cookie["name"] for cookie in cookies if cookie["name"].startswith("wordpress_logged_in_")
    )
    return name.removeprefix("wordpress_logged_in_")
