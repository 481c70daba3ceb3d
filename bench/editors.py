"""Typing into real editors: `tab.type` beside Playwright's `fill` and `press_sequentially`, one matrix.

`python -m bench.editors` prints it; needs ../shared/editors. Letters name the texts that did not arrive:
s single, m paragraphs, n two lines, t trailing newline, e emoji, h hangul, c code, d markdown, w blanks.
Times are medians of the whole call from Python.
"""

import asyncio
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from playwright.async_api import Error, Locator, async_playwright

from tests.chromium import launch
from tests.extension.page.act.editors import NO_PEER, TYPED, Case, alike, build, cases, serve
from tests.extension.page.act.isolated import ActingPage
from tests.extension.page.act.playing import act, held, open_case

KIT = Path(__file__).parent.parent.parent / "shared" / "editors"
PEER_TIMEOUT_MS = 1500
LETTERS = {"code": "c", "two lines": "n", "paragraphs": "m", "blanks": "w", "markdown": "d"}


@dataclass
class Cell:
    """One way of typing in one field."""

    right: int = 0
    wrong: list[str] = field(default_factory=list)
    took_ms: list[float] = field(default_factory=list)

    def words(self) -> str:
        total = self.right + len(self.wrong)
        missing = "".join(LETTERS.get(name, name[0]) for name in self.wrong)
        return f"{self.right}/{total}{' not ' if missing else ''}{missing} {median(self.took_ms):.0f} ms"


async def ours(acting: ActingPage, case: Case) -> None:
    await act(acting, case)


async def fill(acting: ActingPage, case: Case) -> None:
    box = locator(acting, case)
    if case.kind == "select":
        await box.select_option(case.value, timeout=PEER_TIMEOUT_MS)
    elif case.kind == "check":
        await box.check(timeout=PEER_TIMEOUT_MS)
    else:
        await box.fill(case.value, timeout=PEER_TIMEOUT_MS)


async def press_sequentially(acting: ActingPage, case: Case) -> None:
    await locator(acting, case).press_sequentially(case.value, timeout=PEER_TIMEOUT_MS * 4)


def locator(acting: ActingPage, case: Case) -> Locator:
    frame, _, inner = case.css.partition(" >> ")
    if frame.startswith("iframe"):
        return acting.page.frame_locator(frame).locator(inner)
    return acting.page.locator(
        case.css.replace(" >> ", " ")
    )  # Playwright's selectors cross open shadow roots


WAYS: dict[str, Callable[[ActingPage, Case], Awaitable[None]]] = {
    "tab.type": ours,
    "fill": fill,
    "press_sequentially": press_sequentially,
}


async def measure(acting: ActingPage, url: str) -> dict[str, dict[str, Cell]]:
    """Rows by field, cells by way; the ways take turns at each text."""
    rows: dict[str, dict[str, Cell]] = defaultdict(lambda: defaultdict(Cell))
    for case in cases(KIT):
        if not case.on_empty or case.kind in NO_PEER:
            continue
        for name, way in WAYS.items():
            if name == "press_sequentially" and case.kind in ("select", "check"):
                continue
            if case.kind not in TYPED:
                await acting.page.goto("about:blank")
            await open_case(acting, url, case)
            cell = rows[f"{case.page} {case.field or ''}"][name]
            wrong_before = len(cell.wrong)
            await one(cell, acting, case, way)
            if len(cell.wrong) > wrong_before:  # what a wrong try left behind is not the next one's fault
                await acting.page.goto("about:blank")
    return rows


async def one(
    cell: Cell, acting: ActingPage, case: Case, way: Callable[[ActingPage, Case], Awaitable[None]]
) -> None:
    began = time.perf_counter()
    try:
        await way(acting, case)
    except Error:
        cell.wrong.append(case.name)
        return
    finally:
        cell.took_ms.append((time.perf_counter() - began) * 1000)
    if alike(await held(acting, case.field, case.want), case.want):
        cell.right += 1
    else:
        cell.wrong.append(case.name)


def matrix(rows: dict[str, dict[str, Cell]]) -> str:
    lines = ["| field | " + " | ".join(WAYS) + " |", "|---" * (len(WAYS) + 1) + "|"]
    for what, cells in rows.items():
        words = [cells[name].words() if name in cells else "" for name in WAYS]
        lines.append(f"| {what.strip()} | " + " | ".join(words) + " |")
    totals = [_total([cells[name] for cells in rows.values() if name in cells]) for name in WAYS]
    lines.append("| **all** | " + " | ".join(totals) + " |")
    return "\n".join(lines)


def _total(cells: list[Cell]) -> str:
    right = sum(cell.right for cell in cells)
    total = right + sum(len(cell.wrong) for cell in cells)
    return f"**{right}/{total}** {median([took for cell in cells for took in cell.took_ms]):.0f} ms"


async def measured() -> str:
    """The matrix, as text."""
    with serve(build(KIT)) as url, tempfile.TemporaryDirectory() as profile:
        async with async_playwright() as playwright:
            context = await launch(playwright, Path(profile), extension=False)
            acting = await ActingPage.open(context)
            shown = matrix(await measure(acting, url))
            await context.close()
    return shown


if __name__ == "__main__":
    print(asyncio.run(measured()))
