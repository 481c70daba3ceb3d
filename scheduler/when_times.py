"""Clock times and lengths of time as people write them, in English words. Pure; dates are when_dates.py's."""

import re
from datetime import time, timedelta

from scheduler.when_problems import impossible

TIME = r"(?:at )?(?:\d{1,2}(?:[:h]\d{2}|h)?(?: ?(?:am|pm))?|noon|midnight)"
TIMES = rf"{TIME}(?:(?:, ?(?:and )?| and ){TIME})*"
_UNIT = r"(?:weeks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)"
LENGTH = rf"(?:an? |\d{{1,6}} ?){_UNIT}(?:(?: and | )?\d{{1,6}} ?{_UNIT})*"

_TIME = re.compile(r"(?:at )?(\d{1,2})(?:[:h](\d{2})|h)?(?: ?(am|pm))?")
_PART = re.compile(r"(an? |\d{1,6} ?)([a-z]+)")
_UNITS = {
    "w": timedelta(weeks=1),
    "d": timedelta(days=1),
    "h": timedelta(hours=1),
    "m": timedelta(minutes=1),
    "s": timedelta(seconds=1),
}


def read_times(text: str) -> tuple[time, ...]:
    """Times of a text that matches TIMES, in order, each once. Raises WhenNotUnderstood (24:30, 15 pm)."""
    parts = re.split(r", ?(?:and )?| and ", text)
    return tuple(sorted({read_time(part) for part in parts}))


def read_time(text: str) -> time:
    """The time of a text that matches TIME, without am or pm on 24 hours. Raises WhenNotUnderstood."""
    word = text.removeprefix("at ")
    if word in ("noon", "midnight"):
        return time(12 if word == "noon" else 0)
    found = _TIME.fullmatch(text)
    if found is None:
        raise impossible(f'"{text}" is not a time of day.', ("09:00", "9am"))
    hour, minute, half = int(found[1]), int(found[2] or 0), found[3]
    if hour > 23 or minute > 59:
        raise impossible(f"There is no {word} on the clock: it goes from 00:00 to 23:59.", ("00:00", "23:59"))
    if half is None:
        return time(hour, minute)
    if not 1 <= hour <= 12:
        raise impossible(
            f'"{word}" is a time of the 24-hour clock and {half} at once.', _both_halves(hour, minute)
        )
    return time(hour % 12 + (12 if half == "pm" else 0), minute)


def read_length(text: str) -> timedelta:
    """The length of a text that matches LENGTH. Raises WhenNotUnderstood where it is out of reach."""
    total = timedelta()
    for n, unit in _PART.findall(text.replace("and ", "")):
        total += (1 if n.startswith("a") else int(n)) * _UNITS[unit[0]]
        if total > timedelta(days=3660):
            raise impossible(f'"{text.strip()}" is more than ten years.', ("in 20 minutes", "every 2h"))
    return total


def _both_halves(hour: int, minute: int) -> tuple[str, str]:
    return f"{hour:02d}:{minute:02d}", f"{(hour - 1) % 12 + 1}:{minute:02d}{'pm' if hour else 'am'}"
