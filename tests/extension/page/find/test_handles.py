"""Handles: one element while it is there, its target when it is not; and the helper that gives them."""

import pytest

from tests.extension.page.find.conftest import Show
from tests.extension.page.find.finding import Refused

pytestmark = pytest.mark.browser

SEND = {"role": "button", "name": "Send"}
CONTEXT = """{ signal: new AbortController().signal, deadline: performance.now() + %d,
  acted() {}, note() {}, options: {} }"""


async def test_a_handle_stays_with_its_element_when_its_name_changes(show: Show) -> None:
    page = await show("<button id=a>Send</button>")
    handle = await page.run("page.find(target).handle", target=SEND)
    assert handle["target"] == SEND
    await page.page.evaluate("a.textContent = 'Sent'")
    assert await page.run("page.resolve(handle).id", handle=handle) == "a"


async def test_a_handle_finds_itself_again_after_a_redraw(show: Show) -> None:
    page = await show("<div id=d><button id=a>Send</button></div>")
    handle = await page.run("page.find(target).handle", target=SEND)
    await page.page.evaluate("d.innerHTML = '<button id=b>Send</button>'")
    assert await page.run("page.resolve(handle).id", handle=handle) == "b"


async def test_a_handle_of_another_document_is_found_again_by_its_target(show: Show) -> None:
    page = await show("<button id=a>Send</button>")
    handle = await page.run("page.find(target).handle", target=SEND)
    other = await show("<button id=a>Other</button><button id=b>Send</button>")
    await other.run("page.handle(document.getElementById('a'), {})")
    assert await other.run("page.resolve(handle).id", handle=handle) == "b"


async def test_a_handle_stamped_with_chromes_document_id_is_still_the_same_handle(show: Show) -> None:
    page = await show("<button id=a>Send</button>")
    handle = await page.run("page.find(target).handle", target=SEND)
    await page.page.evaluate("a.textContent = 'Sent'")
    stamped = {**handle, "document": "52A3C1", "frame": 0}
    assert await page.run("page.resolve(handle).id", handle=stamped) == "a"


async def test_a_handle_that_cannot_be_found_again_is_stale(show: Show) -> None:
    page = await show("<button id=a>Send</button>")
    handle = await page.run("page.find(target).handle", target=SEND)
    await page.page.evaluate("a.remove()")
    with pytest.raises(Refused) as caught:
        await page.run("page.resolve(handle).id", handle=handle)
    assert caught.value.code == "STALE"
    assert "There are no buttons here." in caught.value.message


async def test_a_regular_expression_survives_in_a_handle(show: Show) -> None:
    page = await show("<button id=a>Send 3</button>")
    target = {"role": "button", "name": {"$regexp": ["^send", "i"]}}
    handle = await page.run("page.find(target).handle", target=target)
    assert handle["target"] == target


async def test_an_element_in_a_sentence_reads_as_role_and_name(show: Show) -> None:
    page = await show("<button>Send</button><div id=d>Some text</div>")
    assert await page.run("`${page.describe(page.resolve(target))}`", target=SEND) == 'button "Send"'
    assert await page.run("`${page.describe(page.resolve({ text: 'Some text' }))}`") == '<div> "Some text"'


async def test_the_helper_waits_until_there_is_exactly_one(show: Show) -> None:
    page = await show("<button>Send</button><button id=b>Send</button>")
    await page.run(
        f"void (globalThis.waiting = page.call('find', [{{role: 'button', name: 'Send'}}], {CONTEXT % 5000}))"
    )
    await page.page.evaluate("b.remove()")
    assert (await page.run("globalThis.waiting"))["target"] == SEND


@pytest.mark.parametrize(
    ("html", "code"), [("<button>Sand</button>", "NOT_FOUND"), ("<button>Send</button>" * 2, "AMBIGUOUS")]
)
async def test_the_helper_gives_up_before_its_deadline(show: Show, html: str, code: str) -> None:
    page = await show(html)
    measured = """(async (began) => {
      try { await page.call("find", [target], %s) }
      catch (error) { return [error.code, error.details, performance.now() - began] }
    })(performance.now())"""
    got, details, took_ms = await page.run(measured % (CONTEXT % 800), target=SEND)
    assert got == code
    assert details.get("candidates") or details.get("matches")
    assert took_ms <= 1000
