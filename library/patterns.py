"""What a pattern means: URL patterns for sites, "METHOD URL-pattern" for requests. Pure; opens nothing.

``scheme://host[:port]/path[?query]``. Scheme ``*`` is http or https. Host ``*.example.com`` is example.com
and every name below it, ``*`` alone is any host. Without a port the scheme's own is meant, ``:*`` is any.
In the path ``*`` stays within a segment and ``**`` crosses segments; in a site's pattern, as in Chrome's, a
``/*`` at the end is everything below. The query counts only where the pattern has one; ``*`` in it is
anything. A request pattern that begins with ``/`` is about the page's origin. The extension's patterns follow
the same ``tests/wire/patterns.json``.

Many a server decodes a path before it looks at it: to a ``*`` an encoded slash is a slash, and a path with a
way up that URL parsers leave (``..%2f``, ``..;/``) is covered by nothing.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from library.values import compile_pattern

SCHEMES = ("http", "https")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
MOST_WILDCARDS = 6
LONGEST_PATTERN = 2_000

_DEFAULT_PORTS = {"http": "80", "https": "443"}
_ADDRESS = re.compile(
    r"(\*|https?)://(\[[0-9a-f:.]+\]|[^/:?#@\[\]\\\s]+)(?::(\*|\d{1,5}))?(/[^?#\s\\]*)(\?[^#\s\\]*)?",
    re.ASCII,
)
_HOST = re.compile(r"(\*\.)?[a-z0-9]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]*[a-z0-9])?)*\.?", re.ASCII)
_ANY_PATH = "\x01"
"""Stands for ``**`` when one pattern is compared with another: no literal and no ``*`` matches it."""
_ANY_SEGMENT = "\x02"
"""The same for ``*``."""
_SLASHES = {"%2f": "\x03", "%5c": "\x04"}
"""Slashes in disguise, and the characters that stand for them here."""
_WITHIN_SEGMENT = f"[^/{_ANY_PATH}{''.join(_SLASHES.values())}]*"
_WAY_UP = re.compile(r"(?:^|/|%2f|%5c)(?:\.|%2e){2}(?:;[^/]*)?(?:$|/|%2f|%5c)", re.IGNORECASE)
_ANYTHING = ".*"
_EXAMPLE = "POST https://example.com/api/posts"
_KEPT = "%/:?@!$&'()*+,;=[]|\\" + _ANY_PATH + _ANY_SEGMENT
"""What the URL standard leaves as it is in a path, beside letters, digits and ``-._~``."""


class PatternError(ValueError):
    """A pattern cannot be read; the message says what is wrong and shows one that can."""


class Address(NamedTuple):
    """A URL taken apart as the browser's URL parser does: lower case, own port spelled out, no fragment."""

    scheme: str
    host: str
    port: str
    path: str
    query: str


@dataclass(frozen=True)
class UrlPattern:
    """``https://*.example.com/*``. ``port`` "" is the scheme's own; ``query`` None leaves it open."""

    text: str
    scheme: str
    host: str
    port: str
    path: str
    query: str | None

    def matches(self, url: str) -> bool:
        address = read_address(url)
        return address is not None and self.has_origin(address) and self.has_place(address)

    def has_origin(self, address: Address) -> bool:
        port = self.port or _DEFAULT_PORTS[address.scheme]
        return (
            self.scheme in ("*", address.scheme)
            and _host_matches(self.host, address.host)
            and port in ("*", address.port)
        )

    def has_place(self, address: Address) -> bool:
        if self.query is not None and not _glob(self.query, _ANYTHING)(address.query):
            return False
        return not _WAY_UP.search(address.path) and _glob(self.path, _WITHIN_SEGMENT)(address.path)

    def covers(self, other: "UrlPattern") -> bool:
        """True when every URL of ``other`` is also one of this pattern."""
        return (
            self.scheme in ("*", other.scheme)
            and _host_matches(self.host, other.host)
            and self.port in ("*", other.port)
            and self.query in (None, "*", other.query)
            and _glob(self.path, _WITHIN_SEGMENT)(_as_sample(other.path))
        )


@dataclass(frozen=True)
class RequestPattern:
    """``POST https://example.com/api/posts/*``; ``method`` may be ``*``."""

    text: str
    method: str
    place: UrlPattern
    origin: UrlPattern | None
    """``place`` again where it names an origin; None where it began with ``/``: the origin is the page's."""

    def matches(self, method: str, url: str, *, origin: str | None = None) -> bool:
        """``origin`` is the page's, as ``https://example.com``; None leaves it open."""
        address = read_address(url)
        if address is None or self.method not in ("*", method.upper()) or not self.place.has_place(address):
            return False
        if self.origin is not None:
            return self.origin.has_origin(address)
        page = read_address(origin) if origin is not None else address
        return page is not None and page[:3] == address[:3]

    def covers(self, other: "RequestPattern") -> bool:
        """True when every request of ``other`` is also one of this pattern."""
        return self.method in ("*", other.method) and self.place.covers(other.place)


@lru_cache(maxsize=1024)
def read_site(text: str) -> UrlPattern:
    """``https://*.example.com/*`` taken apart. Raises PatternError."""
    pattern = _read_url(text)
    return replace(pattern, path=f"{pattern.path}*") if pattern.path.endswith("/*") else pattern


