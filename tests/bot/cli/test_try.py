"""What is typed at `runhome try` becomes a subroutine of one site, and what came of it is shown."""

from typing import Any

import pytest

from bot.cli import suggestions
from bot.cli.try_page import line_subroutine, shown, whole
from library.errors import AskError
from library.lint import lint
from library.subroutine_file import parse, render
from tests.bot.cli.commands import Up
from tests.fakes_browser import run_reply

SITE = "http://127.0.0.1:8765"
TAB = {"id": 1, "url": f"{SITE}/login", "title": "Log in", "busy": False}


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("example.com/a?b", "https://example.com/a?b"),
        ("localhost:8765", "http://localhost:8765"),
        ("127.0.0.1/x", "http://127.0.0.1/x"),
        ("http://example.com", "http://example.com"),
    ],
)
def test_an_address_is_read_as_in_a_browser(typed: str, address: str) -> None:
    assert whole(typed) == address


@pytest.mark.parametrize("typed", ["about:blank", "http://", "ftp://example.com", "https://[::1", ""])
def test_what_is_no_address_of_a_page_is_refused(typed: str) -> None:
    with pytest.raises(AskError, match="is no address of a page"):
        whole(typed)


@pytest.mark.parametrize(
    ("line", "ends_with"),
    [
        ('find({role: "button", name: "a; b"})', 'return await (find({role: "button", name: "a; b"})\n)'),
        ("click('x');", "return await (click('x')\n)"),
        ("read(`for ;`) // what", "return await (read(`for ;`) // what\n)"),
        ("const a = 1; return a", "const a = 1; return a"),
        ("for (const x of []) {}", "for (const x of []) {}"),
        ('returned("x")', 'return await (returned("x")\n)'),
    ],
)
def test_a_line_is_a_value_or_statements(line: str, ends_with: str) -> None:
    subroutine = parse(render(line_subroutine(line, SITE)))
    assert subroutine.body.strip().endswith(ends_with)
    assert [finding for finding in lint(subroutine) if finding.code == "syntax"] == []
    assert subroutine.sites == (f"{SITE}/*",)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("? button", [{"role": "button"}]),
        ("?button Log in", [{"role": "button", "name": "Log in"}]),
        ("? Log in", ["Log in"]),
    ],
)
def test_a_question_says_what_to_look_for(line: str, wanted: list[Any]) -> None:
    assert suggestions.targets(line) == wanted


def test_a_bare_question_looks_for_every_role_and_its_body_would_run() -> None:
    assert {"role": "textbox"} in suggestions.targets("?")
    assert lint(parse(render(suggestions.subroutine(SITE)))) == []


def test_suggestions_can_be_typed_and_equal_ones_are_told_apart() -> None:
    button = {"role": "button", "name": 'Say "hi"', "where": "form > button"}
    found = [
        button,
        {"role": "link", "name": "", "where": ""},
        button,
        {"role": "tab", "name": "T", "why": "hidden"},
    ]
    assert suggestions.shown(found) == [
        '  {role: "button", name: "Say \\"hi\\"", nth: 0}   in form > button',
        '  {role: "link"}',
        '  {role: "button", name: "Say \\"hi\\"", nth: 1}   in form > button',
        '  {role: "tab", name: "T"}   (hidden)',
    ]
    assert suggestions.shown([]) == ["Nothing like it is on the page now."]


def test_an_error_is_shown_with_its_candidates() -> None:
    step = {"n": 1, "helper": "click", "took_ms": 2.04, "error": {"code": "NOT_FOUND"}}
    near = {"role": "button", "name": "Log in", "where": "form > button", "why": "other name"}
    fault = {"code": "NOT_FOUND", "message": 'No button "Lgo in".', "details": {"candidates": [near]}}
    assert shown({"evidence": {"steps": [step], "fault": fault, "logs": ["here"]}}) == [
        "  1. click 2.0 ms NOT_FOUND",
        "  log: here",
        'NOT_FOUND: No button "Lgo in".',
        '    button "Log in" in form > button: other name',
    ]


async def test_lines_from_a_pipe_are_answered_in_turn(up: Up) -> None:
    up.extension.replies["open"] = {"tab": TAB}
    up.extension.replies["run"] = run_reply(value={"a": 1}, final_url=f"{SITE}/home")
    said = await up.runhome("try", f"{SITE}/login", typed="read({role: 'heading'})\n\nnot ( javascript\n")
    assert said.code == 0
    assert said.out.startswith("Log in\nType helpers as a subroutine would")
    assert "> read({role: 'heading'})\n" in said.out
    assert '"a": 1' in said.out
    bodies = [params["subroutine"]["body"] for method, params in up.extension.asked if method == "run"]
    assert "return await (read({role: 'heading'})" in bodies[0]


async def test_a_page_that_does_not_open_is_one_sentence(up: Up) -> None:
    said = await up.runhome("try", "x.test", "--browser", "Chrom")
    assert (said.code, said.out) == (1, "")
    assert 'There is no browser named "Chrom". Did you mean "Chrome"?' in said.err
    assert "Traceback" not in said.err
