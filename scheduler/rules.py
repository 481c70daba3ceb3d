"""A rule says when a schedule is due, and the slots that follow from it. Pure; words are read in when.py.

Three things hold for every rule:

1. Wall-clock rules (daily, weekly, monthly) have exactly one slot for each of their times on each local day.
   A time that the clock change leaves out moves forward to the first minute that exists (where that would be
   another day, as in Nuuk, back to the last one); a time that comes twice is meant the first time. A local
   day that a zone left out altogether (Apia, 2011-12-30) has no slot.
2. ``Every`` counts in absolute time from its anchor: no drift, no clock changes. With a window it reads the
   wall clock instead.
3. Rules by the minute or hour (``Every`` with a window, ``Cron`` with ``*`` in minute or hour) follow the
   clock as it goes: left-out times are left out, repeated times come twice, as in Debian's cron.
"""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from heapq import merge
from itertools import count, islice, takewhile
from typing import Annotated, Literal, assert_never
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError
from pydantic import AfterValidator, AwareDatetime, Field, TypeAdapter, model_validator

from library.errors import AskError, UnknownName
from library.models import Word
from scheduler.wall_clock import as_the_clock_goes, once_a_day, zone_named

_LONGEST_CLOCK_CHANGE = timedelta(hours=3)


class Weekday(StrEnum):
    """Named as in cron, so that no number can be counted from the wrong day."""

    MON = "mon"
    TUE = "tue"
    WED = "wed"
    THU = "thu"
    FRI = "fri"
    SAT = "sat"
    SUN = "sun"


WORKDAYS = tuple(Weekday)[:5]
WEEKEND = tuple(Weekday)[5:]
LAST_DAY = 0
"""Stands among the days of a Monthly rule for the last day of the month, whichever it is."""


def _known_zone(name: str) -> str:
    try:
        return zone_named(name).key
    except UnknownName as error:
        raise ValueError(str(error)) from error


def _whole_minute(at: time) -> time:
    if at.second or at.microsecond or at.tzinfo:
        raise ValueError(f"{at} must be a wall-clock time in whole minutes")
    return at


def _five_fields(expr: str) -> str:
    if len(expr.split()) != 5:
        raise ValueError(
            f'"{expr}" has {len(expr.split())} fields; cron has 5: minute hour day-of-month month day-of-week'
        )
    try:
        next(CronSim(expr, datetime(2024, 1, 1)))
    except CronSimError as error:
        raise ValueError(f'"{expr}" is not a cron rule: {str(error).lower()}') from error
    except StopIteration:
        raise ValueError(f'"{expr}" never comes: there is no such day') from None
    return " ".join(expr.split())


ZoneName = Annotated[str, AfterValidator(_known_zone)]
Minute = Annotated[time, AfterValidator(_whole_minute)]
Times = Annotated[tuple[Minute, ...], Field(min_length=1)]
Weekdays = Annotated[tuple[Weekday, ...], Field(min_length=1)]


class _Limited(Word):
    zone: ZoneName
    """The zone of the wall clock, and of the words; IANA name."""
    until: AwareDatetime | None = None
    """No slot is later than this moment."""
    times: int | None = Field(None, ge=1)
    """How many slots were asked for; ``limited`` has worked it into ``until``."""
    last: AwareDatetime | None = None
    """The end that was asked for beside ``times``."""


class Once(_Limited):
    kind: Literal["once"] = "once"
    at: AwareDatetime


class Daily(_Limited):
    kind: Literal["daily"] = "daily"
    at: Times


class Weekly(_Limited):
    kind: Literal["weekly"] = "weekly"
    days: Weekdays
    at: Times


class Monthly(_Limited):
    """Months without the 29th, 30th or 31st have no slot for it, as in cron; all have a LAST_DAY."""

    kind: Literal["monthly"] = "monthly"
    days: Annotated[tuple[Annotated[int, Field(ge=0, le=31)], ...], Field(min_length=1)]
    at: Times


class Window(Word):
    """Part of a local day, both ends included; over midnight where the end is the smaller one.

    ``days`` are those on which it starts."""

    start: Minute
    end: Minute
    days: Weekdays = tuple(Weekday)

    @model_validator(mode="after")
    def _not_empty(self) -> "Window":
        if self.start == self.end:
            raise ValueError(f"{self.start:%H:%M} to {self.end:%H:%M} is no time, or the whole day")
        return self

    @property
    def over_midnight(self) -> bool:
        return self.end < self.start


class Every(_Limited):
    """The first slot is one interval after the anchor; with a window, at its start, each day anew."""

    kind: Literal["every"] = "every"
    interval: timedelta = Field(ge=timedelta(minutes=1), le=timedelta(days=366))
    anchor: AwareDatetime
    between: Window | None = None


class Cron(_Limited):
    """Five fields as in Debian's cron, weekdays from Sunday (0 or 7); a day in either day field counts."""

    kind: Literal["cron"] = "cron"
    expr: Annotated[str, AfterValidator(_five_fields)]


Rule = Annotated[Once | Daily | Weekly | Monthly | Every | Cron, Field(discriminator="kind")]
_RULE: TypeAdapter[Rule] = TypeAdapter(Rule)


