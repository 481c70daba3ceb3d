"""Queues and their items as people handle them: kept, filled, edited, listed. It runs nothing."""

import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import NamedTuple, TypeVar

from pydantic import JsonValue
from sqlalchemy import func, insert
from sqlmodel import Session, SQLModel, col, select
from sqlmodel.sql.expression import SelectOfScalar

from library.errors import AskError, UnknownName
from library.models import ChatRef
from scheduler.database import Database
from scheduler.guards import Guards
from scheduler.queue_rows import Item, ItemStatus, Queue, item_of, queue_of
from scheduler.schedule_rows import State
from scheduler.time_tables import ItemRow, QueueRow

T = TypeVar("T")

PAGE = 500
PART = 1_000
"""Rows of a sheet that are written at once."""

OnRows = Callable[[int], None]


class SheetRow(NamedTuple):
    """``line`` in the sheet; ``arguments`` as JSON."""

    line: int
    arguments: str


_INSERT = insert(SQLModel.metadata.tables["items"])
# By hand, for a sheet of 100,000 rows: SQLAlchemy's own executemany takes three times as long.
_IMPORT = (
    "INSERT INTO items (queue_id, position, arguments, sheet, line, status, reason, attempt, allowed)"
    f" VALUES (?, ?, ?, ?, ?, '{ItemStatus.PENDING}', '', 1, 0)"
)


