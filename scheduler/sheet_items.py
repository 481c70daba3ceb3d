"""The items of a queue by the sheet that they came from: imported, read back. It edits none.

An import takes many short transactions, and yet all of it comes at once:

1. The queue's row says from which number on its items are not there yet (``items_of`` leaves them out).
2. The rows are written, a part at a time; others read and write in between.
3. One statement says that they are there.
4. What breaks off before is deleted: at once, or at the next start.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from sqlalchemy import delete, func, update
from sqlmodel import Session, col, select

from library.errors import UnknownName
from scheduler.database import Database
from scheduler.queue_lookup import busy, end_of, found, items_of
from scheduler.queue_rows import Item, ItemStatus, item_of
from scheduler.time_tables import ItemRow, QueueRow

PAGE = 500
PART = 1_000
"""Rows of a sheet that are written, or deleted, in one transaction: who comes meanwhile waits for one."""

OnRows = Callable[[int], None]


class SheetRow(NamedTuple):
    """``line`` in the sheet; ``arguments`` as JSON."""

    line: int
    arguments: str


class _Begun(NamedTuple):
    """``position``: of the first row."""

    queue_id: int | None
    name: str
    position: float


# By hand, for a sheet of 100,000 rows: SQLAlchemy's own executemany takes three times as long.
_IMPORT = (
    "INSERT INTO items (queue_id, position, arguments, sheet, line, status, reason, attempt, allowed)"
    f" VALUES (?, ?, ?, ?, ?, '{ItemStatus.PENDING}', '', 1, 0)"
)


class SheetItems:
    """A sheet is known by the name of its kept file; None stands for items from lines."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._under_way: set[str] = set()
        """The queues that a sheet is imported into."""

    async def import_rows(
        self, name: str, sheet: str, rows: Iterable[SheetRow], *, on_rows: OnRows = lambda _: None
    ) -> int:
        """Appends all rows of a kept sheet, or none: a half import, sent again, would post rows twice.

        ``rows`` are read in another thread. ``on_rows`` is called with the number of rows so far. Raises
        AskError while another sheet is imported; UnknownName, also when the queue is deleted meanwhile."""
        if name in self._under_way:
            raise busy(name)
        self._under_way.add(name)
        try:
            await self._drop(name)
            begun = await self._database.run(lambda session: _begin(session, name))
            count = await self._write(begun, sheet, iter(rows), on_rows)
            await self._database.run(lambda session: _all_there(session, begun.queue_id))
        except BaseException:
            await asyncio.shield(self._give_up(name))
            raise
        self._under_way.discard(name)
        return count

    async def clear(self, name: str) -> None:
        """Takes all items out of a queue, those of lines too: at once for who looks, then a part at a time.

        Raises UnknownName."""
        await self._database.run(lambda session: _hide(session, name))
        await self._drop(name)

    async def settle(self) -> None:
        """After a crash: what had arrived of a sheet goes away again, and what was to be taken out."""
        query = select(QueueRow.name).where(col(QueueRow.arriving_from).is_not(None))
        for name in await self._database.read(lambda session: session.exec(query).all()):
            if name not in self._under_way:
                await self._drop(name)

    async def _give_up(self, name: str) -> None:
        """No other import begins before all of this one is gone."""
        try:
            await self._drop(name)
        finally:
            self._under_way.discard(name)

    async def _write(self, begun: _Begun, sheet: str, rows: Iterator[SheetRow], on_rows: OnRows) -> int:
        count = 0
        while part := await asyncio.to_thread(lambda: list(islice(rows, PART))):
            values = [
                (begun.queue_id, begun.position + n, row.arguments, sheet, row.line)
                for n, row in enumerate(part, start=count)
            ]
            await self._database.run(partial(_insert, name=begun.name, values=values))
            count += len(part)
            on_rows(count)
        return count

    async def _drop(self, name: str) -> None:
        """Deletes what is hidden of a queue, a part at a time, so that nobody waits long."""
        while await self._database.run(lambda session: _drop_part(session, name)):
            pass

    async def names(self, name: str) -> list[str | None]:
        """The sheets that its items came from, in that order."""

        def work(session: Session) -> list[str | None]:
            queue = found(session, name)
            query = (
                select(ItemRow.sheet)
                .where(*items_of(queue))
                .group_by(ItemRow.sheet)
                .order_by(func.min(ItemRow.id))
            )
            return list(session.exec(query))

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
                    *items_of(queue),
                    col(ItemRow.sheet).is_(sheet) if sheet is None else ItemRow.sheet == sheet,
                    col(ItemRow.id) > after,
                )
                .order_by(col(ItemRow.id))
                .limit(PAGE)
            )
            return [item_of(row) for row in session.exec(query)]

        return await self._database.read(work)


def _begin(session: Session, name: str) -> _Begun:
    queue = found(session, name)
    last = session.exec(select(func.max(ItemRow.id))).one()
    queue.arriving_from = (last or 0) + 1
    session.add(queue)
    return _Begun(queue.id, name, end_of(session, queue.id))


def _hide(session: Session, name: str) -> None:
    queue = found(session, name)
    queue.arriving_from = session.exec(select(func.min(ItemRow.id)).where(ItemRow.queue_id == queue.id)).one()
    session.add(queue)


def _insert(session: Session, *, name: str, values: Sequence[tuple[object, ...]]) -> None:
    if session.get(QueueRow, values[0][0]) is None:
        raise UnknownName("queue", name, [])
    session.connection().exec_driver_sql(_IMPORT, list(values))


def _all_there(session: Session, queue_id: int | None) -> None:
    session.exec(update(QueueRow).where(col(QueueRow.id) == queue_id).values(arriving_from=None))


def _drop_part(session: Session, name: str) -> bool:
    """False when nothing is left, and the queue is open again."""
    queue = session.exec(select(QueueRow).where(QueueRow.name == name)).first()
    if queue is None or queue.arriving_from is None:
        return False
    last = session.exec(select(func.max(ItemRow.id))).one() or 0
    start, queue.arriving_from = queue.arriving_from, queue.arriving_from + PART
    part = col(ItemRow.id).between(start, queue.arriving_from - 1)
    session.exec(delete(ItemRow).where(col(ItemRow.queue_id) == queue.id, part))
    if queue.arriving_from > last:
        queue.arriving_from = None
    session.add(queue)
    return queue.arriving_from is not None
