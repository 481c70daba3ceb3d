"""What people write for a time ("weekdays 8:30", "morgen 9 Uhr", "매일 9시") -> a Rule. Guesses nothing.

Words of other languages are put into English first (when_words), then one grammar reads them: a list of
forms, each a pattern and a function. A text that no form reads whole is refused with what was understood.
docs/schedules.md lists every form.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from scheduler.rules import (
    LAST_DAY,
    Cron,
    Daily,
    Every,
    Monthly,
    Once,
    Rule,
    Weekday,
    Weekly,
    Window,
)
from scheduler.wall_clock import moments_of, once_a_day, zone_named
from scheduler.when_dates import read_date
from scheduler.when_days import GROUP, is_one_day, read_days, read_near_day
from scheduler.when_gaps import what_lacks
from scheduler.when_problems import WhenNotUnderstood, ambiguous, impossible, not_understood, past
from scheduler.when_times import LENGTH, TIME, TIMES, read_length, read_time, read_times
from scheduler.when_words import in_english

__all__ = ["WhenNotUnderstood", "every_week", "parse", "parse_moment"]

LONGEST = 200
"""Characters of a WHEN."""

_NTH = r"(?:the )?(?:\d{1,2}(?:st|nd|rd|th)|first|last(?: day)?)(?: day)?"
_HOURS = rf"(?:between|from) (?P<start>{TIME}) (?:and|to|-) (?P<end>{TIME})"
_STEP = rf"(?:every|each) ?(?P<length>{LENGTH}|hour|minute|day|week)|(?P<hourly>hourly)"

_FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), name)
    for name, pattern in (
        ("daily", rf"(?:daily|(?:every|each) ?day),? (?P<times>{TIMES})"),
        ("weekly", rf"(?:weekly )?(?P<days>{GROUP}),? (?P<times>{TIMES})"),
        (
            "monthly",
            rf"(?:on |every |each )*(?:monthly on )?(?P<nths>{_NTH}(?:(?:, ?| and ){_NTH})*)"
            rf" of (?:the |every |each )?month,? (?P<times>{TIMES})",
        ),
        ("monthly", rf"every month,? (?:on )?(?P<nths>{_NTH}(?:(?:, ?| and ){_NTH})*),? (?P<times>{TIMES})"),
        ("monthly", rf"monthly (?:on )?(?P<nths>{_NTH}(?:(?:, ?| and ){_NTH})*),? (?P<times>{TIMES})"),
        ("window", rf"(?:{_STEP}) {_HOURS}(?:,? (?P<days>{GROUP}))?"),
        ("every", rf"(?:{_STEP})"),
        ("later", rf"in (?P<length>{LENGTH})|(?P<length2>{LENGTH}) from now"),
        ("instant", r"(?P<instant>\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d)?(?:z|[+-]\d\d:\d\d))"),
    )
)
_ONCE = re.compile(rf"(?P<date>.+?)[ t,]+(?P<time>{TIME})")
_TIME_FIRST = re.compile(rf"(?P<times>{TIMES}),? (?P<rest>\D.*)")
_WINDOW_FIRST = re.compile(rf"(?P<window>{_HOURS})(?P<days>(?:,? {GROUP})?),? (?P<step>every .+)")


def parse(text: str, *, now: datetime, zone: str) -> Rule:
    """The rule that the text says, on the clock of the zone (an IANA name). ``now`` is aware.

    Raises WhenNotUnderstood (an AskError): not understood, more than one reading, past, or impossible; and
    UnknownName for the zone. A Once is always later than ``now``.
    """
    zone = zone_named(zone).key
    if cron := re.fullmatch(r"\s*cron[\s:]+(.+)", text, re.IGNORECASE | re.DOTALL):
        return _cron(cron[1].strip(" \"'`"), zone)
    if len(text) > LONGEST:
        raise impossible(f"A time has at most {LONGEST} characters; this one has {len(text)}.")
    english = in_english(text)
    for wording in _wordings(english):
        for pattern, name in _FORMS:
            if found := pattern.fullmatch(wording):
                return _READERS[name](found, now, zone)
        if found := _ONCE.fullmatch(wording):
            moment = _moment(found["date"], found["time"], text, now, zone)
            if moment is not None:
                return Once(at=moment, zone=zone)
    raise what_lacks(text, english, now, zone) or not_understood(text, english)


def parse_moment(text: str, *, now: datetime, zone: str) -> datetime:
    """A single moment later than ``now``, in UTC. Raises WhenNotUnderstood, also for rules that repeat."""
    rule = parse(text, now=now, zone=zone)
    if not isinstance(rule, Once):
        raise impossible(f'"{text.strip()}" repeats, but one moment is needed here.', ("2026-12-24 18:00",))
    return rule.at


def every_week(text: str) -> str | None:
    """What to write for every week, where the text names a weekday alone, which means the coming one."""
    weekly = next(pattern for pattern, name in _FORMS if name == "weekly")
    for wording in _wordings(in_english(text)):
        found = weekly.fullmatch(wording)
        if found and is_one_day(found["days"]) and not wording.startswith(("on ", "weekly")):
            return f"every {found['days']} {' and '.join(f'{at:%H:%M}' for at in read_times(found['times']))}"
    return None


def _wordings(english: str) -> list[str]:
    """The text itself, and with the time or the hours that it begins with put at its end."""
    wordings = [english]
    if found := _WINDOW_FIRST.fullmatch(english):
        wordings.append(f"{found['step']} {found['window']}{found['days']}")
    if found := _TIME_FIRST.fullmatch(english):
        wordings.append(f"{found['rest']} {found['times']}")
    return wordings


def _daily(found: re.Match[str], now: datetime, zone: str) -> Rule:
    return Daily(at=read_times(found["times"]), zone=zone)


def _weekly(found: re.Match[str], now: datetime, zone: str) -> Rule:
    times, days = read_times(found["times"]), found["days"]
    if not is_one_day(days) or found[0].startswith("weekly"):
        return Weekly(days=read_days(days), at=times, zone=zone)
    if len(times) == 1:
        return Once(at=_near_moment(days, times[0], now, zone), zone=zone)
    clocks, name = [f"{at:%H:%M}" for at in times], days.removeprefix("on ")
    readings = (f"on {name} {clocks[0]}", f"every {name} {' and '.join(clocks)}")
    raise ambiguous(found[0], readings, "may be one day or every week")


def _near_moment(days: str, at: time, now: datetime, zone: str) -> datetime:
    day = read_near_day(days, now.astimezone(ZoneInfo(zone)), at)
    assert day is not None
    return _only_moment(datetime.combine(day, at), f"{days} {at:%H:%M}", now, zone)


def _monthly(found: re.Match[str], now: datetime, zone: str) -> Rule:
    days = set()
    for nth in re.split(r", ?| and ", found["nths"]):
        number = re.search(r"\d+", nth)
        days.add(int(number[0]) if number else LAST_DAY if "last" in nth else 1)
    if not days <= set(range(32)) or "0th" in re.split(r"\W", found["nths"]):
        raise impossible(f'No month has the days "{found["nths"]}".', ("1st of month 10:00",))
    return Monthly(
        days=tuple(sorted(days, key=lambda day: day or 32)), at=read_times(found["times"]), zone=zone
    )


def _every(found: re.Match[str], now: datetime, zone: str) -> Rule:
    interval = _interval(found)
    return Every(interval=interval, anchor=now.astimezone(UTC).replace(microsecond=0), zone=zone)


def _window(found: re.Match[str], now: datetime, zone: str) -> Rule:
    start, end = read_time(found["start"]), read_time(found["end"])
    interval = _interval(found)
    if start == end:
        raise impossible(
            f"From {start:%H:%M} to {end:%H:%M} is no time, or the whole day.",
            (f"daily {start:%H:%M}", "every 1h between 9 and 17"),
        )
    if interval >= timedelta(days=1):
        raise impossible(
            "Between two hours of a day only less than a day can repeat.", ("every 2h between 9 and 17",)
        )
    days = read_days(found["days"]) if found["days"] else tuple(Weekday)
    return Every(
        interval=interval,
        anchor=now.astimezone(UTC).replace(microsecond=0),
        between=Window(start=start, end=end, days=days),
        zone=zone,
    )


def _interval(found: re.Match[str]) -> timedelta:
    words = "hour" if found["hourly"] else found["length"]
    interval = read_length(words if re.match(r"\d|an? ", words) else f"1 {words}")
    if interval < timedelta(minutes=1):
        raise impossible("The shortest interval is one minute.", ("every 1m", "every 15 minutes"))
    if interval > timedelta(days=366):
        raise impossible("The longest interval is a year.", ("every 365 days",))
    if words == "day":
        raise ambiguous("every day", ("daily 09:00", "every 24h"), "says no time of day")
    if words == "week":
        raise ambiguous("every week", ("every mon 09:00", "every 7 days"), "says no day and time")
    return interval


def _later(found: re.Match[str], now: datetime, zone: str) -> Rule:
    length = read_length(found["length"] or found["length2"])
    if length < timedelta(minutes=1):
        raise impossible("The shortest wait is one minute.", ("in 1 minute", "in 2 hours"))
    return Once(at=now.astimezone(UTC).replace(microsecond=0) + length, zone=zone)


def _instant(found: re.Match[str], now: datetime, zone: str) -> Rule:
    try:
        at = datetime.fromisoformat(found["instant"].upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise impossible(f'There is no moment "{found["instant"]}".') from None
    if at <= now:
        raise past(found["instant"], at.isoformat(" ", "minutes"), ())
    return Once(at=at, zone=zone)


def _cron(expr: str, zone: str) -> Rule:
    try:
        return Cron(expr=expr, zone=zone)
    except ValidationError as error:
        why = str(error.errors()[0]["ctx"]["error"])
        raise impossible(f"{why}.", ("cron 0 9 * * 1-5", "weekdays 09:00")) from error


def _moment(day_text: str, time_text: str, text: str, now: datetime, zone: str) -> datetime | None:
    local, at = now.astimezone(ZoneInfo(zone)), read_time(time_text)
    day = read_near_day(day_text, local, at)
    day = day or read_date(day_text, local.date(), time_text.removeprefix("at "))
    return _only_moment(datetime.combine(day, at), text, now, zone) if day is not None else None


def _only_moment(wall: datetime, text: str, now: datetime, zone: str) -> datetime:
    """The moment of a wall-clock time; refuses those that come twice, never, or are past."""
    clock = ZoneInfo(zone)
    try:
        moments = moments_of(wall, clock)
        if not moments:
            later = once_a_day(wall, clock)
            hint = (f"{later.astimezone(clock):%Y-%m-%d %H:%M}",) if later else ()
            raise impossible(f"In {zone} the clocks go forward over {wall:%Y-%m-%d %H:%M}.", hint)
    except OverflowError:
        raise impossible(f'"{text.strip()}" is beyond the calendar.') from None
    if len(moments) == 2 and moments[1] > now:
        readings = [
            moment.astimezone(clock).isoformat(timespec="minutes") for moment in moments if moment > now
        ]
        if len(readings) == 2:
            raise ambiguous(text, readings, f"comes twice in {zone}, where the clocks go back then")
    if moments[-1] <= now:
        tomorrow = now.astimezone(clock).date() + timedelta(days=1)
        raise past(text, f"{wall:%a %Y-%m-%d %H:%M}", (f"{tomorrow} {wall:%H:%M}", f"daily {wall:%H:%M}"))
    return moments[-1]


_READERS: dict[str, Callable[[re.Match[str], datetime, str], Rule]] = {
    "daily": _daily,
    "weekly": _weekly,
    "monthly": _monthly,
    "window": _window,
    "every": _every,
    "later": _later,
    "instant": _instant,
}
