"""What becomes of slots whose time has come."""

from datetime import UTC, datetime, timedelta

import pytest

from library.models import Status
from scheduler.schedule_rows import Terms
from scheduler.slots import Due, decide
from scheduler.terms import Missed, Overlap

NINE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def _due(*slots: datetime) -> list[Due]:
    return [Due(slot, slot) for slot in slots]


def _ends(due: list[Due], now: datetime, *, busy: bool = False, terms: Terms | None = None) -> list[Status]:
    following = Due(due[-1].slot + DAY, due[-1].fire_at + DAY)
    decided = decide(due, terms or Terms(), now=now, busy=busy, following=following)
    assert [item.slot for item in decided] == [item.slot for item in due]
    assert all(item.reason for item in decided if item.status is not Status.QUEUED)
    return [item.status for item in decided]


Q, M, S = Status.QUEUED, Status.MISSED, Status.SKIPPED


@pytest.mark.parametrize(
    ("late", "missed", "ends"),
    [
        (timedelta(0), Missed.SKIP, Q),
        (timedelta(seconds=60), Missed.SKIP, Q),
        (timedelta(seconds=61), Missed.SKIP, M),
        (timedelta(seconds=61), Missed.ASK, M),
        (timedelta(hours=12), Missed.ONCE, Q),
        (timedelta(hours=12, seconds=1), Missed.ONCE, M),
    ],
)
def test_a_slot_is_run_on_time_and_late_only_as_it_was_told(
    late: timedelta, missed: Missed, ends: Status
) -> None:
    assert _ends(_due(NINE), NINE + late, terms=Terms(missed=missed)) == [ends]


@pytest.mark.parametrize(
    ("missed", "ends"), [(Missed.ONCE, [M, M, Q]), (Missed.SKIP, [M, M, M]), (Missed.ASK, [M, M, M])]
)
def test_of_slots_that_were_slept_through_at_most_the_newest_is_run(
    missed: Missed, ends: list[Status]
) -> None:
    slept = _due(NINE, NINE + DAY, NINE + 2 * DAY)
    assert _ends(slept, NINE + 2 * DAY + timedelta(hours=3), terms=Terms(missed=missed)) == ends


def test_a_slot_that_is_on_time_stands_for_those_that_were_slept_through() -> None:
    slept = _due(NINE, NINE + DAY)
    assert _ends(slept, NINE + DAY) == [M, Q]


@pytest.mark.parametrize(("overlap", "ends"), [(Overlap.SKIP, S), (Overlap.WAIT, Q)])
def test_a_slot_that_comes_while_the_one_before_is_open_is_skipped_or_waits(
    overlap: Overlap, ends: Status
) -> None:
    assert _ends(_due(NINE), NINE, busy=True, terms=Terms(overlap=overlap)) == [ends]


def test_two_slots_on_time_at_once_overlap_each_other() -> None:
    both = _due(NINE, NINE + timedelta(seconds=30))
    assert _ends(both, NINE + timedelta(seconds=30)) == [Q, S]


@pytest.mark.parametrize(
    ("overlap", "deadline"),
    [(Overlap.SKIP, NINE + timedelta(hours=1)), (Overlap.WAIT, NINE + timedelta(hours=12))],
)
def test_a_slot_that_must_not_overlap_is_over_when_the_next_one_comes(
    overlap: Overlap, deadline: datetime
) -> None:
    following = _due(NINE + timedelta(hours=1))[0]
    decided = decide(_due(NINE), Terms(overlap=overlap), now=NINE, busy=False, following=following)
    assert decided[0].deadline == deadline
