"""Typing leaves the text that was meant in the page's own state, or says what is there instead."""

from typing import Any

import pytest

from tests.extension.page.act.isolated import ActingPage
from tests.extension.page.act.site import Site

# The first one on a machine builds the kit of editors.
pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

BOX: dict[str, Any] = {"role": "textbox", "name": "Message"}


async def test_a_react_field_s_button_is_enabled_by_what_is_typed(
    acting: ActingPage, editor_kit: str
) -> None:
    await acting.page.goto(f"{editor_kit}/dev/react-form.html")
    await acting.call("select", {"label": "Category"}, "Feature")
    await acting.call("click", {"role": "checkbox", "name": "I agree"})
    await acting.call("click", {"role": "radio", "name": "pro"})
    await acting.call("type", {"label": "Title"}, "A title")
    answer = await acting.call("type", {"label": "Body"}, "Hello\nworld", {"clear": True})
    assert answer.ok, answer.error
    assert await acting.page.evaluate("readModel('body')") == "Hello\nworld"
    clicked = await acting.call("click", {"role": "button", "name": "Post"})
    assert clicked.ok, clicked.error
    assert "Hello" in await acting.page.inner_text("#posted")


async def test_blank_lines_between_paragraphs_arrive_in_draft_js(acting: ActingPage, editor_kit: str) -> None:
    await acting.page.goto(f"{editor_kit}/dev/draft.html")
    text = "First paragraph\n\nSecond paragraph\n\n안녕하세요"
    answer = await acting.call("type", BOX, text)
    assert answer.ok, answer.error
    assert await acting.page.evaluate("readModel()") == text
    assert (await acting.call("click", {"role": "button", "name": "Post"})).ok
    assert await acting.page.inner_text("#posted") == text


@pytest.mark.parametrize("clear", [True, False])
async def test_hangul_that_is_being_composed_is_finished_first(
    acting: ActingPage, site: Site, clear: bool
) -> None:
    await acting.page.goto(site.page("<textarea aria-label=Message></textarea>"))
    await acting.page.focus("textarea")
    await acting.session.send(
        "Input.imeSetComposition", {"text": "하", "selectionStart": 1, "selectionEnd": 1}
    )
    answer = await acting.call("type", BOX, "안녕", {"clear": clear})
    assert answer.ok, answer.error
    assert await acting.page.input_value("textarea") == ("안녕" if clear else "하안녕")


async def test_a_field_that_changes_the_text_is_an_error_with_both(acting: ActingPage, site: Site) -> None:
    html = (
        "<input aria-label=Message><script>document.querySelector('input').oninput = (event) => { "
        "event.target.value = 'no'; };</script>"
    )
    await acting.page.goto(site.page(html))
    answer = await acting.call("type", BOX, "Hello")
    assert answer.code == "TEXT_DIFFERS"
    assert answer.error["details"] == {"wanted": "Hello", "got": "no"}


async def test_an_editor_that_ignores_typing_is_an_error_with_both(acting: ActingPage, site: Site) -> None:
    html = (
        "<div contenteditable role=textbox aria-label=Message></div><script>"
        "document.querySelector('div').oninput = (event) => { event.target.textContent = 'stuck'; };</script>"
    )
    await acting.page.goto(site.page(html))
    answer = await acting.call("type", BOX, "Hello")
    assert answer.code == "TEXT_DIFFERS"
    assert answer.error["details"]["wanted"] == "Hello"


@pytest.mark.parametrize(
    ("html", "target", "hint"),
    [
        ("<input readonly aria-label=Message>", BOX, "read-only"),
        ("<button>Message</button>", {"role": "button", "name": "Message"}, "tab.click"),
        (
            "<select aria-label=Message><option>One</option></select>",
            {"role": "combobox", "name": "Message"},
            "tab.select",
        ),
        ("<input type=checkbox aria-label=Message>", {"role": "checkbox", "name": "Message"}, "tab.click"),
    ],
)
async def test_what_takes_no_text_says_so(
    acting: ActingPage, site: Site, html: str, target: Any, hint: str
) -> None:
    await acting.page.goto(site.page(html))
    answer = await acting.call("type", target, "x")
    assert answer.code == "NOT_EDITABLE"
    assert hint in answer.error["message"]


async def test_submit_sends_a_form_as_enter_does(acting: ActingPage, site: Site) -> None:
    html = (
        "<form onsubmit=\"event.preventDefault(); window.sent = new FormData(this).get('q')\"><input "
        "name=q aria-label=Message></form>"
    )
    await acting.page.goto(site.page(html))
    answer = await acting.call("type", BOX, "hello", {"submit": True})
    assert answer.ok, answer.error
    assert answer.acted
    assert await acting.page.evaluate("sent") == "hello"


async def test_typing_without_submit_has_not_acted(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page("<input aria-label=Message>"))
    answer = await acting.call("type", BOX, "hello")
    assert answer.value == "hello"
    assert not answer.acted


async def test_an_editor_that_takes_real_keys_only_asks_for_them_in_the_manifest(
    acting: ActingPage, editor_kit: str
) -> None:
    await acting.page.goto(f"{editor_kit}/dev/canvas.html")
    refused = await acting.call("type", {"role": "textbox", "name": "Drawing note"}, "Hello")
    assert refused.code == "NOT_EDITABLE"
    assert "input: trusted" in refused.error["message"]
    typed = await acting.call(
        "type", {"role": "textbox", "name": "Drawing note"}, "Hello", options={"input": "trusted"}
    )
    assert typed.ok, typed.error
    assert await acting.page.evaluate("readModel()") == "Hello"


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        ("Enter", {"key": "Enter", "code": "Enter", "keyCode": 13, "ctrlKey": False}),
        ("Control+A", {"key": "a", "code": "KeyA", "keyCode": 65, "ctrlKey": True}),
        ("Shift+Tab", {"key": "Tab", "code": "Tab", "keyCode": 9, "ctrlKey": False}),
        ("Esc", {"key": "Escape", "code": "Escape", "keyCode": 27, "ctrlKey": False}),
    ],
)
async def test_a_key_is_what_a_keyboard_would_send(
    acting: ActingPage, site: Site, key: str, wanted: dict[str, Any]
) -> None:
    html = (
        "<input aria-label=Message><script>document.querySelector('input').onkeydown = (event) =>"
        " { event.preventDefault();"
        "window.got = {key: event.key, code: event.code, keyCode: event.keyCode, ctrlKey: "
        "event.ctrlKey}; };</script>"
    )
    await acting.page.goto(site.page(html))
    answer = await acting.call("press", key, BOX)
    assert answer.ok, answer.error
    assert answer.acted
    assert await acting.page.evaluate("got") == wanted


async def test_an_unknown_key_is_refused_with_the_keys_there_are(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page("<input aria-label=Message>"))
    answer = await acting.call("press", "Entr", BOX)
    assert answer.code == "BAD_ARGUMENT"
    assert "Enter" in answer.error["message"]
    assert not answer.acted
