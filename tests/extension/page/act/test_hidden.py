"""A tab that nobody sees, in a browser as a person has it: no frames are drawn there, and timers are slow.

Playwright lends every page the focus and keeps it visible, so it has no part in this.
"""

import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from library.models import Outcome, Proof, Status
from library.subroutine_file import parse
from relay.chrome import extension_id
from relay.managed import ManagedBrowser
from relay.runner import Runner
from relay.server import create_app, serve
from tests.chromium import chromium_path
from tests.extension.page.act.site import Site
from tests.fakes_browser import Home

pytestmark = pytest.mark.browser

FORM = """<div style="height: 3000px"></div>
<style>button { animation: turn 1s infinite alternate } @keyframes turn { to { rotate: 1deg } }</style>
<label>Name <input></label><button disabled>Save</button><p role="status"></p><script>
  const [input, button, status] = document.querySelectorAll("input, button, p");
  let frames = 0;
  requestAnimationFrame(function tick() { frames += 1; requestAnimationFrame(tick); });
  input.oninput = () => { button.disabled = input.value === ""; };
  button.onclick = async () => {
    const before = frames;
    await fetch("/saved", { method: "POST", body: input.value });
    status.textContent = `Saved ${input.value}, hidden: ${document.hidden}, frames: ${frames - before}`;
    history.pushState(null, "", "/saved");
  };
</script>"""

SUBROUTINE = """/*---
name: save
version: 1.0.0
sites: ["{site}/*"]
start: {site}/page
params:
  name: {{type: string}}
effect: write
---*/
const started = Date.now();
await tab.type({{ label: "Name" }}, name, {{ clear: true }});
await tab.hover({{ role: "button", name: "Save" }});
await tab.click({{ role: "button", name: "Save" }});
const status = await tab.waitFor({{ role: "status", text: /Saved/ }});
await tab.waitForUrl("**/saved");
return {{ said: await tab.read(status), took_ms: Date.now() - started }};
"""


@pytest.fixture
async def home(tmp_path: Path, site: Site) -> AsyncIterator[Home]:
    """A home whose browser shows another page than the one a run opens."""
    home = Home()

    async def new_code() -> str:
        return home.pairings.new_code().text

    app = create_app(home.pairings, home.browsers, home.reception, extension_id=extension_id())
    browser = ManagedBrowser(tmp_path / "profile", executable=Path(chromium_path()))
    async with serve(app, 0) as port:
        try:
            await browser.start(port=port, new_code=new_code, headless=True, url=f"{site.url}/")
            yield home
        finally:
            await browser.stop()


async def run(home: Home, source: str, **arguments: str) -> Outcome:
    name = f"r{secrets.token_hex(6)}"
    runner = Runner(home.browsers)
    return await runner.run(name, parse(source), arguments, browser=None, proof=Proof.NEVER)


async def test_a_hidden_tab_is_typed_into_clicked_and_waited_for(home: Home, site: Site) -> None:
    site.page(FORM)
    outcome = await run(home, SUBROUTINE.format(site=site.url), name="Ann 안녕")
    assert outcome.verdict.status is Status.UNCONFIRMED, outcome
    value = outcome.evidence.value
    assert isinstance(value, dict), outcome
    assert value["said"] == "Saved Ann 안녕, hidden: true, frames: 0"
    assert isinstance(value["took_ms"], int)
    assert value["took_ms"] < 5_000
