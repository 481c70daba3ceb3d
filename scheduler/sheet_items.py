"""The items of a queue by the sheet that they came from: imported in one go, read back. It edits none."""

from collections.abc import AsyncIterator, Callable, Iterable
from itertools import islice
from typing import NamedTuple

from sqlalchemy import func
from sqlmodel import Session, col, select

from scheduler.database import Database
from scheduler.queue_lookup import end_of, found
from scheduler.queue_rows import Item, ItemStatus, item_of
from scheduler.time_tables import ItemRow

PAGE = 500
PART = 1_000
"""Rows of a sheet that are written at once."""

OnRows = Callable[[int], None]


class SheetRow(NamedTuple):
    """``line`` in the sheet; ``arguments`` as JSON."""

    line: int
    arguments: str


# By hand, for a sheet of 100,000 rows: SQLAlchemy's own executemany takes three times as long.
_IMPORT = (
    "INSERT INTO items (queue_id, position, arguments, sheet, line, status, reason, attempt, allowed)"
    f" VALUES (?, ?, ?, ?, ?, '{ItemStatus.PENDING}', '', 1, 0)"
)


class SheetItems:
    """A sheet is known by the name of its kept file; None stands for items from lines."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def import_rows(
        self, name: str, sheet: str, rows: Iterable[SheetRow], *, on_rows: OnRows = lambda _: None
    ) -> int:
        """Appends all rows of a kept sheet, or none: a half import, sent again, would post rows twice.

        ``on_rows`` is called in another thread with the number of rows so far."""

        def work(session: Session) -> int:
            queue = found(session, name)
            position, count = end_of(session, queue.id), 0
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

    async def names(self, name: str) -> list[str | None]:
        """The sheets that its items came from, in that order."""

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
