"""Whether and when a failed run is tried again by the machine. Pure."""

from datetime import datetime, timedelta

from library.models import Effect, Run, Status

DELAYS = tuple(timedelta(seconds=seconds) for seconds in (30, 60, 5 * 60, 15 * 60, 60 * 60))
"""Before the second, third ... attempt."""


def next_try(run: Run, *, attempt: int, deadline: datetime, now: datetime) -> datetime | None:
    """When to try again after this attempt (the first is 1); None for never.

    Only a read, or what surely did not happen, is tried again, and only while its window is open."""
    harmless = run.effect is Effect.READ or not run.acted
    if run.status is not Status.FAILED or not harmless or attempt > len(DELAYS):
        return None
    at = now + DELAYS[attempt - 1]
    return at if at < deadline else None
