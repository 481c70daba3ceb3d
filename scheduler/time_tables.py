"""The tables of schedules and slots, triggers and firings, queues and items. Their meaning is in the
stores.

No number of a schedule, trigger, queue or of what is in them is ever used again: it is in the claims of runs.
"""

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from scheduler.columns import UtcTime

NUMBERS = {"sqlite_autoincrement": True}
"""For a table whose numbers are never used again, also when the newest row was deleted."""


class ScheduleRow(SQLModel, table=True):
    """A saved call with a rule of time. ``call``, ``rule`` and ``terms`` are JSON of frozen words."""

    __tablename__ = "schedules"
    __table_args__ = (Index("ix_schedules_due", "state", "fire_at"), NUMBERS)

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(index=True)
    call: str
    rule: str
    words: str
    terms: str
    state: str
    note: str = ""
    """Why it is paused, ended or disabled."""
    channel: str | None = None
    chat_id: str | None = None
    created_at: datetime = Field(sa_type=UtcTime)
    next_at: datetime | None = Field(default=None, sa_type=UtcTime)
    """The next slot that has no row yet; None when the rule has no more."""
    fire_at: datetime | None = Field(default=None, sa_type=UtcTime)
    """When to act on it: ``next_at`` and the jitter."""
    failures_in_row: int = 0


class SlotRow(SQLModel, table=True):
    """One due time of a schedule; exactly one row, and it ends in exactly one way."""

    __tablename__ = "slots"
    __table_args__ = (
        UniqueConstraint("schedule_id", "slot"),
        Index("ix_slots_open", "status", "try_at"),
        NUMBERS,
    )

    id: int | None = Field(default=None, primary_key=True)
    schedule_id: int = Field(foreign_key="schedules.id", ondelete="CASCADE")
    slot: datetime = Field(sa_type=UtcTime)
    status: str
    reason: str = ""
    attempt: int = 1
    run_id: str | None = Field(default=None, index=True)
    try_at: datetime | None = Field(default=None, sa_type=UtcTime)
    """When to try next; None once it has ended."""
    deadline: datetime = Field(sa_type=UtcTime)
    """No attempt starts later."""
    finished_at: datetime | None = Field(default=None, sa_type=UtcTime)


class TriggerRow(SQLModel, table=True):
    """A saved call fired by an event: a webhook, another run's end, a changed value."""

    __tablename__ = "triggers"
    __table_args__ = (NUMBERS,)

    id: int | None = Field(default=None, primary_key=True)
    kind: str
    of_name: str | None = Field(default=None, index=True)
    name: str
    """The subroutine it runs."""
    call: str
    state: str
    token_hash: str | None = Field(default=None, unique=True)
    last_value: str | None = None
    """Of the watched read, as JSON."""
    created_at: datetime = Field(sa_type=UtcTime)


class FiringRow(SQLModel, table=True):
    """One event that fired a trigger: written in the same commit as the event, so that a crash loses none."""

    __tablename__ = "firings"
    __table_args__ = (
        UniqueConstraint("trigger_id", "event"),
        Index("ix_firings_open", "status", "try_at"),
        NUMBERS,
    )

    id: int | None = Field(default=None, primary_key=True)
    trigger_id: int = Field(foreign_key="triggers.id", ondelete="CASCADE")
    event: str
    """A webhook's delivery id, or ``run:ID``."""
    arguments: str = "{}"
    status: str
    reason: str = ""
    attempt: int = 1
    run_id: str | None = Field(default=None, index=True)
    at: datetime = Field(sa_type=UtcTime)
    try_at: datetime | None = Field(default=None, sa_type=UtcTime)
    """When to try next; None once it has ended."""


class QueueRow(SQLModel, table=True):
    """Rows of arguments for one subroutine."""

    __tablename__ = "queues"
    __table_args__ = (NUMBERS,)

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    subroutine: str
    state: str
    note: str = ""
    guards: str = "{}"
    failures_in_row: int = 0
    channel: str | None = None
    chat_id: str | None = None
    created_at: datetime = Field(sa_type=UtcTime)
    arriving_from: int | None = None
    """While a sheet is imported, or all is deleted: items of this number and above are hidden."""


class GuardRow(SQLModel, table=True):
    """Guards of a subroutine or of a site, whichever queue its items come from."""

    __tablename__ = "guards"

    subject: str = Field(primary_key=True)
    """``subroutine:NAME`` or ``site:HOST``."""
    guards: str


class ItemRow(SQLModel, table=True):
    """One row of arguments in a queue; a run of it is claimed by (queue, item, attempt)."""

    __tablename__ = "items"
    __table_args__ = (Index("ix_items_next", "queue_id", "status", "position"), NUMBERS)

    id: int | None = Field(default=None, primary_key=True)
    queue_id: int = Field(foreign_key="queues.id", ondelete="CASCADE")
    position: float
    arguments: str
    status: str
    reason: str = ""
    attempt: int = 1
    claimed_by: str | None = Field(default=None, index=True)
    """Which piece of work has it: ``slot:12`` or ``work:r3k...``."""
    allowed: bool = False
    """A person said yes where a guard asked."""
    run_id: str | None = Field(default=None, index=True)
    value: str | None = None
    """The run's returned value as JSON."""
    sheet: str | None = None
    """The kept file that it was imported from."""
    line: int | None = None
    """Its row there."""
    finished_at: datetime | None = Field(default=None, sa_type=UtcTime)
