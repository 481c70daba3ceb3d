"""Whether an item may go out: a table of moments and histories."""

from datetime import UTC, datetime, time, timedelta

import pytest
from pydantic import ValidationError

from library.models import Status
from scheduler.guards import (
    Allow,
    AskFirst,
    Breaker,
    Guards,
    PastRun,
    QuietHours,
    Refuse,
    breaker,
    fingerprint,
    judge,
)

BERLIN = "Europe/Berlin"
NOON = datetime(2026, 3, 2, 11, 0, tzinfo=UTC)  # 12:00 in Berlin


def ago(hours: float, status: Status = Status.DONE, text: str | None = None) -> PastRun:
    return PastRun(at=NOON - timedelta(hours=hours), status=status, text=text)


def night(start: int, end: int) -> Guards:
    return Guards(zone=BERLIN, quiet_hours=QuietHours(start=time(start), end=time(end)))


def test_without_guards_everything_may_go_out() -> None:
    assert judge(Guards(), [ago(0)] * 500, now=NOON, text="x") == Allow()


@pytest.mark.parametrize(
    ("hour_utc", "start", "end", "until"),
    [
        (21, 22, 7, datetime(2026, 3, 3, 6, tzinfo=UTC)),
        (5, 22, 7, datetime(2026, 3, 2, 6, tzinfo=UTC)),
        (6, 22, 7, None),
        (20, 22, 7, None),
        (12, 13, 14, datetime(2026, 3, 2, 13, tzinfo=UTC)),
        (13, 13, 14, None),
        (23, 0, 6, datetime(2026, 3, 3, 5, tzinfo=UTC)),
    ],
)
def test_quiet_hours_are_of_the_local_clock_and_may_go_over_midnight(
    hour_utc: int, start: int, end: int, until: datetime | None
) -> None:
    answer = judge(night(start, end), [], now=NOON.replace(hour=hour_utc))
    assert (answer.until if isinstance(answer, Refuse) else None) == until


def test_quiet_hours_that_end_in_the_left_out_hour_end_when_the_clock_goes_on() -> None:
    guards = Guards(zone=BERLIN, quiet_hours=QuietHours(start=time(22), end=time(2, 30)))
    answer = judge(guards, [], now=datetime(2026, 3, 29, 0, 30, tzinfo=UTC))
    assert isinstance(answer, Refuse)
    assert answer.until == datetime(2026, 3, 29, 1, 0, tzinfo=UTC)


def test_the_most_per_day_counts_the_local_day_and_what_may_have_gone_out() -> None:
    guards = Guards(zone=BERLIN, most_per_day=2)
    yesterday = [ago(12.5), ago(13)]
    not_out = [ago(1, Status.FAILED), ago(1, Status.SKIPPED), ago(1, Status.CANCELLED)]
    assert judge(guards, [*yesterday, *not_out, ago(1)], now=NOON) == Allow()
    answer = judge(guards, [*yesterday, ago(11.5), ago(1, Status.UNCONFIRMED)], now=NOON)
    assert isinstance(answer, Refuse)
    assert answer.until == datetime(2026, 3, 2, 23, 0, tzinfo=UTC)


def test_the_least_gap_counts_from_the_last_one() -> None:
    guards = Guards(least_gap=timedelta(hours=1))
    answer = judge(guards, [ago(5), ago(0.5), ago(0.1, Status.FAILED)], now=NOON)
    assert isinstance(answer, Refuse)
    assert answer.until == NOON + timedelta(minutes=30)
    assert judge(guards, [ago(1)], now=NOON) == Allow()


def test_of_several_refusals_the_latest_counts() -> None:
    guards = Guards(zone=BERLIN, most_per_day=1, least_gap=timedelta(hours=1))
    answer = judge(guards, [ago(0.5)], now=NOON)
    assert isinstance(answer, Refuse)
    assert answer.until == datetime(2026, 3, 2, 23, 0, tzinfo=UTC)


def test_a_text_that_was_published_is_asked_about_before_it_goes_out_again() -> None:
    guards = Guards(zone=BERLIN, no_repeat_within_days=7)
    said = fingerprint("Hello  World")
    answer = judge(guards, [ago(72, text=said)], now=NOON, text=fingerprint("hello world "))
    assert isinstance(answer, AskFirst)
    assert "3 days ago" in answer.reason
    assert judge(guards, [ago(24 * 7, text=said)], now=NOON, text=said) == Allow()
    assert judge(guards, [ago(1, Status.FAILED, said)], now=NOON, text=said) == Allow()
    assert judge(guards, [ago(1, text=said)], now=NOON, text=fingerprint("hello worlds")) == Allow()


def test_nobody_is_asked_about_what_may_not_go_out_now() -> None:
    guards = Guards(no_repeat_within_days=7, least_gap=timedelta(hours=1))
    said = fingerprint("x")
    assert isinstance(judge(guards, [ago(0.5, text=said)], now=NOON, text=said), Refuse)


D, F, U, S = Status.DONE, Status.FAILED, Status.UNCONFIRMED, Status.SKIPPED


@pytest.mark.parametrize(
    ("statuses", "state"),
    [
        ([], Breaker.CLOSED),
        ([F, F], Breaker.CLOSED),
        ([F, F, F], Breaker.OPEN),
        ([F, F, S, F], Breaker.OPEN),
        ([F, F, D, F], Breaker.CLOSED),
        ([U], Breaker.OPEN),
        ([U, D], Breaker.CLOSED),
        ([D, U], Breaker.OPEN),
    ],
)
def test_the_breaker_opens_after_three_failures_or_one_unconfirmed_in_a_row(
    statuses: list[Status], state: Breaker
) -> None:
    history = [ago(len(statuses) - n, status) for n, status in enumerate(statuses)]
    assert breaker(Guards(), list(reversed(history)))[0] is state


def test_quiet_hours_need_two_different_times() -> None:
    with pytest.raises(ValidationError, match="none, or all day"):
        QuietHours(start=time(7), end=time(7))
