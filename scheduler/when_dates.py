"""Dates as people write them, for a single moment; imports dateparser, and that late: it is slow.

Nothing is guessed: a date with two readings is refused with both, and what dateparser makes of a month's name
counts only when every number of the text is in it.
"""

import re
from datetime import date, datetime, timedelta

from scheduler.when_problems import WhenNotUnderstood, ambiguous, impossible

_ISO = re.compile(r"(\d{4})(?:-|/|\. ?)(\d{1,2})(?:-|/|\. ?)(\d{1,2})\.?")
_DOTTED = re.compile(r"(\d{1,2})\. ?(\d{1,2})\.(?: ?(\d{4}))?")
_SLASHED = re.compile(r"(\d{1,2})[/-](\d{1,2})(?:[/-](\d{4}))?")
_SHORT_YEAR = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{2}")
_NAMED = re.compile(
    r"(?:[^\W\d_]{3,12}[., ]+)?\d{1,4}(?:st|nd|rd|th|[.,월])?(?: of)?(?: ?[^\W_]{1,12}[.,]?){1,2}"
    r"|[^\W\d_]{3,12}[., ]+\d"
)
"""A month's name and one or two numbers, in any order; dateparser must agree."""
_EXAMPLE = ("2026-12-24 18:00",)


def read_date(text: str, today: date, clock: str) -> date | None:
    """The day meant by a text in English words, None where it is no date.

    ``clock`` is the time beside it, for the readings of a refusal. Raises WhenNotUnderstood where the day is
    not in the calendar or has two readings.
    """
    text = text.removeprefix("on ").removeprefix("the ")
    words = {"today": 0, "tomorrow": 1, "day after tomorrow": 2}
    if text in words:
        return today + timedelta(days=words[text])
    if found := _ISO.fullmatch(text):
        return _day(text, int(found[1]), int(found[2]), int(found[3]))
    if _SHORT_YEAR.fullmatch(text):
        raise impossible(f'"{text}" has a year of two digits.', (f"{today.year}-12-24 {clock}",))
    if found := _DOTTED.fullmatch(text):
        return _dated(text, int(found[2]), int(found[1]), found[3], today)
    if found := _SLASHED.fullmatch(text):
        return _either_order(text, found, today, clock)
    return _named(text, today) if _NAMED.fullmatch(text) else None


def _day(text: str, year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise impossible(f'There is no day "{text}" in the calendar.', _EXAMPLE) from None


def _dated(text: str, month: int, day: int, year: str | None, today: date) -> date:
    """Without a year the next such day, counting today."""
    if year:
        return _day(text, int(year), month, day)
    for n in range(today.year, today.year + 9):
        try:
            coming = date(n, month, day)
        except ValueError:
            continue
        if coming >= today:
            return coming
    raise impossible(f'There is no day "{text}" in the calendar.', _EXAMPLE)


def _either_order(text: str, found: re.Match[str], today: date, clock: str) -> date:
    first, second = int(found[1]), int(found[2])
    readings = []
    for month, day in {(first, second), (second, first)}:
        try:
            readings.append(_dated(text, month, day, found[3], today))
        except WhenNotUnderstood:
            continue
    if not readings:
        raise impossible(f'There is no day "{text}" in the calendar.', _EXAMPLE)
    if len(readings) == 1:
        return readings[0]
    raise ambiguous(
        f"{text} {clock}".strip(), [f"{day.isoformat()} {clock}".strip() for day in sorted(readings)]
    )


def _named(text: str, today: date) -> date | None:
    import dateparser

    found = dateparser.parse(
        text,
        languages=["en", "de", "ko"],
        settings={
            "RELATIVE_BASE": datetime.combine(today, datetime.min.time()),
            "PREFER_DATES_FROM": "future",
            "REQUIRE_PARTS": ["day", "month"],
        },
    )
    if found is None:
        return None
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    year = found.year if found.year in numbers else None
    said = [found.day] if "월" not in text else [found.month, found.day]
    if sorted(numbers) != sorted(said + ([year] if year else [])):
        return None
    return _dated(text, found.month, found.day, str(year) if year else None, today)
