"""``most=5 gap=10m quiet=22:00-07:00 norepeat=30`` as guards, and back in words. Pure; judges nothing."""

import re
from datetime import timedelta

from bot.values import duration_text
from library.errors import BadArgument, nearest
from scheduler.guards import Guards, QuietHours
from scheduler.when_problems import WhenNotUnderstood
from scheduler.when_times import read_length, read_time

_KEYS = ("most", "gap", "quiet", "norepeat", "failures")
_NUMBERS = {"most": "most_per_day", "norepeat": "no_repeat_within_days", "failures": "failures_in_a_row"}
_EXAMPLE = "For example: most=5 gap=10m quiet=22:00-07:00 norepeat=30 (off takes one away)"


def read_guards(words: str, before: Guards, *, zone: str) -> Guards:
    """The guards before, changed by what is said. Raises BadArgument."""
    said = [word.partition("=") for word in words.split()]
    if not said:
        raise BadArgument(f"Say what to guard. {_EXAMPLE}")
    changes: dict[str, object] = {"zone": zone}
    for key, equals, value in said:
        if key not in _KEYS or not equals or not value:
            near = nearest(key, list(_KEYS), most=1)
            hint = f" Did you mean {near[0]}=?" if near else ""
            raise BadArgument(f'"{key}{equals}{value}" is no guard.{hint} {_EXAMPLE}')
        changes |= _change(key, value)
    return Guards.model_validate(before.model_dump() | changes)


def _change(key: str, value: str) -> dict[str, object]:
    is_off = value.casefold() == "off"
    try:
        if key == "gap":
            return {"least_gap": None if is_off else _length(value)}
        if key == "quiet":
            return {"quiet_hours": None if is_off else _quiet_hours(value)}
        return {_NUMBERS[key]: None if is_off and key != "failures" else _count(value)}
    except (ValueError, WhenNotUnderstood) as error:
        raise BadArgument(f'"{key}={value}" cannot be used. {_EXAMPLE}') from error


def _count(value: str) -> int:
    if int(value) < 1:
        raise ValueError("less than one")
    return int(value)


def _length(value: str) -> timedelta:
    length = read_length(value)
    if not length:
        raise ValueError("no length at all")
    return length


def _quiet_hours(value: str) -> QuietHours:
    start, end = re.split(r"\s*[-–]\s*", value, maxsplit=1)
    return QuietHours(start=read_time(start), end=read_time(end))


def guards_in_words(guards: Guards) -> str:
    """``at most 5 a day, 10 minutes between two, ...``; what an item must pass before it goes out."""
    hours, gap = guards.quiet_hours, guards.least_gap
    parts = [
        f"at most {guards.most_per_day} a day" if guards.most_per_day else "",
        f"at least {duration_text(gap)} between two" if gap else "",
        f"none from {hours.start:%H:%M} to {hours.end:%H:%M}" if hours else "",
        f"asks before a text goes out again within {guards.no_repeat_within_days} days"
        if guards.no_repeat_within_days
        else "",
        f"stops after {guards.failures_in_a_row} failures in a row"
        if guards.failures_in_a_row != Guards().failures_in_a_row
        else "",
    ]
    told = ", ".join(part for part in parts if part)
    return f"{told} ({guards.zone})" if told else "no guards"
