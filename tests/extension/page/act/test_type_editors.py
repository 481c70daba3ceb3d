"""Small editors, each with one habit of a real one: typing serves it, or says what is there instead."""

import pytest

from tests.extension.page.act.isolated import ActingPage
from tests.extension.page.act.site import Site

pytestmark = pytest.mark.browser

BOX = {"role": "textbox", "name": "Message"}

# Has its own model and learns of a selection 100 ms late, as Slate and wangEditor do.
LATE = """<div contenteditable role=textbox aria-label=Message></div><script>
const box = document.querySelector("div");
let model = "", start = 0, end = 0, timer;
const draw = () => { box.textContent = model; };
document.addEventListener("selectionchange", () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const range = getSelection().getRangeAt(0);
    const before = document.createRange();
    before.setStart(box, 0);
    before.setEnd(range.startContainer, range.startOffset);
    start = before.toString().length;
    end = start + range.toString().length;
  }, 100);
});
const put = (text) => {
  model = model.slice(0, start) + text + model.slice(end);
  start = end = start + text.length;
  draw();
};
box.addEventListener("paste", (event) => {
  event.preventDefault();
  put(event.clipboardData.getData("text/plain"));
});
box.addEventListener("beforeinput", (event) => {
  event.preventDefault();
  if (event.inputType === "insertText") put(event.data);
});
const hold = (text) => { model = text; draw(); };
</script>"""

# Takes a paste and shortens it; what is done to its tree without asking it, it undoes a moment later.
UNDOING = """<div contenteditable role=textbox aria-label=Message></div><script>
const box = document.querySelector("div");
let model = "";
box.addEventListener("paste", (event) => {
  event.preventDefault();
  box.textContent = model = event.clipboardData.getData("text/plain").slice(0, 3);
});
new MutationObserver(() => setTimeout(() => {
  if (box.textContent !== model) box.textContent = model;
}, 60)).observe(box, { childList: true, characterData: true, subtree: true });
</script>"""

# Makes a paragraph with a host of its own out of every line of a paste.
BLOCKS = """<main></main><script>
const block = (text) => {
  const host = document.createElement("div");
  host.contentEditable = true;
  host.setAttribute("role", "textbox");
  host.setAttribute("aria-label", "Message");
  host.textContent = text;
  document.querySelector("main").append(host);
};
block("");
addEventListener("paste", (event) => {
  event.preventDefault();
  document.querySelector("main").textContent = "";
  for (const line of event.clipboardData.getData("text/plain").split("\\n")) if (line) block(line);
});
const held = () => [...document.querySelectorAll("main > *")].map((host) => host.textContent).join("\\n");
</script>"""


@pytest.mark.parametrize(
    ("options", "wanted"), [({}, "old texta new one"), ({"clear": True}, "a new one")], ids=["after", "over"]
)
async def test_an_editor_that_learns_of_a_selection_late_gets_the_text_in_its_place(
    acting: ActingPage, site: Site, options: dict[str, bool], wanted: str
) -> None:
    await acting.page.goto(site.page(LATE))
    await acting.page.evaluate("hold('old text')")
    answer = await acting.call("type", BOX, "a new one", options)
    assert answer.ok, answer.error
    assert await acting.page.evaluate("model") == wanted


async def test_what_an_editor_undoes_a_moment_later_was_not_typed(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page(UNDOING))
    answer = await acting.call("type", BOX, "Hello from my phone")
    assert answer.code == "TEXT_DIFFERS"
    assert await acting.page.evaluate("model") == "Hel"


async def test_lines_that_become_blocks_of_their_own_are_read_together(
    acting: ActingPage, site: Site
) -> None:
    await acting.page.goto(site.page(BLOCKS))
    answer = await acting.call("type", BOX, "one\ntwo")
    assert answer.ok, answer.error
    assert await acting.page.evaluate("held()") == "one\ntwo"


async def test_blocks_that_lost_a_blank_line_are_an_error_and_nothing_is_typed_twice(
    acting: ActingPage, site: Site
) -> None:
    await acting.page.goto(site.page(BLOCKS))
    answer = await acting.call("type", BOX, "one\n\ntwo")
    assert answer.code == "TEXT_DIFFERS"
    assert answer.error["details"]["got"] == "one\ntwo"
    assert await acting.page.evaluate("held()") == "one\ntwo"


async def test_a_page_that_reads_its_field_when_a_key_comes_up_knows_the_text(
    acting: ActingPage, site: Site
) -> None:
    html = (
        "<input aria-label=Message><script>document.querySelector('input').onkeyup = (event) => "
        "{ window.got = event.target.value; };</script>"
    )
    await acting.page.goto(site.page(html))
    assert (await acting.call("type", BOX, "hello")).ok
    assert await acting.page.evaluate("got") == "hello"


async def test_an_amount_that_lost_its_decimal_place_is_an_error(acting: ActingPage, site: Site) -> None:
    html = (
        "<input aria-label=Message><script>document.querySelector('input').oninput = (event) => "
        "{ event.target.value = event.target.value.replace(/\\D/g, ''); };</script>"
    )
    await acting.page.goto(site.page(html))
    answer = await acting.call("type", BOX, "12.50")
    assert answer.code == "TEXT_DIFFERS"
    assert answer.error["details"] == {"wanted": "12.50", "got": "1250"}


async def test_an_option_drawn_beside_a_list_for_screen_readers_is_chosen(
    acting: ActingPage, site: Site
) -> None:
    html = (
        "<input role=combobox aria-label=City aria-controls=list><section>"
        "<div id=list role=listbox style='width: 0; height: 0; overflow: hidden'>"
        "<div role=option>Parma</div></div>"
        "<div onclick='window.chosen = this.textContent'>Parma</div></section>"
    )
    await acting.page.goto(site.page(html))
    answer = await acting.call("select", {"role": "combobox", "name": "City"}, "Parma")
    assert answer.ok, answer.error
    assert await acting.page.evaluate("chosen") == "Parma"
