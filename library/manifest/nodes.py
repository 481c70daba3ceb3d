"""The manifest as a tree of text that remembers its lines, and the list of what is wrong with it.

Scalars keep the text that was written, so that ``version: 1.10`` or a default of ``007`` is never turned into
a number by accident; what a scalar means is decided by the field that reads it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from library.errors import nearest

_WHOLE = re.compile(r"[-+]?\d{1,30}", re.ASCII)
_DECIMAL = re.compile(r"[-+]?(\d+\.\d*|\.\d+|\d+)(e[-+]?\d{1,3})?", re.ASCII | re.IGNORECASE)
_LITERALS: Mapping[str, JsonValue] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


@dataclass(frozen=True)
class Scalar:
    """``plain`` is True where it was written without quotes."""

    text: str
    plain: bool
    line: int


@dataclass(frozen=True)
class Items:
    items: tuple["Node", ...]
    line: int


@dataclass(frozen=True)
class Fields:
    """``lines`` has the line of each key."""

    entries: Mapping[str, "Node"]
    lines: Mapping[str, int]
    line: int


Node = Scalar | Items | Fields


@dataclass(frozen=True)
class Problem:
    line: int
    field: str
    message: str


@dataclass
class Reader:
    """Reads single values out of nodes; what does not fit becomes a problem and None."""

    problems: list[Problem] = field(default_factory=list)

    def fail(self, line: int, name: str, message: str) -> None:
        self.problems.append(Problem(line, name, message))

    def text(self, node: Node, name: str) -> str | None:
        if isinstance(node, Scalar):
            return node.text
        hint = " A text with braces needs quotes." if isinstance(node, Fields) else ""
        self.fail(node.line, name, f"must be text.{hint}")
        return None

    def flag(self, node: Node, name: str) -> bool | None:
        value = to_json(node)
        if isinstance(value, bool):
            return value
        self.fail(node.line, name, "must be true or false.")
        return None

    def number(self, node: Node, name: str) -> float | None:
        value = to_json(node)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value
        self.fail(node.line, name, "must be a number.")
        return None

    def whole(self, node: Node, name: str) -> int | None:
        value = to_json(node)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        self.fail(node.line, name, "must be a whole number of at least 0.")
        return None

    def choice(self, node: Node, name: str, allowed: Sequence[str]) -> str | None:
        value = self.text(node, name)
        if value is None or value in allowed:
            return value
        near = nearest(value, allowed, most=1)
        hint = f' Did you mean "{near[0]}"?' if near else ""
        self.fail(node.line, name, f'must be {" or ".join(allowed)}, not "{value}".{hint}')
        return None

    def texts(self, node: Node, name: str) -> list[tuple[str, int]]:
        """Each text of a list with its line."""
        if not isinstance(node, Items):
            self.fail(node.line, name, 'must be a list, such as ["…", "…"].')
            return []
        read = [(self.text(item, f"{name}[{i}]"), item.line) for i, item in enumerate(node.items)]
        return [(text, line) for text, line in read if text is not None]

    def fields(self, node: Node, name: str, known: Sequence[str]) -> Fields | None:
        """A mapping whose keys are all known; each unknown one is a problem of its own."""
        if not isinstance(node, Fields):
            self.fail(node.line, name, f"must have keys: {', '.join(known)}.")
            return None
        for key in node.entries:
            if key not in known:
                near = nearest(key, known, most=1)
                hint = f'Did you mean "{near[0]}"?' if near else f"There is: {', '.join(known)}."
                self.fail(node.lines[key], f"{name}.{key}" if name else key, f"is not a known key. {hint}")
        return node


def to_json(node: Node) -> JsonValue:
    """What a node means where no type is asked for, by YAML 1.2's core schema: ``yes`` and dates are text."""
    if isinstance(node, Items):
        return [to_json(item) for item in node.items]
    if isinstance(node, Fields):
        return {key: to_json(value) for key, value in node.entries.items()}
    if not node.plain:
        return node.text
    if node.text in _LITERALS:
        return _LITERALS[node.text]
    if _WHOLE.fullmatch(node.text):
        return int(node.text)
    return float(node.text) if _DECIMAL.fullmatch(node.text) else node.text
