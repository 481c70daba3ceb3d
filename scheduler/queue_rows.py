"""Queues and items as frozen words, and from their rows. Pure."""

import json
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from pydantic import Field, JsonValue

from library.models import ChatRef, Word
from scheduler.guards import Guards
from scheduler.schedule_rows import State
from scheduler.time_tables import ItemRow, QueueRow


class ItemStatus(StrEnum):
    PENDING = "pending"
    CLAIMED = "claimed"
    """Some work has taken it; its run may be under way."""
    DONE = "done"
    FAILED = "failed"
    UNCONFIRMED = "unconfirmed"
    SKIPPED = "skipped"


class Queue(Word):
    """Rows of arguments for one subroutine."""

    id: int
    name: str
    subroutine: str
    state: State
    note: str = ""
    chat: ChatRef | None = None
    created_at: datetime
    guards: Guards = Guards()
    counts: Mapping[ItemStatus, int] = Field(default_factory=dict)

    @property
    def pending(self) -> int:
        return self.counts.get(ItemStatus.PENDING, 0)

    @property
    def unsent(self) -> int:
        """Pending, or taken by some work that has not ended them yet."""
        return self.pending + self.counts.get(ItemStatus.CLAIMED, 0)

    @property
    def asked_by(self) -> str:
        return f"queue:{self.id}"


class Item(Word):
    """One row of arguments in a queue."""

    id: int
    queue_id: int
    arguments: Mapping[str, JsonValue]
    status: ItemStatus
    reason: str = ""
    attempt: int = 1
    allowed: bool = False
    run_id: str | None = None
    value: JsonValue = None
    sheet: str | None = None
    line: int | None = None
    finished_at: datetime | None = None

    @property
    def claim(self) -> str:
        """Of the run of its present attempt."""
        return f"queue:{self.queue_id}:{self.id}:{self.attempt}"


def item_of_claim(claim: str) -> int | None:
    """The number of the item whose run has this claim; None when it is no item's."""
    parts = claim.split(":")
    return int(parts[2]) if parts[0] == "queue" and len(parts) == 4 else None


def queue_of(row: QueueRow, counts: Mapping[ItemStatus, int]) -> Queue:
    assert row.id is not None
    chat = ChatRef(channel=row.channel, id=row.chat_id) if row.channel and row.chat_id else None
    return Queue(
        id=row.id,
        name=row.name,
        subroutine=row.subroutine,
        state=State(row.state),
        note=row.note,
        chat=chat,
        created_at=row.created_at,
        guards=Guards.model_validate_json(row.guards),
        counts=counts,
    )


def item_of(row: ItemRow) -> Item:
    assert row.id is not None
    return Item(
        id=row.id,
        queue_id=row.queue_id,
        arguments=json.loads(row.arguments),
        status=ItemStatus(row.status),
        reason=row.reason,
        attempt=row.attempt,
        allowed=row.allowed,
        run_id=row.run_id,
        value=json.loads(row.value) if row.value else None,
        sheet=row.sheet,
        line=row.line,
        finished_at=row.finished_at,
    )
