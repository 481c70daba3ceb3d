"""The ``params`` of a manifest: nodes -> Param, each checked against itself (its default must fit)."""

import re
from collections.abc import Callable, Mapping

from pydantic import JsonValue

from library.manifest.nodes import Fields, Items, Node, Reader, Scalar, to_json
from library.models import Param
from library.values import check, compile_pattern

TYPES = ("string", "number", "integer", "boolean", "array", "object")
FORMATS = ("date-time", "uri", "file")
MOST_PARAMS = 40

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}", re.ASCII)
_TAKEN = frozenset(
    "tab rtrvr arguments await break case catch class const continue debugger default delete do else "
    "enum eval export extends false finally for function if implements import in instanceof "
    "interface let new null package private protected public return static super switch this throw "
    "true try typeof var void while with yield result".split()
)
_TEXT_ONLY = ("minLength", "maxLength", "pattern", "format")
_NUMBER_ONLY = ("minimum", "maximum")
_KEYS = ("type", "description", "enum", *_TEXT_ONLY, *_NUMBER_ONLY, "default", "required", "secret")


def read_params(reader: Reader, node: Node) -> dict[str, Param]:
    """Every parameter that could be read, in manifest order."""
    if not isinstance(node, Fields):
        reader.fail(node.line, "params", "must have a key for each parameter, such as text: {type: string}.")
        return {}
    if len(node.entries) > MOST_PARAMS:
        reader.fail(node.line, "params", f"has {len(node.entries)} parameters, at most {MOST_PARAMS} fit.")
    params: dict[str, Param] = {}
    for name, entry in node.entries.items():
        field = f"params.{name}"
        _check_name(reader, node.lines[name], field, name)
        param = _read_param(reader, entry, field)
        if param is not None:
            params[name] = param
    return params


def _check_name(reader: Reader, line: int, field: str, name: str) -> None:
    if not _NAME.fullmatch(name):
        reader.fail(line, field, f'"{name}" cannot be a parameter: letters, digits and _ only, at most 40.')
    elif name in _TAKEN:
        reader.fail(
            line, field, f'"{name}" already means something in the body or in expect. Take another name.'
        )


def _read_param(reader: Reader, node: Node, field: str) -> Param | None:
    fields = reader.fields(node, field, _KEYS)
    if fields is None:
        return None
    before = len(reader.problems)
    entries = fields.entries
    kind = reader.choice(entries["type"], f"{field}.type", TYPES) if "type" in entries else "string"
    if kind is None:
        return None
    _check_keys_fit(reader, fields, field, kind)
    values = _read_values(reader, entries, field, kind)
    if len(reader.problems) > before:
        return None
    values.setdefault("required", values.get("default") is None)
    param = Param.model_validate({"type": kind, **values})
    _check_whole(reader, fields, field, param)
    return param


def _read_values(reader: Reader, entries: Mapping[str, Node], field: str, kind: str) -> dict[str, object]:
    readers: dict[str, Callable[[Node, str], object]] = {
        "description": reader.text,
        "enum": lambda node, name: _read_enum(reader, node, name, kind),
        "minLength": reader.whole,
        "maxLength": reader.whole,
        "minimum": reader.number,
        "maximum": reader.number,
        "pattern": lambda node, name: _read_pattern(reader, node, name),
        "format": lambda node, name: reader.choice(node, name, FORMATS),
        "default": lambda node, name: _typed(node, kind),
        "required": reader.flag,
        "secret": reader.flag,
    }
    known = [key for key in entries if key in readers]
    return {key: readers[key](entries[key], f"{field}.{key}") for key in known}


def _check_keys_fit(reader: Reader, fields: Fields, field: str, kind: str) -> None:
    for key, line in fields.lines.items():
        if key in _TEXT_ONLY and kind != "string":
            reader.fail(line, f"{field}.{key}", f"fits a string only, and this is of type {kind}.")
        if key in _NUMBER_ONLY and kind not in ("number", "integer"):
            reader.fail(line, f"{field}.{key}", f"fits a number or integer only, and this is of type {kind}.")


def _check_whole(reader: Reader, fields: Fields, field: str, param: Param) -> None:
    """What needs several keys at once."""
    for low, high in (("minLength", "maxLength"), ("minimum", "maximum")):
        least = param.min_length if low == "minLength" else param.minimum
        most = param.max_length if high == "maxLength" else param.maximum
        if least is not None and most is not None and least > most:
            reader.fail(fields.lines[low], f"{field}.{low}", f"is larger than {high}: no value can fit.")
    if param.secret and param.format == "file":
        reader.fail(
            fields.lines["secret"], f"{field}.secret", "does not fit a file: its name is kept, to run again."
        )
    if param.default is None:
        return
    line = fields.lines["default"]
    if param.required:
        reader.fail(line, f"{field}.default", "is never used while required is true. Leave one of them out.")
    if param.secret:
        reader.fail(line, f"{field}.default", "would show a secret to everyone who reads this file.")
    try:
        check(param, param.default)
    except ValueError as error:
        reader.fail(line, f"{field}.default", f"{error}.")


def _read_enum(reader: Reader, node: Node, name: str, kind: str) -> tuple[JsonValue, ...] | None:
    if not isinstance(node, Items) or not node.items:
        reader.fail(node.line, name, "must be a list of the allowed values, such as [a, b].")
        return None
    values = tuple(_typed(item, kind) for item in node.items)
    for item, value in zip(node.items, values, strict=True):
        try:
            check(Param(type=kind), value)
        except ValueError as error:
            reader.fail(item.line, name, f"{error}.")
    return values


def _read_pattern(reader: Reader, node: Node, name: str) -> str | None:
    pattern = reader.text(node, name)
    if pattern is None:
        return None
    try:
        compile_pattern(pattern)
    except ValueError as error:
        reader.fail(node.line, name, f"{error}.")
    return pattern


def _typed(node: Node, kind: str) -> JsonValue:
    """A string parameter's value is the text as written, whatever it looks like."""
    return node.text if kind == "string" and isinstance(node, Scalar) else to_json(node)
