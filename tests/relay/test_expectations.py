"""Templates filled with a run's values, and the patterns they make."""

from typing import Any

import pytest

from library.models import RequestMade
from relay.expectations import SECRET, Expected, differences, equal, fill, lookup, watch
from relay.patterns import AddressSought, RequestSought
from tests.relay.subroutines import SITE, write

SITES = (f"{SITE}/*",)
ARGUMENTS = {"text": "Hello * {pin} /?#", "pin": "0420"}
RESULT: dict[str, Any] = {"id": 3, "url": "/p/3", "tags": ["a", "b"], "own": {"name": "Ada"}}


def filled(**item: Any) -> Expected:
    (expected,) = fill(write(item), ARGUMENTS, RESULT)
    return expected


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{text}", "Hello * {pin} /?#"),
        ("Post {result.id} by {result.own.name}", "Post 3 by Ada"),
        ("{result.tags.1}", "b"),
        ("{result.tags}", '["a", "b"]'),
        ("{}", "{}"),
        ("{ text }", "{ text }"),
        ("{{text}}", "{Hello * {pin} /?#}"),
    ],
)
def test_a_text_is_filled_once_and_literally(template: str, text: str) -> None:
    expected = filled(text=template)
    assert expected.text is not None
    assert expected.text.sought == text


@pytest.mark.parametrize("template", ["{result.nothing}", "{result.tags.9}", "{result.id.x}", "{nobody}"])
def test_what_is_missing_is_said_and_never_raised(template: str) -> None:
    for key in ("text", "gone", "url", "request"):
        problem = filled(**{key: f"POST /{template}" if key == "request" else f"/{template}"}).problem
        assert problem is not None
        assert template.strip("{}").split(".")[-1] in problem


def test_a_missing_value_of_a_body_that_threw_is_said() -> None:
    (expected,) = fill(write({"text": "{result.url}"}), {}, None)
    assert expected.problem is not None


def test_a_pattern_that_cannot_be_read_is_said() -> None:
    problem = filled(request="POST ftp://example.com/").problem
    assert problem is not None
    assert "ftp" in problem


def test_a_secret_is_sought_but_not_shown() -> None:
    expected = filled(text="PIN {pin}", request="POST /api/{pin}")
    assert expected.text is not None
    assert (expected.text.sought, expected.text.shown) == ("PIN 0420", f"PIN {SECRET}")
    assert "0420" not in expected.shown_request


def test_a_value_that_is_one_hole_keeps_its_type() -> None:
    expected = filled(result={"id": "{result.id}", "label": "n{result.id}"}, response={"text": "{text}"})
    assert expected.result == {"id": 3, "label": "n3"}
    assert expected.response == {"text": ARGUMENTS["text"]}


def test_what_is_watched_is_named_once() -> None:
    item = {"text": "A", "gone": "B", "request": "POST /api/posts"}
    wanted = watch(fill(write(item, item), {}, None))
    assert [text.sought for text in (*wanted.texts, *wanted.gone)] == ["A", "B"]
    assert len(wanted.requests) == 1


@pytest.mark.parametrize(
    ("pattern", "method", "url", "matches"),
    [
        ("POST /api/posts", "POST", f"{SITE}/api/posts", True),
        ("POST /api/posts", "POST", f"{SITE}/api/posts?draft=1#top", True),
        ("POST /api/posts", "GET", f"{SITE}/api/posts", False),
        ("POST /api/posts", "POST", f"{SITE}/api/posts/3", False),
        ("POST /api/posts", "POST", "http://evil.test/api/posts", False),
        ("POST /api/posts", "POST", "http://127.0.0.1:8766/api/posts", False),
        ("POST /api/*", "POST", f"{SITE}/api/posts", True),
        ("POST /api/*", "POST", f"{SITE}/api/posts/3", False),
        ("POST /api/**", "POST", f"{SITE}/api/posts/3", True),
        ("POST /api?draft=1", "POST", f"{SITE}/api", False),
        ("POST /api?draft=1", "POST", f"{SITE}/api?draft=1", True),
        ("/api/posts", "PUT", f"{SITE}/api/posts", True),
        ("POST http://api.example.com/x", "POST", "http://api.example.com/x", True),
    ],
)
def test_a_request_is_matched_on_the_sites(pattern: str, method: str, url: str, matches: bool) -> None:
    made = RequestMade(source="network", method=method, url=url)
    assert RequestSought(pattern, SITES).matches(made) is matches


@pytest.mark.parametrize(
    ("value", "path", "matches"), [("a*", "/p/a*b", False), ("한 글", "/p/%ED%95%9C%20%EA%B8%80", True)]
)
def test_a_filled_in_value_is_meant_literally(value: str, path: str, matches: bool) -> None:
    (expected,) = fill(write({"request": "GET /p/{text}"}), {"text": value}, None)
    assert expected.request is not None
    made = RequestMade(source="network", method="GET", url=SITE + path)
    assert expected.request.matches(made) is matches


@pytest.mark.parametrize(
    ("page", "url"),
    [
        (f"{SITE}/home", f"{SITE}/api"),
        ("https://b.example.com/x", "https://b.example.com/api"),
        ("https://evil.test/", f"{SITE}/api"),
        (None, f"{SITE}/api"),
    ],
)
def test_a_path_is_sent_as_an_address_on_the_pages_own_site(page: str | None, url: str) -> None:
    sought = RequestSought("POST /api", (f"{SITE}/*", "https://*.example.com/*"))
    assert sought.on_wire(page) == {"method": "POST", "url": url}


@pytest.mark.parametrize(
    ("pattern", "url", "matches"),
    [
        ("/p/*", f"{SITE}/p/3?x=1#y", True),
        ("/p/*", "http://evil.test/p/3", False),
        (f"{SITE}/p/**", f"{SITE}/p/3/4", True),
        ("https://example.com/", f"{SITE}/", False),
    ],
)
def test_an_address_is_matched(pattern: str, url: str, matches: bool) -> None:
    assert AddressSought(pattern, SITES).matches(url) is matches


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1.0, True),
        (1, True, False),
        ([1, {"a": None}], [1.0, {"a": None}], True),
        ([1], [True], False),
        ("1", 1, False),
    ],
)
def test_values_are_equal_as_json_is(left: Any, right: Any, same: bool) -> None:
    assert equal(left, right) is same


def test_a_dotted_key_is_looked_up_and_a_missing_one_named() -> None:
    assert lookup(RESULT, "own.name") == "Ada"
    with pytest.raises(KeyError, match=r"own\.age"):
        lookup(RESULT, "own.age.years")
    assert list(differences({"id": 4, "none": 1}, RESULT)) == ['has "id": 3, not 4', 'has no "none"']


@pytest.mark.parametrize("key", ["text", "gone"])
@pytest.mark.parametrize("value", ["", " \n"])
def test_a_text_that_is_empty_in_this_run_proves_nothing(key: str, value: str) -> None:
    [expected] = fill(write({key: "{text}"}), {"text": value}, None)
    assert expected.problem is not None
    assert "proves nothing" in expected.problem
