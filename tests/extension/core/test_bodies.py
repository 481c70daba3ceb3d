"""What a body can do and cannot do, and how its end is reported."""

import asyncio

import pytest

from tests.extension.core.conftest import Site
from tests.extension.harness import ExtensionBrowser, ScriptedRelay, run_params

pytestmark = pytest.mark.browser


async def test_a_body_gets_its_arguments_by_name_and_returns_json(relay: ScriptedRelay, pages: Site) -> None:
    given = {"code": "007", "text": '"; throw 1; //', "list": [1, {"a": None}]}
    result = await relay.run("return { code, text, list }", sites=pages.anywhere, arguments=given)
    assert (result["outcome"], result["value"], result["acted"]) == ("returned", given, False)


async def test_a_body_that_returns_nothing_returns_null(relay: ScriptedRelay, pages: Site) -> None:
    assert (await relay.run("", sites=pages.anywhere))["value"] is None


async def test_what_a_body_logs_is_kept_and_told_at_once(relay: ScriptedRelay, pages: Site) -> None:
    body = "console.log('one', { two: 2 }); await tab.log('three'); await tab.progress('half', 0.5)"
    params = run_params(body, sites=pages.anywhere)
    result = await relay.ask("run", **params)
    assert result["logs"] == ['one {"two":2}', "three"]
    assert await relay.event("log") == {"run": params["run"], "text": 'one {"two":2}'}
    assert await relay.event("progress") == {"run": params["run"], "text": "half", "fraction": 0.5}


async def test_a_step_is_told_while_the_body_goes_on(relay: ScriptedRelay, pages: Site) -> None:
    body = "await tab.read({ role: 'heading' }); await tab.find({ role: 'button', name: 'Never' })"
    params = run_params(body, sites=pages.anywhere)
    asked = asyncio.create_task(relay.ask("run", **params))
    told = await relay.event("step", lambda params: params["step"]["helper"] == "read")
    assert (told["run"], told["step"]["n"], asked.done()) == (params["run"], 1, False)
    await relay.ask("cancel", run=params["run"])
    assert [step["helper"] for step in (await asked)["steps"]] == ["read", "find"]


NEST = "let nested = []; for (let i = 0; i < 300; i += 1) nested = [nested];"
"""More than the relay's JSON readers hold: such a frame would end the connection, and the runs of others."""


@pytest.mark.parametrize(
    ("body", "code", "says", "line"),
    [
        ("const a = 1;\nthrow new TypeError('no')", "BODY_THREW", "TypeError: no (line 2 of the body)", 2),
        ("\n\nnull.x", "BODY_THREW", "line 3", 3),
        ("throw 'just text'", "BODY_THREW", "just text", None),
        ("return 1;\nconst = 2", "BODY_SYNTAX", "Unexpected token '=' (line 2 of the body)", 2),
        ("}); while (true); (() => {", "BODY_SYNTAX", "not JavaScript", None),
        ("return () => 1", "RESULT_NOT_JSON", "The returned value is a function", None),
        ("return { rows: new Map() }", "RESULT_NOT_JSON", '"rows" in the returned value is a Map', None),
        ("return { n: 0 / 0 }", "RESULT_NOT_JSON", '"n" in the returned value is a NaN', None),
        ("const a = []; a.push(a); return a", "RESULT_NOT_JSON", "circular", None),
        ("return 'x'.repeat(4 * 1024 * 1024)", "TOO_LARGE", "4 MiB", None),
        ("\nawait tab.find({ role: 'button', name: 'Nowhere' })", "NOT_FOUND", "Nowhere", 2),
        ("await tab.click(() => 1)", "BAD_ARGUMENT", "function", None),
        (f"{NEST} return nested", "RESULT_NOT_JSON", "nested too deeply", None),
        (f"{NEST} await tab.find({{ within: nested }})", "BAD_ARGUMENT", "nested too deeply", None),
        (
            f"{NEST} throw Object.assign(new Error('no'), {{ code: 'OWN', details: {{ nested }} }})",
            "OWN",
            "no",
            None,
        ),
        (
            "const d = {}; d.d = d; throw Object.assign(new Error('no'), { code: 'OWN', details: d })",
            "OWN",
            "no",
            None,
        ),
    ],
)
async def test_a_body_that_fails_says_why_and_where(
    relay: ScriptedRelay, pages: Site, body: str, code: str, says: str, line: int | None
) -> None:
    result = await relay.run(body, sites=pages.anywhere)
    assert (result["outcome"], result["error"]["code"], result["acted"]) == ("threw", code, False)
    assert says in result["error"]["message"]
    if line is not None:
        assert result["error"]["details"]["line"] == line


@pytest.mark.parametrize(
    "body",
    ["while (true);", "await new Promise(() => {})", "await tab.waitFor(() => false)"],
)
async def test_a_body_is_killed_at_its_deadline_and_the_next_run_works(
    relay: ScriptedRelay, pages: Site, body: str
) -> None:
    result = await relay.run(body, sites=pages.anywhere, timeout_ms=600)
    assert (result["outcome"], result["error"]["code"]) == ("timed_out", "BODY_TOO_LONG")
    assert (await relay.run("return 1", sites=pages.anywhere))["value"] == 1


