"""The one TOML file as text: some keys set, all else kept, for its owner only. Knows no key's meaning."""

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from library.errors import SetupError

Value = str | bool | int
Changes = Mapping[str, Value]
"""Dotted keys (``relay.port``; at most one dot) to their new values."""

_SECTION = re.compile(r"\s*\[\s*([A-Za-z0-9_-]+)\s*\]\s*(#.*)?$")


def changed(text: str, changes: Changes) -> str:
    """``text`` with these keys set, and every comment, order and other key as it was.

    A file that is written in a way that cannot be changed line by line (``relay = {port = 1}``) is written
    anew from its values. Raises tomllib.TOMLDecodeError when ``text`` is no TOML.
    """
    before = tomllib.loads(text)
    wanted = _with(before, changes)
    lines = text.splitlines()
    for key, value in sorted(changes.items(), key=lambda item: "." in item[0]):
        section, _, name = key.rpartition(".")
        if (before.get(section, {}) if section else before).get(name) == value:
            continue  # its line keeps its comment
        _set(lines, section, f"{name} = {_toml(value)}", name)
    edited = "\n".join(lines) + "\n"
    return edited if _says(edited, wanted) else _rendered(wanted)


def write_private(path: Path, text: str) -> None:
    """Replaces the whole file at once, mode 0600. Raises SetupError."""
    draft = path.with_suffix(".new")
    try:
        draft.unlink(missing_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        draft.replace(path)
    except OSError as error:
        raise SetupError(f"{path} cannot be written: {error.strerror}.") from error


def _with(values: dict[str, Any], changes: Changes) -> dict[str, Any]:
    result = {key: dict(value) if isinstance(value, dict) else value for key, value in values.items()}
    for key, value in changes.items():
        section, _, name = key.rpartition(".")
        (result.setdefault(section, {}) if section else result)[name] = value
    return result


def _set(lines: list[str], section: str, line: str, name: str) -> None:
    """Puts ``line`` in place of the old one of this name, else at the end of its section."""
    start, end = _span(lines, section)
    for at in range(start, end):
        if re.match(rf"\s*{re.escape(name)}\s*=", lines[at]):
            lines[at] = line
            return
    if section and start == 0:
        lines += [*([""] if lines else []), f"[{section}]", line]
        return
    while end > start and not lines[end - 1].strip():
        end -= 1
    lines.insert(end, line)


def _span(lines: list[str], section: str) -> tuple[int, int]:
    """The lines of a section, without its heading; (0, 0) when a named one is not there."""
    heads = [(at, match[1]) for at, line in enumerate(lines) if (match := _SECTION.match(line))]
    ends = [at for at, _ in heads[1:]] + [len(lines)]
    if not section:
        return 0, heads[0][0] if heads else len(lines)
    spans = {name: (at + 1, end) for (at, name), end in zip(heads, ends, strict=False)}
    return spans.get(section, (0, 0))


def _says(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        return False


def _rendered(values: Mapping[str, Any]) -> str:
    top = [f"{key} = {_toml(value)}" for key, value in values.items() if not isinstance(value, dict)]
    for name, section in values.items():
        if isinstance(section, dict):
            top += ["", f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in section.items())]
    return "\n".join(top).lstrip("\n") + "\n"


def _toml(value: Value) -> str:
    """A TOML basic string escapes as JSON does, save for DEL (TOML 1.0, section String)."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
