"""`find`: which element a target means, and what is said when it means none or several."""

import pytest

from tests.extension.page.find.conftest import Show
from tests.extension.page.find.finding import FindingPage, Refused

pytestmark = pytest.mark.browser


async def refusal(page: FindingPage, target: object) -> Refused:
    with pytest.raises(Refused) as caught:
        await page.run("page.find(target).handle", target=target)
    return caught.value


SHADOW = '<template shadowrootmode="open">'

HTML_TARGET_FOUND = [
    pytest.param(
        "<button id=a>Save</button><button id=b>Cancel</button>",
        {"role": "button", "name": "Save"},
        ["a"],
        id="role and name",
    ),
    pytest.param(
        f"<button id=a><x-label>{SHADOW}<b><slot></slot></b> now</template>Pay</x-label></button>",
        {"role": "button", "name": "Pay now"},
        ["a"],
        id="a name through a slot",
    ),
    pytest.param(
        f"<div>{SHADOW}<div>{SHADOW}<button id=a>Deep</button></template></div></template></div>",
        {"role": "button", "name": "Deep"},
        ["a"],
        id="nested shadow roots",
    ),
    pytest.param(
        '<div><template shadowrootmode="closed"><button id=a>Mine</button></template></div>',
        {"role": "button", "name": "Mine"},
        [],
        id="closed shadow roots are not seen",
    ),
    pytest.param(
        "<details><summary>More</summary><button id=a>Send</button></details><button id=b>Send</button>",
        {"role": "button", "name": "Send"},
        ["b"],
        id="a twin in a closed details",
    ),
    pytest.param(
        '<input id=a aria-labelledby="gone there"><span id=there>City</span>',
        {"role": "textbox", "name": "City"},
        ["a"],
        id="aria-labelledby to a missing id",
    ),
    pytest.param(
        "<input id=a aria-labelledby=gone aria-label=Street>",
        {"label": "Street"},
        ["a"],
        id="only a missing id",
    ),
    pytest.param(
        "<div role=listbox aria-owns=a></div><div id=a role=option>Red</div>",
        {"role": "option", "name": "Red"},
        ["a"],
        id="an option owned by a list elsewhere",
    ),
    pytest.param(
        "<button id=a aria-owns=part>Buy</button><span id=part>two</span>",
        {"role": "button", "name": "Buy two"},
        ["a"],
        id="owned text is part of the name",
    ),
    pytest.param(
        "<label for=a>Mail</label><input id=a><label>Phone <input id=b></label>",
        {"label": "Phone"},
        ["b"],
        id="label",
    ),
    pytest.param(
        '<input id=a placeholder="Search here"><input id=b>',
        {"placeholder": "search here"},
        ["a"],
        id="placeholder",
    ),
    pytest.param("<p data-testid=x id=a>1</p><p data-qa=y id=b>2</p>", {"testId": "y"}, ["b"], id="test id"),
    pytest.param(
        "<main><div id=x><p id=a>Saved <b id=b>today</b></p></div></main>",
        {"text": "saved today"},
        ["a"],
        id="smallest text",
    ),
    pytest.param(
        "<article id=a>One fish</article><article id=b>Two fish</article>",
        {"role": "article", "text": "two"},
        ["b"],
        id="a role that holds a text",
    ),
    pytest.param(
        f"<p id=a>{SHADOW}Hello <slot></slot>!</template>world</p>",
        {"text": "Hello world!"},
        ["a"],
        id="text across a slot",
    ),
    pytest.param(
        "<form id=f aria-label=A><button id=a>Go</button></form><button id=b>Go</button>",
        {"role": "button", "name": "Go", "within": {"role": "form", "name": "A"}},
        ["a"],
        id="within",
    ),
    pytest.param(
        "<button id=a>X</button><button id=b>X</button>",
        {"role": "button", "nth": 1},
        ["b"],
        id="nth counts from 0",
    ),
    pytest.param(
        "<button id=a>X</button><button id=b>X</button>",
        {"role": "button", "nth": -1},
        ["b"],
        id="nth from the end",
    ),
    pytest.param(
        "<p>Ada <button id=a>Follow</button></p><p style='height: 300px'></p>"
        "<p>Grace <button id=b>Follow</button></p>",
        {"role": "button", "name": "Follow", "near": {"text": "Grace"}},
        ["b"],
        id="near",
    ),
    pytest.param(
        "<button id=a>Order 66</button><button id=b>Order x</button>",
        {"role": "button", "name": {"$regexp": ["^order \\d+$", "i"]}},
        ["a"],
        id="regular expression",
    ),
    pytest.param(
        "<button id=a><span id=s>Save</span></button><p id=b>Saved</p>",
        "Save",
        ["a"],
        id="a string is a name first",
    ),
    pytest.param(
        "<button>Send</button><p id=b>Saved at noon</p>", "saved at", ["b"], id="a string is a text next"
    ),
    pytest.param(
        "<button id=a role=tab>One</button>",
        {"role": "tab", "name": "One"},
        ["a"],
        id="a role where it does not count",
    ),
]


