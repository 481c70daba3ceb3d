"""People's words for times: what they mean, and that nothing is guessed."""

from datetime import UTC, datetime, time, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from library.errors import UnknownName
from scheduler.rules import LAST_DAY, Daily, Every, Monthly, Once, Rule, Weekday, Weekly, Window
from scheduler.when import WhenNotUnderstood, every_week, parse, parse_moment

NOW = datetime(2026, 3, 2, 9, 3, 30, tzinfo=UTC)  # a Monday, 10:03:30 in Berlin
ZONE = "Europe/Berlin"


def read(text: str) -> Rule:
    return parse(text, now=NOW, zone=ZONE)


def weekly(days: str, at: time) -> Weekly:
    return Weekly(days=tuple(map(Weekday, days.split())), at=(at,), zone=ZONE)


def refused(text: str) -> WhenNotUnderstood:
    with pytest.raises(WhenNotUnderstood) as error:
        read(text)
    return error.value


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("daily 09:00", Daily(at=(time(9),), zone=ZONE)),
        ("  DAILY   at 9 AM ", Daily(at=(time(9),), zone=ZONE)),
        ("daily 12am", Daily(at=(time(0),), zone=ZONE)),
        ("daily 12pm", Daily(at=(time(12),), zone=ZONE)),
        ("daily 12:30 p.m.", Daily(at=(time(12, 30),), zone=ZONE)),
        ("daily 9:00 and 9:00", Daily(at=(time(9),), zone=ZONE)),
        ("매일 오후 12시", Daily(at=(time(12),), zone=ZONE)),
        ("매일 오전 12시", Daily(at=(time(0),), zone=ZONE)),
        ("täglich um Mitternacht", Daily(at=(time(0),), zone=ZONE)),
        ("fri-mon 9:00", weekly("mon fri sat sun", time(9))),
        ("monday, wednesday and friday at 7", weekly("mon wed fri", time(7))),
        ("1st, 15th and last day of month 8:00", Monthly(days=(1, 15, LAST_DAY), at=(time(8),), zone=ZONE)),
        ("monthly on the 3rd at 8:00", Monthly(days=(3,), at=(time(8),), zone=ZONE)),
        (
            "every 30m between 8:30 and 18:00 on mon, tue",
            Every(
                interval=timedelta(minutes=30),
                anchor=NOW,
                between=Window(start=time(8, 30), end=time(18), days=(Weekday.MON, Weekday.TUE)),
                zone=ZONE,
            ),
        ),
        ("today at 23:59", Once(at=datetime(2026, 3, 2, 22, 59, tzinfo=UTC), zone=ZONE)),
        ("in 90 minutes", Once(at=NOW + timedelta(minutes=90), zone=ZONE)),
        ("29 february 10:00", Once(at=datetime(2028, 2, 29, 9, tzinfo=UTC), zone=ZONE)),
        ("1 march 10:00", Once(at=datetime(2027, 3, 1, 9, tzinfo=UTC), zone=ZONE)),
        ("december 24th, 2026 18:00", Once(at=datetime(2026, 12, 24, 17, tzinfo=UTC), zone=ZONE)),
        ("the 24th of december 18:00", Once(at=datetime(2026, 12, 24, 17, tzinfo=UTC), zone=ZONE)),
        ("24. dez. 18 Uhr", Once(at=datetime(2026, 12, 24, 17, tzinfo=UTC), zone=ZONE)),
        ("4. März 2026 18 Uhr", Once(at=datetime(2026, 3, 4, 17, tzinfo=UTC), zone=ZONE)),
        ("2026. 12. 24. 18:00", Once(at=datetime(2026, 12, 24, 17, tzinfo=UTC), zone=ZONE)),
    ],
)  # fmt: skip
def test_a_wording_means_this_rule(text: str, rule: Rule) -> None:
    assert read(text) == rule


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("09/10/2026 9:00", ("2026-09-10 9:00", "2026-10-09 9:00")),
        ("9-10-2026 9:00", ("2026-09-10 9:00", "2026-10-09 9:00")),
        ("friday 9 and 18", ("on friday 09:00", "every friday 09:00 and 18:00")),
        ("on friday at 9 and 18", ("on friday 09:00", "every friday 09:00 and 18:00")),
        ("next friday 9am", ("2026-03-06 09:00", "2026-03-13 09:00")),
        ("on the 31st 9am", ("2026-03-31 09:00", "31st of month 09:00")),
        ("18:00", ("tomorrow 18:00", "daily 18:00")),
        ("2026-10-25 02:30", ("2026-10-25T02:30+02:00", "2026-10-25T02:30+01:00")),
    ],
)
def test_what_has_two_readings_is_refused_with_both_and_each_may_be_sent(
    text: str, readings: tuple[str, ...]
) -> None:
    error = refused(text)
    assert error.code == "WHEN_AMBIGUOUS"
    assert error.readings == readings
    assert all(reading in str(error) for reading in readings)
    assert len({read(reading) for reading in readings}) == len(readings)


