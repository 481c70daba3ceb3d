"""The ``expect`` of a manifest: nodes -> Expectation, with every ``{param}`` and ``{result.key}`` known."""

import re
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from library.errors import nearest
from library.manifest.nodes import Fields, Items, Node, Reader, to_json
from library.models import Expectation, Param
from library.patterns import PatternError, read_request

PLACE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)((?:\.[A-Za-z0-9_-]+)*)\}")
"""``{param}`` or ``{result.key}``; any other brace is text."""

_KEYS = ("request", "status", "response", "text", "gone", "url", "result")
_PROVING = ("request", "text", "gone", "url", "result")


def read_expect(reader: Reader, node: Node, params: Mapping[str, Param]) -> tuple[Expectation, ...]:
    if not isinstance(node, Items):
        reader.fail(node.line, "expect", 'must be a list, such as - text: "{text}".')
        return ()
    read = [_read_item(reader, item, f"expect[{i}]", params) for i, item in enumerate(node.items)]
    return tuple(item for item in read if item is not None)


def _read_item(reader: Reader, node: Node, field: str, params: Mapping[str, Param]) -> Expectation | None:
    fields = reader.fields(node, field, _KEYS)
    if fields is None:
        return None
    before = len(reader.problems)
    values: dict[str, object] = {}
    for key, entry in fields.entries.items():
        name = f"{field}.{key}"
        if key in ("response", "result"):
            values[key] = _read_keys(reader, entry, name)
        elif key == "status":
            values[key] = _read_status(reader, entry, name)
        elif key in _KEYS:
            values[key] = reader.text(entry, name)
        for text in _texts(to_json(entry)):
            _check_places(reader, fields.lines[key], name, text, params)
    _check_item(reader, fields, field, values.get("request"))
    return None if len(reader.problems) > before else Expectation.model_validate(values)


def _check_item(reader: Reader, fields: Fields, field: str, request: object) -> None:
    if not any(key in fields.entries for key in _PROVING):
        reader.fail(fields.line, field, f"proves nothing. It needs one of {', '.join(_PROVING)}.")
    for key in ("status", "response"):
        if key in fields.entries and "request" not in fields.entries:
            reader.fail(fields.lines[key], f"{field}.{key}", "needs the request that it is the answer to.")
    if isinstance(request, str):
        try:
            read_request(PLACE.sub("x", request))
        except PatternError as error:
            reader.fail(fields.lines["request"], f"{field}.request", str(error))


def _read_status(reader: Reader, node: Node, name: str) -> int | tuple[int, ...] | None:
    items = node.items if isinstance(node, Items) else (node,)
    codes = [to_json(item) for item in items]
    numbers = tuple(
        code for code in codes if isinstance(code, int) and not isinstance(code, bool) and 100 <= code <= 599
    )
    if not codes or len(numbers) < len(codes):
        reader.fail(node.line, name, "must be an HTTP status such as 201, or a list of them.")
        return None
    return numbers if isinstance(node, Items) else numbers[0]


def _read_keys(reader: Reader, node: Node, name: str) -> dict[str, JsonValue] | None:
    if isinstance(node, Fields) and node.entries:
        return {key: to_json(value) for key, value in node.entries.items()}
    reader.fail(node.line, name, "must have keys and the values they must have, such as {ok: true}.")
    return None


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)


def _check_places(reader: Reader, line: int, name: str, text: str, params: Mapping[str, Param]) -> None:
    for found in PLACE.finditer(text):
        word, keys = found[1], found[2]
        if word == "result":
            continue
        if word not in params:
            near = nearest(word, [*params, "result"], most=1)
            hint = (
                f'Did you mean "{{{near[0]}}}"?'
                if near
                else "Only parameters and {result.key} can be filled in."
            )
            reader.fail(line, name, f"{found[0]} is not a parameter. {hint}")
        elif keys:
            reader.fail(line, name, f"{found[0]}: only {{result.key}} has keys.")
        elif params[word].secret:
            reader.fail(line, name, f"{found[0]} is secret and would be shown with the evidence.")
