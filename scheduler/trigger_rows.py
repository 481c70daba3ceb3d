"""Triggers and firings as frozen words, and from their rows. Pure."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum

from pydantic import JsonValue

from library.models import Call, ChatRef, Status, Word
from scheduler.schedule_rows import State
from scheduler.time_tables import FiringRow, TriggerRow

WINDOW = timedelta(hours=12)
"""How late a firing may still be run."""


class Event(StrEnum):
    """What fires a trigger."""

    WEBHOOK = "webhook"
    DONE = "done"
    FAILED = "failed"
    UNCONFIRMED = "unconfirmed"
    CHANGE = "change"


class Trigger(Word):
    """A saved call fired by an event."""

    id: int
    event: Event
    of_name: str | None = None
    """The subroutine whose run, or whose value, is watched."""
    call: Call
    state: State
    created_at: datetime

    @property
    def chat(self) -> ChatRef | None:
        return self.call.chat

    @property
    def title(self) -> str:
        """How people call it: ``t3 tell on done of create-post``."""
        of = f" of {self.of_name}" if self.of_name else ""
        return f"t{self.id} {self.call.name} on {self.event}{of}"


class Firing(Word):
    """One event that fired a trigger, and how it ended."""

    id: int
    trigger_id: int
    event: str
    arguments: Mapping[str, JsonValue]
    status: Status
    reason: str = ""
    attempt: int = 1
    run_id: str | None = None
    at: datetime
    try_at: datetime | None = None

    @property
    def claim(self) -> str:
        """Of the run of its present attempt."""
        return f"trigger:{self.trigger_id}:{self.id}:{self.attempt}"

    @property
    def deadline(self) -> datetime:
        return self.at + WINDOW


def trigger_of(row: TriggerRow) -> Trigger:
    assert row.id is not None
    return Trigger(
        id=row.id,
        event=Event(row.kind),
        of_name=row.of_name,
        call=Call.model_validate_json(row.call),
        state=State(row.state),
        created_at=row.created_at,
    )


def firing_of(row: FiringRow) -> Firing:
    assert row.id is not None
    return Firing(
        id=row.id,
        trigger_id=row.trigger_id,
        event=row.event,
        arguments=json.loads(row.arguments),
        status=Status(row.status),
        reason=row.reason,
        attempt=row.attempt,
        run_id=row.run_id,
        at=row.at,
        try_at=row.try_at,
    )
