"""Reading gives what a person reads; extracting gives rows, page after page."""

from typing import Any

import pytest

from tests.extension.page.act.isolated import ActingPage
from tests.extension.page.act.site import Site

pytestmark = pytest.mark.browser

ARTICLE = (
    "<article data-url='/p/1'>Hello <b>you</b> <span hidden>secret</span><a href='/p/1'>more</a>"
    "</article><input aria-label=Name value=Ann>"
)


@pytest.mark.parametrize(
    ("target", "what", "wanted"),
    [
        ({"role": "article"}, None, "Hello you more"),
        ({"role": "article"}, {"attribute": "data-url"}, "/p/1"),
        ({"role": "article"}, "data-url", "/p/1"),
        ({"role": "article"}, {"attribute": "data-none"}, None),
        ({"role": "textbox"}, None, "Ann"),
        ({"role": "textbox"}, {"property": "disabled"}, False),
        ({"role": "link"}, {"property": "name"}, "more"),
    ],
)
async def test_one_thing_is_read(acting: ActingPage, site: Site, target: Any, what: Any, wanted: Any) -> None:
    await acting.page.goto(site.page(ARTICLE))
    answer = await acting.call("read", target, what)
    assert answer.ok, answer.error
    assert answer.value == wanted


async def test_an_unknown_property_is_refused_with_those_there_are(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page(ARTICLE))
    answer = await acting.call("read", {"role": "article"}, {"property": "colour"})
    assert answer.code == "BAD_ARGUMENT"
    assert "text" in answer.error["message"]


TABLE = (
    "<table><thead><tr><th>Name<th>Price</thead><tr><td>Tea<td>3</tr><tr hidden><td>Old<td>0</tr><tr>"
    "<td colspan=2>Sold out</tr></table>"
)


async def test_a_table_is_rows_by_its_headers(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page(TABLE))
    answer = await acting.call("extract", {"role": "table"})
    assert answer.value == [{"Name": "Tea", "Price": "3"}, {"Name": "Sold out", "Price": "Sold out"}]


LIST = (
    "<ul><li><h3>One</h3><a href='/1'>open</a><p>first</p></li><li><h3>Two</h3><a href='/2'>"
    "open</a></li></ul>"
    "<p>outside</p>"
)
FIELDS = {
    "title": {"role": "heading"},
    "link": {"role": "link", "attribute": "href"},
    "note": {"role": "paragraph"},
}
ROWS = [{"title": "One", "link": "/1", "note": "first"}, {"title": "Two", "link": "/2", "note": None}]


@pytest.mark.parametrize("options", [{"rows": {"role": "listitem"}}, {}])
async def test_a_list_is_rows_of_fields(acting: ActingPage, site: Site, options: dict[str, Any]) -> None:
    await acting.page.goto(site.page(LIST))
    answer = await acting.call("extract", FIELDS, options)
    assert answer.ok, answer.error
    assert answer.value == ROWS


async def test_a_limit_cuts_the_rows(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page(LIST))
    answer = await acting.call("extract", [FIELDS], {"rows": {"role": "listitem"}, "limit": 1})
    assert answer.value == ROWS[:1]


async def test_the_next_pages_are_read_until_there_is_none(acting: ActingPage, site: Site) -> None:
    html = (
        "<ul id=list></ul><button id=next>Next</button><script>let page = 0; const show = () => "
        "{ list.innerHTML = `<li>row ${page}</li>`; next.disabled = page === 2; };"
        "next.onclick = () => setTimeout(() => { page += 1; show(); }, 30); show();</script>"
    )
    await acting.page.goto(site.page(html))
    schema = {"text": {"property": "text"}}
    answer = await acting.call(
        "extract", schema, {"rows": {"role": "listitem"}, "next": {"role": "button", "name": "Next"}}
    )
    assert answer.ok, answer.error
    assert [row["text"] for row in answer.value] == ["row 0", "row 1", "row 2"]


async def test_rows_that_are_not_there_are_not_found(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page("<p>Nothing</p>"))
    answer = await acting.call("extract", FIELDS, {"rows": {"role": "listitem"}, "timeout": 100})
    assert answer.code == "NOT_FOUND"