@pytest.mark.parametrize(("html", "target", "found"), HTML_TARGET_FOUND)
async def test_a_target_means(show: Show, html: str, target: object, found: list[str]) -> None:
    page = await show(html)
    assert await page.found(target) == found


HIDDEN = [
    ("display: none", '<div style="display: none">{}</div>'),
    ("visibility: hidden", '<div style="visibility: hidden">{}</div>'),
    ("aria-hidden", "<div aria-hidden=true>{}</div>"),
    ("inert", "<div inert>{}</div>"),
    ("in a closed <details>", "<details><summary>More</summary>{}</details>"),
    ("content-visibility: hidden", '<div style="content-visibility: hidden">{}</div>'),
    ("no size", '<div style="width: 0; height: 0; overflow: hidden; font-size: 0">{}</div>'),
    ("display: none", "<div hidden>{}</div>"),
    ("not rendered", f"<div>{SHADOW}<i>no slot</i></template>{{}}</div>"),
]


@pytest.mark.parametrize(("reason", "html"), HIDDEN)
async def test_what_is_hidden_is_no_match_but_a_candidate_that_says_why(
    show: Show, reason: str, html: str
) -> None:
    plain = "<button style='all: unset; font-size: inherit; width: 0; height: 0'>Pay</button>"
    page = await show(html.format(plain))
    error = await refusal(page, {"role": "button", "name": "Pay"})
    assert error.code == "NOT_FOUND"
    assert error.details["candidates"][0]["name"] == "Pay"
    assert error.details["candidates"][0]["why"] == f"hidden ({reason})"
    assert error.message == f'No button named "Pay". There is button "Pay", but: hidden ({reason}).'


async def test_a_hidden_exact_twin_leaves_the_answer_to_the_visible_other_spelling(show: Show) -> None:
    page = await show("<button id=a hidden>Save</button><button id=b>SAVE</button>")
    assert await page.found({"role": "button", "name": "Save"}) == ["b"]


async def test_behind_a_modal_dialog_nothing_is_found(show: Show) -> None:
    page = await show(
        "<button id=a>Send</button>"
        "<dialog id=d><button id=b>Send</button><dialog id=e><p>Sure?</p></dialog></dialog>"
    )
    target = {"role": "button", "name": "Send"}
    await page.page.evaluate("d.showModal()")
    assert await page.found(target) == ["b"]
    await page.page.evaluate("e.showModal()")
    assert await page.found(target) == []
    error = await refusal(page, target)
    assert {one["why"] for one in error.details["candidates"] if one["name"] == "Send"} == {
        "hidden (behind an open dialog)"
    }
    await page.page.evaluate("e.close(); d.close()")
    assert await page.found(target) == ["a"]


async def test_an_aria_modal_dialog_hides_only_what_it_lies_over(show: Show) -> None:
    page = await show(
        "<button id=a>Top</button><div role=dialog aria-modal=true aria-label=Cookies "
        "style='position: fixed; bottom: 0; height: 50%; width: 100%'>c</div>"
        "<button id=b style='position: fixed; bottom: 9px'>Under</button>"
    )
    await page.page.evaluate("document.querySelector('[role=dialog]').style.zIndex = 9")
    assert await page.found({"role": "button"}) == ["a"]


async def test_an_aria_modal_dialog_hides_what_its_curtain_covers_and_nothing_else_that_is_covered(
    show: Show,
) -> None:
    cover = "position: fixed; top: 0; left: 0; width: 100%"
    page = await show(
        f"<button id=a>Top</button><div id=cover style='{cover}; height: 40px'></div>"
        "<div role=dialog aria-modal=true aria-label=Day style='position: fixed; top: 60px'>picker</div>"
    )
    assert await page.found({"role": "button"}) == ["a"]
    await page.page.evaluate("cover.style.height = '100%'")
    assert await page.found({"role": "button"}) == []


LEVELS = [
    pytest.param("Save", ["Save", "SAVE", "Save all"], ["Save"], id="exact beats folded"),
    pytest.param("save", ["Save", "Save all"], ["Save"], id="folded beats a part"),
    pytest.param("ave a", ["Save", "Save all"], ["Save all"], id="a part"),
    pytest.param("Save", ["Save all", "Save it"], ["Save all", "Save it"], id="two parts are two"),
    pytest.param("a b", ["a\u00a0b"], ["a\u00a0b"], id="non-breaking space"),
    pytest.param(
        'What\'s "new"', ["What\u2019s \u201cnew\u201d"], ["What\u2019s \u201cnew\u201d"], id="smart quotes"
    ),
    pytest.param(
        "ABC 12",
        ["\uff21\uff22\uff23\u3000\uff11\uff12"],
        ["\uff21\uff22\uff23\u3000\uff11\uff12"],
        id="full width",
    ),
    pytest.param(
        "\ud55c\uae00",
        ["\u1112\u1161\u11ab\u1100\u1173\u11af"],
        ["\u1112\u1161\u11ab\u1100\u1173\u11af"],
        id="Hangul in parts",
    ),
    pytest.param(
        "\u1112\u1161\u11ab\u1100\u1173\u11af", ["\ud55c\uae00"], ["\ud55c\uae00"], id="Hangul composed"
    ),
    pytest.param("caf\u00e9", ["cafe\u0301"], ["cafe\u0301"], id="accents in parts"),
    pytest.param("-5", ["\u22125"], ["\u22125"], id="minus sign"),
]


