"""A second search of an unchanged page does not read the page again. Times are in bench/find.py."""

from pathlib import Path

import pytest

from tests.extension.page.find.conftest import Show

pytestmark = pytest.mark.browser

LARGE_PAGE = Path(__file__).parents[4] / "bench" / "large_page.js"
TIMES = """[0, 1, 2, 3].map(() => {
  const began = performance.now();
  page.find(target);
  return performance.now() - began;
})"""


@pytest.mark.parametrize(
    "target",
    [
        {"role": "button", "name": "Save 4100"},
        {"text": "Title 4100"},
        {"role": "button", "name": "shadow 77"},
    ],
)
async def test_a_page_of_50000_nodes_is_read_once(show: Show, target: object) -> None:
    page = await show("")
    nodes = await page.page.evaluate(LARGE_PAGE.read_text(encoding="utf-8"))
    assert nodes == pytest.approx(50_000, rel=0.01)
    first, *later = await page.run(TIMES, target=target)
    assert min(later) < first / 2
    assert first < 2000
