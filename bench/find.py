"""Finding on a page of 50,000 nodes: our page scripts and Playwright's locators, interleaved in one browser.

`python -m bench.find` prints the table. Times are of the whole call from Python; ours also inside the page.
Cold is the first search after the page scripts came into the page, when they walk it once (its own row);
warm is any later search while the page does not change.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.async_api import Locator, Page, async_playwright

from bench.table import Row, table
from tests.chromium import launch
from tests.extension.page.find.finding import FindingPage

LARGE_PAGE = Path(__file__).with_name("large_page.js").read_text(encoding="utf-8")
LAST = 4100
TIMED = """(() => {
  const began = performance.now();
  page.find(target);
  return performance.now() - began;
})()"""

# What the page scripts do once, when they come into a page that is there already.
WALK = """(() => {
  const began = performance.now();
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT);
  let hosts = 0;
  while (walker.nextNode()) if (walker.currentNode.shadowRoot) hosts += 1;
  return performance.now() - began;
})()"""


def role_and_name(page: Page) -> Locator:
    return page.get_by_role("button", name=f"Save {LAST}", exact=True)


def role_and_name_in_shadow(page: Page) -> Locator:
    return page.get_by_role("button", name="Shadow 77", exact=True)


def by_text(page: Page) -> Locator:
    return page.get_by_text(f"Title {LAST}", exact=True)


SEARCHES: list[tuple[str, dict[str, str], Callable[[Page], Locator]]] = [
    ("a button by name", {"role": "button", "name": f"Save {LAST}"}, role_and_name),
    ("a button in shadow roots", {"role": "button", "name": "Shadow 77"}, role_and_name_in_shadow),
    ("a heading's text", {"text": f"Title {LAST}"}, by_text),
]


async def measure(rounds: int = 10) -> list[Row]:
    """Rows for every search: Playwright, ours cold and warm, and ours inside the page."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="runhome-bench-", ignore_cleanup_errors=True) as folder:
        async with async_playwright() as playwright:
            context = await launch(playwright, Path(folder), extension=False)
            page = await context.new_page()
            nodes = await page.evaluate(LARGE_PAGE)
            for what, target, locate in SEARCHES:
                rows += await _one(page, f"{what} among {nodes} nodes", target, locate(page), rounds)
            await context.close()
    return rows


async def _one(page: Page, what: str, target: dict[str, str], theirs: Locator, rounds: int) -> list[Row]:
    kinds = (
        "Playwright",
        "Runhome, walk",
        "Runhome, cold",
        "Runhome, warm",
        "... cold, inside",
        "... warm, inside",
    )
    playwright, walk, cold, warm, cold_inside, warm_inside = (Row(f"{what}: {kind}") for kind in kinds)
    for _ in range(rounds):
        finding = await FindingPage.attach(page)
        walk.samples.append(await finding.run(WALK))
        await _timed(cold, cold_inside, finding, target)
        await _timed(warm, warm_inside, finding, target)
        await _timed_theirs(playwright, theirs)
        await finding.session.detach()
    return [playwright, walk, cold, warm, cold_inside, warm_inside]


async def _timed(row: Row, inside: Row, finding: FindingPage, target: dict[str, str]) -> None:
    began = time.perf_counter()
    inside_ms = await finding.run(TIMED, target=target)
    row.samples.append((time.perf_counter() - began) * 1000)
    inside.samples.append(inside_ms)


async def _timed_theirs(row: Row, locator: Locator) -> None:
    began = time.perf_counter()
    await locator.element_handle()
    row.samples.append((time.perf_counter() - began) * 1000)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.find", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10, help="how often each is measured (10)")
    print(table(asyncio.run(measure(parser.parse_args().rounds))))


if __name__ == "__main__":
    main()
