"""Whatever a helper was to do, a missing target is told with the three nearest and why each is not it."""

from typing import Any

import pytest

from tests.extension.page.act.isolated import ActingPage
from tests.extension.page.act.site import Site

pytestmark = pytest.mark.browser

PAGE = """<button>Pay</button><a href="#">Pay now</a><button hidden>Pay now</button>
<main><button disabled>Pay now or later</button></main>"""
TARGET = {"role": "button", "name": "Pay now!"}
SOON = {"timeout": 50}
FILE = {"name": "a.txt", "type": "text/plain", "data": ""}

CALLS: dict[str, list[Any]] = {
    "find": [TARGET, SOON],
    "click": [TARGET, SOON],
    "type": [TARGET, "x", SOON],
    "press": ["Enter", TARGET, SOON],
    "select": [TARGET, "x", SOON],
    "hover": [TARGET, SOON],
    "drag": [TARGET, {"role": "link"}, SOON],
    "upload": [TARGET, FILE, SOON],
    "read": [TARGET, SOON],
    "waitFor": [TARGET, SOON],
    "extract": [TARGET, SOON],
}


async def test_every_helper_tells_the_three_nearest(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page(PAGE))
    for helper, args in CALLS.items():
        answer = await acting.call(helper, *args)
        assert (helper, answer.code, answer.acted) == (helper, "NOT_FOUND", False)
        near = answer.error["details"]["candidates"]
        assert len(near) == 3, (helper, near)
        assert all(one["role"] and one["why"] for one in near), helper
        assert answer.took_ms < 2000, helper
