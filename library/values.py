"""One value against one parameter: a person's word as a typed value, and whether a typed value fits. Pure.

Every function returns the value or raises ValueError with the reason, a sentence fragment that follows the
parameter's name: ``has 300 characters, at most 280 fit``.
"""

import json
import math
import re
from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlsplit

import re2
from pydantic import JsonValue

from library.errors import nearest
from library.models import Param

MOST_EXACT = 2**53 - 1
"""The largest whole number that JavaScript keeps exact."""

YES = frozenset(("yes", "true", "on", "1", "y", "ja", "예", "네"))
NO = frozenset(("no", "false", "off", "0", "n", "nein", "아니오", "아니요"))

_DATE_TIME = re.compile(
    r"\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)", re.ASCII | re.I
)
LONGEST_FILE_NAME = 120
_FILE_NAME = re.compile(r"[^/\\:\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]+")
_SMART_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»", '"'))


def read_word(param: Param, word: str) -> JsonValue:
    """The typed value that a person's word means. Strings stay as they are: ``007`` stays ``007``."""
    value = _READERS[param.type](word)
    if param.enum is not None:
        value = _same_in_enum(param.enum, value)
    return check(param, value)


def check(param: Param, value: JsonValue) -> JsonValue:
    """A typed value, if it fits; nothing is converted but a whole ``3.0`` for an integer."""
    if param.type == "integer" and isinstance(value, float) and value.is_integer():
        value = int(value)
    _check_type(param, value)
    if param.enum is not None and not any(_same(value, item) for item in param.enum):
        raise ValueError(_not_in_enum(param.enum, value))
    if isinstance(value, str):
        _check_text(param, value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        _check_number(param, value)
    return value


def compile_pattern(pattern: str) -> Callable[[str], bool]:
    """A test for a JSON Schema pattern (found anywhere unless anchored). RE2: linear time for any text."""
    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0].decode() if isinstance(error.args[0], bytes) else error.args[0]
        raise ValueError(f"is not a regular expression of RE2 (no look-around, no \\1): {reason}") from error
    return lambda text: compiled.search(text) is not None


def _read_integer(word: str) -> JsonValue:
    if not re.fullmatch(r"[+-]?\d{1,30}", word.strip(), re.ASCII):
        raise ValueError(f"must be a whole number, not {_shown(word)}")
    return int(word)


