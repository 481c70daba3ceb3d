"""Finds queues and their items in the tables, for the stores. It changes nothing."""

from typing import TypeVar

from sqlalchemy import func
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
        raise UnknownName("queue", name, session.exec(select(QueueRow.name).order_by(QueueRow.name)).all())
    return row


def end_of(session: Session, queue_id: int | None) -> float:
    """The position after the last item."""
    last = session.exec(select(func.max(ItemRow.position)).where(ItemRow.queue_id == queue_id)).one()
    return (last or 0.0) + 1


def in_order(query: SelectOfScalar[T]) -> SelectOfScalar[T]:
    return query.order_by(col(ItemRow.position), col(ItemRow.id))


def counts_of(session: Session, queue_id: int | None) -> dict[ItemStatus, int]:
    query = select(ItemRow.status, func.count()).where(ItemRow.queue_id == queue_id).group_by(ItemRow.status)
    return {ItemStatus(status): count for status, count in session.exec(query)}


def found_item(session: Session, name: str, item_id: int) -> ItemRow:
    """Raises UnknownName."""
    queue, row = found(session, name), session.get(ItemRow, item_id)
    if row is None or row.queue_id != queue.id:
        raise UnknownName("item", str(item_id), [], hint=f"/queue show {name} lists those that wait.")
    return row


def found_pending(session: Session, name: str, item_id: int) -> ItemRow:
    """Raises AskError where it is no longer pending, UnknownName."""
    row = found_item(session, name, item_id)
    if row.status != ItemStatus.PENDING:
        raise AskError(f"Item {item_id} is {row.status}; only pending items can be changed.")
    return row
