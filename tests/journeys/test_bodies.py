"""What a stranger's subroutine may not do, tried by subroutines that try; and the one that never ends."""

from collections.abc import AsyncIterator

import pytest

from library.models import Status
from tests.journeys.household import Household, status_of, subroutine
from tests.journeys.sites import Control, Pages, control_server

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
async def control() -> AsyncIterator[Control]:
    async with control_server() as control:
        yield control


async def test_the_control_server_counts_what_does_arrive(home: Household, control: Control) -> None:
    """Without this the silence in the next tests would prove nothing."""
    page = await home.browser.context.new_page()
    await page.goto("about:blank")
    await page.evaluate("(url) => fetch(url, { mode: 'no-cors' }).catch(() => {})", control.url)
    await page.close()
    assert control.connections > 0


IN_THE_WORKER = {
    "fetch": ("await fetch(url)", 'A body has no "fetch"'),
    "xhr": ("const x = new XMLHttpRequest(); x.open('GET', url); x.send()", 'A body has no "XMLHttpRequest"'),
    "web-socket": ("new WebSocket(url.replace('http', 'ws'))", 'A body has no "WebSocket"'),
    "event-source": ("new EventSource(url)", 'A body has no "EventSource"'),
    "import": ("await import(url)", "Failed to fetch dynamically imported module"),
    "import-scripts": ("importScripts(url)", 'A body has no "importScripts"'),
    "nested-worker": (
        "new Worker(URL.createObjectURL(new Blob([`fetch('${url}')`])))",
        'A body has no "Worker"',
    ),
    "chrome": ("return chrome.runtime.id", "chrome is not defined"),
    "document": ("return document.cookie", "document is not defined"),
    "another-function": (
        "return await new (async () => {}).constructor('url', 'return (await fetch(url)).status')(url)",
        'A body has no "fetch"',
    ),
}


@pytest.mark.parametrize("name", IN_THE_WORKER)
async def test_a_body_has_no_way_out_of_its_worker(
    home: Household, pages: Pages, control: Control, name: str
) -> None:
    body, says = IN_THE_WORKER[name]
    await _refused(home, pages, control, name, body, says=says)
    run = await home.newest()
    assert run.evidence is not None
    assert run.evidence.fault is not None
    assert says in run.evidence.fault.message


BY_A_HELPER = {
    "request": (
        "await tab.request(url)",
        "REQUEST_REFUSED",
        'may not send "GET http://127.0.0.1:',
    ),
    "own-request": (
        "await tab.request('/next', { method: 'POST' })",
        "REQUEST_REFUSED",
        "add that line to permissions.requests in its manifest (there is none).",
    ),
    "site": ("await tab.goto(url)", "SITE_REFUSED", "may not act (sites: "),
    "cookie": ("return await tab.getCookie('session')", "COOKIES_REFUSED", "may not read cookies."),
    "scheme": ("await tab.goto('javascript:fetch(1)')", "SITE_REFUSED", "may not act"),
}


@pytest.mark.parametrize("name", BY_A_HELPER)
async def test_what_the_manifest_does_not_name_is_refused_and_in_the_trace(
    home: Household, pages: Pages, control: Control, name: str
) -> None:
    body, code, says = BY_A_HELPER[name]
    before = len(pages.log.lines)
    said = await _refused(home, pages, control, f"by-{name}", body, says=says)
    run = await home.newest()
    assert said.startswith(f"❌ by-{name}: refused\n")
    assert run.evidence is not None
    [step] = run.evidence.steps
    assert step.error is not None
    assert (step.error.code, step.acted) == (code, False)
    assert "POST /next" not in pages.log.lines[before:]


async def _refused(
    home: Household, pages: Pages, control: Control, name: str, body: str, *, says: str
) -> str:
    """Runs it as a write; it fails, nothing was done, no byte got to the control server."""
    more = "params:\n  url: {type: string}"
    only = [pages.at("/next")]
    home.install(name, subroutine(name, body, sites=only, start=pages.at("/next"), effect="write", more=more))
    before = control.connections
    said = await home.say(f"/run {name} url={control.url}")
    assert says in said.text
    assert "it surely did not happen" in said.text
    assert status_of(await home.newest()) == (Status.FAILED, False)
    assert control.connections == before
    return said.text


@pytest.mark.parametrize("loop", ["while (true);", "for (;;) await null;"])
async def test_a_body_that_loops_is_killed_at_its_deadline_and_the_next_run_works(
    home: Household, pages: Pages, loop: str
) -> None:
    there = {"sites": pages.anywhere, "start": pages.at("/next")}
    home.install("loop", subroutine("loop", loop, timeout="1s", **there))  # type: ignore[arg-type]
    home.install("fine", subroutine("fine", "return 'fine'", **there))  # type: ignore[arg-type]
    said = await home.say("/run loop")
    assert said.text.startswith("❌ loop: failed\nThe body did not end within 1 s and was stopped.")
    run = await home.newest()
    assert run.finished_at is not None
    assert run.started_at is not None
    assert (run.finished_at - run.started_at).total_seconds() < 10
    assert (await home.say("/run fine")).text.startswith("✅ fine: done\nIt returned fine.")
