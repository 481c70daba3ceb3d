"""A write that the browser itself sent again is not sent a third time, and its refusal proves nothing."""

import pytest

from tests.extension.page.act.breaking import serve_breaking
from tests.extension.page.act.isolated import ActingPage

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("place", ["meta", "cookie"])
async def test_a_write_taken_by_a_connection_that_broke_is_not_made_twice(
    acting: ActingPage, place: str
) -> None:
    async with serve_breaking(place) as site:
        await acting.page.goto(site.url)
        answer = await acting.call("request", "/posts", {"method": "POST", "body": "only once"})
        assert (site.taken, site.refused) == ([b"only once"], [b"only once"])
        assert answer.code == "TOKEN_REFUSED"
        assert answer.error["details"]["changed"] is True
        assert "may have taken it before" in answer.error["message"]
        await acting.page.goto("about:blank")
