"""The text of a subroutine file: what it means, what is wrong with it and on which line."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from library.errors import SubroutineError
from library.models import Effect, Expectation, Input, Param, Permissions, Subroutine
from library.subroutine_file import body_line, parse, render

EXAMPLE = """/*---
name: create-post
version: 1.0.0
title: Post a message
description: Publishes a text post from the account that is logged in.
author: runhome
sites: ["http://127.0.0.1:8765/*"]
start: http://127.0.0.1:8765/
params:
  text: {type: string, description: What to say, minLength: 1, maxLength: 280}
effect: write              # read | write. A write is never retried once it may have happened
timeout: 30s
permissions:
  requests: ["POST http://127.0.0.1:8765/api/posts"]   # default: none
  cookies: false
expect:                    # how we know that it happened
  - request: POST /api/posts
    status: 201
  - text: "{text}"
---*/
const box = await tab.find({ role: "textbox", name: "What is happening?" });
return { url: box };
"""

SMALL = 'name: a\nversion: 1.0.0\nsites: ["https://a.test/*"]\neffect: read\n'


def file(manifest: str, body: str = "return 1;\n") -> str:
    return f"/*---\n{manifest}---*/\n{body}"


def problems(text: str) -> list[tuple[int, str | None]]:
    with pytest.raises(SubroutineError) as caught:
        parse(text)
    found = caught.value.details["problems"]
    assert isinstance(found, list)
    return [(problem["line"], problem["field"]) for problem in found]


def test_the_example_of_the_documentation_is_read_completely() -> None:
    read = parse(EXAMPLE)
    assert read.name == "create-post"
    assert read.effect is Effect.WRITE
    assert read.timeout_s == 30
    assert read.params == {
        "text": Param(type="string", description="What to say", min_length=1, max_length=280)
    }
    assert read.permissions == Permissions(requests=("POST http://127.0.0.1:8765/api/posts",))
    assert read.expect == (Expectation(request="POST /api/posts", status=201), Expectation(text="{text}"))
    assert read.body == EXAMPLE.partition("---*/\n")[2]
    assert read.source == EXAMPLE
    assert body_line(read) == 21


@pytest.mark.parametrize(
    ("written", "seconds"), [("500ms", 0.5), ("30s", 30), ("2m", 120), ("1.5s", 1.5), ('"45s"', 45)]
)
def test_a_timeout_has_its_unit(written: str, seconds: float) -> None:
    assert parse(file(f"{SMALL}timeout: {written}\n")).timeout_s == seconds


def test_strings_keep_the_text_that_was_written() -> None:
    manifest = f"{SMALL}params:\n  a: {{default: 007}}\n  b: {{default: yes}}\n  c: {{enum: [1.10, no]}}\n"
    params = parse(file(manifest)).params
    assert (params["a"].default, params["b"].default, params["c"].enum) == ("007", "yes", ("1.10", "no"))


def test_a_default_makes_a_parameter_optional() -> None:
    params = parse(file(f"{SMALL}params:\n  a: {{type: integer, default: 5}}\n  b: {{}}\n")).params
    assert (params["a"].required, params["a"].default, params["b"].required) == (False, 5, True)


@pytest.mark.parametrize("prefix", ["", "\ufeff", "// @ts-check\n", "\n\n  // one\n// two\n"])
def test_comments_and_a_byte_order_mark_may_come_before_the_manifest(prefix: str) -> None:
    assert parse(prefix + file(SMALL)).name == "a"


def test_line_ends_of_windows_are_read_like_others() -> None:
    read = parse(EXAMPLE.replace("\n", "\r\n"))
    assert read.params["text"].max_length == 280
    assert body_line(read) == 21


@pytest.mark.parametrize(
    ("manifest", "line", "field", "says"),
    [
        (SMALL.replace("effect", "efect"), 5, "efect", 'Did you mean "effect"?'),
        (SMALL.replace("name: a", "name: Ä"), 2, "name", "a-z"),
        (SMALL.replace("name: a", "name: a/b/c"), 2, "name", "one slash"),
        (SMALL.replace("1.0.0", "1.0"), 3, "version", '"1.0" must have three numbers'),
        (SMALL.replace("read", "wirte"), 5, "effect", 'Did you mean "write"?'),
        (SMALL.replace("https://a.test/*", "a.test"), 4, "sites", "not a match pattern"),
        (f"{SMALL}sites: []\n", 6, "sites", "written twice; the first is on line 4"),
        (SMALL.replace('["https://a.test/*"]', "[]"), 4, "sites", "at least one"),
        (SMALL.replace('["https://a.test/*"]', "https://a.test/*"), 4, "sites", "must be a list"),
        (f"{SMALL}start: https://b.test/\n", 6, "start", "outside sites"),
        (f"{SMALL}start: /x\n", 6, "start", "whole address"),
        (f"{SMALL}timeout: 30\n", 6, "timeout", "with its unit"),
        (f"{SMALL}timeout: 5h\n", 6, "timeout", "with its unit"),
        (f"{SMALL}timeout: 90m\n", 6, "timeout", "between"),
        (f"{SMALL}permissions: {{cookies: maybe}}\n", 6, "permissions.cookies", "true or false"),
        (f"{SMALL}permissions: {{requests: [POST /api]}}\n", 6, "permissions.requests", "whole address"),
        (f"{SMALL}permissions: {{requests: [SEND https://a.test/]}}\n", 6, "permissions.requests", "method"),
        (f"{SMALL}csrf: a b\n", 6, "csrf", "page variable"),
        (f"{SMALL}csrf: document.cookie\n", 6, "csrf", "the browser's"),
        (f"{SMALL}csrf: window.localStorage.token\n", 6, "csrf", "the browser's"),
        (f"{SMALL}params:\n  tab: {{}}\n", 7, "params.tab", "already means something"),
        (f"{SMALL}params:\n  a-b: {{}}\n", 7, "params.a-b", "letters, digits"),
        (f"{SMALL}params:\n  a: {{typ: string}}\n", 7, "params.a.typ", 'Did you mean "type"?'),
        (f"{SMALL}params:\n  a: {{type: text}}\n", 7, "params.a.type", "must be string or"),
        (f"{SMALL}params:\n  a: {{type: integer, minLength: 1}}\n", 7, "params.a.minLength", "string only"),
        (f"{SMALL}params:\n  a: {{maximum: 1}}\n", 7, "params.a.maximum", "number or integer only"),
        (f"{SMALL}params:\n  a: {{minLength: few}}\n", 7, "params.a.minLength", "whole number"),
        (
            f"{SMALL}params:\n  a: {{minLength: 3, maxLength: 2}}\n",
            7,
            "params.a.minLength",
            "no value can fit",
        ),
        (f"{SMALL}params:\n  a: {{pattern: '(?=x)'}}\n", 7, "params.a.pattern", "RE2"),
        (f"{SMALL}params:\n  a: {{enum: [x], default: y}}\n", 7, "params.a.default", "one of x"),
        (f"{SMALL}params:\n  a: {{default: y, required: true}}\n", 7, "params.a.default", "never used"),
        (f"{SMALL}params:\n  a: {{default: y, secret: true}}\n", 7, "params.a.default", "secret"),
        (f"{SMALL}params:\n  a: {{format: file, secret: true}}\n", 7, "params.a.secret", "a file"),
        (f"{SMALL}params:\n  a: {{type: array, format: file}}\n", 7, "params.a.format", "string only"),
        (f"{SMALL}expect:\n  - {{}}\n", 7, "expect[0]", "proves nothing"),
        (f"{SMALL}expect:\n  - text: {{text}}\n", 7, "expect[0].text", "needs quotes"),
        (f'{SMALL}expect:\n  - text: "{{txt}}"\n', 7, "expect[0].text", "not a parameter"),
        (f"{SMALL}expect:\n  - status: 201\n", 7, "expect[0].status", "needs the request"),
        (f"{SMALL}expect:\n  - request: POST /a\n    status: ok\n", 8, "expect[0].status", "HTTP status"),
        (f"{SMALL}expect:\n  - request: /a\n", 7, "expect[0].request", "lacks a method"),
        (f"{SMALL}expect:\n  - result: done\n", 7, "expect[0].result", "must have keys"),
        (f"{SMALL}title: &a x\n", 6, None, "Anchors"),
        (f"{SMALL}title: !!python/name:os x\n", 6, None, "Tags"),
        (f"{SMALL}title: {'[' * 40}{']' * 40}\n", 6, None, "nested deeper"),
        (f"{SMALL}title: [a\n", 7, None, "not YAML"),
        (f"{SMALL}title: a\x00b\n", 2, None, "not YAML"),
        (f'{SMALL}start: "https://a.test/*/b"\n', 6, None, "end the comment"),
    ],
)
def test_what_is_wrong_is_named_with_line_and_field(
    manifest: str, line: int, field: str | None, says: str
) -> None:
    with pytest.raises(SubroutineError, match="line") as caught:
        parse(file(manifest))
    found = caught.value.details["problems"]
    assert isinstance(found, list)
    assert any((p["line"], p["field"]) == (line, field) and says in p["message"] for p in found), found


def test_all_problems_are_found_at_once_in_the_order_of_the_lines() -> None:
    manifest = 'name: A\nversion: x\nsites: ["x"]\neffect: no\ntimeout: 3\ncolour: red\n'
    assert problems(file(manifest)) == [
        (2, "name"),
        (3, "version"),
        (4, "sites"),
        (5, "effect"),
        (6, "timeout"),
        (7, "colour"),
    ]


def test_a_missing_key_is_named() -> None:
    assert problems(file("name: a\n")) == [(2, "version"), (2, "sites"), (2, "effect")]


def test_a_secret_may_not_appear_in_what_is_shown() -> None:
    manifest = f'{SMALL}params:\n  pin: {{secret: true}}\nexpect:\n  - text: "Your pin {{pin}}"\n'
    assert problems(file(manifest)) == [(9, "expect[0].text")]


def test_the_message_begins_with_the_name_of_the_file() -> None:
    with pytest.raises(SubroutineError, match=r"^one\.js, line 3, version: "):
        parse(file(SMALL.replace("1.0.0", "1")), path=Path("some/one.js"))


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("return 1;", 1, "must begin with its manifest"),
        ("/* a comment */ return 1;", 1, "must begin with its manifest"),
        ("// x\n/*---\nname: a\n", 2, "never ends"),
        ("/*---\n---*/\nreturn 1;", 2, "is empty"),
        (file(SMALL, body="\n"), 8, "body is empty"),
        (file(SMALL, body="x" * 600_000), 1, "larger than"),
        (file(f"{SMALL}title: {'x' * 70_000}\n"), 2, "larger than"),
    ],
)
def test_a_file_of_another_shape_is_refused(text: str, line: int, says: str) -> None:
    with pytest.raises(SubroutineError) as caught:
        parse(text)
    assert caught.value.line == line
    assert says in str(caught.value)


@given(st.text(max_size=300))
def test_no_text_raises_anything_but_a_subroutine_error(text: str) -> None:
    for candidate in (text, file(text), file(SMALL + text)):
        with suppress(SubroutineError):
            parse(candidate)


_TEXT = st.text(min_size=1, max_size=30)
_JSON = st.dictionaries(_TEXT, st.one_of(_TEXT, st.integers(-9, 9), st.booleans(), st.none()), min_size=1)
_PARAM = st.builds(
    lambda default, **more: Param(default=default, required=default is None, **more),
    description=st.text(max_size=40),
    default=st.none() | _TEXT,
)
_SUBROUTINE = st.builds(
    Subroutine,
    name=st.sampled_from(["a", "site/publish-post", "x1-2"]),
    version=st.sampled_from(["0.0.1", "10.20.30"]),
    title=st.text(max_size=40),
    description=st.text(max_size=40),
    author=st.text(max_size=20),
    sites=st.just(("https://a.test/*", "http://*.b.test:80/x*/y")),
    start=st.sampled_from([None, "https://a.test/x"]),
    params=st.dictionaries(st.sampled_from(["a", "b", "c_d"]), _PARAM),
    effect=st.sampled_from(Effect),
    timeout_s=st.sampled_from([0.5, 30.0, 120.0]),
    permissions=st.builds(
        Permissions, requests=st.sampled_from([(), ("POST https://a.test/*/x",)]), cookies=st.booleans()
    ),
    input=st.sampled_from(Input),
    csrf=st.sampled_from([None, "wpApiSettings.nonce"]),
    expect=st.lists(
        st.builds(
            Expectation,
            request=st.just("POST /a/*/b"),
            status=st.sampled_from([None, 201, (200, 204)]),
            response=st.none() | _JSON,
            result=st.none() | _JSON,
            gone=st.none() | _TEXT,
        ).filter(lambda item: "{" not in repr(item.gone) + repr(item.result).replace("{'", "")),
        max_size=2,
    ).map(tuple),
    body=st.just("return 1;\n"),
    source=st.just(""),
)


@given(_SUBROUTINE)
@settings(max_examples=40)
def test_what_is_rendered_reads_back_as_the_same_subroutine(subroutine: Subroutine) -> None:
    text = render(subroutine)
    assert parse(text).model_copy(update={"source": ""}) == subroutine
