"""Lists, ticks, comboboxes and file inputs are set as a person would set them, and say what they offer."""

import base64
from typing import Any

import pytest

from tests.extension.page.act.isolated import ActingPage
from tests.extension.page.act.site import Site

# The first one on a machine builds the kit of editors.
pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

LIST = (
    "<label>Kind <select id=list onchange='window.changed = (window.changed ?? 0) + 1'>"
    "<option value=b>Bug</option><option value=f>Feature request</option><option disabled>"
    "Gone</option></select></label>"
)
KIND = {"role": "combobox", "name": "Kind"}


@pytest.mark.parametrize("wanted", ["f", "Feature request", "feature  REQUEST", "request"])
async def test_an_option_is_chosen_by_its_value_or_by_what_it_says(
    acting: ActingPage, site: Site, wanted: str
) -> None:
    await acting.page.goto(site.page(LIST))
    answer = await acting.call("select", KIND, wanted)
    assert answer.ok, answer.error
    assert answer.acted
    assert await acting.page.evaluate("[list.value, changed]") == ["f", 1]


async def test_a_missing_option_is_an_error_with_the_options_there(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page(LIST))
    answer = await acting.call("select", KIND, "Question")
    assert answer.code == "NO_SUCH_OPTION"
    assert answer.error["details"]["options"] == ["Bug", "Feature request", "Gone"]
    assert not answer.acted


async def test_an_option_that_comes_late_is_waited_for(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(
        site.page(f"{LIST}<script>setTimeout(() => list.add(new Option('Late')), 150)</script>")
    )
    assert (await acting.call("select", KIND, "Late")).ok


async def test_several_options_are_chosen_at_once(acting: ActingPage, site: Site) -> None:
    html = "<select multiple id=list aria-label=Tags><option>a<option selected>b<option>c</select>"
    await acting.page.goto(site.page(html))
    answer = await acting.call("select", {"role": "listbox", "name": "Tags"}, ["a", "c"])
    assert answer.value == ["a", "c"]
    assert await acting.page.evaluate("[...list.selectedOptions].map((option) => option.value)") == ["a", "c"]


@pytest.mark.parametrize(("before", "wanted"), [("", True), ("checked", True), ("checked", False)])
async def test_a_tick_is_set_to_what_is_wanted(
    acting: ActingPage, site: Site, before: str, wanted: bool
) -> None:
    await acting.page.goto(site.page(f"<input type=checkbox id=box aria-label=Agree {before}>"))
    answer = await acting.call("select", {"role": "checkbox", "name": "Agree"}, wanted)
    assert answer.ok, answer.error
    assert await acting.page.evaluate("box.checked") is wanted
    assert answer.acted is (bool(before) is not wanted)


async def test_an_option_of_a_combobox_is_typed_for_and_clicked(acting: ActingPage, editor_kit: str) -> None:
    await acting.page.goto(f"{editor_kit}/dev/downshift.html")
    answer = await acting.call("select", {"role": "combobox", "name": "City"}, "Parma")
    assert answer.ok, answer.error
    assert await acting.page.evaluate("readModel()") == "Parma"


def file(name: str, kind: str, text: str) -> dict[str, Any]:
    return {"name": name, "type": kind, "data": base64.b64encode(text.encode()).decode()}


@pytest.mark.parametrize(
    ("css", "field", "files", "wanted"),
    [
        ("#one", "one", [file("a.txt", "text/plain", "hé")], "a.txt:text/plain:hé"),
        (
            "#many",
            "many",
            [file("a.txt", "text/plain", "A"), file("b.csv", "text/csv", "B")],
            "a.txt:text/plain:A\nb.csv:text/csv:B",
        ),
    ],
)
async def test_files_reach_a_react_file_input_also_a_hidden_one(
    acting: ActingPage, editor_kit: str, css: str, field: str, files: list[dict[str, Any]], wanted: str
) -> None:
    await acting.page.goto(f"{editor_kit}/dev/file.html")
    answer = await acting.call("upload", {"css": css}, files)
    assert answer.ok, answer.error
    assert answer.acted
    await acting.page.wait_for_function(f"readModel('{field}') !== ''")
    assert await acting.page.evaluate(f"readModel('{field}')") == wanted


async def test_a_file_of_a_kind_that_is_not_taken_is_refused(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page("<input type=file accept='.txt,image/*' aria-label=File>"))
    answer = await acting.call("upload", {"label": "File"}, file("a.pdf", "application/pdf", "x"))
    assert answer.code == "BAD_ARGUMENT"
    assert ".txt,image/*" in answer.error["message"]


async def test_files_are_dropped_where_there_is_no_input(acting: ActingPage, site: Site) -> None:
    html = (
        "<div role=region aria-label='Drop here' style='height:50px'>Drop here</div><script>"
        "const zone = document.querySelector('div');"
        "zone.ondragover = (event) => event.preventDefault(); zone.ondrop = (event) => { "
        "event.preventDefault(); window.names = [...event.dataTransfer.files].map((file) => "
        "file.name); };</script>"
    )
    await acting.page.goto(site.page(html))
    answer = await acting.call(
        "upload", {"role": "region", "name": "Drop here"}, file("a.txt", "text/plain", "A")
    )
    assert answer.ok, answer.error
    assert await acting.page.evaluate("names") == ["a.txt"]
