"""Telegram's published Bot API as a checker: of what is sent to it and of what a fake gives back."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Json = Any

_LENGTH = re.compile(r"(\d+)-(\d+) (characters|bytes)")
_AT_MOST = re.compile(r"At most (\d+) commands")
_PLAIN: dict[str, tuple[type, ...]] = {
    "Integer": (int,),
    "Float": (int, float),
    "String": (str,),
    "Boolean": (bool,),
}


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


class Contract:
    """``problems_*`` give sentences, one for each thing that Telegram would refuse; none means good."""

    def __init__(self, file: Path) -> None:
        described = json.loads(file.read_text(encoding="utf-8"))
        self._methods: Mapping[str, Json] = {
            name.lower(): method for name, method in described["methods"].items()
        }
        self._types: Mapping[str, Json] = described["types"]

    def name_of(self, method: str) -> str | None:
        """As the contract spells it; methods are case-insensitive."""
        known = self._methods.get(method.lower())
        return known["name"] if known else None

    def read_params(self, method: str, sent: Mapping[str, str]) -> dict[str, Json]:
        """A form's strings as the values that Telegram reads in them."""
        fields = {field["name"]: field for field in self._methods[method.lower()].get("fields", [])}
        return {
            name: _read(text, fields[name]["types"]) if name in fields else text
            for name, text in sent.items()
        }

    def problems_of_call(self, method: str, params: Mapping[str, Json]) -> list[str]:
        return self._fields(method, self._methods[method.lower()].get("fields", []), params)

    def problems_of_result(self, method: str, result: Json) -> list[str]:
        returns = self._methods[method.lower()]["returns"]
        return self._any_of(f"result of {method}", returns, result)

    def problems_of(self, kind: str, value: Json) -> list[str]:
        return self._value(kind, kind, value)

    def _fields(self, where: str, fields: Sequence[Json], given: Mapping[str, Json]) -> list[str]:
        known = {field["name"]: field for field in fields}
        problems = [f"{where}: unknown field {name}" for name in given if name not in known]
        for name, field in known.items():
            if name in given:
                problems += self._any_of(f"{where}.{name}", field["types"], given[name])
                problems += _limits(f"{where}.{name}", field.get("description", ""), given[name])
            elif field["required"]:
                problems.append(f"{where}: {name} is missing")
        return problems

    def _any_of(self, where: str, kinds: Sequence[str], value: Json) -> list[str]:
        tries = [self._value(where, kind, value) for kind in kinds]
        return min(tries, key=len)

    def _value(self, where: str, kind: str, value: Json) -> list[str]:
        if kind.startswith("Array of "):
            if not isinstance(value, list):
                return [f"{where}: {value!r} is no array"]
            inner = kind.removeprefix("Array of ")
            return [
                p for index, item in enumerate(value) for p in self._value(f"{where}[{index}]", inner, item)
            ]
        if kind in _PLAIN:
            is_right = isinstance(value, _PLAIN[kind]) and (kind == "Boolean" or not isinstance(value, bool))
            return [] if is_right else [f"{where}: {value!r} is no {kind}"]
        if kind == "InputFile":
            return [] if isinstance(value, bytes) and value else [f"{where}: no file was uploaded"]
        described = self._types[kind]
        if "subtypes" in described:
            return self._any_of(where, described["subtypes"], value)
        if not isinstance(value, Mapping):
            return [f"{where}: {value!r} is no {kind}"]
        return self._fields(where, described.get("fields", []), value)


def _read(text: str, kinds: Sequence[str]) -> Json:
    """JSON where the field is no string; a text that happens to be JSON stays a text."""
    if kinds == ["String"]:
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return text
    is_text = "String" in kinds and not isinstance(value, int)
    return text if is_text else value


def _limits(where: str, description: str, value: Json) -> list[str]:
    length = _LENGTH.search(description)
    if length and isinstance(value, str):
        least, most = int(length[1]), int(length[2])
        measured = utf16(value) if length[3] == "characters" else len(value.encode())
        if not least <= measured <= most or (least and not value.strip()):
            return [f"{where}: {measured} {length[3]}, {least} to {most} are allowed"]
    most_items = _AT_MOST.search(description)
    if most_items and isinstance(value, list) and len(value) > int(most_items[1]):
        return [f"{where}: {len(value)} items, at most {most_items[1]} are allowed"]
    return []
