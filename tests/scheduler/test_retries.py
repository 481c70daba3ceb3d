"""What the machine may try again by itself."""

from datetime import timedelta

import pytest

from library.models import Effect, Status
from scheduler.retries import next_try
from tests.fakes import A_MONDAY, FakeClock
from tests.scheduler.conftest import new_run

HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("effect", "status", "acted", "again"),
    [
        (Effect.READ, Status.FAILED, True, True),
        (Effect.WRITE, Status.FAILED, False, True),
        (Effect.WRITE, Status.FAILED, True, False),
        (Effect.WRITE, Status.UNCONFIRMED, True, False),
        (Effect.WRITE, Status.UNCONFIRMED, False, False),
        (Effect.READ, Status.CANCELLED, False, False),
        (Effect.READ, Status.DONE, False, False),
    ],
)
def test_only_reads_and_what_surely_did_not_happen_are_tried_again(
    effect: Effect, status: Status, acted: bool, again: bool
) -> None:
    run = new_run("x", FakeClock(), effect=effect).model_copy(update={"status": status, "acted": acted})
    later = next_try(run, attempt=1, deadline=A_MONDAY + HOUR, now=A_MONDAY)
    assert (later is not None) is again


def test_the_waits_grow_and_end() -> None:
    run = new_run("x", FakeClock(), effect=Effect.READ).model_copy(update={"status": Status.FAILED})
    tries = [next_try(run, attempt=n, deadline=A_MONDAY + 24 * HOUR, now=A_MONDAY) for n in range(1, 7)]
    waits = [(at - A_MONDAY).total_seconds() if at else None for at in tries]
    assert waits == [30, 60, 300, 900, 3600, None]


def test_nothing_is_tried_after_its_window() -> None:
    run = new_run("x", FakeClock(), effect=Effect.READ).model_copy(update={"status": Status.FAILED})
    assert next_try(run, attempt=1, deadline=A_MONDAY + timedelta(seconds=30), now=A_MONDAY) is None
