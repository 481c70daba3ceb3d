"""A value that a subroutine returned, and lengths of time, as text for a phone. Pure; knows no run."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from pydantic import JsonValue

MOST_ROWS = 10
MOST_CHARACTERS = 1_500


def value_text(value: JsonValue) -> str:
    """Lines a person reads: one per key, or one per row; empty for None."""
    return shortened(_lines(value), MOST_CHARACTERS)


def shortened(text: str, most: int) -> str:
    """At most ``most`` characters, with an ellipsis where something is missing."""
    return text if len(text) <= most else text[: most - 2].rstrip() + " …"


def duration_text(took: timedelta) -> str:
    """``0.4 s``, ``12 s``, ``3 min``, ``3 min 20 s``, ``2 h 5 min``."""
    seconds = took.total_seconds()
    if seconds < 10:
        return f"{max(seconds, 0):.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes == 0:
        return f"{rest} s"
    hours, minutes_left = divmod(minutes, 60)
    parts = ((hours, "h"), (minutes_left, "min")) if hours else ((minutes, "min"), (rest, "s"))
    return " ".join(f"{count} {unit}" for count, unit in parts if count)


def ago_text(then: datetime, now: datetime) -> str:
    """``just now``, ``5 min ago``, ``3 h ago``, ``2 days ago``: needs no time zone."""
    minutes = int((now - then).total_seconds() // 60)
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{minutes} min ago"
    if minutes < 48 * 60:
        return f"{minutes // 60} h ago"
    return f"{minutes // (24 * 60)} days ago"


def _lines(value: JsonValue) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return _fields(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _rows(value)
    return _scalar(value)


def _fields(value: Mapping[str, JsonValue]) -> str:
    """A lone field needs no name: ``{url: X}`` reads ``X``."""
    if len(value) == 1:
        return _lines(next(iter(value.values())))
    return "\n".join(f"{key}: {_inline(item)}" for key, item in value.items() if item is not None)


def _rows(value: Sequence[JsonValue]) -> str:
    if not value:
        return "Nothing found."
    rows = [f"{number}. {_row(item)}" for number, item in enumerate(value[:MOST_ROWS], start=1)]
    more = len(value) - MOST_ROWS
    return "\n".join([*rows, f"… and {more} more"] if more > 0 else rows)


def _row(item: JsonValue) -> str:
    if isinstance(item, Mapping):
        return shortened(" · ".join(_inline(part) for part in item.values() if part is not None), 200)
    return shortened(_inline(item), 200)


def _inline(value: JsonValue) -> str:
    is_nested = isinstance(value, Mapping) or (isinstance(value, Sequence) and not isinstance(value, str))
    return json.dumps(value, ensure_ascii=False) if is_nested else " ".join(_scalar(value).split())


def _scalar(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
