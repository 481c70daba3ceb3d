"""The manifest's ``expect`` with a run's values filled in, and what to watch for it. Pure; judges nothing.

``{param}`` stands for an argument, ``{result.key}`` for a (dotted) key of the returned value. Every filled-in
piece has a second form to be shown, in which the values of secret parameters are dots.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from library.models import Expectation, Subroutine
from library.patterns import PatternError
from relay.patterns import AddressSought, RequestSought, escaped

SECRET = "•••"

_HOLE = re.compile(r"\{([A-Za-z_][\w-]*(?:\.[\w-]+)*)\}")


class Missing(Exception):
    """A template names what is not there, or nothing; the message is one sentence for the verdict."""


@dataclass(frozen=True)
class Text:
    """A text to look for, and how it may be shown."""

    sought: str
    shown: str


@dataclass(frozen=True)
class Expected:
    """One item of ``expect``, filled in; ``problem`` says what could not be: then it cannot be met."""

    request: RequestSought | None = None
    statuses: tuple[int, ...] | None = None
    response: Mapping[str, JsonValue] | None = None
    text: Text | None = None
    gone: Text | None = None
    url: AddressSought | None = None
    result: Mapping[str, JsonValue] | None = None
    problem: str | None = None
    shown_request: str = ""
    shown_url: str = ""


@dataclass(frozen=True)
class Watch:
    """What ``finish`` shall wait for: texts to show, texts to go, requests to be answered."""

    texts: tuple[Text, ...] = ()
    gone: tuple[Text, ...] = ()
    requests: tuple[RequestSought, ...] = field(default=())


def fill(
    subroutine: Subroutine, arguments: Mapping[str, JsonValue], result: JsonValue
) -> tuple[Expected, ...]:
    """Never raises: what is missing is a ``problem`` of its item."""
    filler = _Filler(subroutine, arguments, result)
    return tuple(filler.fill(item) for item in subroutine.expect)


def watch(expected: Sequence[Expected]) -> Watch:
    return Watch(
        texts=tuple(dict.fromkeys(item.text for item in expected if item.text)),
        gone=tuple(dict.fromkeys(item.gone for item in expected if item.gone)),
        requests=tuple(dict.fromkeys(item.request for item in expected if item.request)),
    )


def lookup(value: JsonValue, dotted: str) -> JsonValue:
    """``posts.0.url`` in JSON data. Raises KeyError with the path up to the part that is not there."""
    walked: list[str] = []
    for part in dotted.split("."):
        walked.append(part)
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            raise KeyError(".".join(walked))
    return value


def equal(left: JsonValue, right: JsonValue) -> bool:
    """Equal as JSON: ``1`` and ``1.0`` are, ``1`` and ``true`` are not."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    return left == right


def as_text(value: JsonValue) -> str:
    """How a value stands in a text: strings as they are, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class _Filler:
    def __init__(self, subroutine: Subroutine, arguments: Mapping[str, JsonValue], result: JsonValue) -> None:
        self._sites = subroutine.sites
        self._arguments = arguments
        self._secrets = {name for name, param in subroutine.params.items() if param.secret}
        self._params = subroutine.params
        self._files = subroutine.file_params
        self._result = result

    def fill(self, item: Expectation) -> Expected:
        try:
            return Expected(
                request=self._request(item.request),
                statuses=(item.status,) if isinstance(item.status, int) else item.status,
                response=self._values(item.response),
                text=self._text(item.text),
                gone=self._text(item.gone),
                url=self._address(item.url),
                result=self._values(item.result),
                shown_request=self._shown(item.request),
                shown_url=self._shown(item.url),
            )
        except Missing as missing:
            return Expected(problem=str(missing))
        except PatternError as error:
            return Expected(problem=f"The manifest's expect cannot be read: {error}")

    def _request(self, template: str | None) -> RequestSought | None:
        return RequestSought(self._render(template, escaped), self._sites) if template else None

    def _address(self, template: str | None) -> AddressSought | None:
        return AddressSought(self._render(template, escaped), self._sites) if template else None

    def _text(self, template: str | None) -> Text | None:
        if template is None:
            return None
        sought = self._render(template)
        if not sought.strip():
            raise Missing(f'The manifest expects the text "{template}", which is empty: that proves nothing.')
        return Text(sought, self._shown(template))

    def _values(self, values: Mapping[str, JsonValue] | None) -> Mapping[str, JsonValue] | None:
        return {key: self._value(value) for key, value in values.items()} if values is not None else None

    def _value(self, value: JsonValue) -> JsonValue:
        """A string that is one hole and nothing else takes the value with its type."""
        if not isinstance(value, str):
            return value
        whole = _HOLE.fullmatch(value)
        return self._of(whole[1]) if whole else self._render(value)

    def _render(self, template: str, form: Callable[[str], str] = str) -> str:
        return _HOLE.sub(lambda hole: form(as_text(self._of(hole[1]))), template)

    def _shown(self, template: str | None) -> str:
        def show(hole: re.Match[str]) -> str:
            return SECRET if hole[1] in self._secrets else as_text(self._of(hole[1]))

        return _HOLE.sub(show, template or "")

    def _of(self, name: str) -> JsonValue:
        if name in self._arguments or name in self._params:
            value = self._arguments.get(name)
            return value["name"] if name in self._files and isinstance(value, dict) else value
        if name == "result":
            return self._result
        if not name.startswith("result."):
            raise Missing(f'The manifest expects "{{{name}}}", but there is no parameter of that name.')
        try:
            return lookup(self._result, name.removeprefix("result."))
        except KeyError as error:
            raise Missing(
                f'The manifest expects "{{{name}}}", but what was returned has no "{error.args[0]}".'
            ) from error


def differences(wanted: Mapping[str, JsonValue], got: JsonValue) -> Iterator[str]:
    """One phrase for each dotted key of ``wanted`` that ``got`` does not have with that value."""
    for key, value in wanted.items():
        try:
            found = lookup(got, key)
        except KeyError:
            yield f'has no "{key}"'
            continue
        if not equal(found, value):
            yield f'has "{key}": {as_text(found)[:80]}, not {as_text(value)[:80]}'
