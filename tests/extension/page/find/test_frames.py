"""Finding through frames of our own origin: by themselves, by name and by path."""

import pytest

from tests.extension.page.find.conftest import Show
from tests.extension.page.find.finding import FindingPage, Refused

pytestmark = pytest.mark.browser

INNER = "<button id=deep>Inner</button><button id=same>Same</button>"
MIDDLE = f"<iframe name=inner srcdoc='{INNER}'></iframe>"
OUTER = '<button id=top>Same</button><iframe name=outer title="Outer frame"></iframe>'


async def nested(show: Show) -> FindingPage:
    page = await show(OUTER)
    await page.page.evaluate(
        """async (middle) => {
          const loaded = (frame) =>
            new Promise((done) => frame.addEventListener("load", done, { once: true }));
          const outer = document.querySelector("iframe");
          const first = loaded(outer);
          outer.srcdoc = middle;
          await first;
          const inner = outer.contentDocument.querySelector("iframe");
          if (!inner.contentDocument.getElementById("deep")) await loaded(inner);
        }""",
        MIDDLE,
    )
    return page


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ({"role": "button", "name": "Inner"}, ["deep"]),
        ({"role": "button", "name": "Same"}, ["top", "same"]),
        ({"role": "button", "name": "Same", "frame": "outer"}, ["same"]),
        ({"role": "button", "name": "Same", "frame": ["outer", "inner"]}, ["same"]),
        ({"text": "Inner", "frame": {"testId": "none", "nth": 0}}, None),
        ({"role": "button", "name": "Same", "nth": 1}, ["same"]),
    ],
)
async def test_same_origin_frames_are_searched(show: Show, target: object, found: list[str] | None) -> None:
    page = await nested(show)
    if found is None:
        with pytest.raises(Refused, match="NOT_FOUND"):
            await page.found(target)
    else:
        assert await page.found(target) == found


async def test_a_frame_that_is_not_there_is_told_with_those_that_are(show: Show) -> None:
    page = await nested(show)
    with pytest.raises(Refused) as caught:
        await page.found({"role": "button", "frame": "payment"})
    assert caught.value.message == 'No frame "payment". Frames here: "outer", "inner".'


async def test_what_is_in_a_hidden_frame_is_hidden(show: Show) -> None:
    page = await nested(show)
    await page.page.evaluate("document.querySelector('iframe').style.display = 'none'")
    assert await page.found({"role": "button"}) == ["top"]


async def test_what_is_around_a_frame_says_nothing_about_the_roles_in_it(show: Show) -> None:
    page = await show("<main><iframe></iframe></main>")
    await page.page.evaluate(
        "document.querySelector('iframe').contentDocument.body.innerHTML = '<footer id=a>Terms</footer>'"
    )
    assert await page.found({"role": "contentinfo"}) == ["a"]


async def test_a_frame_that_navigates_is_searched_anew(show: Show) -> None:
    page = await nested(show)
    assert await page.found({"role": "button", "name": "Fresh"}) == []
    await page.page.evaluate(
        """(html) => new Promise((done) => {
          const frame = document.querySelector("iframe");
          frame.addEventListener("load", done, { once: true });
          frame.srcdoc = html;
        })""",
        "<button id=fresh>Fresh</button>",
    )
    assert await page.found({"role": "button", "name": "Fresh"}) == ["fresh"]
    assert await page.found({"role": "button", "name": "Inner"}) == []
