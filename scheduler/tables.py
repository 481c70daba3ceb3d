"""The tables of the journal and of the chats. What they mean is in the stores; times are UTC.

The tables of time (schedules, slots, triggers, queues) are in ``scheduler/time_tables.py``.
"""

from datetime import datetime

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from scheduler.columns import UtcTime


class RunRow(SQLModel, table=True):
    """One run. ``call`` and ``evidence`` are JSON of frozen words; the other columns are there to ask by."""

    __tablename__ = "runs"
    __table_args__ = (Index("ix_runs_chat", "channel", "chat_id", "id"), Index("ix_runs_name", "name", "id"))

    id: str = Field(primary_key=True)
    claim: str = Field(unique=True)
    name: str
    version: str
    effect: str
    status: str = Field(index=True)
    asked_by: str
    channel: str | None = None
    chat_id: str | None = None
    browser: str | None = None
    call: str
    has_secrets: bool = False
    """Then ``call`` holds masks instead of the values, and the run cannot be repeated from here."""
    created_at: datetime = Field(sa_type=UtcTime)
    started_at: datetime | None = Field(default=None, sa_type=UtcTime)
    finished_at: datetime | None = Field(default=None, sa_type=UtcTime)
    rests_on: str | None = None
    evidence: str | None = None
    acted: bool = True
    files: str = "{}"
    resolved_by: str | None = None


class DeliveryRow(SQLModel, table=True):
    """Whether one message about a run reached its chat's provider."""

    __tablename__ = "deliveries"

    id: int | None = Field(default=None, primary_key=True)
    run_id: str | None = Field(default=None, index=True)
    channel: str
    chat_id: str
    status: str
    message_id: str | None = Field(default=None, index=True)
    reason: str = ""
    at: datetime = Field(sa_type=UtcTime)


class UntoldRow(SQLModel, table=True):
    """Something that a chat must still be told: how a run ended, how work on a queue ended, or a text."""

    __tablename__ = "untold"

    id: int | None = Field(default=None, primary_key=True)
    run_id: str | None = Field(default=None, unique=True)
    channel: str | None = None
    chat_id: str | None = None
    text: str = ""
    work: str | None = None
    """The work on a queue that goes on; one that a crash cut short gets its text at the next start."""
    queue_id: int | None = None
    """Of that work."""


class ChatRow(SQLModel, table=True):
    """A chat that is linked to an owner."""

    __tablename__ = "chats"

    channel: str = Field(primary_key=True)
    chat_id: str = Field(primary_key=True)
    owner: str
    linked_at: datetime = Field(sa_type=UtcTime)


class ChatZoneRow(SQLModel, table=True):
    """The time zone of a chat: also of local ones, which are never linked."""

    __tablename__ = "chat_zones"

    channel: str = Field(primary_key=True)
    chat_id: str = Field(primary_key=True)
    timezone: str


class UpdateRow(SQLModel, table=True):
    """An update of a channel that was taken, so that a second delivery of it is ignored."""

    __tablename__ = "updates"

    claim: str = Field(primary_key=True)
    at: datetime = Field(sa_type=UtcTime, index=True)
