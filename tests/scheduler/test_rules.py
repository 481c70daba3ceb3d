"""Rules one by one: slots at clock changes, limits, jitter, JSON, words."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from library.errors import AskError
from scheduler.rule_words import in_words
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
    from_json,
    jittered,
    limited,
    next_slots,
    slots_between,
    to_json,
)

BERLIN = "Europe/Berlin"
MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def on_the_wall(slots: list[datetime], zone: str) -> list[str]:
    return [f"{slot.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}" for slot in slots]


EXAMPLES: list[Rule] = [
    Once(at=MONDAY + timedelta(hours=3), zone=BERLIN),
    Daily(at=(time(9), time(18, 30)), zone=BERLIN),
    Weekly(days=(Weekday.MON, Weekday.THU), at=(time(18),), zone=BERLIN),
    Monthly(days=(1, LAST_DAY), at=(time(10),), zone=BERLIN, until=MONDAY + timedelta(days=300)),
    Every(interval=timedelta(hours=2), anchor=MONDAY, zone=BERLIN, times=5),
    Every(
        interval=timedelta(minutes=15),
        anchor=MONDAY,
        between=Window(start=time(9), end=time(17), days=WORKDAYS),
        zone=BERLIN,
    ),
    Cron(expr="0 9 * * 1-5", zone=BERLIN),
]


def test_hours_over_midnight_belong_to_the_day_on_which_they_begin() -> None:
    night = Window(start=time(22), end=time(2), days=WEEKEND)
    rule = Every(interval=timedelta(hours=2), anchor=MONDAY, between=night, zone=BERLIN)
    slots = on_the_wall(slots_between(rule, MONDAY, MONDAY + timedelta(days=7)), BERLIN)
    saturday = ["2026-03-07 22:00", "2026-03-08 00:00", "2026-03-08 02:00"]
    assert slots == [*saturday, "2026-03-08 22:00", "2026-03-09 00:00", "2026-03-09 02:00"]
    in_the_night = datetime(2026, 3, 7, 23, 30, tzinfo=UTC)
    assert on_the_wall(next_slots(rule, in_the_night, 2), BERLIN) == ["2026-03-08 02:00", "2026-03-08 22:00"]


@pytest.mark.parametrize("rule", EXAMPLES, ids=lambda rule: rule.kind)
def test_a_rule_survives_json(rule: Rule) -> None:
    assert from_json(to_json(rule)) == rule


@pytest.mark.parametrize(
    ("rule", "start", "expected"),
    [
        (
            Daily(at=(time(2, 30),), zone=BERLIN),
            datetime(2026, 3, 27, 12, tzinfo=UTC),
            ["2026-03-28 02:30", "2026-03-29 03:00", "2026-03-30 02:30"],
        ),
        (
            Daily(at=(time(2, 30),), zone="Australia/Lord_Howe"),
            datetime(2026, 10, 2, 18, tzinfo=UTC),
            ["2026-10-04 02:30", "2026-10-05 02:30"],
        ),
        (
            Daily(at=(time(0),), zone="America/Santiago"),
            datetime(2026, 9, 5, 12, tzinfo=UTC),
            ["2026-09-06 01:00", "2026-09-07 00:00"],
        ),
        (
            Daily(at=(time(23, 30),), zone="America/Nuuk"),
            datetime(2026, 3, 27, 12, tzinfo=UTC),
            ["2026-03-27 23:30", "2026-03-28 22:59", "2026-03-29 23:30"],
        ),
        (
            Daily(at=(time(9),), zone="Pacific/Apia"),
            datetime(2011, 12, 28, 22, tzinfo=UTC),
            ["2011-12-29 09:00", "2011-12-31 09:00"],
        ),
        (
            Monthly(days=(31,), at=(time(9),), zone=BERLIN),
            datetime(2026, 3, 31, 12, tzinfo=UTC),
            ["2026-05-31 09:00", "2026-07-31 09:00"],
        ),
        (
            Monthly(days=(LAST_DAY,), at=(time(9),), zone=BERLIN),
            datetime(2028, 2, 1, tzinfo=UTC),
            ["2028-02-29 09:00", "2028-03-31 09:00"],
        ),
        (Cron(expr="0 9 * * 0", zone=BERLIN), MONDAY, ["2026-03-08 09:00", "2026-03-15 09:00"]),
        (Cron(expr="0 9 * * 1-5", zone=BERLIN), MONDAY, ["2026-03-03 09:00", "2026-03-04 09:00"]),
        (Cron(expr="0 9 13 * fri", zone=BERLIN), MONDAY, ["2026-03-06 09:00", "2026-03-13 09:00"]),
        (EXAMPLES[5], datetime(2026, 3, 6, 15, 50, tzinfo=UTC), ["2026-03-06 17:00", "2026-03-09 09:00"]),
    ],
)
def test_slots_are_these_on_the_clock_on_the_wall(rule: Rule, start: datetime, expected: list[str]) -> None:
    assert on_the_wall(next_slots(rule, start, len(expected)), rule.zone) == expected


def test_a_time_that_comes_twice_is_meant_the_first_time() -> None:
    rule = Daily(at=(time(2, 30),), zone=BERLIN)
    night = slots_between(
        rule, datetime(2026, 10, 24, 12, tzinfo=UTC), datetime(2026, 10, 25, 12, tzinfo=UTC)
    )
    assert night == [datetime(2026, 10, 25, 0, 30, tzinfo=UTC)]


def test_asked_within_the_repeated_hour_the_next_slot_is_tomorrows() -> None:
    rule = Daily(at=(time(2, 30),), zone=BERLIN)
    second_pass = datetime(2026, 10, 25, 1, 10, tzinfo=UTC)
    assert next_slots(rule, second_pass, 1) == [datetime(2026, 10, 26, 1, 30, tzinfo=UTC)]


def test_a_quarter_hour_rule_runs_through_the_repeated_hour_twice() -> None:
    rule = Cron(expr="*/15 2 * * *", zone=BERLIN)
    night = slots_between(
        rule, datetime(2026, 10, 24, 12, tzinfo=UTC), datetime(2026, 10, 25, 12, tzinfo=UTC)
    )
    assert len(night) == 8
    assert night == sorted(night)


def test_asked_in_the_first_pass_of_the_repeated_hour_the_second_pass_is_still_to_come() -> None:
    rule = Cron(expr="*/15 * * * *", zone=BERLIN)
    first_pass = datetime(2026, 10, 25, 0, 50, tzinfo=UTC)
    assert next_slots(rule, first_pass, 2) == [
        datetime(2026, 10, 25, 1, 0, tzinfo=UTC),
        datetime(2026, 10, 25, 1, 15, tzinfo=UTC),
    ]


def test_a_single_moment_has_one_slot_and_none_once_it_is_past() -> None:
    rule = EXAMPLES[0]
    assert next_slots(rule, MONDAY, 5) == [MONDAY + timedelta(hours=3)]
    assert next_slots(rule, MONDAY + timedelta(hours=3), 5) == []


def test_slots_between_leaves_out_the_start_and_takes_in_the_end() -> None:
    rule = Every(interval=timedelta(hours=1), anchor=MONDAY, zone="UTC")
    hour = timedelta(hours=1)
    assert slots_between(rule, MONDAY + hour, MONDAY + 3 * hour) == [MONDAY + 2 * hour, MONDAY + 3 * hour]


def test_the_earlier_of_until_and_times_ends_a_rule() -> None:
    rule = Daily(at=(time(9),), zone="UTC")
    five = limited(rule, now=MONDAY, until=MONDAY + timedelta(days=30), times=5)
    two = limited(rule, now=MONDAY, until=MONDAY + timedelta(days=2), times=5)
    assert len(next_slots(five, MONDAY, 99)) == 5
    assert len(next_slots(two, MONDAY, 99)) == 2


def test_a_rule_that_would_never_run_is_refused() -> None:
    with pytest.raises(AskError, match="never run"):
        limited(EXAMPLES[0], now=MONDAY, until=MONDAY + timedelta(hours=1))


def test_jitter_is_always_the_same_for_a_slot_and_differs_between_slots_and_schedules() -> None:
    five = timedelta(minutes=5)
    moments = {jittered(MONDAY + timedelta(days=n), schedule_id=7, most=five) for n in range(50)}
    parts = {moment.timestamp() % 86400 - MONDAY.timestamp() % 86400 for moment in moments}
    assert jittered(MONDAY, schedule_id=7, most=five) == jittered(
        MONDAY.astimezone(ZoneInfo(BERLIN)), schedule_id="7", most=five
    )
    assert jittered(MONDAY, schedule_id=7, most=five) != jittered(MONDAY, schedule_id=8, most=five)
    assert len(parts) > 25
    assert all(0 <= part < 300 for part in parts)
    assert max(parts) > 200


@pytest.mark.parametrize(
    ("expr", "says"),
    [
        ("0 9 * *", "4 fields"),
        ("0 0 9 * * *", "6 fields"),
        ("61 9 * * *", "bad minute"),
        ("0 9 * * 8", "bad day-of-week"),
        ("0 0 30 2 *", "not a cron rule"),
        ("0 0 31 4,6 *", "not a cron rule|never"),
        ("@daily", "1 fields"),
    ],
)
def test_a_wrong_cron_expression_is_refused_with_the_reason(expr: str, says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        Cron(expr=expr, zone="UTC")


def test_a_rule_needs_a_known_zone_and_whole_minutes() -> None:
    with pytest.raises(ValidationError, match="no time zone"):
        Daily(at=(time(9),), zone="Mars/Olympus")
    with pytest.raises(ValidationError, match="whole minutes"):
        Daily(at=(time(9, 0, 30),), zone="UTC")
    assert Daily(at=(time(9),), zone="europe/berlin").zone == BERLIN


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (EXAMPLES[0], "once, on Mon 2026-03-02 13:00 (Europe/Berlin)"),
        (EXAMPLES[1], "every day at 09:00 and 18:30 (Europe/Berlin)"),
        (EXAMPLES[2], "every Monday and Thursday at 18:00 (Europe/Berlin)"),
        (
            EXAMPLES[3],
            "on day 1 and the last day of every month at 10:00 (Europe/Berlin), until Sun 2026-12-27 10:00",
        ),
        (EXAMPLES[4], "every 2 hours from Mon 2026-03-02 10:00 on (Europe/Berlin), 5 times"),
        (EXAMPLES[5], "every 15 minutes between 09:00 and 17:00, Monday to Friday (Europe/Berlin)"),
    ],
)
def test_a_rule_says_itself_in_words(rule: Rule, words: str) -> None:
    assert in_words(rule) == words
