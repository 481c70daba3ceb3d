"""Weekdays and near days as people write them, in English words. Pure; dates of the calendar are when_dates'.

A weekday alone ("friday", "on friday", "this friday") is the coming one, today included; "next friday" is
clear only where this week's is past.
"""

import re
from datetime import date, datetime, time, timedelta

from scheduler.rules import WEEKEND, WORKDAYS, Weekday
from scheduler.when_problems import ambiguous

DAY = r"(?:mon|tues?|wed|wednes|thu|thurs?|fri|sat|satur|sun)(?:days?)?"
DAYS = rf"{DAY}(?:(?:, ?(?:and )?| and | ?- ?| to | through | ?/ ?| ){DAY})*"
GROUP = rf"(?:(?:every |each |on )*(?:weekdays?|workdays?|weekends?)|(?:every |each |on )*{DAYS})"

_WEEK = tuple(Weekday)
_ONE = r"(?P<day>mon|tue|wed|thu|fri|sat|sun)(?:day|sday|s|nesday|rsday|rs|r|urday)?"
_COMING = re.compile(rf"(?:on )?(?:the )?(?:this )?(?:coming )?{_ONE}")
_NEXT = re.compile(rf"(?:on )?(?:the )?next {_ONE}")
_WEEK_FIRST = re.compile(rf"(?P<which>this|next) week,? (?:on )?{_ONE}")
_WEEK_LAST = re.compile(rf"(?:on )?{_ONE},? (?:of )?(?P<which>this|next) week")
_AHEAD = re.compile(r"in (?P<count>an? |\d{1,3} ?)(?P<unit>day|week)s?")


def is_one_day(text: str) -> bool:
    """One weekday in the singular, with "on" or without."""
    return bool(re.fullmatch(rf"(?:on )?{DAY}", text)) and not text.endswith("days")


def read_days(text: str) -> tuple[Weekday, ...]:
    """The weekdays of a text that matches GROUP."""
    if "weekend" in text:
        return WEEKEND
    if "weekday" in text or "workday" in text:
        return WORKDAYS
    days: set[Weekday] = set()
    for first, last in re.findall(rf"({DAY})(?:(?: ?- ?| to | through )({DAY}))?", text):
        start = _number(first)
        length = (_number(last) - start) % 7 if last else 0
        days |= {_WEEK[(start + n) % 7] for n in range(length + 1)}
    return tuple(day for day in _WEEK if day in days)


def read_near_day(text: str, now: datetime, at: time) -> date | None:
    """The day that is meant, counted from today; None where the text says none. ``now`` is local.

    A coming weekday that is today counts while its time is ahead. Raises WhenNotUnderstood for "next friday"
    where there are two.
    """
    today = now.date()
    monday = today - timedelta(days=today.weekday())
    if found := _COMING.fullmatch(text):
        day = today + timedelta(days=(_number(found["day"]) - today.weekday()) % 7)
        return day + timedelta(days=7) if day == today and at <= now.time() else day
    if found := _NEXT.fullmatch(text):
        return _next(text, _number(found["day"]), today, at)
    if found := _WEEK_FIRST.fullmatch(text) or _WEEK_LAST.fullmatch(text):
        return monday + timedelta(days=_number(found["day"]) + (7 if found["which"] == "next" else 0))
    if found := _AHEAD.fullmatch(text):
        count = 1 if found["count"].startswith("a") else int(found["count"])
        return today + timedelta(days=count * (7 if found["unit"] == "week" else 1))
    return None


def _next(text: str, number: int, today: date, at: time) -> date:
    coming = today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)
    of_next_week = today + timedelta(days=7 - today.weekday() + number)
    if coming != of_next_week:
        readings = [f"{day} {at:%H:%M}" for day in (coming, of_next_week)]
        raise ambiguous(f"{text} {at:%H:%M}", readings, "may be this week's or next week's")
    return coming


def _number(name: str) -> int:
    """Monday is 0."""
    return _WEEK.index(Weekday(name[:3]))
