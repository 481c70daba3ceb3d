"""Schedules and slots as frozen words, and between them and their rows. Pure."""

from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from library.models import Call, ChatRef, Status, Word
from scheduler.rules import Rule, from_json
from scheduler.terms import Missed, Overlap
from scheduler.time_tables import ScheduleRow, SlotRow


class State(StrEnum):
    """Of a schedule, a trigger or a queue."""

    ACTIVE = "active"
    PAUSED = "paused"
    """By a person."""
    DISABLED = "disabled"
    """By the machine, after too many failures."""
    ENDED = "ended"
    """Its rule has no more slots."""


class Terms(Word):
    """How a schedule behaves."""

    missed: Missed = Missed.ONCE
    window: timedelta = timedelta(hours=12)
    """How late a slot may still be run."""
    overlap: Overlap = Overlap.SKIP
    jitter: timedelta = timedelta(0)
    quiet: bool = False
    queue: str | None = None
    take: int = 1
    secrets: tuple[str, ...] = ()
    """Arguments that are never shown."""


class Schedule(Word):
    """A saved call with a rule of time."""

    id: int
    call: Call
    """Its claim is empty: each slot has its own."""
    rule: Rule
    words: str
    """The WHEN as the person wrote it."""
    terms: Terms
    state: State
    note: str = ""
    created_at: datetime
    next_at: datetime | None
    """The next slot; None when there is none."""
    failures_in_row: int = 0

    @property
    def chat(self) -> ChatRef | None:
        return self.call.chat

    def local(self, at: datetime) -> str:
        """A moment in words, on the clock of the schedule's zone."""
        return f"{at.astimezone(ZoneInfo(self.rule.zone)):%a %Y-%m-%d %H:%M}"

    @property
    def title(self) -> str:
        """How people call it: ``#3 create-post``."""
        return f"#{self.id} {self.call.name}"


class Slot(Word):
    """One due time of a schedule."""

    id: int
    schedule_id: int
    slot: datetime
    status: Status
    reason: str = ""
    attempt: int = 1
    run_id: str | None = None
    try_at: datetime | None = None
    deadline: datetime
    finished_at: datetime | None = None

    @property
    def claim(self) -> str:
        """Of the run of its present attempt."""
        return f"schedule:{self.schedule_id}:{self.slot:%Y%m%dT%H%M%SZ}:{self.attempt}"


def schedule_of(row: ScheduleRow) -> Schedule:
    assert row.id is not None
    return Schedule(
        id=row.id,
        call=Call.model_validate_json(row.call),
        rule=from_json(row.rule),
        words=row.words,
        terms=Terms.model_validate_json(row.terms),
        state=State(row.state),
        note=row.note,
        created_at=row.created_at,
        next_at=row.next_at,
        failures_in_row=row.failures_in_row,
    )


def slot_of(row: SlotRow) -> Slot:
    assert row.id is not None
    return Slot(
        id=row.id,
        schedule_id=row.schedule_id,
        slot=row.slot,
        status=Status(row.status),
        reason=row.reason,
        attempt=row.attempt,
        run_id=row.run_id,
        try_at=row.try_at,
        deadline=row.deadline,
        finished_at=row.finished_at,
    )