def to_json(rule: Rule) -> str:
    return _RULE.dump_json(rule, exclude_none=True).decode()


def from_json(text: str) -> Rule:
    """Raises pydantic.ValidationError (a ValueError) where the text is not a rule."""
    return _RULE.validate_json(text)


def next_slots(rule: Rule, after: datetime, most: int) -> list[datetime]:
    """At most ``most`` slots later than ``after``, in order, in UTC; fewer where the rule ends."""
    return list(islice(_slots(rule, after), most))


def slots_between(rule: Rule, start: datetime, end: datetime) -> list[datetime]:
    """The slots with ``start < slot <= end``, in order, in UTC: those that next_slots gives one by one."""
    return list(takewhile(lambda slot: slot <= end, _slots(rule, start)))


def limited(rule: Rule, *, now: datetime, until: datetime | None = None, times: int | None = None) -> Rule:
    """The rule with an end: ``until`` (included) or the ``times``-th slot from now, the earlier of the two.

    Raises AskError where no slot is left.
    """
    ends = [end for end in (rule.until, until) if end is not None]
    if times is not None:
        ends += next_slots(rule, now, times)[-1:]
    bounded = rule.model_copy(
        update={
            "until": min(ends) if ends else None,
            "times": times if times is not None else rule.times,
            "last": until or rule.last,
        }
    )
    if not next_slots(bounded, now, 1):
        raise AskError(
            "With these limits the schedule would never run: its first time is later than its end."
        )
    return bounded


def after_pause(rule: Rule, *, now: datetime, came: int) -> Rule | None:
    """The rule with the rest of its ``times`` still to come, ``came`` of which were; None where none is left.

    A pause takes nothing away: who asks for three times means three.
    """
    if rule.times is None:
        return rule
    whole = rule.model_copy(update={"until": rule.last, "times": None})
    try:
        rest = limited(whole, now=now, times=rule.times - came) if came < rule.times else None
    except AskError:
        return None
    return rest.model_copy(update={"times": rule.times}) if rest is not None else None


def jittered(slot: datetime, *, schedule_id: str | int, most: timedelta) -> datetime:
    """The moment to fire: the slot plus a part of ``most``, always the same for this schedule and slot."""
    seed = f"{schedule_id}|{slot.astimezone(UTC).isoformat()}".encode()
    share = int.from_bytes(hashlib.sha256(seed).digest()[:6]) / 2**48
    return slot + timedelta(seconds=int(most.total_seconds() * share))


def explained(rule: Cron) -> str:
    """The cron expression in English."""
    return CronSim(rule.expr, datetime(2024, 1, 1)).explain()


def _slots(rule: Rule, after: datetime) -> Iterator[datetime]:
    last = rule.until
    previous = after.astimezone(UTC)
    for slot in _moments(rule, previous):
        if last is not None and slot > last:
            return
        if slot > previous:
            yield slot
            previous = slot


def _moments(rule: Rule, after: datetime) -> Iterator[datetime]:
    """Moments of the rule in order, from at or before ``after`` on; some may be earlier, some may repeat."""
    zone = ZoneInfo(rule.zone)
    start = after.astimezone(zone).replace(tzinfo=None) - _LONGEST_CLOCK_CHANGE
    match rule:
        case Once():
            return iter([rule.at.astimezone(UTC)])
        case Every(between=window):
            if window is None:
                return _steps(rule, after)
            return as_the_clock_goes(_in_window(rule.interval, window, start), zone)
        case Cron() if any(part.startswith("*") for part in rule.expr.split()[:2]):
            return as_the_clock_goes(CronSim(rule.expr, start), zone)
        case Daily() | Weekly() | Monthly() | Cron():
            walls = merge(*(CronSim(expr, start) for expr in _crons(rule)))
            return (moment for wall in walls if (moment := once_a_day(wall, zone)) is not None)
        case _:
            assert_never(rule)


def _crons(rule: Daily | Weekly | Monthly | Cron) -> Sequence[str]:
    """Cron expressions (wall clock) that together make the rule."""
    match rule:
        case Cron():
            return [rule.expr]
        case Daily():
            days = ["* * *"]
        case Weekly():
            days = [f"* * {','.join(rule.days)}"]
        case Monthly():
            days = [f"{'L' if day == LAST_DAY else day} * *" for day in rule.days]
        case _:
            assert_never(rule)
    return [f"{at.minute} {at.hour} {day}" for at in rule.at for day in days]


def _steps(rule: Every, after: datetime) -> Iterator[datetime]:
    anchor = rule.anchor.astimezone(UTC)
    return (anchor + n * rule.interval for n in count(max(1, (after - anchor) // rule.interval)))


def _in_window(interval: timedelta, window: Window, start: datetime) -> Iterator[datetime]:
    """Naive times of the window, from the beginning of the day before ``start`` on."""
    over = timedelta(days=1 if window.over_midnight else 0)
    for ordinal in count(start.toordinal() - 1):
        day = date.fromordinal(ordinal)
        if tuple(Weekday)[day.weekday()] not in window.days:
            continue
        wall, end = datetime.combine(day, window.start), datetime.combine(day + over, window.end)
        while wall <= end:
            yield wall
            wall += interval
