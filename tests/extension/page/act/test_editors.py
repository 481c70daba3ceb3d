"""Every editor of the kit holds what was typed, by its own account: on empty fields, over an old text, after one."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import BrowserContext

from tests.extension.page.act.editors import Case, alike, as_files, cases
from tests.extension.page.act.isolated import ActingPage, Answer

# The first one on a machine builds the kit.
pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

ON_EMPTY = 227
ALL = 395
NO_PEER = {"refuse", "combo", "file", "submit"}


async def play(acting: ActingPage, url: str, case: Case) -> tuple[bool, str, Answer]:
    """Opens the page, lets one helper do its work; whether the editor's own model is right, and what it holds."""
    await acting.page.goto(f"{url}/dev/{case.page}.html")
    await acting.page.wait_for_function("window.kitReady")
    if case.before:
        await acting.page.evaluate("([text, field]) => setModel(text, field)", [case.before, case.field])
    answer = await act(acting, case)
    right = answer.ok is (case.kind != "refuse")
    for _ in range(20):
        got = str(await acting.page.evaluate("(field) => readModel(field)", case.field))
        if alike(got, case.want):
            return right, got, answer
        await asyncio.sleep(0.02)
    return False, got, answer


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
        ok, got, answer = await play(acting, editor_kit, case)
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
