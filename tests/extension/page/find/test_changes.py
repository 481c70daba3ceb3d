"""What is kept between two searches never outlives a change of the page."""

import pytest

from tests.extension.page.find.conftest import Show

pytestmark = pytest.mark.browser

CHANGES = [
    pytest.param("<button id=a>Old</button>", "a.textContent = 'New'", id="text"),
    pytest.param("<button id=a>Old</button>", "a.setAttribute('aria-label', 'New')", id="attribute"),
    pytest.param("<div></div>", "document.body.innerHTML = '<button id=a>New</button>'", id="added"),
    pytest.param(
        "<div id=h></div>",
        "h.attachShadow({mode: 'open'}).innerHTML = '<button id=a>New</button>'",
        id="a shadow root on an old element",
    ),
    pytest.param(
        "<x-late></x-late>",
        "customElements.define('x-late', class extends HTMLElement {"
        " constructor() { super(); this.attachShadow({mode: 'open'});"
        " this.shadowRoot.innerHTML = '<button id=a>New</button>' } })",
        id="a late definition",
    ),
    pytest.param(
        "<style></style><button id=a>Old</button>",
        "document.styleSheets[0].insertRule('#a::before { content: \"New \" }')",
        id="a style rule",
    ),
    pytest.param(
        "<style>#a { display: none }</style><button id=a>New</button>",
        "document.styleSheets[0].deleteRule(0)",
        id="a deleted style rule",
    ),
    pytest.param(
        "<label>Size <button id=a></button></label><p>", "a.labels[0].prepend('New ')", id="a label"
    ),
]


@pytest.mark.parametrize(("html", "change"), CHANGES)
async def test_a_change_is_seen_by_the_next_search(show: Show, html: str, change: str) -> None:
    page = await show(html)
    target = {"role": "button", "name": "New"}
    assert await page.found(target) == []
    await page.page.evaluate(change)
    assert await page.found(target) == ["a"]


async def test_what_went_away_is_not_found_any_more(show: Show) -> None:
    page = await show("<div id=h></div><button id=b>Go</button>")
    await page.page.evaluate("h.attachShadow({mode: 'open'}).innerHTML = '<button id=a>Go</button>'")
    assert await page.found({"role": "button", "name": "Go"}) == ["a", "b"]
    await page.page.evaluate("h.remove()")
    assert await page.found({"role": "button", "name": "Go"}) == ["b"]


async def test_a_hidden_match_of_a_kept_search_is_hidden(show: Show) -> None:
    page = await show("<style></style><button id=a>Go</button>")
    assert await page.found({"role": "button", "name": "Go"}) == ["a"]
    await page.page.evaluate("document.styleSheets[0].insertRule('#a { visibility: hidden }')")
    assert await page.found({"role": "button", "name": "Go"}) == []
