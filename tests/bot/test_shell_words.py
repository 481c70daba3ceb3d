"""What a shell hands over reaches its parameter unchanged."""

import pytest

from bot.shell_words import as_chat_line
from library.arguments import parse_words
from library.errors import BadArgument
from library.models import Param
from tests.fakes import subroutine

TEXT = subroutine(params={"text": Param()})
THREAD = subroutine(params={"thread": Param(type="integer"), "text": Param(), "pin": Param(required=False)})


@pytest.mark.parametrize(
    "value",
    [
        "a",
        "a b",
        "",
        " a ",
        '"a"',
        'say "hi"',
        "'",
        "“x”",
        "-5",
        "--text",
        "a=b",
        "text=x",
        "[1]",
        "{",
        "a\nb",
        "\\",
    ],
)
@pytest.mark.parametrize("words", [["text={}"], ["--text={}"], ["--text", "{}"], ["TEXT={}"]])
def test_a_named_value_is_taken_as_it_is(words: list[str], value: str) -> None:
    filled = [word.replace("{}", value) for word in words]
    assert parse_words(as_chat_line(filled, TEXT), TEXT) == {"text": value}


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["Hello"], "Hello"),
        (["Hello world"], "Hello world"),
        (["Hello", "world"], "Hello world"),
        (["a b", "c"], "a b c"),
        (["-5"], "-5"),
        (['"quoted"'], '"quoted"'),
        (["1+1=2"], "1+1=2"),
        (["q=a b"], "q=a b"),
        (["--", "x"], "-- x"),
    ],
)
def test_bare_words_are_the_text(words: list[str], text: str) -> None:
    assert parse_words(as_chat_line(words, TEXT), TEXT) == {"text": text}


def test_bare_and_named_words_mix_in_any_order() -> None:
    wanted = {"thread": 5, "text": "a b", "pin": "x y"}
    for words in (["5", "a", "b", "pin=x y"], ["--pin", "x y", "5", "a b"], ["pin=x y", "5", "text=a b"]):
        assert parse_words(as_chat_line(words, THREAD), THREAD) == wanted


def test_a_name_that_is_nearly_right_is_not_published() -> None:
    with pytest.raises(BadArgument, match='Did you mean "text"'):
        parse_words(as_chat_line(["txt=Hello you"], TEXT), TEXT)
