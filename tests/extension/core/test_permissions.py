"""What a manifest does not name is refused before it leaves the extension, and is a step of the trace."""

import pytest

from tests.extension.core.conftest import Site
from tests.extension.harness import ScriptedRelay

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("body", "code", "says"),
    [
        ("await tab.request('/api/x', { method: 'delete' })", "REQUEST_REFUSED", "DELETE"),
        (
            "await tab.requestJson('http://evil.test/api/posts')",
            "REQUEST_REFUSED",
            "http://evil.test/api/posts",
        ),
        ("await tab.request(new URL('/api/posts', 'http://127.0.0.1:1'))", "REQUEST_REFUSED", "127.0.0.1:1"),
        ("await tab.request({ url: '/api/other' })", "REQUEST_REFUSED", "/api/other"),
        ("await tab.request(5)", "BAD_ARGUMENT", "URL"),
        ("await tab.getCookie('session')", "COOKIES_REFUSED", "cookies: true"),
        ("await tab.click({ role: 'button' }, { input: 'trusted' })", "INPUT_REFUSED", "input: trusted"),
        ("await tab.goto('http://evil.test/')", "SITE_REFUSED", "evil.test"),
        ("await tab.goto('javascript:alert(1)')", "SITE_REFUSED", "javascript:"),
    ],
)
async def test_what_the_manifest_does_not_name_is_refused(
    relay: ScriptedRelay, pages: Site, body: str, code: str, says: str
) -> None:
    allowed = [f"GET {pages.at('/api/posts')}"]
    result = await relay.run(body, sites=pages.anywhere, start=pages.at("/"), requests=allowed)
    assert (result["outcome"], result["error"]["code"], result["acted"]) == ("threw", code, False)
    assert says in result["error"]["message"]
    [step] = result["steps"]
    assert step["error"]["code"] == code


async def test_a_page_outside_the_sites_says_where_it_is(relay: ScriptedRelay, pages: Site) -> None:
    sites = [pages.at("/moved"), pages.at("/next")]
    result = await relay.run("await tab.find({ role: 'heading' })", sites=sites, start=pages.at("/moved"))
    assert result["error"]["code"] == "SITE_REFUSED"
    assert pages.at("/outside") in result["error"]["message"]
    assert "log in" in result["error"]["message"]


async def test_a_body_is_not_told_where_the_page_is_on_other_sites(relay: ScriptedRelay, pages: Site) -> None:
    body = """
    const told = [];
    const ways = [
        () => tab.goto('/moved?q'),
        () => tab.waitForUrl(/./, { timeout: 300 }),
        () => tab.read({ role: 'heading' }),
    ];
    for (const way of ways) await way().then((value) => told.push(value), (error) => told.push(error.code));
    return told;
    """
    sites = [pages.at("/moved"), pages.at("/next")]
    result = await relay.run(body, sites=sites, start=pages.at("/next"))
    assert result["value"] == ["SITE_REFUSED"] * 3


async def test_the_refusal_names_the_line_to_add(relay: ScriptedRelay, pages: Site) -> None:
    result = await relay.run(
        "await tab.request('/a?b=c', { method: 'POST' })", sites=pages.anywhere, start=pages.at("/")
    )
    assert result["error"]["details"]["needed"] == f"POST {pages.at('/a')}"
