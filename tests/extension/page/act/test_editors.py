"""Every editor of the kit holds what was typed, by its own account: on empty fields, over an old text, after one."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import BrowserContext

from tests.extension.page.act.editors import TYPED, Case, alike, as_files, cases
from tests.extension.page.act.isolated import ActingPage, Answer

# The first one on a machine builds the kit.
pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

ON_EMPTY = 227
ALL = 395
NO_PEER = {"refuse", "combo", "file", "submit"}  # kinds that Playwright's typing has no word for


async def play(acting: ActingPage, case: Case) -> tuple[bool, str, Answer]:
    """Sets the editor's own model, lets one helper do its work; whether the model is right then, and what it holds."""
    if case.kind in TYPED:
        await acting.page.evaluate("([text, field]) => setModel(text, field)", [case.before, case.field])
        await held(acting, case.field, case.before)
    answer = await act(acting, case)
    got = await held(acting, case.field, case.want)
    return alike(got, case.want) and answer.ok is (case.kind != "refuse"), got, answer


async def held(acting: ActingPage, field: str | None, wanted: str) -> str:
    """What the model holds, as soon as it is what is wanted."""
    for _ in range(50):
        got = str(await acting.page.evaluate("(field) => readModel(field)", field))
        if alike(got, wanted):
            break
        await asyncio.sleep(0.02)
    return got


async def act(acting: ActingPage, case: Case) -> Answer:
    target = {"css": case.css}
    options = {"input": "trusted"} if case.trusted else {}
    match case.kind:
        case "select" | "check" | "combo":
            return await acting.call("select", target, case.value)
        case "file":
            return await acting.call("upload", target, as_files(case.value))
        case "submit":
            return await acting.call("type", target, case.value, {"submit": True})
    return await acting.call("type", target, case.value, {"clear": case.clear}, options=options)


async def test_every_editor_holds_what_was_typed(
    plain_browser: BrowserContext, shared: Path, editor_kit: str
) -> None:
    acting = await ActingPage.open(plain_browser)
    right: Counter[str] = Counter()
    wrong: list[str] = []
    for case in cases(shared / "editors"):
        address = f"{editor_kit}/dev/{case.page}.html"
        if acting.page.url != address:
            await acting.page.goto(address)
            await acting.page.wait_for_function("window.kitReady")
        ok, got, answer = await play(acting, case)
        right["all"] += ok
        right["on empty"] += ok and case.on_empty and case.kind not in NO_PEER
        if not ok:
            wrong.append(
                f"{case.page} {case.css} {case.name}: {got!r}, wanted {case.want!r}; {describe(answer)}"
            )
    await acting.close()
    assert not wrong, "\n".join(wrong)
    assert (right["on empty"], right["all"]) == (ON_EMPTY, ALL)


def describe(answer: Answer) -> Any:
    return answer.error.get("message", f"{answer.took_ms:.0f} ms")