@pytest.mark.parametrize("text", ["10/10/2026 9:00", "13/10/2026 9:00", "10/13/2026 9:00"])
def test_a_date_with_slashes_that_has_one_reading_is_taken(text: str) -> None:
    assert isinstance(read(text), Once)


@pytest.mark.parametrize(
    "text", ["today 9am", "2020-01-01 9:00", "1.1.2026 9:00", "2026-03-02T10:03:30+01:00", "2026-03-02 10:03"]
)
def test_a_past_moment_is_refused(text: str) -> None:
    assert refused(text).code == "WHEN_PAST"


@pytest.mark.parametrize(
    "text",
    """|   |at|daily|every|in|cron|cron * *|99999999999999 daily|every 999999999 weeks|every 999999 weeks
    |every 0 minutes|0th of month 9:00|32nd of month 9:00|daily 9:00 9:00x|in 5|may|sat|every 2 months|\0|매일
    |every 2 days at 9:00|24 december|31 april 9:00|0001-01-01 0:00|jeden 9:00|tomorrow 9:00 daily
    |daily tomorrow 9:00|1 and 1 and 1|1 and 1 9:00|5 may 6 9:00|may may 9:00|1 foo 9:00""".split("|"),
)
def test_what_is_not_clear_is_refused_with_something_to_write_instead(text: str) -> None:
    assert str(refused(text)).count('"') >= 2


@pytest.mark.parametrize(
    "text",
    """friday|on friday|every friday|next monday|every day|every morning|tonight|tomorrow evening|noon
    |um 9|on the 2nd at 9|next week|weekly|monthly|yearly|twice a day|every 2 weeks friday 9am
    |now|sofort|지금|내일 아침|매일|heute abend""".split("|"),
)
def test_each_of_two_examples_may_be_sent(text: str) -> None:
    error = refused(text.strip())
    assert len(error.readings) == 2
    for reading in error.readings:
        read(reading)


@pytest.mark.parametrize(
    ("text", "now", "day"),
    [
        ("on friday 9:00", "2026-03-06 08:00", "2026-03-06"),
        ("friday 9:00", "2026-03-06 08:00", "2026-03-06"),
        ("friday 9:00", "2026-03-06 09:00", "2026-03-13"),
        ("freitag um 9", "2026-03-06 09:00", "2026-03-13"),
        ("on friday 9:00", "2026-03-06 09:00", "2026-03-13"),
        ("next friday 9:00", "2026-03-06 08:00", "2026-03-13"),
        ("next friday 9:00", "2026-03-08 08:00", "2026-03-13"),
        ("friday next week 9:00", "2026-03-08 08:00", "2026-03-13"),
        ("in 1 week at 9", "2026-03-08 08:00", "2026-03-15"),
    ],
)
def test_a_weekday_is_counted_from_today(text: str, now: str, day: str) -> None:
    moment = parse_moment(text, now=datetime.fromisoformat(f"{now}+01:00"), zone=ZONE)
    assert moment == datetime.fromisoformat(f"{day} 09:00+01:00")


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("every night at 11", time(23)),
        ("every night at 2", time(2)),
        ("at 9 in the morning every day", time(9)),
        ("daily 7 in the evening", time(19)),
        ("every evening at 18:30", time(18, 30)),
        ("매일 밤 12시", time(0)),
        ("매일 밤 2시", time(2)),
        ("매일 낮 12시", time(12)),
        ("jeden Abend um 20 Uhr", time(20)),
        ("täglich 12 Uhr mittags", time(12)),
    ],
)
def test_a_part_of_the_day_says_which_half_is_meant(text: str, at: time) -> None:
    assert read(text) == Daily(at=(at,), zone=ZONE)


def test_a_refusal_says_what_was_understood_and_gives_two_examples() -> None:
    assert str(refused("daily 9:0x")) == (
        'I understood "daily", but not "9:0x". Write for example "daily 09:00" or "tomorrow 9am".'
    )


def test_a_long_text_is_refused_whole_and_not_cut() -> None:
    assert refused("daily 9:00" + " and 10:00" * 30).code == "WHEN_IMPOSSIBLE"