@lru_cache(maxsize=1024)
def read_request(text: str) -> RequestPattern:
    """``POST https://example.com/api/posts/*`` or ``POST /api/posts`` taken apart. Raises PatternError."""
    _check_size(text)
    method, _, target = text.strip().partition(" ")
    target = target.strip()
    if not target:
        raise PatternError(f'"{text}" lacks a method or an address. Write for example {_EXAMPLE}')
    if method != "*" and method not in METHODS:
        raise PatternError(f'"{method}" is not a method. There is: {", ".join(METHODS)} and *.')
    about_page = target.startswith("/")
    whole = f"*://*:*{target}" if about_page else target
    if "/" not in whole.partition("://")[2]:
        whole += "/"
    try:
        place = _read_url(whole)
    except PatternError as error:
        raise PatternError(f'"{text}" cannot be read: {error}') from None
    return RequestPattern(text, method, place, None if about_page else place)


def site_matches(pattern: str, url: str) -> bool:
    """Whether the page ``url`` lies within a site's pattern. Raises PatternError."""
    return read_site(pattern).matches(url)


def request_matches(pattern: str, method: str, url: str, *, origin: str | None = None) -> bool:
    """Whether a request is one of a pattern's. Raises PatternError."""
    return read_request(pattern).matches(method, url, origin=origin)


def read_address(url: str) -> Address | None:
    """The parts of an absolute http(s) URL as the URL standard reads it; None for anything else."""
    try:
        parts = urlsplit(url.strip().replace("\\", "/"))
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in SCHEMES or not host or re.search(r"\s", parts.netloc):
        return None
    try:
        host = host.encode("idna").decode() if not host.isascii() else host
    except UnicodeError:
        return None
    host = f"[{host}]" if ":" in host else host
    port_text = str(port) if port is not None else _DEFAULT_PORTS[parts.scheme]
    return Address(parts.scheme, host, port_text, _without_dots(_encode(parts.path)), _encode(parts.query))


def _read_url(text: str) -> UrlPattern:
    _check_size(text)
    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise PatternError(f'"{text}" is not a match pattern. Write for example https://example.com/*')
    scheme, host, port, path, query = found.groups()
    query = _encode(query[1:]) if query is not None else None
    return UrlPattern(text, scheme, _read_host(host, text), _read_port(port, text), _encode(path), query)


def _host_matches(pattern: str, host: str) -> bool:
    if pattern == "*":
        return True
    if pattern.startswith("*."):
        return host == pattern[2:] or host.endswith(pattern[1:])
    return host == pattern


def _read_host(host: str, text: str) -> str:
    host = host.lower()
    if not host.isascii():
        try:
            host = host.encode("idna").decode()
        except UnicodeError:
            raise PatternError(f'"{text}": "{host}" is not a host name.') from None
    if host == "*" or host.startswith("[") or _HOST.fullmatch(host):
        return host
    raise PatternError(
        f'"{text}": "{host}" is not a host name. A * stands alone or before a dot: *.example.com'
    )


def _read_port(port: str | None, text: str) -> str:
    if port is None or port == "*":
        return port or ""
    if not 0 < int(port) < 65536:
        raise PatternError(f'"{text}": there is no port {port}.')
    return str(int(port))


def _check_size(text: str) -> None:
    if len(text) > LONGEST_PATTERN:
        raise PatternError(f"A pattern has at most {LONGEST_PATTERN} characters; this one has {len(text)}.")
    if len(re.findall(r"\*+", text)) > MOST_WILDCARDS:
        raise PatternError(f'"{text}" has more than {MOST_WILDCARDS} wildcards.')


@lru_cache(maxsize=2048)
def _glob(pattern: str, star: str) -> Callable[[str], bool]:
    """``star`` is what a single ``*`` matches, as a regular expression. In linear time: a stranger may have
    written the pattern, and made the address."""
    turned = [
        (star if part == "*" else _ANYTHING) if part.startswith("*") else re.escape(part)
        for part in re.split(r"(\*+)", _with_slashes(pattern))
    ]
    matches = compile_pattern(rf"(?s)\A{''.join(turned)}\z")
    return lambda text: matches(_with_slashes(text))


def _with_slashes(text: str) -> str:
    for encoded, sign in _SLASHES.items():
        text = re.sub(encoded, sign, text, flags=re.IGNORECASE)
    return text


def _as_sample(path: str) -> str:
    """A path pattern as one text that only a pattern at least as wide matches."""
    return path.replace("**", _ANY_PATH).replace("*", _ANY_SEGMENT)


def _encode(text: str) -> str:
    return quote(text, safe=_KEPT)


def _without_dots(path: str) -> str:
    """RFC 3986, 5.2.4; ``%2e`` counts as a dot, as in the URL standard."""
    kept: list[str] = []
    segments = path.split("/")[1:] or [""]
    for position, segment in enumerate(segments):
        last = position == len(segments) - 1
        plain = re.sub("%2e", ".", segment, flags=re.IGNORECASE)
        if plain == "..":
            kept = kept[:-1]
        elif plain != ".":
            kept.append(segment)
            continue
        if last:
            kept.append("")
    return "/" + "/".join(kept)
