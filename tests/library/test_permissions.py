"""What a person is told a subroutine may do, and when a new version may do more."""

import pytest

from library.models import Effect, Input, Permissions, Subroutine
from library.permissions import describe, difference, registrable_domain
from tests.library.subroutines import subroutine, text

A = "https://a.test/*"


def test_what_a_manifest_may_reach_is_told_with_the_riskiest_first() -> None:
    asked = subroutine(
        sites=("https://*.shop.example/*", "http://127.0.0.1:8765/forum/*"),
        requests=(
            "GET https://shop.example/api/*",
            "POST https://collect.test/x",
            "DELETE https://shop.example/api/*",
        ),
        cookies=True,
        effect=Effect.WRITE,
        pin=text(secret=True),
    )
    assert describe(asked) == [
        "It can read the site's cookies, which may be keys to your account.",
        "It asks for a secret: pin.",
        "It can delete at https://shop.example/api/*.",
        "It can send to https://collect.test/x, which is another site than the one it works on.",
        "It can read from https://shop.example/api/*.",
        "It can read and act on pages of shop.example and every site below it, "
        "pages of 127.0.0.1:8765 under /forum/.",
    ]


def test_that_a_subroutine_only_reads_is_called_its_own_word() -> None:
    assert describe(subroutine(sites=("*://*/*",))) == [
        "It can read, and click and type in, pages of every site; it says that it changes nothing there."
    ]


@pytest.mark.parametrize(
    ("old", "new", "added", "removed"),
    [
        (subroutine(sites=(A,)), subroutine(sites=(A,)), (), ()),
        (
            subroutine(sites=(A,)),
            subroutine(sites=("https://a.test/forum/*",)),
            (),
            ("act on pages of a.test",),
        ),
        (subroutine(sites=(A,)), subroutine(sites=(A, "https://b.test/*")), ("act on pages of b.test",), ()),
        (
            subroutine(sites=(A,), requests=("POST https://a.test/**",)),
            subroutine(sites=(A,), requests=("POST https://a.test/x",)),
            (),
            ("send to https://a.test/**",),
        ),
        (
            subroutine(sites=(A,)),
            subroutine(sites=(A,), cookies=True),
            ("read the site's cookies, which may be keys to your account",),
            (),
        ),
        (
            subroutine(sites=(A,)),
            subroutine(sites=(A,)).model_copy(update={"csrf": "app.token"}),
            ("read the page's own variable app.token",),
            (),
        ),
        (
            subroutine(sites=(A,)),
            subroutine(sites=(A,)).model_copy(update={"input": Input.TRUSTED}),
            ("click and type through the browser's debugger",),
            (),
        ),
        (
            subroutine(sites=(A,)),
            subroutine(sites=(A,), effect=Effect.WRITE),
            ("change something (the other version only reads)",),
            (),
        ),
    ],
)
def test_versions_are_compared_by_what_they_cover(
    old: Subroutine, new: Subroutine, added: tuple[str, ...], removed: tuple[str, ...]
) -> None:
    found = difference(old, new)
    assert (found.added, found.removed, found.wider) == (added, removed, bool(added))


def test_a_subroutine_without_requests_describes_none() -> None:
    assert subroutine().permissions == Permissions()


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://www.example.co.uk/x", "example.co.uk"),
        ("https://a.b.example.com", "example.com"),
        ("https://one.github.io/", "one.github.io"),
        ("http://127.0.0.1:8765/", "127.0.0.1"),
        ("http://localhost/", "localhost"),
        ("forum.example.com", "example.com"),
    ],
)
def test_a_registrable_domain_is_found_without_the_network(url: str, domain: str) -> None:
    assert registrable_domain(url) == domain
