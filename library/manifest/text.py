"""A Subroutine's fields as its manifest's YAML, in the house's own layout. Writes only; imports no YAML."""

import json
import re
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from library.models import Expectation, Param, Subroutine

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 _./-]*[A-Za-z0-9.]|[A-Za-z]", re.ASCII)
_WORDS_OF_YAML = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))
_UNPRINTABLE = re.compile(
    "[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|[\x85\u2028\u2029]"
)


def write_manifest(subroutine: Subroutine) -> str:
    """Lines of YAML, each ended; keys whose value is the default are left out."""
    lines = [f"name: {subroutine.name}", f"version: {subroutine.version}"]
    for key in ("title", "description", "author"):
        value = getattr(subroutine, key)
        if value:
            lines.append(f"{key}: {_scalar(value)}")
    lines.append(f"sites: {_flow(list(subroutine.sites))}")
    if subroutine.start is not None:
        lines.append(f"start: {_scalar(subroutine.start)}")
    if subroutine.params:
        lines.append("params:")
        lines += [f"  {name}: {_flow(_param(param))}" for name, param in subroutine.params.items()]
    lines += [f"effect: {subroutine.effect}", f"timeout: {_timeout(subroutine.timeout_s)}"]
    lines += _permissions(subroutine)
    if subroutine.input != "dom":
        lines.append(f"input: {subroutine.input}")
    if subroutine.csrf is not None:
        lines.append(f"csrf: {_scalar(subroutine.csrf)}")
    if subroutine.expect:
        lines.append("expect:")
        lines += [line for item in subroutine.expect for line in _expectation(item)]
    return "".join(f"{line}\n" for line in lines)


def _permissions(subroutine: Subroutine) -> list[str]:
    permissions = subroutine.permissions
    if not permissions.requests and not permissions.cookies:
        return []
    return [
        "permissions:",
        f"  requests: {_flow(list(permissions.requests))}",
        f"  cookies: {_flow(permissions.cookies)}",
    ]


def _param(param: Param) -> dict[str, JsonValue]:
    values = param.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_defaults=True)
    values = {"type": param.type, **values}
    if param.default is not None:
        del values["required"]
    return values


def _expectation(item: Expectation) -> list[str]:
    values = item.model_dump(mode="json", exclude_none=True)
    lines = [f"{key}: {_flow(value)}" for key, value in values.items()]
    return [f"  - {lines[0]}", *(f"    {line}" for line in lines[1:])]


def _timeout(seconds: float) -> str:
    milliseconds = round(seconds * 1000)
    return f"{milliseconds // 1000}s" if milliseconds % 1000 == 0 else f"{milliseconds}ms"


def _flow(value: JsonValue) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    if isinstance(value, str):
        return _scalar(value)
    return json.dumps(value)


def _key(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", text, re.ASCII) else _quoted(text)


def _scalar(text: str) -> str:
    is_plain = _PLAIN.fullmatch(text) and text.casefold() not in _WORDS_OF_YAML
    return text if is_plain else _quoted(text)


def _quoted(text: str) -> str:
    """YAML 1.2 takes JSON's strings, but not every character raw; ``*/`` would end the comment around it."""
    escaped = json.dumps(text, ensure_ascii=False).replace("*/", "*\\/")
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", escaped)
