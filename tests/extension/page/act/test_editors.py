"""Every editor of the kit holds what was typed, by its own account: empty, over an old text, after one."""

from collections import Counter
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext

from tests.extension.page.act.editors import NO_PEER, cases
from tests.extension.page.act.isolated import ActingPage
from tests.extension.page.act.playing import open_case, play

# The first one on a machine builds the kit.
pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

ON_EMPTY = 227
ALL = 395


async def test_every_editor_holds_what_was_typed(
    plain_browser: BrowserContext, shared: Path, editor_kit: str
) -> None:
    acting = await ActingPage.open(plain_browser)
    right: Counter[str] = Counter()
    wrong: list[str] = []
    for case in cases(shared / "editors"):
        await open_case(acting, editor_kit, case)
        ok, got, answer = await play(acting, case)
        right["all"] += ok
        right["on empty"] += ok and case.on_empty and case.kind not in NO_PEER
        if not ok:
            wrong.append(f"{case.page} {case.css} {case.name}: {got!r}, wanted {case.want!r}; {answer.error}")
    await acting.close()
    assert not wrong, "\n".join(wrong)
    assert (right["on empty"], right["all"]) == (ON_EMPTY, ALL)