@pytest.mark.parametrize(("wanted", "names", "found"), LEVELS)
@pytest.mark.parametrize("key", ["name", "text"])
async def test_only_one_level_answers(
    show: Show, key: str, wanted: str, names: list[str], found: list[str]
) -> None:
    page = await show("".join(f"<button>{name}</button>" for name in names))
    got = await page.run(
        "page.findAll(target).map((e) => e.textContent)", target={"role": "button", key: wanted}
    )
    assert got == found
    if key == "text":
        assert (
            await page.run("page.findAll(target).map((e) => e.textContent)", target={"text": wanted}) == found
        )


async def test_several_matches_are_listed_with_their_places(show: Show) -> None:
    page = await show(
        "<form aria-label='Sign in'><button>Go</button></form><nav aria-label=Main><button>Go</button></nav>"
    )
    error = await refusal(page, {"role": "button", "name": "Go"})
    assert error.code == "AMBIGUOUS"
    assert error.details["matches"] == [
        {"role": "button", "name": "Go", "where": 'form "Sign in" > button'},
        {"role": "button", "name": "Go", "where": 'navigation "Main" > button'},
    ]
    assert error.message == (
        '2 matches for button named "Go": form "Sign in" > button "Go"; navigation "Main" > button "Go". '
        "Say which one with within, near or nth."
    )


CANDIDATES = [
    pytest.param(
        "<button>Pay</button><button>Cancel</button>",
        {"role": "button", "name": "Pay now"},
        'No button named "Pay now". Buttons here: "Pay", "Cancel".',
        [("button", "Pay", "other name"), ("button", "Cancel", "other name")],
        id="other name",
    ),
    pytest.param(
        "<a href=#>Pay now</a>",
        {"role": "button", "name": "Pay now"},
        'No button named "Pay now". There is link "Pay now", but: other role (link).',
        [("link", "Pay now", "other role (link)")],
        id="other role",
    ),
    pytest.param(
        "<main><button disabled>Pay now</button></main><form aria-label=F><input></form>",
        {"role": "button", "name": "Pay now", "within": {"role": "form"}},
        'No button named "Pay now". There is button "Pay now", but: disabled, outside `within`.',
        [("button", "Pay now", "disabled, outside `within`")],
        id="outside and disabled",
    ),
    pytest.param(
        "<p>Nothing</p>",
        {"role": "checkbox", "name": "I agree"},
        'No checkbox named "I agree". There are no checkboxes here.',
        [],
        id="nothing of the kind",
    ),
    pytest.param(
        "<button>X</button><button>Y</button>",
        {"role": "button", "nth": 2},
        "There are only 2 matches for button, counted from 0; nth 2 is not among them.",
        None,
        id="nth too high",
    ),
]


@pytest.mark.parametrize(("html", "target", "message", "candidates"), CANDIDATES)
async def test_what_was_not_found_is_told_with_what_was_there(
    show: Show, html: str, target: object, message: str, candidates: list[tuple[str, str, str]] | None
) -> None:
    error = await refusal(await show(html), target)
    assert (error.code, error.message) == ("NOT_FOUND", message)
    if candidates is not None:
        got = [(one["role"], one["name"], one["why"]) for one in error.details["candidates"]]
        assert got == candidates


BAD_TARGETS = [
    ({"rôle": "button"}, 'A target has no key "rôle". Did you mean "role"?'),
    ({"role": "buton"}, 'There is no role "buton". Did you mean "button"?'),
    ({}, "A target needs one of role, name, text, label, placeholder, testId."),
    (7, "A target is {role, name, ...} or a string, not number."),
    ({"text": "  "}, "text is empty."),
    ({"role": "button", "nth": "1"}, "nth is a whole number: 0 is the first, -1 the last. Not string."),
]


@pytest.mark.parametrize(("target", "message"), BAD_TARGETS)
async def test_a_target_that_cannot_be_read_says_what_is_wrong_with_it(
    show: Show, target: object, message: str
) -> None:
    error = await refusal(await show("<p>x</p>"), target)
    assert (error.code, error.message) == ("BAD_ARGUMENT", message)
