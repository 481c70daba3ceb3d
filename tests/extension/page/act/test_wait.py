"""Waiting ends when the page has changed, and the last look tells what a person would see."""

import pytest

from tests.extension.page.act.isolated import ActingPage
from tests.extension.page.act.site import Site

pytestmark = pytest.mark.browser

LATER = "<div id=place></div><script>setTimeout(() => {{ {} }}, 150)</script>"


@pytest.mark.parametrize("what", [{"role": "alert"}, {"text": "Saved"}, {"target": {"role": "alert"}}])
async def test_what_comes_later_is_waited_for(
    acting: ActingPage, site: Site, what: dict[str, object]
) -> None:
    await acting.page.goto(site.page(LATER.format("place.innerHTML = '<p role=alert>Saved</p>'")))
    answer = await acting.call("waitFor", what)
    assert answer.ok, answer.error
    assert (await acting.call("read", answer.value)).value == "Saved"


async def test_what_comes_later_in_a_shadow_root_is_waited_for(acting: ActingPage, site: Site) -> None:
    script = "place.attachShadow({mode: 'open'}).innerHTML = '<button>Ready</button>'; place.append('x')"
    await acting.page.goto(site.page(LATER.format(script)))
    assert (await acting.call("waitFor", {"role": "button", "name": "Ready"})).ok


async def test_what_goes_is_waited_for(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(
        site.page("<p id=busy>Loading</p><script>setTimeout(() => busy.remove(), 150)</script>")
    )
    assert (await acting.call("waitFor", {"gone": {"text": "Loading"}})).ok
    assert await acting.page.evaluate("document.getElementById('busy')") is None


async def test_what_does_not_go_is_a_timeout(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page("<p>Loading</p>"))
    assert (await acting.call("waitFor", {"gone": {"text": "Loading"}}, {"timeout": 100})).code == "TIMEOUT"


async def test_the_last_look_waits_for_its_texts_and_tells_the_notices(
    acting: ActingPage, site: Site
) -> None:
    html = LATER.format(
        "place.innerHTML = '<article>Ann: Hello</article><p role=status>Posted!</p>'; busy.remove()"
    )
    await acting.page.goto(site.page(f"<p id=busy>Sending</p>{html}"))
    answer = await acting.call("observe", {"texts": ["Hello"], "gone": ["Sending"]})
    assert answer.ok, answer.error
    assert answer.value == {
        "texts": [
            {"text": "Hello", "found": True, "excerpt": "Ann: Hello"},
            {"text": "Sending", "found": False, "excerpt": ""},
        ],
        "notices": ["Posted!"],
        "title": "Page",
        "url": f"{site.url}/page",
    }


@pytest.mark.parametrize(
    "editor", ["<div contenteditable>Hello</div>", "<textarea>Hello</textarea>", "<input value=Hello>"]
)
async def test_a_text_that_is_only_written_in_a_field_is_not_seen(
    acting: ActingPage, site: Site, editor: str
) -> None:
    await acting.page.goto(site.page(editor))
    answer = await acting.call("observe", {"texts": ["Hello"], "gone": []}, deadline_ms=200)
    assert answer.value["texts"][0]["found"] is False


async def test_a_text_of_several_paragraphs_is_seen_across_them(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page("<article><p>One</p><p>Two</p></article>"))
    answer = await acting.call("observe", {"texts": ["One\n\nTwo"], "gone": []}, deadline_ms=500)
    assert answer.value["texts"][0]["found"] is True
