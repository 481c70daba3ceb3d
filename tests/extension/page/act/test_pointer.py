"""A click waits for what a person would wait for, and says what is in the way."""

import pytest

from tests.extension.page.act.isolated import ActingPage
from tests.extension.page.act.site import Site

pytestmark = pytest.mark.browser

LOG = "<script>window.log = []; const see = (event) => log.push(event.type);</script>"
BUTTON = "<button onclick='window.clicked = (window.clicked ?? 0) + 1'>Post</button>"
POST = {"role": "button", "name": "Post"}


async def clicks(acting: ActingPage) -> int:
    return int(await acting.page.evaluate("window.clicked ?? 0"))


async def test_a_click_is_the_whole_sequence_of_a_mouse(acting: ActingPage, site: Site) -> None:
    html = (
        f"{LOG}<button>Post</button><script>const button = document.querySelector('button');"
        ""
        ""
        ""
        ""
        "for (const name of ['pointerover','pointerenter','mouseover','mouseenter',"
        "'pointermove','mousemove','pointerdown',"
        "'mousedown','focus','pointerup','mouseup','click']) button.addEventListener(name, see);</script>"
    )
    await acting.page.goto(site.page(html))
    answer = await acting.call("click", POST)
    assert answer.ok, answer.error
    assert answer.acted
    assert await acting.page.evaluate("log") == [
        "pointerover",
        "mouseover",
        "pointerenter",
        "mouseenter",
        "pointermove",
        "mousemove",
        "pointerdown",
        "mousedown",
        "focus",
        "pointerup",
        "mouseup",
        "click",
    ]


async def test_a_button_below_the_fold_and_inside_a_shadow_root_is_reached(
    acting: ActingPage, site: Site
) -> None:
    html = (
        "<div style='height:5000px'></div><div id=host></div><script>host.attachShadow({mode: "
        "'open'}).innerHTML = '<button>Post</button>';"
        "document.addEventListener('click', (event) => { window.clicked = "
        "event.composedPath()[0].localName === 'button' ? 1 : 0; });</script>"
    )
    await acting.page.goto(site.page(html))
    assert (await acting.call("click", POST)).ok
    assert await clicks(acting) == 1


async def test_what_covers_a_button_is_named_and_nothing_is_clicked(acting: ActingPage, site: Site) -> None:
    cover = (
        "<div role=region aria-label='Cookie notice' style='position:fixed;inset:0;background:#fff'></div>"
    )
    await acting.page.goto(site.page(BUTTON + cover))
    answer = await acting.call("click", POST, {"timeout": 200})
    assert answer.code == "COVERED"
    assert "Cookie notice" in answer.error["message"]
    assert not answer.acted
    assert await clicks(acting) == 0


async def test_a_cover_that_goes_away_is_waited_for(acting: ActingPage, site: Site) -> None:
    cover = (
        "<div id=cover style='position:fixed;inset:0'></div><script>setTimeout(() => cover.remove(), "
        "150)</script>"
    )
    await acting.page.goto(site.page(BUTTON + cover))
    assert (await acting.call("click", POST)).ok
    assert await clicks(acting) == 1


async def test_a_button_that_is_enabled_later_is_waited_for(acting: ActingPage, site: Site) -> None:
    html = "<script>setTimeout(() => { document.querySelector('button').disabled = false; }, 150)</script>"
    await acting.page.goto(site.page(BUTTON.replace("<button", "<button disabled") + html))
    assert (await acting.call("click", POST)).ok
    assert await clicks(acting) == 1


@pytest.mark.parametrize("how", ["disabled", "aria-disabled=true"])
async def test_a_disabled_button_is_said_to_be(acting: ActingPage, site: Site, how: str) -> None:
    await acting.page.goto(site.page(BUTTON.replace("<button", f"<button {how}")))
    answer = await acting.call("click", POST, {"timeout": 100})
    assert answer.code == "DISABLED"
    assert await clicks(acting) == 0


