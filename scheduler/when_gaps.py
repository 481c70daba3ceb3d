"""Texts that are nearly a WHEN: what they lack, and two that have it. Pure; reads no WHEN itself."""

import re
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from scheduler.when_dates import read_date
from scheduler.when_days import GROUP, is_one_day, read_near_day
from scheduler.when_problems import WhenNotUnderstood, ambiguous, impossible
from scheduler.when_times import TIME, read_time

NINE = time(9)
_CLOCK = re.compile(r"^at |:|am$|pm$|noon|midnight")
_PART = re.compile(r"(?P<day>.+?),? (?:in the |at )?(?P<part>morning|afternoon|evening|night)")
_HOURS = {
    "morning": ("08:00", "09:00"),
    "afternoon": ("14:00", "16:00"),
    "evening": ("18:00", "20:00"),
    "night": ("20:00", "22:00"),
}
_DAY = re.compile(rf"daily|(?:every|each) ?day|{GROUP}|today|tomorrow|day after tomorrow")
_NTH = re.compile(rf"(?:on )?(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.),? (?P<time>{TIME})")
_STEP_AND_MORE = re.compile(r"(?P<step>every (?:\d+ )?(?:days?|weeks?)) .+")


def what_lacks(text: str, english: str, now: datetime, zone: str) -> WhenNotUnderstood | None:
    """``text`` as it was typed, ``english`` as it was read. None where it is not even nearly a WHEN."""
    local = now.astimezone(ZoneInfo(zone))
    return (
        _no_day(text, english, local)
        or _no_time(text, english, local)
        or _odd_step(english)
        or _named_step(text, english)
    )


def _no_day(text: str, english: str, local: datetime) -> WhenNotUnderstood | None:
    if re.fullmatch(TIME, english) and _CLOCK.search(english):
        clock = f"{read_time(english):%H:%M}"
        return ambiguous(text, (f"tomorrow {clock}", f"daily {clock}"), "says no day")
    found = _NTH.fullmatch(english)
    if found is None or not 1 <= int(found["day"]) <= 31:
        return None
    at, nth = read_time(found["time"]), int(found["day"])
    readings = (f"{_coming(nth, at, local)} {at:%H:%M}", f"{_ordinal(nth)} of month {at:%H:%M}")
    return ambiguous(text, readings, "may be one day or every month")


def _coming(nth: int, at: time, local: datetime) -> date:
    """The next day with this number in its month."""
    day = local.date() if local.time() < at else local.date() + timedelta(days=1)
    while day.day != nth:
        day += timedelta(days=1)
    return day


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number in (11, 12, 13) else ending}"


def _no_time(text: str, english: str, local: datetime) -> WhenNotUnderstood | None:
    found = _PART.fullmatch(english)
    day, hours = (found["day"], _HOURS[found["part"]]) if found else (english, ("09:00", "18:30"))
    if is_one_day(day):
        name = day.removeprefix("on ")
        examples = (f"on {name} {hours[0]}", f"every {name} {hours[0]}")
    elif _DAY.fullmatch(day) or _is_day(day, local):
        examples = (f"{day} {hours[0]}", f"{day} {hours[1]}")
    else:
        return None
    return impossible(f'"{text.strip()}" says no time of day.', examples)


def _is_day(text: str, local: datetime) -> bool:
    return (read_near_day(text, local, NINE) or read_date(text, local.date(), "09:00")) is not None


def _odd_step(english: str) -> WhenNotUnderstood | None:
    found = _STEP_AND_MORE.fullmatch(english)
    if found is None:
        return None
    step = found["step"]
    return impossible(
        f'"{step}" counts from now on, and takes no day or time of day.', (step, "every mon 09:00")
    )


def _named_step(text: str, english: str) -> WhenNotUnderstood | None:
    for pattern, why, examples in _NAMED_STEPS:
        if re.fullmatch(pattern, english):
            return impossible(f'"{text.strip()}" {why}', examples)
    return None


_NAMED_STEPS = (
    (r"now", "is not later: /run does it at once.", ("in 1 minute", "in 20 minutes")),
    (r"(?:on )?next week", "says no day.", ("next week on monday 09:00", "in 7 days")),
    (r"weekly(?: .*)?", "says no day and time.", ("every mon 09:00", "weekdays 09:00")),
    (
        r"(?:monthly|every month)(?: .*)?",
        "says no day and time.",
        ("1st of month 09:00", "last day of month 18:00"),
    ),
    (
        r"(?:yearly|annually|every year)(?: .*)?",
        "is written as in cron: minute, hour, day, month.",
        ("cron 0 9 24 12 *", "cron 0 9 1 1 *"),
    ),
    (
        r".*\b(?:twice|\w+ times) (?:a|per) day",
        "says no times of day.",
        ("daily 09:00 and 18:00", "every 12h"),
    ),
)
