"""Long texts in parts, as Telegram and WhatsApp count them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.splitting import clean, split, utf16_length
from tests.telegram_contract import utf16


@pytest.mark.parametrize(
    ("text", "most", "parts"),
    [
        ("", 10, []),
        ("  \n ", 10, []),
        ("short", 10, ["short"]),
        ("one two three", 8, ["one two", "three"]),
        ("aaaaa\n\nbbb\ncccc", 11, ["aaaaa", "bbb\ncccc"]),
        ("aaaa bb. cccc dd", 12, ["aaaa bb.", "cccc dd"]),
        ("x" * 25, 10, ["x" * 10, "x" * 10, "x" * 5]),
        ("😀" * 7, 6, ["😀" * 3, "😀" * 3, "😀"]),
        ("aaaaa👩‍💻b", 9, ["aaaaa", "👩‍💻b"]),
        ("a b", 1, ["a", "b"]),
    ],
)
def test_a_text_is_cut_where_a_reader_would(text: str, most: int, parts: list[str]) -> None:
    assert split(text, most) == parts


def test_the_first_part_may_be_shorter_for_a_caption() -> None:
    assert [len(part) for part in split("x" * 30, 20, first=5)] == [5, 20, 5]


@given(st.text(st.characters(codec="utf-8")), st.integers(2, 50))
def test_no_part_is_too_long_or_empty_and_nothing_but_white_space_is_lost(text: str, most: int) -> None:
    parts = split(text, most)
    assert all(0 < utf16_length(part) <= most for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


@given(st.text())
def test_lengths_are_those_of_utf_16(text: str) -> None:
    assert utf16_length(clean(text)) == utf16(clean(text))


def test_what_no_provider_takes_is_replaced() -> None:
    assert clean("a\ud83d\ude00b\ud83dc\x00") == "a😀b\ufffdc"