async def test_an_endless_animation_is_not_waited_for(acting: ActingPage, site: Site) -> None:
    style = (
        "<style>@keyframes pulse { to { transform: scale(1.2) translateY(4px); } } button { "
        "animation: pulse .3s infinite alternate; }</style>"
    )
    await acting.page.goto(site.page(style + BUTTON))
    answer = await acting.call("click", POST)
    assert answer.ok, answer.error
    assert answer.took_ms < 1000
    assert await clicks(acting) == 1


async def test_a_button_that_slides_in_is_clicked_where_it_comes_to_rest(
    acting: ActingPage, site: Site
) -> None:
    html = (
        "<style>@keyframes slide { from { transform: translateX(600px); } } button { animation: "
        "slide .4s; }</style>"
        "<button>Post</button><script>document.querySelector('button').onclick = (event) => { "
        "window.at = event.clientX; };</script>"
    )
    await acting.page.goto(site.page(html))
    assert (await acting.call("click", POST)).ok
    assert await acting.page.evaluate("at") < 200


async def test_a_short_animation_that_never_ends_in_time_is_not_stable(
    acting: ActingPage, site: Site
) -> None:
    html = (
        "<button>Post</button><script>const button = document.querySelector('button');"
        "setInterval(() => button.animate([{transform: 'none'}, {transform: "
        "'translateX(300px)'}], 400), 100);</script>"
    )
    await acting.page.goto(site.page(html))
    await acting.page.wait_for_timeout(150)
    answer = await acting.call("click", POST, {"timeout": 600})
    assert answer.code == "NOT_STABLE"


async def test_two_equal_buttons_are_ambiguous_and_neither_is_clicked(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page(BUTTON + BUTTON))
    answer = await acting.call("click", POST)
    assert answer.code == "AMBIGUOUS"
    assert answer.took_ms < 3000
    assert await clicks(acting) == 0


async def test_a_click_on_a_label_s_box_ticks_it_once(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page("<label><input type=checkbox id=box> Agree</label>"))
    assert (await acting.call("click", {"role": "checkbox", "name": "Agree"})).ok
    assert await acting.page.evaluate("box.checked") is True


async def test_hover_enters_and_leaves(acting: ActingPage, site: Site) -> None:
    html = (
        f"{LOG}<button id=a>One</button><button id=b>Two</button><script>a.onmouseenter = "
        f"a.onmouseleave = see</script>"
    )
    await acting.page.goto(site.page(html))
    await acting.call("hover", {"role": "button", "name": "One"})
    answer = await acting.call("hover", {"role": "button", "name": "Two"})
    assert answer.ok
    assert not answer.acted
    assert await acting.page.evaluate("log") == ["mouseenter", "mouseleave"]


async def test_a_list_is_sorted_by_dragging(acting: ActingPage, site: Site) -> None:
    html = (
        "<ul><li draggable=true id=one>One</li><li draggable=true id=two>Two</li></ul><script>"
        "document.addEventListener('dragstart', (event) => "
        "event.dataTransfer.setData('text/plain', event.target.id));"
        "document.addEventListener('dragover', (event) => event.preventDefault());"
        "document.addEventListener('drop', (event) => { event.preventDefault(); "
        "event.target.after(document.getElementById(event.dataTransfer.getData('text/plain'))); });"
        "</script>"
    )
    await acting.page.goto(site.page(html))
    answer = await acting.call(
        "drag", {"role": "listitem", "text": "One"}, {"role": "listitem", "text": "Two"}
    )
    assert answer.ok, answer.error
    assert await acting.page.evaluate("document.querySelector('ul').innerText.split('\\n')") == ["Two", "One"]


async def test_a_slider_is_dragged_by_the_pointer(acting: ActingPage, site: Site) -> None:
    html = (
        "<button id=knob>Knob</button><div style='height:100px'></div><button id=goal>Goal</button><script>"
        "knob.onpointerdown = () => { window.held = true; }; document.onpointermove = (event) => "
        "{ if (window.held) window.at = event.clientY; };"
        "document.onpointerup = () => { window.dropped = window.at; };</script>"
    )
    await acting.page.goto(site.page(html))
    assert (
        await acting.call("drag", {"role": "button", "name": "Knob"}, {"role": "button", "name": "Goal"})
    ).ok
    assert await acting.page.evaluate("dropped") > 100
