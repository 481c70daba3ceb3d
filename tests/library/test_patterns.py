"""Patterns for sites and requests, by the table that the extension's tests read too."""

import json
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from library.patterns import (
    PatternError,
    read_address,
    read_request,
    read_site,
    request_matches,
    site_matches,
)

TABLE: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "wire" / "patterns.json").read_text("utf-8")
)


@pytest.mark.parametrize("case", TABLE["sites"], ids=lambda case: f"{case['pattern']} {case['url']}")
def test_a_site_pattern_means_what_the_table_says(case: dict[str, Any]) -> None:
    assert site_matches(case["pattern"], case["url"]) is case["matches"]


@pytest.mark.parametrize("case", TABLE["requests"], ids=lambda case: f"{case['pattern']} {case['url']}")
def test_a_request_pattern_means_what_the_table_says(case: dict[str, Any]) -> None:
    matches = request_matches(case["pattern"], case["method"], case["url"], origin=case.get("origin"))
    assert matches is case["matches"]


@pytest.mark.parametrize("text", TABLE["bad_sites"])
def test_a_site_pattern_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(PatternError):
        read_site(text)


@pytest.mark.parametrize("text", TABLE["bad_requests"])
def test_a_request_pattern_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(PatternError):
        read_request(text)


@pytest.mark.parametrize(
    ("wider", "narrower", "covers"),
    [
        ("https://*.example.com/*", "https://www.example.com/*", True),
        ("https://*.example.com/*", "https://*.www.example.com/*", True),
        ("https://www.example.com/*", "https://*.example.com/*", False),
        ("https://example.com/*", "https://example.com/forum/*", True),
        ("https://example.com/forum/*", "https://example.com/*", False),
        ("*://example.com/*", "https://example.com/*", True),
        ("https://example.com/*", "*://example.com/*", False),
        ("http://127.0.0.1:*/*", "http://127.0.0.1:8765/*", True),
        ("http://127.0.0.1:8765/*", "http://127.0.0.1:*/*", False),
    ],
)
def test_a_site_pattern_covers_only_what_it_wholly_contains(wider: str, narrower: str, covers: bool) -> None:
    assert read_site(wider).covers(read_site(narrower)) is covers


@pytest.mark.parametrize(
    ("wider", "narrower", "covers"),
    [
        ("POST https://a.test/x", "POST https://a.test/x", True),
        ("* https://a.test/x", "POST https://a.test/x", True),
        ("POST https://a.test/x", "* https://a.test/x", False),
        ("POST https://a.test/**", "POST https://a.test/x/*", True),
        ("POST https://a.test/*", "POST https://a.test/**", False),
        ("POST https://a.test/*/*", "POST https://a.test/**", False),
        ("POST https://a.test/*/b", "POST https://a.test/**/b", False),
        ("POST https://a.test/x*", "POST https://a.test/x**", False),
        ("POST https://a.test/*", "POST https://a.test/x*", True),
        ("POST https://a.test/x", "POST /x", False),
        ("POST https://a.test/x*", "POST https://a.test/*", False),
        ("POST https://a.test/x?a=1", "POST https://a.test/x", False),
        ("POST https://a.test/x", "POST https://a.test/x?a=1", True),
        ("POST https://a.test/x", "POST https://b.test/x", False),
    ],
)
def test_a_request_pattern_covers_only_what_it_wholly_contains(
    wider: str, narrower: str, covers: bool
) -> None:
    assert read_request(wider).covers(read_request(narrower)) is covers


def test_a_pattern_with_many_wildcards_is_refused_because_matching_it_could_take_long() -> None:
    with pytest.raises(PatternError, match="wildcards"):
        read_site("https://example.com/" + "*a" * 7)


def test_an_address_is_taken_apart_as_the_browser_does_it() -> None:
    assert read_address("HTTPS://Example.com/a/./b/../c?q#f") == ("https", "example.com", "443", "/a/c", "q")


def test_a_strangers_pattern_with_many_wildcards_takes_no_time_with_a_strangers_address() -> None:
    began = perf_counter()
    pattern = f"GET https://a.test/{'**a' * 6}b"
    assert not request_matches(pattern, "GET", f"https://a.test/{'a' * 100_000}")
    assert perf_counter() - began < 5
