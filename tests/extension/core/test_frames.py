"""Frames of another origin: found when the top frame has no match, and only where the manifest allows."""

from collections.abc import AsyncIterator

import pytest

from tests.extension.core.conftest import Site
from tests.extension.harness import ScriptedRelay, site

pytestmark = pytest.mark.browser

INNER = "<title>Inner</title><button onclick=\"this.textContent = 'Paid'\">Pay</button><p>Inside</p>"
OUTER = """<title>Outer</title><button>Outside</button>
<iframe name="pay" src="{inner}/pay"></iframe><iframe src="{inner}/pay?two"></iframe>"""


@pytest.fixture(scope="module")
async def framed() -> AsyncIterator[tuple[str, str]]:
    """Origins of a page, and of the two frames in it."""
    async with site({"/pay": INNER}) as inner, site({"/": OUTER.format(inner=inner)}) as outer:
        yield outer, inner


async def test_a_named_frame_is_acted_in(relay: ScriptedRelay, framed: tuple[str, str]) -> None:
    outer, inner = framed
    body = """await tab.waitFor({ role: 'button', name: 'Pay', frame: 'pay' });
              await tab.click({ role: 'button', name: 'Pay', frame: 'pay' });
              const paid = await tab.find({ role: 'button', name: 'Paid', frame: '0' });
              return [await tab.read(paid), paid.frame > 0]"""
    result = await relay.run(body, sites=[f"{outer}/*", f"{inner}/*"], start=f"{outer}/")
    assert result["value"] == ["Paid", True], result["steps"]


async def test_a_match_in_two_frames_is_ambiguous(relay: ScriptedRelay, framed: tuple[str, str]) -> None:
    outer, inner = framed
    body = "await tab.waitFor({ text: 'Inside' }); await tab.find({ text: 'Inside' }, { timeout: 500 })"
    result = await relay.run(body, sites=[f"{outer}/*", f"{inner}/*"], start=f"{outer}/")
    assert result["error"]["code"] == "AMBIGUOUS"
    assert len(result["error"]["details"]["matches"]) == 2


async def test_a_frame_outside_the_sites_is_left_alone(
    relay: ScriptedRelay, framed: tuple[str, str], pages: Site
) -> None:
    outer, inner = framed
    named = "await tab.find({ role: 'button', name: 'Pay', frame: 'pay' })"
    result = await relay.run(named, sites=[f"{outer}/*"], start=f"{outer}/")
    assert result["error"]["code"] == "SITE_REFUSED"
    assert inner in result["error"]["message"]
    unnamed = "await tab.find({ role: 'button', name: 'Pay' }, { timeout: 300 })"
    result = await relay.run(unnamed, sites=[f"{outer}/*"], start=f"{outer}/")
    assert result["error"]["code"] == "NOT_FOUND"
