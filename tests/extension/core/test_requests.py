"""Requests of a body: what is traced of them, and where they may end up."""

import pytest

from tests.extension.core.conftest import Site
from tests.extension.harness import ExtensionBrowser, ScriptedRelay, run_params

pytestmark = pytest.mark.browser


async def test_a_request_is_traced_with_its_answer_and_its_secrets_masked(
    relay: ScriptedRelay, pages: Site
) -> None:
    body = "return await tab.requestJson('/api/posts?draft=1', { method: 'POST', json: { text, pin } })"
    result = await relay.run(
        body,
        sites=pages.anywhere,
        start=pages.at("/"),
        requests=[f"POST {pages.at('/api/*')}"],
        arguments={"text": "Hello", "pin": "04 20"},
        secret=["pin"],
    )
    assert (result["value"], result["acted"]) == ({"id": 3, "text": "Hello"}, True)
    [request] = result["requests"]
    assert (request["source"], request["method"], request["status"]) == ("helper", "POST", 201)
    assert request["request_body"] == '{"text":"Hello","pin":"•••"}'
    assert request["url"] == pages.at("/api/posts?draft=1")
    [step] = result["steps"]
    assert step["acted"] is True
    assert step["args"][1]["json"] == {"text": "Hello", "pin": "•••"}


async def test_a_request_that_is_redirected_elsewhere_is_refused_afterwards(
    relay: ScriptedRelay, pages: Site
) -> None:
    body = "return await tab.request('/moved')"
    result = await relay.run(
        body, sites=pages.anywhere, start=pages.at("/"), requests=[f"GET {pages.at('/moved')}"]
    )
    assert result["error"]["code"] == "REQUEST_REFUSED"
    assert "/outside" in result["error"]["message"]


async def test_a_request_under_way_at_the_deadline_is_in_the_trace(relay: ScriptedRelay, pages: Site) -> None:
    body = "await tab.request('/api/never', { method: 'PUT' })"
    result = await relay.run(
        body, sites=pages.anywhere, start=pages.at("/"), requests=["* /**"], timeout_ms=1_500
    )
    assert (result["outcome"], result["acted"]) == ("timed_out", True)
    [request] = result["requests"]
    assert (request["method"], request["status"]) == ("PUT", None)
    assert 'while "request" was under way' in result["error"]["message"]
    [step] = result["steps"]
    assert (step["helper"], step["error"]["code"], step["acted"]) == ("request", "BODY_TOO_LONG", True)


async def test_a_cookie_is_read_where_the_manifest_says_so(relay: ScriptedRelay, pages: Site) -> None:
    body = "return [await tab.getCookie('seen'), await tab.getCookie('none')]"
    result = await relay.run(body, sites=pages.anywhere, start=pages.at("/cookie"), cookies=True)
    assert result["value"] == ["a=b ü", None]


async def test_finish_waits_for_what_should_show_and_tells_what_left_the_tab(
    relay: ScriptedRelay, pages: Site
) -> None:
    params = run_params(
        "await tab.click({ role: 'button', name: 'Send' })", sites=pages.anywhere, start=pages.at("/slow")
    )
    result = await relay.ask("run", **params)
    assert (result["outcome"], result["acted"]) == ("returned", True)
    wanted = [{"method": "POST", "url": "/api/posts"}]
    held = await relay.finish(params["run"], texts=["Sent!"], gone=["Sending"], requests=wanted, hold=True)
    assert [(seen["text"], seen["found"]) for seen in held["texts"]] == [("Sent!", True), ("Sending", False)]
    assert held["notices"] == ["Sent!"]
    [post] = [request for request in held["requests"] if request["method"] == "POST"]
    assert (post["status"], post["source"], post["request_body"]) == (201, "network", "text=slow")
    end = await relay.finish(params["run"], screenshot=True)
    assert end["screenshot"]["mime"] == "image/jpeg", end["screenshot_problem"]
    assert len(end["screenshot"]["data"]) > 500


