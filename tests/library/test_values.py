"""One value against one parameter: what a word means, and what does not fit."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from library.models import Param
from library.values import MOST_EXACT, check, compile_pattern, read_word


def param(kind: str = "string", **more: Any) -> Param:
    return Param.model_validate({"type": kind, **more})


@pytest.mark.parametrize(
    ("asked", "word", "value"),
    [
        (param(), "007", "007"),
        (param(), " kept ", " kept "),
        (param("integer"), "-12", -12),
        (param("integer"), "007", 7),
        (param("number"), "1.5e3", 1500.0),
        (param("number"), "3", 3),
        (param("boolean"), "Ja", True),
        (param("boolean"), "아니오", False),
        (param("boolean"), "off", False),
        (param("array"), "a, b,c", ["a", "b", "c"]),
        (param("array"), "", []),
        (param("array"), "[“a”, 2]", ["a", 2]),
        (param("object"), '{"a": [1]}', {"a": [1]}),
        (param(enum=["News", "Fun"]), "news", "News"),
        (param("integer", enum=[1, 2]), "2", 2),
    ],
)
def test_a_word_means_a_value_of_the_parameters_type(asked: Param, word: str, value: JsonValue) -> None:
    read = read_word(asked, word)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("report.pdf", True),
        ("보고서 (2).pdf", True),
        ("../report.pdf", False),
        ("..", False),
        ("/etc/passwd", False),
        ("folder/report.pdf", False),
        ("folder\\report.pdf", False),
        ("C:report.pdf", False),
        (".hidden", False),
        ("report\u202efdp.exe", False),
        ("report.pdf\n", False),
        ("", False),
        ("a" * 121, False),
    ],
)
def test_a_file_is_a_plain_name_and_never_a_path(name: str, fits: bool) -> None:
    assert _fits(param(format="file"), name) is fits


@pytest.mark.parametrize(
    ("asked", "word", "says"),
    [
        (param("integer"), "1.5", 'must be a whole number, not "1.5"'),
        (param("integer"), "1_000", "must be a whole number"),
        (param("integer"), "٣", "must be a whole number"),
        (param("integer"), str(MOST_EXACT + 1), "too large"),
        (param("number"), "3,5", "a point, not a comma: 3.5"),
        (param("number"), "1e999", "finite"),
        (param("number"), "nan", "must be a number"),
        (param("number", minimum=2), "1", "must be at least 2, not 1"),
        (param("number", maximum=2), "2.5", "must be at most 2, not 2.5"),
        (param("boolean"), "perhaps", "must be yes or no"),
        (param("array"), "[1", "must be a list"),
        (param("object"), "[1]", "must be JSON"),
        (param("object"), '{"a": NaN}', "must be JSON"),
        (param(enum=["news", "fun"]), "nwes", 'Did you mean "news"?'),
        (param(minLength=1), "", "must not be empty"),
        (param(minLength=3), "ab", "has 2 characters, at least 3 are needed"),
        (param(maxLength=2), "a👋b", "has 3 characters, at most 2 fit"),
        (param(pattern="^[0-9]+$"), "12a", "does not match the pattern"),
        (param(), "\ud800", "lone surrogate"),
    ],
)
def test_a_word_that_does_not_fit_says_why(asked: Param, word: str, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        read_word(asked, word)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("2026-12-24T18:00:00Z", True),
        ("2026-12-24t18:00:00.25+01:00", True),
        ("2026-12-24 18:00:00Z", False),
        ("2026-12-24T18:00:00", False),
        ("2026-02-30T18:00:00Z", False),
        ("2026-12-24T24:00:00Z", False),
        ("20261224T180000Z", False),
    ],
)
def test_a_date_time_is_one_of_rfc_3339(text: str, fits: bool) -> None:
    assert _fits(param(format="date-time"), text) is fits


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("https://example.com/a?b#c", True),
        ("https://bücher.example/", True),
        ("mailto:someone@example.com", True),
        ("example.com", False),
        ("https:", False),
        ("https://a b.example/", False),
        ("/path", False),
    ],
)
def test_a_uri_is_a_whole_address(text: str, fits: bool) -> None:
    assert _fits(param(format="uri"), text) is fits


@pytest.mark.parametrize(
    ("asked", "value", "fits"),
    [
        (param("integer"), 3.0, True),
        (param("integer"), 3.5, False),
        (param("integer"), True, False),
        (param("number"), False, False),
        (param("integer", enum=[1]), True, False),
        (param("boolean"), "yes", False),
        (param(), 7, False),
        (param("array"), ["a"], True),
        (param("object"), [], False),
    ],
)
def test_a_typed_value_is_not_converted(asked: Param, value: JsonValue, fits: bool) -> None:
    assert _fits(asked, value) is fits


def test_a_pattern_that_would_hang_other_engines_is_answered_at_once() -> None:
    assert compile_pattern("^(a+)+$")("a" * 50_000 + "!") is False


@pytest.mark.parametrize("pattern", ["(?=a)", r"(a)\1", "(", "["])
def test_a_pattern_that_re2_cannot_take_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="is not a regular expression of RE2"):
        compile_pattern(pattern)


@given(st.text(), st.sampled_from(["string", "number", "integer", "boolean", "array", "object"]))
def test_what_a_word_is_read_as_also_passes_the_check(word: str, kind: str) -> None:
    try:
        value = read_word(param(kind), word)
    except ValueError:
        return
    assert check(param(kind), value) == value


def _fits(asked: Param, value: JsonValue) -> bool:
    try:
        check(asked, value)
    except ValueError:
        return False
    return True
