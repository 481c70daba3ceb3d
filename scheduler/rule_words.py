"""A rule in English words, with its zone and its end. Pure; the other direction is when.py."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import assert_never
from zoneinfo import ZoneInfo

from scheduler.rules import (
    LAST_DAY,
    WEEKEND,
    WORKDAYS,
    Cron,
    Daily,
    Every,
    Monthly,
    Once,
    Rule,
    Weekday,
    Weekly,
    Window,
    explained,
)

_DAYS = {
    Weekday.MON: "Monday",
    Weekday.TUE: "Tuesday",
    Weekday.WED: "Wednesday",
    Weekday.THU: "Thursday",
    Weekday.FRI: "Friday",
    Weekday.SAT: "Saturday",
    Weekday.SUN: "Sunday",
}
_UNITS = ((timedelta(weeks=1), "week"), (timedelta(days=1), "day"), (timedelta(hours=1), "hour"))


def in_words(rule: Rule) -> str:
    """One line such as ``every Monday and Thursday at 18:00 (Europe/Berlin), 5 times``."""
    return f"{_pattern(rule)} ({rule.zone}){_limits(rule)}"


def moment_in_words(moment: datetime, zone: str) -> str:
    """``Thu 2026-12-24 18:00`` on the clock of the zone."""
    return f"{moment.astimezone(ZoneInfo(zone)):%a %Y-%m-%d %H:%M}"


def listed(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def interval_in_words(interval: timedelta) -> str:
    """``2 hours``, ``hour``, ``90 minutes``: the largest unit that leaves no rest."""
    for unit, name in _UNITS:
        if interval % unit == timedelta(0):
            return _counted(interval // unit, name)
    return _counted(interval // timedelta(minutes=1), "minute")


def _counted(n: int, unit: str) -> str:
    return unit if n == 1 else f"{n} {unit}s"


def _pattern(rule: Rule) -> str:
    match rule:
        case Once():
            return f"once, on {moment_in_words(rule.at, rule.zone)}"
        case Daily():
            return f"every day at {_clock(rule.at)}"
        case Weekly():
            return f"{_weekdays(rule.days)} at {_clock(rule.at)}"
        case Monthly():
            return f"{_month_days(rule.days)} at {_clock(rule.at)}"
        case Every():
            return _steps(rule)
        case Cron():
            return f'by the cron rule "{rule.expr}": {explained(rule)}'
        case _:
            assert_never(rule)


def _clock(times: Sequence[time]) -> str:
    return listed([f"{at:%H:%M}" for at in times])


def _weekdays(days: Sequence[Weekday]) -> str:
    if set(days) == set(WORKDAYS):
        return "Monday to Friday"
    if set(days) == set(WEEKEND):
        return "Saturday and Sunday"
    return f"every {listed([_DAYS[day] for day in days])}"


def _month_days(days: Sequence[int]) -> str:
    plain = listed(["the last day" if day == LAST_DAY else f"day {day}" for day in days])
    rare = max(days) > 28
    return f"on {plain} of every month" + (" that has it" if rare else "")


def _steps(rule: Every) -> str:
    every = f"every {interval_in_words(rule.interval)}"
    if rule.between is None:
        return f"{every} from {moment_in_words(rule.anchor, rule.zone)} on"
    return f"{every} between {_window(rule.between)}"


def _window(window: Window) -> str:
    night = " of the next day" if window.over_midnight else ""
    hours = f"{window.start:%H:%M} and {window.end:%H:%M}{night}"
    return hours if set(window.days) == set(Weekday) else f"{hours}, {_weekdays(window.days)}"


def _limits(rule: Rule) -> str:
    times = f", {'once' if rule.times == 1 else f'{rule.times} times'}" if rule.times else ""
    return times + (f", until {moment_in_words(rule.until, rule.zone)}" if rule.until else "")