class Queues:
    def __init__(self, database: Database, *, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

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
            return [queue_of(row, _counts(session, row.id)) for row in rows]

        return await self._database.read(work)

    async def get(self, name: str) -> Queue:
        """Raises UnknownName."""

        def work(session: Session) -> Queue:
            row = found(session, name)
            return queue_of(row, _counts(session, row.id))

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
        await self._database.run(lambda session: session.delete(found(session, name)))

    # --- items ---

    async def add(self, name: str, rows: Sequence[Mapping[str, JsonValue]]) -> int:
        """Appends rows of typed arguments; gives how many."""

        def work(session: Session) -> int:
            queue = found(session, name)
            start, fixed = _end_of(session, queue.id), _fresh(queue.id)
            values = [
                {**fixed, "position": start + n, "arguments": json.dumps(dict(row), ensure_ascii=False)}
                for n, row in enumerate(rows)
            ]
            if values:
                session.connection().execute(_INSERT, values)
            return len(values)

        return await self._database.run(work)

    async def import_rows(
        self, name: str, sheet: str, rows: Iterable[SheetRow], *, on_rows: OnRows = lambda _: None
    ) -> int:
        """Appends all rows of a kept sheet, or none: a half import, sent again, would post rows twice.

        ``on_rows`` is called in another thread with the number of rows so far."""

        def work(session: Session) -> int:
            queue = found(session, name)
            position, count = _end_of(session, queue.id), 0
            driver = session.connection().exec_driver_sql
            waiting = iter(rows)
            while part := list(islice(waiting, PART)):
                numbered = enumerate(part, start=count)
                driver(
                    _IMPORT,
                    [(queue.id, position + n, row.arguments, sheet, row.line) for n, row in numbered],
                )
                count += len(part)
                on_rows(count)
            return count

        return await self._database.run(work)

    async def sheets(self, name: str) -> list[str | None]:
        """The kept sheets that its items came from, in that order; None stands for items from lines."""

        def work(session: Session) -> list[str | None]:
            queue = found(session, name)
            query = (
                select(ItemRow.sheet)
                .where(ItemRow.queue_id == queue.id)
                .group_by(ItemRow.sheet)
                .order_by(func.min(ItemRow.id))
            )
            return list(session.exec(query))

        return await self._database.read(work)

    async def items(
        self, name: str, *, status: ItemStatus | None = None, limit: int = 20, skip: int = 0
    ) -> list[Item]:
        """In their order."""

        def work(session: Session) -> list[Item]:
            queue = found(session, name)
            query = in_order(select(ItemRow).where(ItemRow.queue_id == queue.id)).limit(limit)
            if status is not None:
                query = query.where(ItemRow.status == status)
            return [item_of(row) for row in session.exec(query.offset(skip))]

        return await self._database.read(work)

    async def pages(self, name: str, *, sheet: str | None) -> AsyncIterator[list[Item]]:
        """All items of a sheet (None: of no sheet) as they came, 500 at a time, in bounded memory."""
        last = 0
        while page := await self._page(name, sheet, after=last):
            yield page
            last = page[-1].id

    async def _page(self, name: str, sheet: str | None, *, after: int) -> list[Item]:
        def work(session: Session) -> list[Item]:
            queue = found(session, name)
            query = (
                select(ItemRow)
                .where(
                    ItemRow.queue_id == queue.id,
                    col(ItemRow.sheet).is_(sheet) if sheet is None else ItemRow.sheet == sheet,
                    col(ItemRow.id) > after,
                )
                .order_by(col(ItemRow.id))
                .limit(PAGE)
            )
            return [item_of(row) for row in session.exec(query)]

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
            session.delete(_pending(session, name, item_id))

        await self._database.run(work)

    async def move(self, name: str, item_id: int, place: int) -> None:
        """Puts a pending item at a place among the pending ones; 1 is the next to be run."""

        def work(session: Session) -> None:
            row = _pending(session, name, item_id)
            query = select(ItemRow.position).where(
                ItemRow.queue_id == row.queue_id, ItemRow.status == ItemStatus.PENDING, ItemRow.id != row.id
            )
            others = session.exec(in_order(query)).all()
            row.position = _between(others, place)
            session.add(row)

        await self._database.run(work)

    async def again(self, name: str, item_id: int) -> None:
        """A person wants a failed, unconfirmed or skipped item run again: a new attempt."""

        def work(session: Session) -> None:
            row = _item(session, name, item_id)
            if row.status not in (ItemStatus.FAILED, ItemStatus.UNCONFIRMED, ItemStatus.SKIPPED):
                raise AskError(f"Item {item_id} is {row.status}, so it cannot be run again.")
            row.status, row.attempt, row.reason = ItemStatus.PENDING, row.attempt + 1, ""
            row.claimed_by = row.finished_at = row.run_id = row.value = None
            session.add(row)

        await self._database.run(work)

    async def _change(self, name: str, item_id: int, change: Callable[[ItemRow], None]) -> None:
        def work(session: Session) -> None:
            row = _pending(session, name, item_id)
            change(row)
            session.add(row)

        await self._database.run(work)

    async def _set(self, name: str, state: State, note: str) -> None:
        def work(session: Session) -> None:
            row = found(session, name)
            row.state, row.note, row.failures_in_row = state, note, 0
            session.add(row)

        await self._database.run(work)


def found(session: Session, name: str) -> QueueRow:
    """Raises UnknownName with the nearest names."""
    row = session.exec(select(QueueRow).where(QueueRow.name == name)).first()
    if row is None:
        raise UnknownName("queue", name, session.exec(select(QueueRow.name).order_by(QueueRow.name)).all())
    return row


def _end_of(session: Session, queue_id: int | None) -> float:
    """The position after the last item."""
    last = session.exec(select(func.max(ItemRow.position)).where(ItemRow.queue_id == queue_id)).one()
    return (last or 0.0) + 1


def _fresh(queue_id: int | None) -> dict[str, object]:
    """The columns that every new item has alike; ``allowed`` too, for an executemany takes no defaults."""
    return {
        "queue_id": queue_id,
        "status": ItemStatus.PENDING,
        "reason": "",
        "attempt": 1,
        "allowed": False,
    }


def in_order(query: SelectOfScalar[T]) -> SelectOfScalar[T]:
    return query.order_by(col(ItemRow.position), col(ItemRow.id))


def _counts(session: Session, queue_id: int | None) -> dict[ItemStatus, int]:
    query = select(ItemRow.status, func.count()).where(ItemRow.queue_id == queue_id).group_by(ItemRow.status)
    return {ItemStatus(status): count for status, count in session.exec(query)}


def _item(session: Session, name: str, item_id: int) -> ItemRow:
    queue, row = found(session, name), session.get(ItemRow, item_id)
    if row is None or row.queue_id != queue.id:
        raise UnknownName("item", str(item_id), [])
    return row


def _pending(session: Session, name: str, item_id: int) -> ItemRow:
    row = _item(session, name, item_id)
    if row.status != ItemStatus.PENDING:
        raise AskError(f"Item {item_id} is {row.status}; only pending items can be changed.")
    return row


def _between(positions: Sequence[float], place: int) -> float:
    index = min(max(place - 1, 0), len(positions))
    before = positions[index - 1] if index else (positions[0] - 2 if positions else 0.0)
    after = positions[index] if index < len(positions) else before + 2
    return (before + after) / 2