async def test_what_a_body_leaves_running_does_not_hold_up_its_next_run(
    relay: ScriptedRelay, pages: Site
) -> None:
    body = "setTimeout(() => { while (true); }); return 1"
    for _ in range(2):
        assert (await relay.run(body, sites=pages.anywhere, timeout_ms=8_000))["value"] == 1


async def test_a_late_call_of_an_earlier_run_is_not_taken_for_the_next(
    relay: ScriptedRelay, pages: Site
) -> None:
    body = """
      if (!late) { globalThis.second = true; await tab.waitFor(() => globalThis.over); return 2 }
      const timer = setInterval(() => {
        tab.log('too late');
        if (!globalThis.second) return;
        clearInterval(timer);
        globalThis.over = true;
      }, 5);
      return 1;
    """
    await relay.run(body, sites=pages.anywhere, arguments={"late": True})
    result = await relay.run(body, sites=pages.anywhere, arguments={"late": False})
    assert (result["value"], result["logs"]) == (2, [])


async def test_a_cancelled_run_ends_at_once(relay: ScriptedRelay, pages: Site) -> None:
    params = run_params("await tab.progress('going'); while (true);", sites=pages.anywhere)
    answer = await relay.send_request("run", params)
    await relay.event("progress")
    assert await relay.ask("cancel", run=params["run"]) == {"cancelled": True}
    assert (await answer)["result"]["outcome"] == "cancelled"
    assert await relay.ask("cancel", run="r-unknown") == {"cancelled": False}


async def test_a_sandbox_that_dies_under_a_body_is_noticed_and_the_next_run_works(
    relay: ScriptedRelay, browser: ExtensionBrowser, pages: Site
) -> None:
    params = run_params("await tab.progress('going'); await new Promise(() => {})", sites=pages.anywhere)
    answer = await relay.send_request("run", params)
    await relay.event("progress")
    await browser.crash_sandbox()
    result = (await answer)["result"]
    assert (result["outcome"], result["error"]["code"]) == ("threw", "BODY_THREW")
    assert "memory" in result["error"]["message"]
    assert (await relay.run("return 1", sites=pages.anywhere))["value"] == 1


@pytest.mark.parametrize(
    "attempt",
    [
        "await fetch(leak)",
        "await Object.getPrototypeOf(globalThis).fetch(leak)",
        "new WebSocket(leak.replace('http', 'ws'))",
        "new XMLHttpRequest()",
        "new EventSource(leak)",
        "await import(leak)",
        "importScripts(leak)",
        "navigator.sendBeacon(leak)",
        "chrome.runtime.sendMessage('x')",
        "document.title",
        "new Worker(URL.createObjectURL(new Blob([`fetch('${leak}')`])))",
        "new BroadcastChannel('x')",
        "await new Function('u', 'return fetch(u)')(leak)",
        "await (0, eval)(`import('${leak}')`)",
        "indexedDB.open('x')",
        "new WebTransport(leak)",
    ],
)
async def test_no_way_out_of_the_sandbox(relay: ScriptedRelay, pages: Site, attempt: str) -> None:
    leak = pages.at("/leak")
    result = await relay.run(f"{attempt}; return 'escaped'", sites=pages.anywhere, arguments={"leak": leak})
    assert (result["outcome"], result["error"]["code"]) == ("threw", "BODY_THREW")
    assert "/leak" not in pages.asked


async def test_a_body_that_bends_the_port_still_cannot_do_what_is_refused(
    relay: ScriptedRelay, pages: Site
) -> None:
    body = """
      MessagePort.prototype.postMessage = function () {};
      JSON.stringify = () => '["/free"]';
      Promise.prototype.then = Promise.prototype.then;
      try { await tab.request('/secret') } catch (error) { return error.code }
    """
    result = await relay.run(
        body, sites=pages.anywhere, start=pages.at("/"), requests=[f"GET {pages.at('/free')}"]
    )
    assert result["value"] == "REQUEST_REFUSED"
    assert result["steps"][0]["error"]["code"] == "REQUEST_REFUSED"


async def test_a_body_that_writes_to_its_port_by_itself_reaches_the_helpers_and_nothing_else(
    relay: ScriptedRelay, pages: Site
) -> None:
    body = """
      const { get } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
      let port;
      Object.defineProperty(MessageEvent.prototype, 'data', {
        get() { port = this.currentTarget; return get.call(this); },
      });
      await tab.read({ role: 'heading' });
      const answer = new Promise((resolve) => port.addEventListener('message', (event) => {
        if (get.call(event).id === 900) resolve(get.call(event));
      }));
      for (let run = 1; run < 1000; run += 1) {  // it does not know its number
        port.postMessage({ run, call: 900, helper: 'observe', args: '[{}]' });
      }
      return (await answer).error.code;
    """
    result = await relay.run(body, sites=pages.anywhere, start=pages.at("/"))
    assert result["value"] == "NO_SUCH_HELPER"


async def test_secrets_are_masked_wherever_they_would_show(relay: ScriptedRelay, pages: Site) -> None:
    body = "console.log('pin is ' + pin); await tab.log(encodeURIComponent(pin)); throw new Error(pin)"
    result = await relay.run(body, sites=pages.anywhere, arguments={"pin": "s3 cr/et"}, secret=["pin"])
    assert result["logs"] == ["pin is •••", "•••"]
    assert "s3" not in str(result)
