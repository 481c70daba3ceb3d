"""What a manifest may reach, in words for people, and what changes between two versions. Decides nothing."""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from library.models import Effect, Input, Subroutine
from library.patterns import read_address, read_request, read_site

if TYPE_CHECKING:
    import tldextract

_VERBS = {
    "*": "do anything at",
    "DELETE": "delete at",
    "POST": "send to",
    "PUT": "replace at",
    "PATCH": "change at",
    "GET": "read from",
    "HEAD": "ask for",
    "OPTIONS": "ask for",
}
"""The riskiest first."""


@dataclass(frozen=True)
class Difference:
    """What a new version may do that the old one could not, and the other way round, in words."""

    added: tuple[str, ...]
    removed: tuple[str, ...]

    @property
    def wider(self) -> bool:
        """True when a person must agree before the new version runs."""
        return bool(self.added)


def describe(subroutine: Subroutine) -> list[str]:
    """What the subroutine may do, one sentence each, the riskiest first."""
    lines = [f"It can {deed}." for deed in _deeds(subroutine)]
    lines += [f"It asks for a secret: {name}." for name, param in subroutine.params.items() if param.secret]
    lines += [
        f"It can {_request_words(text, subroutine)}." for text in _by_risk(subroutine.permissions.requests)
    ]
    pages = ", ".join(map(_pages, subroutine.sites))
    if subroutine.effect is Effect.WRITE:
        lines.append(f"It can read and act on {pages}.")
    else:  # its author's word: to read, one may have to click
        lines.append(f"It can read, and click and type in, {pages}; it says that it changes nothing there.")
    return lines


def difference(old: Subroutine, new: Subroutine) -> Difference:
    """Compares two versions by what their patterns cover, not by how they are written."""
    return Difference(tuple(_beyond(old, new)), tuple(_beyond(new, old)))


def registrable_domain(url: str) -> str:
    """``example.co.uk`` for any page or host below it; an IP address or ``localhost`` stands for itself.

    By the public suffix list inside tldextract, private suffixes (``github.io``) included; no network.
    """
    address = read_address(url) or read_address(f"https://{url}/")
    host = address.host if address is not None else url
    return _suffixes().extract_str(host).top_domain_under_public_suffix or host


def _deeds(subroutine: Subroutine) -> list[str]:
    """What is not told by a single pattern."""
    deeds = []
    if subroutine.permissions.cookies:
        deeds.append("read the site's cookies, which may be keys to your account")
    if subroutine.input is Input.TRUSTED:
        deeds.append("click and type through the browser's debugger")
    if subroutine.csrf is not None:
        deeds.append(f"read the page's own variable {subroutine.csrf}")
    return deeds


def _beyond(old: Subroutine, new: Subroutine) -> list[str]:
    """What ``new`` may do and ``old`` may not."""
    words = [deed for deed in _deeds(new) if deed not in _deeds(old)]
    known = [read_request(text) for text in old.permissions.requests]
    requests = [
        text
        for text in new.permissions.requests
        if not any(pattern.covers(read_request(text)) for pattern in known)
    ]
    words += [_request_words(text, new) for text in _by_risk(requests)]
    if new.effect is Effect.WRITE and old.effect is Effect.READ:
        words.append("change something (the other version only reads)")
    sites = [read_site(text) for text in old.sites]
    words += [
        f"act on {_pages(text)}"
        for text in new.sites
        if not any(site.covers(read_site(text)) for site in sites)
    ]
    return words


def _by_risk(requests: list[str] | tuple[str, ...]) -> list[str]:
    order = list(_VERBS)
    return sorted(requests, key=lambda text: order.index(read_request(text).method))


def _request_words(text: str, subroutine: Subroutine) -> str:
    pattern = read_request(text)
    words = f"{_VERBS[pattern.method]} {text.split(' ', 1)[1].strip()}"
    host = pattern.place.host
    if host == "*":
        return f"{words}, which is any site at all"
    host = host.removeprefix("*.")
    ours = {read_site(site).host.removeprefix("*.") for site in subroutine.sites}
    if host in ours or "*" in ours or registrable_domain(host) in map(registrable_domain, ours):
        return words
    return f"{words}, which is another site than the one it works on"


def _pages(text: str) -> str:
    site = read_site(text)
    if site.host == "*":
        return "pages of every site"
    port = f":{site.port}" if site.port else ""
    path = "" if site.path == "/**" else f" under {site.path.rstrip('*')}"
    if site.host.startswith("*."):
        return f"pages of {site.host[2:]}{port} and every site below it{path}"
    return f"pages of {site.host}{port}{path}"


@lru_cache(maxsize=1)
def _suffixes() -> "tldextract.TLDExtract":
    import tldextract  # it takes longer than all else here, and most subroutines stay on their own host

    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