def _read_number(word: str) -> JsonValue:
    text = word.strip()
    if re.fullmatch(r"[+-]?\d+,\d+", text, re.ASCII):
        raise ValueError(f"must be a number with a point, not a comma: {text.replace(',', '.')}")
    if not re.fullmatch(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?", text, re.ASCII | re.I):
        raise ValueError(f"must be a number, not {_shown(word)}")
    return int(text) if re.fullmatch(r"[+-]?\d{1,15}", text) else float(text)


def _read_boolean(word: str) -> JsonValue:
    folded = word.strip().casefold()
    if folded in YES:
        return True
    if folded in NO:
        return False
    raise ValueError(f"must be yes or no, not {_shown(word)}")


def _read_array(word: str) -> JsonValue:
    text = word.strip()
    if text.startswith("["):
        return _read_json(text, list, "a list such as [1, 2] or a,b,c")
    return [item.strip() for item in text.split(",")] if text else []


def _read_object(word: str) -> JsonValue:
    return _read_json(word.strip(), dict, 'JSON such as {"a": 1}')


def _read_json(text: str, kind: type, wanted: str) -> JsonValue:
    for candidate in (text, text.translate(_SMART_QUOTES)):
        try:
            value: JsonValue = json.loads(candidate, parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, kind):
            return value
    raise ValueError(f"must be {wanted}, not {_shown(text)}")


def _refuse_constant(name: str) -> JsonValue:
    raise ValueError(name)


_READERS: dict[str, Callable[[str], JsonValue]] = {
    "string": lambda word: word,
    "integer": _read_integer,
    "number": _read_number,
    "boolean": _read_boolean,
    "array": _read_array,
    "object": _read_object,
}

_TYPES: dict[str, tuple[type | tuple[type, ...], str]] = {
    "string": (str, "text"),
    "integer": (int, "a whole number"),
    "number": ((int, float), "a number"),
    "boolean": (bool, "true or false"),
    "array": (list, "a list"),
    "object": (dict, "an object"),
}


def _check_type(param: Param, value: JsonValue) -> None:
    kind, wanted = _TYPES[param.type]
    if not isinstance(value, kind) or (isinstance(value, bool) and param.type != "boolean"):
        raise ValueError(f"must be {wanted}, not {_shown(value)}")


def _check_text(param: Param, value: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError("has half a character (a lone surrogate), which no site can take") from None
    length = len(value)
    if param.min_length is not None and length < param.min_length:
        wanted = "must not be empty" if param.min_length == 1 else f"has {length} characters, at least"
        raise ValueError(wanted if param.min_length == 1 else f"{wanted} {param.min_length} are needed")
    if param.max_length is not None and length > param.max_length:
        raise ValueError(f"has {length} characters, at most {param.max_length} fit")
    if param.pattern is not None and not compile_pattern(param.pattern)(value):
        raise ValueError(f"{_shown(value)} does not match the pattern {param.pattern}")
    if param.format == "date-time" and not _is_date_time(value):
        raise ValueError(f"must be a date and time such as 2026-12-24T18:00:00+01:00, not {_shown(value)}")
    if param.format == "uri" and not _is_uri(value):
        raise ValueError(f"must be a whole address such as https://example.com/, not {_shown(value)}")
    if param.format == "file":
        file_name(value)


def _check_number(param: Param, value: int | float) -> None:
    if not math.isfinite(value):
        raise ValueError("must be a finite number")
    if isinstance(value, int) and abs(value) > MOST_EXACT:
        raise ValueError(f"{value} is too large: a page keeps whole numbers up to {MOST_EXACT} exact")
    if param.minimum is not None and value < param.minimum:
        raise ValueError(f"must be at least {param.minimum:g}, not {value}")
    if param.maximum is not None and value > param.maximum:
        raise ValueError(f"must be at most {param.maximum:g}, not {value}")


def file_name(value: str) -> str:
    """A plain name, of which no part can mean a folder or hide what the name is."""
    if value.startswith(".") or len(value) > LONGEST_FILE_NAME or not _FILE_NAME.fullmatch(value):
        raise ValueError(
            "must be the plain name, such as report.pdf, of a file in the folder "
            f'"files" of the data folder, not {_shown(value)}'
        )
    return value


def _is_date_time(text: str) -> bool:
    """RFC 3339, section 5.6; a leap second is not accepted, because no browser's Date takes it."""
    if not _DATE_TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(re.sub(r"\.\d+", "", text.upper()))
    except ValueError:
        return False
    return True


def _is_uri(text: str) -> bool:
    """An absolute URI (RFC 3986), or IRI, because people paste those."""
    if re.search(r"[\s\x00-\x1f<>\"{}|\\^`]", text):
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return bool(parts.scheme) and bool(parts.netloc or (parts.path and parts.scheme not in ("http", "https")))


def _same(one: JsonValue, other: JsonValue) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _same_in_enum(enum: tuple[JsonValue, ...], value: JsonValue) -> JsonValue:
    """A word differs from an enum's item by case alone: the item is meant."""
    if not isinstance(value, str) or value in enum:
        return value
    folded = [item for item in enum if isinstance(item, str) and item.casefold() == value.strip().casefold()]
    return folded[0] if len(folded) == 1 else value


def _not_in_enum(enum: tuple[JsonValue, ...], value: JsonValue) -> str:
    items = [item if isinstance(item, str) else json.dumps(item) for item in enum]
    near = nearest(value, items, most=1) if isinstance(value, str) else []
    hint = f' Did you mean "{near[0]}"?' if near else ""
    return f"must be one of {', '.join(items)}, not {_shown(value)}.{hint}"


def _shown(value: JsonValue) -> str:
    text = f'"{value}"' if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}…"
