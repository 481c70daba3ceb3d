"""What a pattern means: match patterns for sites, "METHOD URL" patterns for requests. Pure; opens nothing.

Sites are match patterns as in Chrome's extension manifests, with one difference: a pattern without a port
means the scheme's own port (80, 443), not every port. In a request pattern ``*`` stays within a path segment
and ``**`` crosses segments; a pattern without ``?`` says nothing about the query. The extension follows the
same table, ``tests/wire/patterns.json``.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, urlsplit

SCHEMES = ("http", "https")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
MOST_WILDCARDS = 6
LONGEST_PATTERN = 2_000

_DEFAULT_PORTS = {"http": "80", "https": "443"}
_ORIGIN = re.compile(
    r"(\*|https?)://(\[[0-9a-f:.]+\]|[^/:?#@\[\]\\\s]+)(?::(\*|\d{1,5}))?(/[^#\s\\]*)", re.ASCII
)
_HOST = re.compile(r"(\*\.)?[a-z0-9]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]*[a-z0-9])?)*\.?", re.ASCII)
_ANY_PATH = "\x01"
"""Stands for ``**`` when one pattern is compared with another: no literal and no ``*`` matches it."""
_ANY_SEGMENT = "\x02"
"""The same for ``*``."""
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
class SitePattern:
    """``https://*.example.com/*``. ``scheme``, ``host`` and ``port`` may be ``*``."""

    text: str
    scheme: str
    host: str
    port: str
    path: str

    def matches(self, url: str) -> bool:
        address = read_address(url)
        if address is None or not self.has_origin(address):
            return False
        whole = address.path + (f"?{address.query}" if address.query else "")
        return _glob(self.path, crossing=True).fullmatch(whole) is not None

    def has_origin(self, address: Address) -> bool:
        return (
            self.scheme in ("*", address.scheme)
            and _host_matches(self.host, address.host)
            and self._port_matches(address)
        )

    def covers(self, other: "SitePattern") -> bool:
        """True when every page of ``other`` is also one of this pattern."""
        return (
            _origin_covers(self, other) and _glob(self.path, crossing=True).fullmatch(other.path) is not None
        )

    def _port_matches(self, address: Address) -> bool:
        if self.port == "":
            return address.port == _DEFAULT_PORTS[address.scheme]
        return self.port in ("*", address.port)


@dataclass(frozen=True)
class RequestPattern:
    """``POST https://example.com/api/posts/*``. ``method`` may be ``*``; without an origin, any is meant."""

    text: str
    method: str
    origin: SitePattern | None
    path: str
    query: str | None

    def matches(self, method: str, url: str) -> bool:
        address = read_address(url)
        if address is None or self.method not in ("*", method.upper()):
            return False
        if self.origin is not None and not self.origin.has_origin(address):
            return False
        if self.query is not None and not _glob(self.query, crossing=True).fullmatch(address.query):
            return False
        return _glob(self.path, crossing=False).fullmatch(address.path) is not None

    def covers(self, other: "RequestPattern") -> bool:
        """True when every request of ``other`` is also one of this pattern."""
        if self.method not in ("*", other.method):
            return False
        if self.origin is not None and (
            other.origin is None or not _origin_covers(self.origin, other.origin)
        ):
            return False
        if self.query is not None and self.query not in ("*", other.query):
            return False
        theirs = other.path.replace("**", _ANY_PATH).replace("*", _ANY_SEGMENT)
        return _glob(self.path, crossing=False).fullmatch(theirs) is not None


@lru_cache(maxsize=1024)
def read_site(text: str) -> SitePattern:
    """``https://*.example.com/*`` taken apart. Raises PatternError."""
    _check_length(text)
    found = _ORIGIN.fullmatch(text)
    if found is None:
        raise PatternError(f'"{text}" is not a match pattern. Write for example https://example.com/*')
    scheme, host, port, path = found.groups()
    host = _read_host(host, text)
    return SitePattern(text, scheme, host, _read_port(port, text), _encode(path))


@lru_cache(maxsize=1024)
def read_request(text: str) -> RequestPattern:
    """``POST https://example.com/api/posts/*`` or ``POST /api/posts/*`` taken apart. Raises PatternError."""
    _check_length(text)
    method, _, target = text.strip().partition(" ")
    target = target.strip()
    if not target:
        raise PatternError(
            f'"{text}" lacks a method or a URL. Write for example POST https://example.com/api/posts'
        )
    if method != "*" and method not in METHODS:
        raise PatternError(f'"{method}" is not a method. There is: {", ".join(METHODS)} and *.')
    path, question, query = target.partition("?")
    if path.startswith("/"):
        origin = None
    else:
        origin = read_site(path if "/" in path.partition("://")[2] else f"{path}/")
        path = origin.path
    return RequestPattern(text, method, origin, _encode(path), _encode(query) if question else None)


def site_matches(pattern: str, url: str) -> bool:
    """Whether the page ``url`` lies within a match pattern. Raises PatternError."""
    return read_site(pattern).matches(url)


def request_matches(pattern: str, method: str, url: str) -> bool:
    """Whether a request is one of a pattern's. Raises PatternError."""
    return read_request(pattern).matches(method, url)


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


def _origin_covers(ours: SitePattern, theirs: SitePattern) -> bool:
    return (
        ours.scheme in ("*", theirs.scheme)
        and _host_matches(ours.host, theirs.host)
        and ours.port in ("*", theirs.port)
    )


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


def _check_length(text: str) -> None:
    if len(text) > LONGEST_PATTERN:
        raise PatternError(f"A pattern has at most {LONGEST_PATTERN} characters; this one has {len(text)}.")
    if len(re.findall(r"\*+", text)) > MOST_WILDCARDS:
        raise PatternError(f'"{text}" has more than {MOST_WILDCARDS} wildcards.')


@lru_cache(maxsize=2048)
def _glob(pattern: str, *, crossing: bool) -> re.Pattern[str]:
    """``crossing``: a single ``*`` crosses slashes too, as in match patterns and queries."""
    parts = re.split(r"(\*+)", pattern)
    within = ".*" if crossing else f"[^/{_ANY_PATH}]*"
    turned = [
        re.escape(part) if not part.startswith("*") else within if part == "*" else ".*"
        for part in parts
        if part
    ]
    return re.compile("".join(turned), re.DOTALL)


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
