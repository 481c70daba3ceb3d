"""The text of a subroutine file <-> Subroutine. Knows YAML and the outer shape; the fields are manifest's.

    /*---
    name: create-post
    ...
    ---*/
    await tab.click({ role: "button", name: "Post" });

The file stays valid JavaScript for every editor, so the manifest may not contain ``*/`` (in double quotes
YAML reads ``*\\/`` as the same).
"""

import re
from pathlib import Path

import yaml
from pydantic import JsonValue

from library.errors import SubroutineError
from library.manifest.fields import read_fields
from library.manifest.nodes import Fields, Items, Node, Problem, Reader, Scalar
from library.manifest.text import write_manifest
from library.models import Subroutine

LONGEST_FILE = 512 * 1024
LONGEST_MANIFEST = 64 * 1024
DEEPEST = 12

_OPENING = re.compile(r"\ufeff?(?:[ \t\r\n]|//[^\n]*\n)*/\*---[ \t]*\r?\n")
_CLOSING = re.compile(r"^[ \t]*---\*/[ \t]*(?:\r?\n|\Z)", re.MULTILINE)


def parse(text: str, *, path: Path | None = None) -> Subroutine:
    """A subroutine from its file's text. Raises SubroutineError with every problem, its line and field."""
    if len(text) > LONGEST_FILE:
        raise _error([Problem(1, "", f"The file is larger than {LONGEST_FILE // 1024} KiB.")], path)
    manifest, body, first_line = _divide(text, path)
    reader = Reader()
    root = _tree(manifest, first_line, reader, path)
    values = read_fields(reader, root)
    if not body.strip():
        reader.fail(text.count("\n") + 1, "", "The body is empty: nothing follows the manifest.")
    if reader.problems:
        raise _error(reader.problems, path)
    return Subroutine.model_validate({**values, "body": body, "source": text})


def render(subroutine: Subroutine) -> str:
    """The file that ``parse`` reads as the same subroutine, in the house's layout; ``source`` is not used."""
    return f"/*---\n{write_manifest(subroutine)}---*/\n{subroutine.body}"


def body_line(subroutine: Subroutine) -> int:
    """The line of the file, from 1, on which the body begins."""
    return subroutine.source.removesuffix(subroutine.body).count("\n") + 1


def _divide(text: str, path: Path | None) -> tuple[str, str, int]:
    """The manifest, the body, and the line of the file on which the manifest begins."""
    opening = _OPENING.match(text)
    if opening is None:
        message = "The file must begin with its manifest, in a comment from /*--- to ---*/."
        raise _error([Problem(1, "", message)], path)
    closing = _CLOSING.search(text, opening.end())
    first_line = opening[0].count("\n") + 1
    if closing is None:
        message = "The manifest never ends: there is no line ---*/."
        raise _error([Problem(first_line - 1, "", message)], path)
    manifest = text[opening.end() : closing.start()]
    if len(manifest) > LONGEST_MANIFEST:
        message = f"The manifest is larger than {LONGEST_MANIFEST // 1024} KiB."
        raise _error([Problem(first_line, "", message)], path)
    early = manifest.find("*/")
    if early >= 0:
        message = '"*/" would end the comment here. Within double quotes write *\\/ instead.'
        raise _error([Problem(first_line + manifest[:early].count("\n"), "", message)], path)
    return manifest, text[closing.end() :], first_line


def _tree(manifest: str, first_line: int, reader: Reader, path: Path | None) -> Node:
    try:
        _check_events(manifest, first_line, path)
        root = yaml.compose(manifest, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reasons = ", ".join(part for part in (error.context, error.problem) if part)
        line = first_line + (mark.line if mark else 0)
        raise _error([Problem(line, "", f"The manifest is not YAML here: {reasons}.")], path) from error
    except yaml.YAMLError as error:
        message = f"The manifest is not YAML: {str(error).splitlines()[0]}."
        raise _error([Problem(first_line, "", message)], path) from error
    if root is None:
        raise _error([Problem(first_line, "", "The manifest is empty.")], path)
    return _node(root, first_line, reader, "")


def _check_events(manifest: str, first_line: int, path: Path | None) -> None:
    """Refuses what a manifest never needs and what makes YAML dangerous: anchors, aliases, tags, depth."""
    depth = 0
    for event in yaml.parse(manifest, Loader=yaml.SafeLoader):
        line = first_line + (event.start_mark.line if event.start_mark else 0)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _error([Problem(line, "", "Anchors (&) and aliases (*) are not used in a manifest.")], path)
        if getattr(event, "tag", None):
            raise _error([Problem(line, "", "Tags (!) are not used in a manifest.")], path)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise _error([Problem(line, "", f"The manifest is nested deeper than {DEEPEST} levels.")], path)


def _node(node: yaml.Node, first_line: int, reader: Reader, field: str) -> Node:
    line = first_line + node.start_mark.line
    if isinstance(node, yaml.ScalarNode):
        return Scalar(node.value, node.style is None, line)
    if isinstance(node, yaml.SequenceNode):
        items = (_node(item, first_line, reader, f"{field}[{i}]") for i, item in enumerate(node.value))
        return Items(tuple(items), line)
    entries: dict[str, Node] = {}
    lines: dict[str, int] = {}
    for key, value in node.value:
        name = key.value if isinstance(key, yaml.ScalarNode) else "?"
        inner = f"{field}.{name}" if field else name
        key_line = first_line + key.start_mark.line
        if name in entries:
            reader.fail(key_line, inner, f"is written twice; the first is on line {lines[name]}.")
            continue
        entries[name] = _node(value, first_line, reader, inner)
        lines[name] = key_line
    return Fields(entries, lines, line)


def _error(problems: list[Problem], path: Path | None) -> SubroutineError:
    ordered = sorted(problems, key=lambda problem: problem.line)
    lines = [_sentence(problem) for problem in ordered]
    title = path.name if path is not None else "The subroutine"
    message = (
        f"{title}, {lines[0]}"
        if len(lines) == 1
        else f"{title} has {len(lines)} problems:\n" + "\n".join(lines)
    )
    details: list[dict[str, JsonValue]] = [
        {"line": problem.line, "field": problem.field or None, "message": problem.message}
        for problem in ordered
    ]
    return SubroutineError(message, line=ordered[0].line, field=ordered[0].field or None, problems=details)


def _sentence(problem: Problem) -> str:
    where = f"line {problem.line}"
    return f"{where}, {problem.field}: {problem.message}" if problem.field else f"{where}: {problem.message}"
