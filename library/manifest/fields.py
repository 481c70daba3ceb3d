"""The top level of a manifest: nodes -> the fields of a Subroutine, with every problem that there is."""

import re
from collections.abc import Callable, Mapping

from library.manifest.expect import read_expect
from library.manifest.nodes import Fields, Node, Reader
from library.manifest.params import read_params
from library.models import Param, Permissions
from library.patterns import PatternError, UrlPattern, read_address, read_request, read_site

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9]+(-[a-z0-9]+)*)?", re.ASCII)
LONGEST_NAME = 80
LONGEST_TIMEOUT_S = 3600.0

_VERSION = re.compile(r"(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})", re.ASCII)
_TIMEOUT = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)(ms|s|m)", re.ASCII)
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0}
_DOTTED = re.compile(r"[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*", re.ASCII)
_BROWSERS_OWN = frozenset(
    "window self globalThis document top parent frames opener localStorage sessionStorage cookieStore "
    "indexedDB caches navigator location history name".split()
)
"""Not the page's variables: through these a path leads to cookies, storage and everything shown."""
_REQUIRED = ("name", "version", "sites", "effect")
KEYS = (
    "name", "version", "title", "description", "author", "sites", "start", "params", "effect", "timeout",
    "permissions", "input", "csrf", "expect",
)  # fmt: skip


def read_fields(reader: Reader, root: Node) -> dict[str, object]:
    """Keyword arguments for Subroutine, without body and source; complete when ``reader`` has no problems."""
    fields = reader.fields(root, "", KEYS)
    if fields is None:
        return {}
    for key in _REQUIRED:
        if key not in fields.entries:
            reader.fail(fields.line, key, "is missing.")
    params = read_params(reader, fields.entries["params"]) if "params" in fields.entries else {}
    read = _readers(reader, params)
    values: dict[str, object] = {"params": params}
    for key, node in fields.entries.items():
        if key in read:
            values[key] = read[key](node, key)
    values["timeout_s"] = values.pop("timeout", 30.0)
    _check_start(reader, fields, values)
    return values


def _readers(reader: Reader, params: Mapping[str, Param]) -> dict[str, Callable[[Node, str], object]]:
    return {
        "name": lambda node, name: _read_name(reader, node, name),
        "version": lambda node, name: _read_version(reader, node, name),
        "title": reader.text,
        "description": reader.text,
        "author": reader.text,
        "sites": lambda node, name: _read_sites(reader, node, name),
        "start": lambda node, name: _read_start(reader, node, name),
        "effect": lambda node, name: reader.choice(node, name, ("read", "write")),
        "timeout": lambda node, name: _read_timeout(reader, node, name),
        "permissions": lambda node, name: _read_permissions(reader, node, name),
        "input": lambda node, name: reader.choice(node, name, ("dom", "trusted")),
        "csrf": lambda node, name: _read_csrf(reader, node, name),
        "expect": lambda node, name: read_expect(reader, node, params),
    }


def _read_name(reader: Reader, node: Node, field: str) -> str | None:
    name = reader.text(node, field)
    if name is not None and (len(name) > LONGEST_NAME or not NAME.fullmatch(name)):
        reader.fail(
            node.line,
            field,
            f'"{name}" must be made of a-z, 0-9 and single hyphens, with at most one slash: site/post.',
        )
    return name


def _read_version(reader: Reader, node: Node, field: str) -> str | None:
    version = reader.text(node, field)
    if version is not None and not _VERSION.fullmatch(version):
        reader.fail(node.line, field, f'"{version}" must have three numbers, such as 1.0.0.')
    return version


def _read_sites(reader: Reader, node: Node, field: str) -> tuple[str, ...]:
    sites = reader.texts(node, field)
    if not sites and not any(problem.field.startswith(field) for problem in reader.problems):
        reader.fail(node.line, field, 'must name at least one site, such as ["https://example.com/*"].')
    for text, line in sites:
        try:
            read_site(text)
        except PatternError as error:
            reader.fail(line, field, str(error))
    return tuple(text for text, _ in sites)


def _read_start(reader: Reader, node: Node, field: str) -> str | None:
    start = reader.text(node, field)
    if start is not None and read_address(start) is None:
        reader.fail(node.line, field, f'"{start}" must be a whole address, such as https://example.com/.')
        return None
    return start


def _check_start(reader: Reader, fields: Fields, values: Mapping[str, object]) -> None:
    start, sites = values.get("start"), values.get("sites")
    if not isinstance(start, str) or not isinstance(sites, tuple):
        return
    patterns = [pattern for pattern in map(_site_or_none, sites) if pattern]
    if patterns and not any(pattern.matches(start) for pattern in patterns):
        reader.fail(fields.lines["start"], "start", f'"{start}" lies outside sites: {", ".join(sites)}.')


def _site_or_none(text: str) -> UrlPattern | None:
    try:
        return read_site(text)
    except PatternError:
        return None


def _read_timeout(reader: Reader, node: Node, field: str) -> float | None:
    text = reader.text(node, field)
    if text is None:
        return None
    found = _TIMEOUT.fullmatch(text)
    if found is None:
        reader.fail(node.line, field, f'"{text}" must be a number with its unit: 500ms, 30s or 2m.')
        return None
    seconds = float(found[1]) * _SECONDS[found[2]]
    if not 0.1 <= seconds <= LONGEST_TIMEOUT_S:
        reader.fail(node.line, field, f'"{text}" must lie between 100ms and 60m.')
    return seconds


def _read_permissions(reader: Reader, node: Node, field: str) -> Permissions:
    fields = reader.fields(node, field, ("requests", "cookies"))
    entries = fields.entries if fields is not None else {}
    requests = reader.texts(entries["requests"], f"{field}.requests") if "requests" in entries else []
    for text, line in requests:
        _check_request(reader, line, f"{field}.requests", text)
    cookies = reader.flag(entries["cookies"], f"{field}.cookies") if "cookies" in entries else False
    return Permissions(requests=tuple(text for text, _ in requests), cookies=bool(cookies))


def _check_request(reader: Reader, line: int, field: str, text: str) -> None:
    try:
        pattern = read_request(text)
    except PatternError as error:
        reader.fail(line, field, str(error))
        return
    if pattern.origin is None:
        reader.fail(
            line, field, f'"{text}" must name the whole address, such as POST https://example.com/api.'
        )


def _read_csrf(reader: Reader, node: Node, field: str) -> str | None:
    path = reader.text(node, field)
    if path is not None and not _DOTTED.fullmatch(path):
        reader.fail(node.line, field, f'"{path}" must be a page variable, such as wpApiSettings.nonce.')
    elif path is not None and path.removeprefix("window.").split(".")[0] in _BROWSERS_OWN:
        message = f'"{path}" is the browser\'s, not a variable of the page. Cookies need permissions.cookies.'
        reader.fail(node.line, field, message)
    return path
