"""The line after /schedule NAME: where the arguments end, what the WHEN is, which options there are."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from library.errors import AskError, BadArgument, UnknownName
from scheduler.rules import next_slots
from scheduler.schedule_line import Options, split
from scheduler.terms import Missed, Overlap
from scheduler.when import WhenNotUnderstood

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ZONE = "Europe/Berlin"


@pytest.mark.parametrize(
    ("text", "arguments", "when"),
    [
        ("daily 9:00", "", "daily 9:00"),
        ('text="daily 9:00 news" weekdays 8:30', 'text="daily 9:00 news"', "weekdays 8:30"),
        ('"tomorrow 9am" daily 9:00', '"tomorrow 9am"', "daily 9:00"),
        ("text='daily 9:00' 매일 오전 9시", "text='daily 9:00'", "매일 오전 9시"),
        ("text=“daily 9:00” morgen 9 Uhr", "text=“daily 9:00”", "morgen 9 Uhr"),
        ('text="a \\"daily 9:00\\" b" daily 10:00', 'text="a \\"daily 9:00\\" b"', "daily 10:00"),
        ("buy  2  in 20 minutes", "buy  2", "in 20 minutes"),
        ("it's here daily 9:00", "it's here", "daily 9:00"),
        ("tz=UTC browser=x daily 9:00", "tz=UTC browser=x", "daily 9:00"),
        ("from posts take 5 daily 9:00", "from posts take 5", "daily 9:00"),
        ("hello friday 9am", "hello", "friday 9am"),
        ("Happy Friday every friday 9am", "Happy Friday", "every friday 9am"),
        ("weekly report daily 9:00", "weekly report", "daily 9:00"),
        ("do this daily 9:00", "do this", "daily 9:00"),
        ("2 daily 9:00", "2", "daily 9:00"),
        ('"every 2 weeks" friday 9am', '"every 2 weeks"', "friday 9am"),
        ("every 15 minutes from 9 to 17", "", "every 15 minutes from 9 to 17"),
        ("x=1 cron 0 9 * * 1-5 quiet=on", "x=1", "cron 0 9 * * 1-5"),
        ('text="first\nsecond" daily 9:00', 'text="first\nsecond"', "daily 9:00"),
    ],
)
def test_arguments_and_when_are_told_apart(text: str, arguments: str, when: str) -> None:
    found = split(text, now=NOW, zone=ZONE)
    assert (found.arguments, found.when) == (arguments, when)


def test_all_options_are_read() -> None:
    line = (
        "daily 9:00 tz=asia/seoul missed=once window=6h overlap=wait from posts take 5 jitter=5m "
        "until 2026-12-31 times=3 browser=home quiet=on"
    )
    assert split(line, now=NOW, zone=ZONE).options == Options(
        tz="Asia/Seoul",
        missed=Missed.ONCE,
        window=timedelta(hours=6),
        overlap=Overlap.WAIT,
        queue="posts",
        take=5,
        jitter=timedelta(minutes=5),
        until=datetime(2026, 12, 31, 14, 59, tzinfo=UTC),
        times=3,
        browser="home",
        quiet=True,
    )


def test_the_zone_of_the_line_wins_over_the_chats() -> None:
    rule = split("daily 9:00 tz=Asia/Seoul", now=NOW, zone=ZONE).rule
    assert rule.zone == "Asia/Seoul"
    assert next_slots(rule, NOW, 1) == [datetime(2026, 3, 3, 0, 0, tzinfo=UTC)]


def test_times_and_until_end_the_rule() -> None:
    assert len(next_slots(split("daily 9:00 times=3", now=NOW, zone=ZONE).rule, NOW, 9)) == 3
    assert len(next_slots(split("daily 9:00 until 2026-03-06", now=NOW, zone=ZONE).rule, NOW, 9)) == 4


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("", WhenNotUnderstood, "A time is missing"),
        ('"daily 9:00 news"', WhenNotUnderstood, "A time is missing"),
        ('text="daily 9:00', BadArgument, "not closed"),
        ("every 2 weeks on friday 9am", WhenNotUnderstood, "counts from now on"),
        ("hello next friday at 9", WhenNotUnderstood, "next week's"),
        ("nächsten Freitag 9 Uhr", WhenNotUnderstood, "next week's"),
        ("다음 금요일 9시", WhenNotUnderstood, "next week's"),
        ("every other friday 9am", WhenNotUnderstood, 'not "every other" before it'),
        ("hello last friday 9am", WhenNotUnderstood, 'not "last" before it'),
        ("jeden zweiten Freitag 9 Uhr", WhenNotUnderstood, "jeden zweiten"),
        ("격주 금요일 9시", WhenNotUnderstood, "격주"),
        ("friday or monday 9am", WhenNotUnderstood, "friday or"),
        (
            "friday 9am daily",
            WhenNotUnderstood,
            '"friday" before it. Where that is the text, put it in quotes',
        ),
        ("daily 9:00 friday 10:00", WhenNotUnderstood, "daily 9:00"),
        ("friday 9am times=3", BadArgument, 'For every week: "every friday 09:00"'),
        ("friday 9am until 2026-05-01", BadArgument, 'For every week: "every friday 09:00"'),
        ("tomorrow 9am times=3", BadArgument, "comes once"),
        ('daily 9:00 text="x"', BadArgument, "Arguments come before"),
        ("daily 9:00 misssed=skip", BadArgument, 'Did you mean "missed="'),
        ("hello dayly 9:00", WhenNotUnderstood, 'Or is "dayly" meant as "daily"'),
        ("hello tomorow 9am", WhenNotUnderstood, 'Or is "tomorow" meant as "tomorrow"'),
        ("hallo jeden Dienstg 9 Uhr", WhenNotUnderstood, 'Or is "Dienstg" meant as "dienstag"'),
        ("every wensday 9:00", WhenNotUnderstood, "wednesday"),
        ("daily 9:00 hello", BadArgument, 'After "daily 9:00" come options only, and "hello" is none'),
        ("every 2h browser home", BadArgument, 'Did you mean "browser="'),
        ("daily 9:00 from posts take", BadArgument, "Did you mean: from QUEUE take N"),
        ("every 2h times 3", BadArgument, 'Did you mean "times="'),
        ("daily 9:00 missed=maybe", BadArgument, "skip, once, ask"),
        ("daily 9:00 overlap=maybe", BadArgument, "skip, wait"),
        ("daily 9:00 times=0", BadArgument, "whole number"),
        ("daily 9:00 times=99999", BadArgument, "whole number"),
        ("daily 9:00 from posts take many", BadArgument, "whole number"),
        ("daily 9:00 jitter=soon", BadArgument, "jitter=5m"),
        ("daily 9:00 jitter=2d", BadArgument, "up to a day"),
        ("daily 9:00 quiet=maybe", BadArgument, "on, off"),
        ("daily 9:00 browser=", BadArgument, "name is missing"),
        ("daily 9:00 tz=Europe/Berln", UnknownName, "Europe/Berlin"),
        ("daily 9:00 quiet=on quiet=off", BadArgument, "twice"),
        ("daily 9:00 until 2020-01-01", WhenNotUnderstood, "past"),
        ("daily 9:00 until soon", WhenNotUnderstood, "soon"),
        ("2026-03-05 9:00 until 2026-03-04", AskError, "never run"),
    ],
)
def test_what_is_wrong_is_refused_with_the_reason(text: str, error: type[AskError], says: str) -> None:
    with pytest.raises(error, match=says):
        split(text, now=NOW, zone=ZONE)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60))
def test_a_quoted_argument_is_never_taken_for_a_time(words: str) -> None:
    quoted = words.replace("\\", "").replace('"', "").replace("“", "").replace("”", "").replace("„", "")
    found = split(f'text="{quoted} daily 9:00" daily 10:00', now=NOW, zone=ZONE)
    assert (found.arguments, found.when) == (f'text="{quoted} daily 9:00"', "daily 10:00")


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60))
def test_any_line_is_split_or_refused(text: str) -> None:
    try:
        split(text, now=NOW, zone=ZONE)
    except AskError:
        pass


@pytest.mark.parametrize("said", ["from posts take 5", "take 5 from posts", "FROM posts TAKE 5"])
def test_a_queue_is_said_in_either_order(said: str) -> None:
    options = split(f"daily 9:00 {said}", now=NOW, zone=ZONE).options
    assert (options.queue, options.take) == ("posts", 5)
