"""What becomes of slots whose time has come: run, missed or skipped, and why. Pure.

1. A slot that is acted on within ``GRACE`` of its time is on time, and is run.
2. Later ones were slept through: ``missed=`` says whether the newest of them is still run. The rest are
   missed.
3. One that comes while the one before is open is skipped, or waits, as ``overlap=`` says.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from library.models import Status
from scheduler.schedule_rows import Terms
from scheduler.terms import Missed, Overlap

GRACE = timedelta(minutes=1)

AWAY = "Home was off or asleep at that time"


@dataclass(frozen=True)
class Due:
    """A slot, and when to act on it (its jitter added)."""

    slot: datetime
    fire_at: datetime


@dataclass(frozen=True)
class Decision:
    slot: datetime
    status: Status
    """``queued`` (to be run), ``missed`` or ``skipped``."""
    reason: str
    deadline: datetime


def decide(
    due: Sequence[Due], terms: Terms, *, now: datetime, busy: bool, following: Due | None
) -> list[Decision]:
    """One decision for each of the slots that are due, in order. ``busy``: one before is still open."""
    chosen = _chosen(due, terms, now)
    decisions = []
    for position, item in enumerate(due):
        after = due[position + 1] if position + 1 < len(due) else following
        deadline = _deadline(item, after, terms, now)
        reason = _why_missed(item, terms, now, run_instead=bool(chosen))
        status = Status.MISSED
        if item in chosen:
            status, reason = Status.QUEUED, ""
            if busy and terms.overlap is Overlap.SKIP:
                status, reason = Status.SKIPPED, "The run before was still under way."
            busy = busy or status is Status.QUEUED
        decisions.append(Decision(item.slot, status, reason, deadline))
    return decisions


def _chosen(due: Sequence[Due], terms: Terms, now: datetime) -> list[Due]:
    on_time = [item for item in due if now - item.fire_at <= GRACE]
    if on_time or not due or terms.missed is not Missed.ONCE:
        return on_time
    newest = due[-1]
    return [newest] if now <= newest.slot + terms.window else []


def _deadline(item: Due, after: Due | None, terms: Terms, now: datetime) -> datetime:
    deadline = item.slot + terms.window
    if after is not None and terms.overlap is Overlap.SKIP:
        deadline = min(deadline, after.fire_at)
    return max(deadline, item.fire_at + GRACE, min(now + GRACE, item.slot + terms.window))


def _why_missed(item: Due, terms: Terms, now: datetime, *, run_instead: bool) -> str:
    if terms.missed is Missed.ASK:
        return f"{AWAY}; whether to run it late is for you to say."
    if terms.missed is Missed.SKIP:
        return f"{AWAY}."
    if run_instead:
        return f"{AWAY}; a later slot is run instead."
    if now > item.slot + terms.window:
        return f"{AWAY}, and its window was over."
    return f"{AWAY}; a later slot stands for it."