async def test_finish_gives_up_after_its_time_and_says_what_it_did_not_see(
    relay: ScriptedRelay, pages: Site
) -> None:
    params = run_params("return 1", sites=pages.anywhere, start=pages.at("/next"))
    await relay.ask("run", **params)
    wanted = [{"method": "POST", "url": "/api/posts"}]
    end = await relay.finish(params["run"], texts=["Never"], requests=wanted, timeout_ms=200)
    assert end["texts"] == [{"text": "Never", "found": False, "excerpt": ""}]
    assert (end["final_url"], end["title"], end["screenshot"]) == (pages.at("/next"), "Next", None)


@pytest.mark.parametrize("in_front", [True, False])
async def test_a_picture_of_a_tab_in_front_and_behind(
    relay: ScriptedRelay, browser: ExtensionBrowser, pages: Site, in_front: bool
) -> None:
    tab = (await relay.ask("open", url=pages.at("/next")))["tab"]["id"]
    if in_front:
        await browser.page.evaluate("(id) => chrome.tabs.update(id, { active: true })", tab)
    picture = await relay.ask("screenshot", tab=tab)
    assert picture["mime"] == "image/jpeg"
    assert picture["width"] > 100
    assert picture["height"] > 100
    await browser.page.evaluate("(id) => chrome.tabs.remove(id)", tab)


async def test_an_answer_is_read_as_fetch_gives_it_and_returned_as_plain_json(
    relay: ScriptedRelay, pages: Site
) -> None:
    body = """const answer = await tab.request('/api/posts', { method: 'POST', body: 'Hello' });
              const same = await answer.text() === answer.body;
              return [await answer.json(), same, Object.keys(answer), answer]"""
    result = await relay.run(body, sites=pages.anywhere, start=pages.at("/"), requests=["POST /**"])
    parsed, same, keys, answer = result["value"]
    assert (parsed, same) == ({"id": 3, "text": "Hello"}, True)
    assert sorted(keys) == sorted(answer)
    assert {"status", "ok", "url", "headers", "body"} < set(keys)


async def test_a_request_of_the_page_is_waited_for_by_method_and_place(
    relay: ScriptedRelay, pages: Site
) -> None:
    body = """await tab.click({ role: 'button', name: 'Send' });
              const post = await tab.waitFor({ request: 'POST /api/*' });
              await tab.waitFor({ request: 'GET /api/posts' }, { timeout: 100 });
              return post"""
    result = await relay.run(body, sites=pages.anywhere, start=pages.at("/slow"))
    assert result["error"]["code"] == "TIMEOUT"
    assert f"Since the last act: POST {pages.at('/api/posts')}." in result["error"]["message"]
    waited = next(step for step in result["steps"] if step["helper"] == "waitFor")
    assert waited["value"] == {"method": "POST", "url": pages.at("/api/posts"), "status": 201}


async def test_a_request_before_the_last_act_is_not_waited_for(relay: ScriptedRelay, pages: Site) -> None:
    body = """await tab.click({ role: 'button', name: 'Send' });
              await tab.waitFor({ text: 'Sent!' });
              await tab.click({ role: 'status' });
              await tab.waitFor({ request: 'POST /api/posts' }, { timeout: 100 })"""
    result = await relay.run(body, sites=pages.anywhere, start=pages.at("/slow"))
    assert result["error"]["code"] == "TIMEOUT"


async def test_a_write_that_is_given_up_while_its_token_is_asked_for_does_not_leave(
    relay: ScriptedRelay, pages: Site
) -> None:
    result = await relay.run(
        "await tab.request('/api/posts', { method: 'POST', body: 'x' })",
        sites=pages.anywhere,
        start=pages.at("/token"),
        requests=[f"POST {pages.at('/api/posts')}"],
        timeout_ms=2_000,
    )
    assert pages.asked[-2:] == ["/token", "/token"]
    assert (result["error"]["code"], result["acted"]) == ("BODY_TOO_LONG", False)
    read = await relay.run(
        "await tab.find({ role: 'heading' })", sites=pages.anywhere, start=pages.at("/next")
    )
    assert read["outcome"] == "returned"
    assert pages.asked[-1] == "/next"
