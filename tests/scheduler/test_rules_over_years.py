"""Properties of rules over ten time zones and thirty years of clock changes."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler.rules import (
    WORKDAYS,
    Cron,
    Daily,
    Every,
    Monthly,
    Rule,
    Weekly,
    Window,
    next_slots,
    slots_between,
)
from scheduler.wall_clock import moments_of

ZONES = (
    "UTC",
    "US/Pacific",
    "Europe/Berlin",
    "Australia/Sydney",
    "America/Santiago",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "Africa/Casablanca",
    "America/Havana",
    "America/Nuuk",
)
START, END = datetime(2005, 1, 1, tzinfo=UTC), datetime(2035, 1, 1, tzinfo=UTC)
LEFT_OUT = {"Pacific/Apia": {date(2011, 12, 30)}}

zones = st.sampled_from(ZONES)
clock_times = st.builds(time, st.integers(0, 23), st.integers(0, 59))
moments = st.datetimes(datetime(2005, 1, 1), datetime(2034, 1, 1), timezones=st.just(UTC))


def changes(zone: str) -> list[datetime]:
    """The days (UTC) on which the zone's clocks change."""
    days = [START + timedelta(days=n) for n in range((END - START).days)]
    offsets = [day.astimezone(ZoneInfo(zone)).utcoffset() for day in days]
    return [day for day, (before, after) in zip(days, pairwise(offsets), strict=False) if before != after]


CHANGES = [(zone, day) for zone in ZONES for day in changes(zone)]
around_changes = st.sampled_from(CHANGES).flatmap(
    lambda change: st.tuples(
        st.just(change[0]), st.integers(-72, 72).map(lambda hours: change[1] + timedelta(hours=hours))
    )
)
anywhere = st.one_of(st.tuples(zones, moments), around_changes)


@st.composite
def rules_and_moments(draw: st.DrawFn) -> tuple[Rule, datetime]:
    zone, moment = draw(anywhere)
    at = tuple(draw(st.lists(clock_times, min_size=1, max_size=3)))
    window = Window(start=time(draw(st.integers(0, 11))), end=time(draw(st.integers(12, 23)), 59))
    night = Window(
        start=time(draw(st.integers(12, 23))), end=time(draw(st.integers(0, 11)), 30), days=WORKDAYS
    )
    interval = timedelta(minutes=draw(st.integers(1, 3000)))
    expr = draw(st.sampled_from(["*/15 * * * *", "0 9 * * 1-5", "30 2 * * *", "*/20 0-3 * * *", "0 0 L * *"]))
    rules: list[Rule] = [
        Daily(zone=zone, at=at),
        Weekly(zone=zone, at=at, days=WORKDAYS),
        Monthly(zone=zone, at=at, days=(0, 1, 30)),
        Every(zone=zone, interval=interval, anchor=START),
        Every(zone=zone, interval=interval, anchor=START, between=window),
        Every(zone=zone, interval=interval, anchor=START, between=night),
        Cron(zone=zone, expr=expr),
    ]
    return draw(st.sampled_from(rules)), moment


@pytest.mark.parametrize("zone", ZONES)
@settings(max_examples=2, deadline=None)
@given(at=st.one_of(clock_times, st.builds(time, st.sampled_from([0, 1, 2, 23]), st.sampled_from([0, 30]))))
def test_thirty_years_have_exactly_one_daily_slot_on_every_local_day(zone: str, at: time) -> None:
    slots = slots_between(Daily(zone=zone, at=(at,)), START, END)
    days = [slot.astimezone(ZoneInfo(zone)).date() for slot in slots]
    first, last = days[0], days[-1]
    every_day = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    assert days == [day for day in every_day if day not in LEFT_OUT.get(zone, set())]
    assert len(days) > 30 * 365


@settings(max_examples=150, deadline=None)
@given(change=st.sampled_from(CHANGES), at=clock_times, offset=st.integers(-2, 2))
def test_around_a_clock_change_the_daily_slot_is_the_first_moment_that_shows_its_time(
    change: tuple[str, datetime], at: time, offset: int
) -> None:
    zone, day = change
    wall = datetime.combine(day.date() + timedelta(days=offset), at)
    shown = moments_of(wall, ZoneInfo(zone))
    slots = slots_between(Daily(zone=zone, at=(at,)), day - timedelta(days=5), day + timedelta(days=6))
    on_that_day = [slot for slot in slots if slot.astimezone(ZoneInfo(zone)).date() == wall.date()]
    if shown:
        assert on_that_day == shown[:1]
    elif wall.date() not in LEFT_OUT.get(zone, set()):
        assert len(on_that_day) == 1
        moved = on_that_day[0].astimezone(ZoneInfo(zone)).replace(tzinfo=None)
        assert moved > wall or moved.time() >= time(22, 59)


@settings(max_examples=150, deadline=None)
@given(rules_and_moments())
def test_slots_come_in_order_and_after_the_moment_asked_about(drawn: tuple[Rule, datetime]) -> None:
    rule, moment = drawn
    slots = [moment, *next_slots(rule, moment, 12)]
    assert all(earlier < later for earlier, later in pairwise(slots))
    assert len(slots) == 13


@settings(max_examples=100, deadline=None)
@given(rules_and_moments())
def test_what_is_shown_as_the_next_slots_is_what_comes_one_by_one(drawn: tuple[Rule, datetime]) -> None:
    rule, moment = drawn
    shown = next_slots(rule, moment, 8)
    one_by_one = []
    now = moment
    for _ in shown:
        (now,) = next_slots(rule, now, 1)
        one_by_one.append(now)
    assert one_by_one == shown
    assert slots_between(rule, moment, shown[-1]) == shown
    assert slots_between(rule, shown[2], shown[5]) == shown[3:6]


@settings(max_examples=100, deadline=None)
@given(anywhere, st.integers(1, 60 * 24 * 30))
def test_every_never_drifts(where: tuple[str, datetime], minutes: int) -> None:
    zone, anchor = where
    interval = timedelta(minutes=minutes)
    rule = Every(zone=zone, interval=interval, anchor=anchor)
    later = anchor + 1000 * interval
    assert next_slots(rule, anchor, 3) == [anchor + n * interval for n in (1, 2, 3)]
    assert next_slots(rule, later, 1) == [anchor + 1001 * interval]
    assert next_slots(rule, later + timedelta(seconds=1), 1) == [anchor + 1001 * interval]


@pytest.mark.parametrize("zone", ZONES)
def test_a_quarter_hour_rule_has_one_slot_per_quarter_hour_that_passes(zone: str) -> None:
    for day in changes(zone)[-6:]:
        start, end = day - timedelta(days=2), day + timedelta(days=2)
        assert len(slots_between(Cron(zone=zone, expr="*/15 * * * *"), start, end)) == 4 * 24 * 4
