"""Queues and their items as people handle them: kept, filled, edited, listed. It runs nothing."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from pydantic import JsonValue
from sqlalchemy import insert
from sqlmodel import Session, SQLModel, select

from library.errors import AskError
from library.models import ChatRef
from scheduler.database import Database
from scheduler.guards import Guards
from scheduler.queue_lookup import (
    busy,
    counts_of,
    end_of,
    found,
    found_item,
    found_pending,
    in_order,
    items_of,
)
from scheduler.queue_rows import Item, ItemStatus, Queue, item_of, queue_of
from scheduler.schedule_rows import State
from scheduler.sheet_items import SheetItems
from scheduler.time_tables import ItemRow, QueueRow

_INSERT = insert(SQLModel.metadata.tables["items"])


class Queues:
    """``sheets``: the same items, by the sheet that they came from."""

    def __init__(self, database: Database, *, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now
        self.sheets = SheetItems(database)

    # --- queues ---

    async def create(self, name: str, subroutine: str, *, chat: ChatRef | None = None) -> Queue:
        """Raises AskError when the name is taken."""

        def work(session: Session) -> Queue:
            if session.exec(select(QueueRow).where(QueueRow.name == name)).first() is not None:
                raise AskError(f'There is a queue named "{name}" already. Take another name.')
            row = QueueRow(
                name=name,
                subroutine=subroutine,
                state=State.ACTIVE,
                channel=chat.channel if chat else None,
                chat_id=chat.id if chat else None,
                created_at=self._now(),
            )
            session.add(row)
            session.flush()
            return queue_of(row, {})

        return await self._database.run(work)

    async def all(self) -> list[Queue]:
        """By name."""

        def work(session: Session) -> list[Queue]:
            rows = session.exec(select(QueueRow).order_by(QueueRow.name)).all()
            return [queue_of(row, counts_of(session, row)) for row in rows]

        return await self._database.read(work)

    async def get(self, name: str) -> Queue:
        """Raises UnknownName."""

        def work(session: Session) -> Queue:
            row = found(session, name)
            return queue_of(row, counts_of(session, row))

        return await self._database.read(work)

    async def pause(self, name: str, why: str = "Paused by you.") -> None:
        """Work under way ends with the item it is at; slots that take from it are skipped."""
        await self._set(name, State.PAUSED, why)

    async def resume(self, name: str) -> None:
        """Also after the breaker stopped it; failures are counted anew."""
        await self._set(name, State.ACTIVE, "")

    async def set_guards(self, name: str, guards: Guards) -> None:
        """Caps, gaps, quiet hours and the like for what goes out of this queue."""

        def work(session: Session) -> None:
            row = found(session, name)
            row.guards = guards.model_dump_json()
            session.add(row)

        await self._database.run(work)

    async def delete(self, name: str) -> None:
        """With all its items; their runs stay in the journal."""
        await self.sheets.clear(name)
        await self._database.run(lambda session: session.delete(found(session, name)))

    # --- items ---

    async def add(self, name: str, rows: Sequence[Mapping[str, JsonValue]]) -> int:
        """Appends rows of typed arguments; gives how many. Raises AskError while a sheet is imported."""

        def work(session: Session) -> int:
            queue = found(session, name)
            if queue.arriving_from is not None:
                raise busy(name)
            start, fixed = end_of(session, queue.id), _fresh(queue.id)
            values = [
                {**fixed, "position": start + n, "arguments": json.dumps(dict(row), ensure_ascii=False)}
                for n, row in enumerate(rows)
            ]
            if values:
                session.connection().execute(_INSERT, values)
            return len(values)

        return await self._database.run(work)

    async def items(
        self, name: str, *, status: ItemStatus | None = None, limit: int = 20, skip: int = 0
    ) -> list[Item]:
        """In their order."""

        def work(session: Session) -> list[Item]:
            queue = found(session, name)
            query = in_order(select(ItemRow).where(*items_of(queue))).limit(limit)
            if status is not None:
                query = query.where(ItemRow.status == status)
            return [item_of(row) for row in session.exec(query.offset(skip))]

        return await self._database.read(work)

    async def edit(self, name: str, item_id: int, arguments: Mapping[str, JsonValue]) -> None:
        """Changes some arguments of a pending item. Raises AskError, UnknownName."""

        def change(row: ItemRow) -> None:
            row.arguments = json.dumps({**json.loads(row.arguments), **arguments}, ensure_ascii=False)

        await self._change(name, item_id, change)

    async def skip(self, name: str, item_id: int) -> None:
        """A pending item is left out, and stays in the list as skipped."""

        def change(row: ItemRow) -> None:
            row.status, row.reason, row.finished_at = ItemStatus.SKIPPED, "Skipped by you.", self._now()

        await self._change(name, item_id, change)

    async def allow(self, name: str, item_id: int) -> None:
        """A person says yes to a pending item that a guard asked about."""

        def change(row: ItemRow) -> None:
            row.allowed = True

        await self._change(name, item_id, change)

    async def remove(self, name: str, item_id: int) -> None:
        """Takes a pending item out of the queue."""

        def work(session: Session) -> None:
            session.delete(found_pending(session, name, item_id))

        await self._database.run(work)

    async def move(self, name: str, item_id: int, place: int) -> None:
        """Puts a pending item at a place among the pending ones; 1 is the next to be run."""

        def work(session: Session) -> None:
            row, queue = found_pending(session, name, item_id), found(session, name)
            query = select(ItemRow.position).where(
                *items_of(queue), ItemRow.status == ItemStatus.PENDING, ItemRow.id != row.id
            )
            others = session.exec(in_order(query)).all()
            row.position = _between(others, place)
            session.add(row)

        await self._database.run(work)

    async def again(self, name: str, item_id: int) -> None:
        """A person wants a failed, unconfirmed or skipped item run again: a new attempt."""

        def work(session: Session) -> None:
            row = found_item(session, name, item_id)
            if row.status not in (ItemStatus.FAILED, ItemStatus.UNCONFIRMED, ItemStatus.SKIPPED):
                raise AskError(f"Item {item_id} is {row.status}, so it cannot be run again.")
            row.status, row.attempt, row.reason = ItemStatus.PENDING, row.attempt + 1, ""
            row.claimed_by = row.finished_at = row.run_id = row.value = None
            session.add(row)

        await self._database.run(work)

    async def _change(self, name: str, item_id: int, change: Callable[[ItemRow], None]) -> None:
        def work(session: Session) -> None:
            row = found_pending(session, name, item_id)
            change(row)
            session.add(row)

        await self._database.run(work)

    async def _set(self, name: str, state: State, note: str) -> None:
        def work(session: Session) -> None:
            row = found(session, name)
            row.state, row.note, row.failures_in_row = state, note, 0
            session.add(row)

        await self._database.run(work)


def _fresh(queue_id: int | None) -> dict[str, object]:
    """The columns that every new item has alike; ``allowed`` too, for an executemany takes no defaults."""
    return {
        "queue_id": queue_id,
        "status": ItemStatus.PENDING,
        "reason": "",
        "attempt": 1,
        "allowed": False,
    }


def _between(positions: Sequence[float], place: int) -> float:
    index = min(max(place - 1, 0), len(positions))
    before = positions[index - 1] if index else (positions[0] - 2 if positions else 0.0)
    after = positions[index] if index < len(positions) else before + 2
    return (before + after) / 2
