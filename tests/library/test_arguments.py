"""What a person writes after a subroutine's name, and what becomes of it."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from library.arguments import bind, parse_named, parse_words, quote
from library.errors import BadArgument
from library.models import Param, Subroutine
from tests.library.subroutines import optional, subroutine, text

POST = subroutine(text=text())
ARTICLE = subroutine("publish", title=text("The headline"), text=text(), pinned=optional("boolean"))
REPLY = subroutine("reply", thread=Param(type="integer", description="Its number"), text=text())
NOTE = subroutine("note", text=text(), topic=optional("string"), copies=optional("integer"))
LIST = subroutine("list", limit=optional("integer", description="How many"), tags=optional("array"))
BARE = subroutine("ping")


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("text=hello", {"text": "hello"}),
        ('text="hello world"', {"text": "hello world"}),
        ("text='hello world'", {"text": "hello world"}),
        ("text=“hello world”", {"text": "hello world"}),
        ("text=„hello world“", {"text": "hello world"}),
        ("text=«hello world»", {"text": "hello world"}),
        ("text=‘don’t stop’", {"text": "don’t stop"}),
        ('text=“he said "yes", twice”', {"text": 'he said "yes", twice'}),
        ("—text “a b”", {"text": "a b"}),
        ("–text “a b”", {"text": "a b"}),
        ('--text "a b"', {"text": "a b"}),
        ("--text=a", {"text": "a"}),
        ("Text=hello", {"text": "hello"}),
        ("hello", {"text": "hello"}),
        ("hello   big world", {"text": "hello   big world"}),
        ('"hello world"', {"text": "hello world"}),
        ('he said "yes" to it', {"text": 'he said "yes" to it'}),
        ("it's 5\" long", {"text": "it's 5\" long"}),
        ("'tis the season", {"text": "'tis the season"}),
        ("a — b –c --d", {"text": "a — b –c --d"}),
        ("see https://a.test/?x=1 E=mc2", {"text": "see https://a.test/?x=1 E=mc2"}),
        ("007", {"text": "007"}),
        ("hello\nworld\n\n  again", {"text": "hello\nworld\n\n  again"}),
        ("\n\nhello\nworld", {"text": "hello\nworld"}),
        ('text="two\nlines"', {"text": "two\nlines"}),
    ],
)
def test_one_text_parameter_takes_what_a_phone_types(line: str, values: dict[str, JsonValue]) -> None:
    assert parse_words(line, POST) == values


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("title=A text=B", {"title": "A", "text": "B"}),
        ("text=B A", {"title": "A", "text": "B"}),
        ('"A long title" and the rest', {"title": "A long title", "text": "and the rest"}),
        ("A and the rest", {"title": "A", "text": "and the rest"}),
        ("A long title\nThe body\n\nends", {"title": "A long title", "text": "The body\n\nends"}),
        ('title="A b"\nThe body', {"title": "A b", "text": "The body"}),
        ("title=A\ntext=B", {"title": "A", "text": "B"}),
        (
            "title=A\npinned=yes\nThe body\npinned=no",
            {"title": "A", "pinned": True, "text": "The body\npinned=no"},
        ),
        ("A --pinned\nThe body", {"title": "A", "pinned": True, "text": "The body"}),
        ("pinned=예 A B", {"title": "A", "text": "B", "pinned": True}),
    ],
)
def test_several_parameters_are_filled_in_manifest_order(line: str, values: dict[str, JsonValue]) -> None:
    assert parse_words(line, ARTICLE) == values


def test_a_number_comes_before_the_rest_of_the_line() -> None:
    assert parse_words("12 Hello there", REPLY) == {"thread": 12, "text": "Hello there"}


def test_an_optional_text_does_not_steal_words_from_the_required_one() -> None:
    assert parse_words("Hello big\nworld", NOTE) == {"text": "Hello big\nworld"}
    assert parse_words("Hello big world topic=news", NOTE) == {"text": "Hello big world", "topic": "news"}


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("", {}),
        ("5", {"limit": 5}),
        ("5 a,b", {"limit": 5, "tags": ["a", "b"]}),
        ('tags="a, b"', {"tags": ["a", "b"]}),
        ('tags=["a b", 2]', {"tags": ["a b", 2]}),
        ("tags=[“a b”,“c”] limit=2", {"tags": ["a b", "c"], "limit": 2}),
    ],
)
def test_optional_parameters_may_be_given_or_left_out(line: str, values: dict[str, JsonValue]) -> None:
    assert parse_words(line, LIST) == values


@pytest.mark.parametrize(
    ("line", "asked", "says"),
    [
        ("", POST, ["text is missing. It is: What to say"]),
        ("txet=hello", POST, ['There is no parameter "txet". Did you mean "text"?', "in quotes"]),
        ("limit=many", LIST, ['limit must be a whole number, not "many"', "It is: How many"]),
        ("lmit=5", LIST, ['There is no parameter "lmit". Did you mean "limit"?']),
        ("colour=5", LIST, ['There is no parameter "colour". list takes: limit, tags.']),
        ("title=A text=B and more", ARTICLE, ['"and more" is left over', "needs quotes"]),
        ("text=a text=b", POST, ["text is given twice"]),
        ("text=", REPLY, ["thread is missing. It is: Its number"]),
        ('text="never closed', POST, ["never closed"]),
        ("--text", POST, ["text has no value after it"]),
        ("x", BARE, ["ping takes no arguments"]),
        ("title=A pinned=perhaps", ARTICLE, ["pinned must be yes or no", "text is missing"]),
    ],
)
def test_what_cannot_be_understood_is_answered_with_every_problem(
    line: str, asked: Subroutine, says: list[str]
) -> None:
    with pytest.raises(BadArgument) as caught:
        parse_words(line, asked)
    for part in says:
        assert part in str(caught.value)


def test_what_came_another_way_takes_no_word_and_is_not_given_twice() -> None:
    given = {"title": "News"}
    assert parse_words("hello world", ARTICLE, given) == {"title": "News", "text": "hello world"}
    with pytest.raises(BadArgument, match="title is given twice"):
        parse_words("title=Fun hello", ARTICLE, given)


def test_a_secret_is_not_repeated_when_it_does_not_fit() -> None:
    login = subroutine("login", pin=text("Four digits", pattern="^[0-9]{4}$", secret=True))
    with pytest.raises(BadArgument) as caught:
        parse_words("pin=hunter2", login)
    assert "hunter2" not in str(caught.value)


_ANY_TEXT = st.one_of(st.text(), st.text('\\"”“ =\na'))
"""The second kind is nothing but what quoting has to care about."""


@given(_ANY_TEXT)
def test_any_text_survives_quoting(value: str) -> None:
    assert parse_words(quote(value), POST) == {"text": value}
    assert parse_words(f"text={quote(value)}", POST) == {"text": value}
    assert parse_words(f"—text {quote(value)}", POST) == {"text": value}


@given(_ANY_TEXT, _ANY_TEXT)
def test_any_two_texts_survive_quoting(one: str, other: str) -> None:
    assert parse_words(f"{quote(one)} {quote(other)}", ARTICLE) == {"title": one, "text": other}
    assert parse_words(f"text={quote(one)} title={quote(other)}", ARTICLE) == {"title": other, "text": one}


@given(st.text(st.characters(exclude_characters="=-—–", exclude_categories=["Cs"])))
def test_a_text_without_names_in_it_is_taken_verbatim(value: str) -> None:
    line = f"x{value}".strip()
    assert parse_words(line, POST) == {"text": line}


_PIECES = st.lists(
    st.sampled_from(
        [
            "text=",
            "title=",
            "--text",
            "—pinned ",
            "thread=",
            "tags=[",
            '"',
            "“",
            "”",
            "'",
            "\\",
            "\n",
            " ",
            "a",
            "1",
        ]
    )
)


@given(st.one_of(st.text(), _PIECES.map("".join)), st.sampled_from([POST, ARTICLE, REPLY, NOTE, LIST, BARE]))
def test_no_line_raises_anything_but_a_bad_argument(line: str, asked: Subroutine) -> None:
    with suppress(BadArgument):
        bind(asked, parse_words(line, asked))


def test_binding_fills_defaults_and_keeps_manifest_order() -> None:
    asked = subroutine(b=optional("integer", default=3), a=text(), c=optional("string"))
    assert list(bind(asked, {"a": "x"}).items()) == [("b", 3), ("a", "x"), ("c", None)]


def test_binding_refuses_what_is_unknown_missing_or_of_another_type_in_one_message() -> None:
    with pytest.raises(BadArgument) as caught:
        bind(REPLY, {"thread": "12", "txt": "x"})
    message = str(caught.value)
    assert 'There is no parameter "txt". Did you mean "text"?' in message
    assert 'thread must be a whole number, not "12"' in message
    assert "text is missing" in message


def test_named_words_from_a_sheet_are_typed_like_words_from_a_chat() -> None:
    assert parse_named({"thread": "12", "text": "  007 "}, REPLY) == {"thread": 12, "text": "  007 "}
