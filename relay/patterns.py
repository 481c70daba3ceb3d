"""The request and address patterns of a manifest's ``expect``, resolved on the subroutine's sites. Pure.

library/patterns says what a pattern means; here one that starts with ``/`` is a path on any of the sites.
"""

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, urlsplit

from library.models import RequestMade
from library.patterns import RequestPattern, read_address, read_request, read_site

_AS_IT_IS = "%/:?#@!$&'()+,;=[]~"


def escaped(value: str) -> str:
    """A filled-in value as part of an address: what it holds is meant literally, also a ``*``."""
    return quote(value, safe=_AS_IT_IS)


@dataclass(frozen=True)
class RequestSought:
    """``METHOD path-or-URL`` on ``sites``; without a method any is meant. Reading it raises PatternError."""

    text: str
    sites: tuple[str, ...]

    def __post_init__(self) -> None:
        self._pattern()

    def matches(self, request: RequestMade) -> bool:
        return self._pattern().matches(request.method, request.url) and self._is_on_site(request.url)

    def on_wire(self, page: str | None) -> dict[str, str]:
        """As ``finish`` takes it: a path is meant to be on the page's own site, else on the first one."""
        method, _, url = _with_method(self.text).partition(" ")
        return {"method": method, "url": self._origin(page) + url if url.startswith("/") else url}

    def _pattern(self) -> RequestPattern:
        return read_request(_with_method(self.text))

    def _is_on_site(self, url: str) -> bool:
        return self._pattern().origin is not None or _is_on(self.sites, url)

    def _origin(self, page: str | None) -> str:
        where = page if page is not None and _is_on(self.sites, page) else self.sites[0]
        parts = urlsplit(where)
        return f"{parts.scheme or '*'}://{parts.netloc}"


@dataclass(frozen=True)
class AddressSought:
    """The pattern of a page's address: a path on ``sites``, or a URL. Reading it raises PatternError."""

    text: str
    sites: tuple[str, ...]

    def __post_init__(self) -> None:
        read_request(f"* {self.text}")

    def matches(self, url: str) -> bool:
        pattern = read_request(f"* {self.text}")
        return pattern.matches("GET", url) and (pattern.origin is not None or _is_on(self.sites, url))


def path_of(url: str) -> str:
    """The part of an address that a person reads."""
    return urlsplit(url).path or "/"


def _with_method(text: str) -> str:
    text = text.strip()
    return text if " " in text else f"* {text}"


@lru_cache(maxsize=512)
def _is_on(sites: tuple[str, ...], url: str) -> bool:
    address = read_address(url)
    return address is not None and any(read_site(site).has_origin(address) for site in sites)
