"""Finds queues and their items in the tables, for the stores. It changes nothing."""

from typing import TypeVar

from sqlalchemy import ColumnElement, func
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from library.errors import AskError, UnknownName
from scheduler.queue_rows import ItemStatus
from scheduler.time_tables import ItemRow, QueueRow

T = TypeVar("T")


def found(session: Session, name: str) -> QueueRow:
    """Raises UnknownName with the nearest names."""
    row = session.exec(select(QueueRow).where(QueueRow.name == name)).first()
    if row is None:
        names = session.exec(select(QueueRow.name).order_by(QueueRow.name)).all()
        hint = "" if names else "To make one: /queue new NAME for SUBROUTINE"
        raise UnknownName("queue", name, names, hint=hint)
    return row


def items_of(queue: QueueRow) -> list[ColumnElement[bool]]:
    """Which items are in it: not those of a sheet that is still being imported."""
    in_queue = [col(ItemRow.queue_id) == queue.id]
    return in_queue if queue.arriving_from is None else [*in_queue, col(ItemRow.id) < queue.arriving_from]


def busy(name: str) -> AskError:
    """While a sheet is imported into a queue."""
    return AskError(f"Other rows are being added to {name} just now. Try again in a minute.")


def end_of(session: Session, queue_id: int | None) -> float:
    """The position after the last item."""
    last = session.exec(select(func.max(ItemRow.position)).where(ItemRow.queue_id == queue_id)).one()
    return (last or 0.0) + 1


def in_order(query: SelectOfScalar[T]) -> SelectOfScalar[T]:
    return query.order_by(col(ItemRow.position), col(ItemRow.id))


def counts_of(session: Session, queue: QueueRow) -> dict[ItemStatus, int]:
    query = select(ItemRow.status, func.count()).where(*items_of(queue)).group_by(ItemRow.status)
    return {ItemStatus(status): count for status, count in session.exec(query)}


def found_item(session: Session, name: str, item_id: int) -> ItemRow:
    """Raises UnknownName."""
    queue = found(session, name)
    row = session.exec(select(ItemRow).where(*items_of(queue), ItemRow.id == item_id)).first()
    if row is None:
        raise UnknownName("item", str(item_id), [], hint=f"/queue show {name} lists those that wait.")
    return row


def found_pending(session: Session, name: str, item_id: int) -> ItemRow:
    """Raises AskError where it is no longer pending, UnknownName."""
    row = found_item(session, name, item_id)
    if row.status != ItemStatus.PENDING:
        raise AskError(f"Item {item_id} is {row.status}; only pending items can be changed.")
    return row
