"""A body as a tree: its helper calls, its names, and where each piece is in the file. Judges nothing.

tree-sitter reads it; lines and columns count from 1 in the whole file, columns in characters.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

from library.body_names import OBJECTS
from library.models import Subroutine
from library.subroutine_file import body_line

SAMPLE = "x"
"""Stands for what a template fills in."""

_FUNCTIONS = frozenset(
    (
        "arrow_function",
        "function_expression",
        "function_declaration",
        "method_definition",
        "generator_function",
        "generator_function_declaration",
    )
)
_BINDING_FIELDS = {
    "variable_declarator": "name",
    "function_declaration": "name",
    "generator_function_declaration": "name",
    "function_expression": "name",
    "class_declaration": "name",
    "class": "name",
    "catch_clause": "parameter",
    "for_in_statement": "left",
    "arrow_function": "parameter",
}
"""Which field of a node declares names."""

__all__ = ["SAMPLE", "Body", "HelperCall", "Node", "function_around", "walk"]


class HelperCall(NamedTuple):
    node: Node
    helper: str
    name: Node
    arguments: list[Node]


class Body:
    """The body as a tree, and where its pieces are in the file."""

    def __init__(self, subroutine: Subroutine) -> None:
        self.subroutine = subroutine
        self._bytes = subroutine.body.encode("utf-8", "replace")
        self._lines = self._bytes.split(b"\n")
        self._first_line = body_line(subroutine)
        self.root = Parser(Language(tree_sitter_javascript.language())).parse(self._bytes).root_node
        self.nodes = list(walk(self.root))

    def text(self, node: Node) -> str:
        return self._bytes[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def place(self, node: Node) -> tuple[int, int]:
        """Line and column of a node in the file."""
        row, at = node.start_point
        return self._first_line + row, len(self._lines[row][:at].decode("utf-8", "replace")) + 1

    def place_of_key(self, key: str) -> tuple[int, int]:
        """Line and column of a key of the manifest, as far as it can be seen there."""
        for number, line in enumerate(self.subroutine.source.splitlines(), 1):
            found = re.match(rf"(\s*){re.escape(key)}\s*:", line)
            if found:
                return number, len(found[1]) + 1
        return 1, 1

    def declared(self) -> set[str]:
        """Every name that is declared somewhere; scopes are not told apart."""
        return {
            self.text(inner)
            for node in self.nodes
            for place in _binding_places(node)
            for inner in walk(place)
            if inner.type in ("identifier", "shorthand_property_identifier_pattern")
        }

    def calls(self) -> Iterator[HelperCall]:
        """Calls of ``tab.<helper>(...)``."""
        for node in self.nodes:
            function = node.child_by_field_name("function") if node.type == "call_expression" else None
            if function is None or function.type != "member_expression":
                continue
            owner, name = function.child_by_field_name("object"), function.child_by_field_name("property")
            arguments = node.child_by_field_name("arguments")
            if owner is None or name is None or arguments is None or self.text(owner) not in OBJECTS:
                continue
            given = [child for child in arguments.named_children if child.type != "comment"]
            yield HelperCall(node, self.text(name), name, given)

    def literal(self, node: Node | None) -> str | None:
        """The text of a string, or of a template with ``x`` for what is filled in; None for anything else."""
        if node is None or node.type not in ("string", "template_string"):
            return None
        parts = [
            self.text(child) if child.type in ("string_fragment", "escape_sequence") else SAMPLE
            for child in node.named_children
        ]
        return "".join(parts)

    def property(self, node: Node | None, key: str) -> Node | None:
        for pair in node.named_children if node is not None and node.type == "object" else ():
            name = pair.child_by_field_name("key")
            if pair.type == "pair" and name is not None and self.text(name).strip("\"'") == key:
                return pair.child_by_field_name("value")
        return None


def walk(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


def function_around(node: Node) -> Node | None:
    above = node.parent
    while above is not None and above.type not in _FUNCTIONS:
        above = above.parent
    return above


def _binding_places(node: Node) -> list[Node]:
    if node.type == "formal_parameters":
        return [node]
    field = _BINDING_FIELDS.get(node.type)
    place = node.child_by_field_name(field) if field is not None else None
    return [place] if place is not None else []
