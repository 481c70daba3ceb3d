"""Three frames inside one another, each of another origin: the innermost is found with and without a name."""

from collections.abc import AsyncIterator

import pytest

from tests.extension.harness import ScriptedRelay, run_params, site

pytestmark = pytest.mark.browser

INNERMOST = """<title>Innermost</title><label>Card <input></label><button
  onclick="this.textContent = `Paid with ${document.querySelector('input').value}`">Pay</button>
  <button onclick="this.textContent = `Sure ${event.isTrusted}`">Sure</button>"""
MIDDLE = '<title>Middle</title><button>Middle</button><iframe name="card" src="{inner}/card"></iframe>'
OUTER = '<title>Outer</title><button>Outer</button><iframe name="shop" src="{middle}/shop"></iframe>'
LATER = """<title>Later</title><button>Show</button><script>
  document.querySelector("button").onclick = () => setTimeout(() => {{
    const frame = document.createElement("iframe");
    frame.src = "{middle}/shop";
    document.body.append(frame);
  }}, 300);</script>"""
COVERED = OUTER + '<div style="position: fixed; inset: 0">Wait</div>'
BOTH = '<title>Both</title><button>Pay</button><iframe name="shop" src="{middle}/shop"></iframe>'


@pytest.fixture(scope="module")
async def outer() -> AsyncIterator[str]:
    """The origin of the outermost pages; each frame is of another one."""
    async with site({"/card": INNERMOST}) as inner, site({"/shop": MIDDLE.format(inner=inner)}) as middle:
        pages = {"/": OUTER, "/covered": COVERED, "/both": BOTH, "/later": LATER}
        async with site({path: html.format(middle=middle) for path, html in pages.items()}) as origin:
            yield origin


SITES = ["http://127.0.0.1:*/*"]
PLACES = ["", "frame: 'card'", "frame: '0.0'", "frame: '**/card'"]


@pytest.mark.parametrize("place", PLACES)
async def test_the_innermost_frame_is_typed_into_and_clicked(
    relay: ScriptedRelay, outer: str, place: str
) -> None:
    body = f"""await tab.type({{ label: 'Card', {place} }}, '4242', {{ clear: true }});
               await tab.click({{ role: 'button', name: 'Pay', {place} }});
               const paid = await tab.waitFor({{ role: 'button', name: /^Paid/, {place} }});
               return [await tab.read(paid), await tab.read({{ role: 'button', name: 'Middle' }})]"""
    result = await relay.run(body, sites=SITES, start=f"{outer}/?{place}")
    assert result["value"] == ["Paid with 4242", "Middle"], result["error"]


@pytest.mark.parametrize("path", ["/", "/covered"])
async def test_trusted_input_aims_through_frames_of_other_origins(
    relay: ScriptedRelay, outer: str, path: str
) -> None:
    body = """await tab.click({ role: 'button', name: 'Sure' });
              await tab.click({ label: 'Card' });
              await tab.press('7');
              await tab.click({ role: 'button', name: 'Pay' });
              const sure = await tab.read({ role: 'button', name: /^Sure/ });
              return [sure, await tab.read({ role: 'button', name: /^Paid/ })]"""
    result = await relay.run(body, sites=SITES, start=outer + path, input="trusted")
    if path == "/covered":
        assert (result["error"]["code"], result["acted"]) == ("COVERED", False)
    else:
        assert result["value"] == ["Sure true", "Paid with 7"], result["error"]


async def test_a_frame_that_comes_while_the_top_one_is_searched_is_searched_too(
    relay: ScriptedRelay, outer: str
) -> None:
    body = """await tab.click({ role: 'button', name: 'Show' });
              await tab.click({ role: 'button', name: 'Pay' });
              return await tab.read({ role: 'button', name: /^Paid/ })"""
    result = await relay.run(body, sites=SITES, start=f"{outer}/later")
    assert result["value"] == "Paid with", result["error"]
    assert max(step["took_ms"] for step in result["steps"]) < 4_000


async def test_a_match_in_the_top_frame_and_in_the_innermost_is_ambiguous_until_one_is_named(
    relay: ScriptedRelay, outer: str
) -> None:
    body = """await tab.waitFor({ label: 'Card' });
              const card = await tab.find({ role: 'button', name: 'Pay', frame: 'card' });
              await tab.click({ role: 'button', name: 'Pay' })"""
    result = await relay.run(body, sites=SITES, start=f"{outer}/both")
    assert result["error"]["code"] == "AMBIGUOUS", result["error"]
    assert [match["frame"] for match in result["error"]["details"]["matches"]] == ["", "0.0"]
    assert result["acted"] is False


PAY = """await tab.type({ label: 'Card' }, '4242', { clear: true });
         await tab.click({ role: 'button', name: 'Pay' })"""


async def test_the_proof_of_a_run_may_stand_in_the_innermost_frame(relay: ScriptedRelay, outer: str) -> None:
    params = run_params(PAY, sites=SITES, start=f"{outer}/?proof")
    assert (await relay.ask("run", **params))["outcome"] == "returned"
    asked = {"texts": ["Paid with 4242", "Outer"], "gone": ["Middle", "Pay now"], "timeout_ms": 800}
    seen = await relay.finish(params["run"], **asked)
    assert [(text["text"], text["found"]) for text in seen["texts"]] == [
        ("Paid with 4242", True),
        ("Outer", True),
        ("Middle", True),
        ("Pay now", False),
    ]


async def test_a_frame_of_a_site_that_is_not_the_runs_proves_nothing(
    relay: ScriptedRelay, outer: str
) -> None:
    params = run_params("return 1", sites=[f"{outer}/*"], start=f"{outer}/?own")
    await relay.ask("run", **params)
    seen = await relay.finish(params["run"], texts=["Pay"], timeout_ms=500)
    assert [text["found"] for text in seen["texts"]] == [False]
