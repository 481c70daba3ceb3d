"""How long each helper waits where the call gives no timeout: a wait that ends at once tells its end."""

import pytest

from tests.extension.page.find.conftest import Show

pytestmark = pytest.mark.browser

MISSING = {"role": "button", "name": "Missing"}

WAITS_MS = """(async () => {
  const { until } = page.pace;
  let waits;
  page.pace.until = async (check, context, end) => { waits = end - performance.now(); await check(); };
  const { signal } = new AbortController();
  const context = { signal, deadline: Infinity, acted() {}, note() {}, options: {} };
  await page.call(helper, args, context).catch(() => {});
  page.pace.until = until;
  return waits;
})()"""

# Helper, arguments, and what docs/extension.md says.
PATIENCE = [
    ("find", [MISSING], 5_000),
    ("click", [MISSING], 5_000),
    ("type", [MISSING, "x"], 5_000),
    ("select", [MISSING, "x"], 5_000),
    ("read", [MISSING], 5_000),
    ("waitFor", [MISSING], 10_000),
    ("waitFor", [{"text": "Missing"}], 10_000),
    ("waitFor", [{"gone": {"text": "Here"}}], 10_000),
    ("find", [MISSING, {"timeout": 70}], 70),
    ("waitFor", [MISSING, {"timeout": 70}], 70),
]


@pytest.mark.parametrize(("helper", "args", "patience_ms"), PATIENCE)
async def test_a_helper_waits_as_long_as_documented(
    show: Show, helper: str, args: list[object], patience_ms: int
) -> None:
    page = await show("<p>Here</p>")
    assert await page.run(WAITS_MS, helper=helper, args=args) == pytest.approx(patience_ms, abs=40)
