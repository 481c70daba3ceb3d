"""Takes items out of queues and ends them with their runs. Every step is one durable transaction.

An item is ``claimed`` before its run is asked for, and it ends in the same commit as its run. The
breaker counts there too: after some failures in a row, or one unconfirmed write, the queue is stopped.
"""

import json
from collections.abc import Callable
from datetime import datetime

from sqlalchemy import ColumnElement, bindparam, update
from sqlmodel import Session, SQLModel, col, select

from library.models import Run, Status
from scheduler.broken_work import tell_of_broken_work
from scheduler.database import Database
from scheduler.guards import Guards
from scheduler.prepared import Prepared
from scheduler.queue_lookup import found, in_order, items_of
from scheduler.queue_rows import Item, ItemStatus, Queue, item_of, item_of_claim, queue_of
from scheduler.schedule_rows import State
from scheduler.time_tables import ItemRow, QueueRow

NOT_SENT = ("NO_BROWSER", "BROWSER_NOT_CHOSEN")
"""Faults of the home, not of the item: it stays pending."""

ENDS = {
    Status.DONE: ItemStatus.DONE,
    Status.FAILED: ItemStatus.FAILED,
    Status.UNCONFIRMED: ItemStatus.UNCONFIRMED,
    Status.CANCELLED: ItemStatus.SKIPPED,
    Status.SKIPPED: ItemStatus.SKIPPED,
    Status.MISSED: ItemStatus.SKIPPED,
}


# Written once and run as they are, as in the journal: they are run for every item.
_ITEMS, _QUEUES = (SQLModel.metadata.tables[name] for name in ("items", "queues"))
_DONE = Prepared(
    update(_ITEMS)
    .where(_ITEMS.c.id == bindparam("which"), _ITEMS.c.attempt == bindparam("of_attempt"))
    .values(
        status=ItemStatus.DONE.value,
        **{name: bindparam(name) for name in ("reason", "run_id", "value", "finished_at")},
    )
)
_NO_FAILURES = Prepared(
    update(_QUEUES)
    .where(_QUEUES.c.id == bindparam("which"), _QUEUES.c.failures_in_row != 0)
    .values(failures_in_row=0)
)


class ItemBook:
    def __init__(self, database: Database, *, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def take(self, name: str, most: int, *, by: str) -> tuple[Queue, list[Item]]:
        """Claims the next pending items for a piece of work; first come those it had claimed before a
        crash."""

        def work(session: Session) -> tuple[Queue, list[Item]]:
            queue = found(session, name)
            of_queue = in_order(select(ItemRow).where(*items_of(queue)))
            if queue.state != State.ACTIVE:
                return queue_of(queue, {}), []
            mine = of_queue.where(ItemRow.status == ItemStatus.CLAIMED, ItemRow.claimed_by == by)
            pending = of_queue.where(ItemRow.status == ItemStatus.PENDING).limit(most)
            rows = session.exec(mine).all() or session.exec(pending).all()
            for row in rows:
                row.status, row.claimed_by = ItemStatus.CLAIMED, by
                session.add(row)
            session.flush()
            return queue_of(queue, {}), [item_of(row) for row in rows]

        return await self._database.run(work)

    async def taken(self, by: str) -> list[Item]:
        """Everything a piece of work has claimed so far, whatever became of it."""
        query = select(ItemRow).where(ItemRow.claimed_by == by).order_by(col(ItemRow.position))
        return await self._database.read(lambda session: [item_of(row) for row in session.exec(query)])

    async def give_back(self, by: str) -> None:
        """What the work claimed and did not finish is pending again."""
        await self._database.run(lambda session: _release(session, ItemRow.claimed_by == by))

    async def refuse(self, item: Item, reason: str) -> str:
        """Ends an item that got no run, because its arguments do not fit; gives the note of a queue
        that stops."""

        def work(session: Session) -> str:
            row = session.get(ItemRow, item.id)
            if row is not None and row.status == ItemStatus.CLAIMED:
                _end(session, row, ItemStatus.FAILED, reason, self._now())
            return session.get_one(QueueRow, item.queue_id).note

        return await self._database.run(work)

    async def settle(self) -> None:
        """After a crash, and after the crash rule for runs: items of works that are no more are pending
        again, under the same claim, and their chats will be told. Slots keep theirs."""

        def work(session: Session) -> None:
            _release(session, col(ItemRow.claimed_by).startswith("work:"))
            session.flush()
            tell_of_broken_work(session)

        await self._database.run(work)

    def follow(self, session: Session, run: Run) -> None:
        """Ends the item of a run that ends (``Journal.in_same_commit``)."""
        item_id = item_of_claim(run.call.claim)
        if item_id is None:
            return
        if run.status is Status.DONE and run.resolved_by is None:
            self._done(session, run)
            return
        row = session.get(ItemRow, item_id)
        if row is None or item_of(row).claim != run.call.claim:
            return
        fault = run.evidence.fault if run.evidence else None
        if fault is not None and fault.code in NOT_SENT:
            row.status, row.attempt, row.claimed_by = ItemStatus.PENDING, row.attempt + 1, None
            row.reason = fault.message
            session.add(row)
            return
        row.run_id, row.value = run.id, _value(run)
        reason = run.verdict.rests_on if run.verdict else ""
        _end(session, row, ENDS[run.status], reason, self._now(), counts=run.resolved_by is None)

    def _done(self, session: Session, run: Run) -> None:
        """What most items come to: two statements, and no rows read."""
        _, queue_id, item_id, attempt = run.call.claim.split(":")
        end = {
            "which": int(item_id),
            "of_attempt": int(attempt),
            "reason": run.verdict.rests_on if run.verdict else "",
            "run_id": run.id,
            "value": _value(run),
            "finished_at": self._now(),
        }
        if _DONE.run(session, end).rowcount == 1:
            _NO_FAILURES.run(session, {"which": int(queue_id)})


def _value(run: Run) -> str | None:
    """What the run returned, as JSON."""
    if run.evidence is None or run.evidence.value is None:
        return None
    return json.dumps(run.evidence.value, ensure_ascii=False)


def _release(session: Session, which: ColumnElement[bool] | bool) -> None:
    rows = session.exec(select(ItemRow).where(which, ItemRow.status == ItemStatus.CLAIMED)).all()
    for row in rows:
        row.status, row.claimed_by = ItemStatus.PENDING, None
        session.add(row)


def _end(
    session: Session, row: ItemRow, status: ItemStatus, reason: str, at: datetime, *, counts: bool = True
) -> None:
    row.status, row.reason, row.finished_at = status, reason, at
    session.add(row)
    if counts:
        queue = session.get_one(QueueRow, row.queue_id)
        _count(queue, status, reason)
        session.add(queue)


def _count(queue: QueueRow, status: ItemStatus, reason: str) -> None:
    if status is ItemStatus.DONE:
        queue.failures_in_row = 0
        return
    if status is ItemStatus.FAILED:
        queue.failures_in_row += 1
    unproven = status is ItemStatus.UNCONFIRMED
    most = Guards.model_validate_json(queue.guards).failures_in_a_row
    if queue.state == State.ACTIVE and (unproven or queue.failures_in_row >= most):
        what = "an item is unconfirmed" if unproven else f"{queue.failures_in_row} items failed in a row"
        queue.state, queue.note = State.DISABLED, f"Stopped, because {what}. The last said: {reason}"