def test_a_time_that_the_clocks_leave_out_is_refused_with_the_next_one() -> None:
    error = refused("2026-03-29 02:30")
    assert error.code == "WHEN_IMPOSSIBLE"
    assert error.readings == ("2026-03-29 03:00",)


def test_the_second_of_two_equal_times_is_taken_when_the_first_is_past() -> None:
    between = datetime(2026, 10, 25, 0, 45, tzinfo=UTC)
    moment = parse_moment("2026-10-25 02:30", now=between, zone=ZONE)
    assert moment == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


def test_an_unknown_zone_is_refused_with_near_names() -> None:
    with pytest.raises(UnknownName, match="Europe/Berlin"):
        parse("daily 9:00", now=NOW, zone="Europe/Berln")


def test_a_single_moment_is_not_a_rule_that_repeats() -> None:
    with pytest.raises(WhenNotUnderstood, match="repeats"):
        parse_moment("daily 9:00", now=NOW, zone=ZONE)


WORDS = st.sampled_from(
    """daily every day weekdays mon thu monday mondays friday 2h 15 minutes between and 9 17 9am 9:00
    18:00 25:00 in 20 tomorrow today next last 1st 32nd of month at on , - to from until 2026-12-24
    09/10/2026 29.02.
    24.12.2026 may december cron 0 * */5 1-5 täglich um werktags jeden Montag Uhr alle Stunden
    morgen am des Monats noon
    매일 오전 9시 평일 2시간마다 내일 20분 후 매월 1일 12월 24일 월,목 midnight an hour
    9999-12-31 L""".split()
)


@settings(max_examples=400, deadline=None)
@given(
    st.one_of(st.text(max_size=40), st.lists(WORDS, max_size=7).map(" ".join)),
    st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)),
    st.sampled_from(["UTC", "Europe/Berlin", "Asia/Seoul", "America/Santiago", "Pacific/Apia"]),
)
@example("2011-12-30 9:00", datetime(2011, 12, 1, tzinfo=UTC), "Pacific/Apia")
@example("9999-12-31 23:59", datetime(2011, 12, 1, tzinfo=UTC), "America/Santiago")
@example("0001-01-01 00:00", datetime(2011, 12, 1, tzinfo=UTC), "Asia/Seoul")
@example("1 and 1 and 1", datetime(2011, 12, 1, tzinfo=UTC), "UTC")
@example("every and", datetime(2011, 12, 1, tzinfo=UTC), "UTC")
@example("٣ ٣٣:٣٣", datetime(2011, 12, 1, tzinfo=UTC), "Asia/Seoul")
def test_any_text_is_a_rule_or_a_refusal_and_a_single_moment_is_never_past(
    text: str, now: datetime, zone: str
) -> None:
    try:
        rule = parse(text, now=now, zone=zone)
    except WhenNotUnderstood:
        return
    if isinstance(rule, Once):
        assert rule.at > now


@pytest.mark.parametrize(
    ("text", "weekly"),
    [
        ("friday 9am", "every friday 09:00"),
        ("9am friday", "every friday 09:00"),
        ("Freitag um 9", "every friday 09:00"),
        ("금요일 9시", "every friday 09:00"),
        ("on friday 9am", None),
        ("this friday 9am", None),
        ("every friday 9am", None),
        ("fridays 9am", None),
        ("mon,thu 18:00", None),
        ("weekly friday 9am", None),
        ("tomorrow 9am", None),
        ("nonsense", None),
    ],
)
def test_what_to_write_for_every_week_is_known_for_a_weekday_alone(text: str, weekly: str | None) -> None:
    assert every_week(text) == weekly
    if weekly is not None:
        assert isinstance(read(text), Once)
        assert isinstance(read(weekly), Weekly)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("daily at half past 8", time(8, 30)),
        ("daily half past eight pm", time(20, 30)),
        ("daily at a quarter to one", time(12, 45)),
        ("daily at quarter past 12", time(12, 15)),
        ("daily at nine", time(9)),
        ("täglich um halb 9", time(8, 30)),
        ("täglich um halb eins", time(12, 30)),
        ("täglich viertel nach zwölf", time(12, 15)),
        ("täglich um neun Uhr", time(9)),
        ("täglich um elf", time(11)),
        ("매일 오후 다섯시", time(17)),
        ("매일 열두시 30분", time(12, 30)),
        ("매일 열한 시", time(11)),
    ],
)
def test_hours_are_understood_as_they_are_spoken(text: str, at: time) -> None:
    assert read(text) == Daily(at=(at,), zone=ZONE)
