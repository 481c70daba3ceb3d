"""Writes slots: opens those that are due, moves each to its one end. Every step is one durable transaction.

A slot's row is written in the same transaction that moves its schedule on, so that no slot is opened
twice and none is forgotten: not by a crash, not by a clock that is set back.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, or_
from sqlmodel import Session, col, select

from library.models import Run, Status
from scheduler.database import Database
from scheduler.rules import jittered, next_slots
from scheduler.schedule_rows import Schedule, Slot, State, schedule_of, slot_of
from scheduler.schedules import set_next
from scheduler.slots import Due, decide
from scheduler.time_tables import ScheduleRow, SlotRow

AT_ONCE = 200
"""Schedules opened in one transaction."""

MOST_SLOTS = 2_000
"""Slots of one schedule opened in one transaction; the rest of a long sleep follows in the next."""

ALERT_AFTER = 2
DISABLE_AFTER = 10

OPEN = (Status.QUEUED, Status.RUNNING)


@dataclass(frozen=True)
class Opened:
    """What one transaction opened: slots that are over before they began, by their schedule."""

    schedule: Schedule
    ended: Sequence[Slot]


@dataclass(frozen=True)
class Ended:
    """How a slot's end left its schedule."""

    slot: Slot
    schedule: Schedule | None
    """None when it was deleted meanwhile."""


class SlotBook:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def open_due(self, now: datetime) -> list[Opened]:
        """Writes a row for slots whose time has come; call it until it gives nothing. What is due is
        told by our tables alone."""

        def work(session: Session) -> list[Opened]:
            due = (
                select(ScheduleRow)
                .where(ScheduleRow.state == State.ACTIVE, col(ScheduleRow.fire_at) <= now)
                .order_by(col(ScheduleRow.fire_at))
                .limit(AT_ONCE)
            )
            return [_open(session, row, now) for row in session.exec(due).all()]

        return await self._database.run(work)

    async def to_try(
        self, now: datetime, *, most: int, but: Collection[int] = ()
    ) -> list[tuple[Slot, Schedule]]:
        """Open slots whose next attempt is due, oldest first; ``but`` are left out."""

        def work(session: Session) -> list[tuple[Slot, Schedule]]:
            query = (
                select(SlotRow, ScheduleRow)
                .join(ScheduleRow)
                .where(col(SlotRow.status).in_(OPEN), col(SlotRow.try_at) <= now)
                .where(col(SlotRow.id).not_in(but))
                .order_by(col(SlotRow.slot), col(SlotRow.id))
                .limit(most)
            )
            return [(slot_of(slot), schedule_of(schedule)) for slot, schedule in session.exec(query)]

        return await self._database.read(work)

    async def moments(self, schedule_ids: Collection[int]) -> dict[int, datetime]:
        """When each of these schedules has something to do next: a slot, or another attempt at one."""

        def work(session: Session) -> dict[int, datetime]:
            # The state is asked here: with it in the query, SQLite walks through every active schedule.
            due = select(ScheduleRow.id, ScheduleRow.fire_at, ScheduleRow.state).where(
                col(ScheduleRow.id).in_(schedule_ids)
            )
            again = (
                select(SlotRow.schedule_id, SlotRow.try_at)
                .where(col(SlotRow.status) == Status.QUEUED)
                .where(col(SlotRow.schedule_id).in_(schedule_ids))
            )
            found = [(id, at) for id, at, state in session.exec(due) if state == State.ACTIVE]
            moments: dict[int, datetime] = {}
            for schedule_id, at in [*found, *session.exec(again)]:
                if schedule_id is not None and at is not None:
                    moments[schedule_id] = min(at, moments.get(schedule_id, at))
            return moments

        return await self._database.read(work)

    async def last_id(self) -> int:
        """The highest number of a schedule; 0 without any."""
        last = select(func.max(ScheduleRow.id))
        return await self._database.read(lambda session: session.exec(last).one() or 0)

    async def next_moment(self, after: datetime) -> datetime | None:
        """The first moment later than this at which something is to be done."""

        def work(session: Session) -> datetime | None:
            fire_at = select(func.min(ScheduleRow.fire_at)).where(
                ScheduleRow.state == State.ACTIVE, col(ScheduleRow.fire_at) > after
            )
            try_at = select(func.min(SlotRow.try_at)).where(
                col(SlotRow.status).in_(OPEN), col(SlotRow.try_at) > after
            )
            moments = [session.exec(query).one() for query in (fire_at, try_at)]
            return min((at for at in moments if at is not None), default=None)

        return await self._database.read(work)

    async def start(self, slot: Slot) -> bool:
        """An attempt begins. False when the slot has ended, or was deleted, meanwhile."""
        return await self._database.run(lambda session: _update(session, slot.id, status=Status.RUNNING))

    async def wait(self, slot: Slot, until: datetime, reason: str, *, attempt: int) -> None:
        """Another attempt is made later."""
        await self._database.run(
            lambda session: _update(
                session, slot.id, status=Status.QUEUED, try_at=until, reason=reason, attempt=attempt
            )
        )

    async def look_again(self, slot: Slot, at: datetime) -> None:
        """The attempt goes on; how it ends is not known here yet."""
        await self._database.run(lambda session: _update(session, slot.id, try_at=at))

    async def end(
        self, slot: Slot, status: Status, reason: str, *, at: datetime, run_id: str | None
    ) -> Ended:
        """The slot's one end. Counts failures in a row, and disables the schedule after too many."""

        def work(session: Session) -> Ended:
            row = session.get(SlotRow, slot.id)
            if row is None:
                return Ended(slot.model_copy(update={"status": status, "reason": reason}), None)
            schedule = session.get_one(ScheduleRow, row.schedule_id)
            if row.status in OPEN:
                row.status, row.reason, row.run_id = status, reason, run_id
                row.try_at, row.finished_at = None, at
                _count(schedule, status)
                session.add_all([row, schedule])
            return Ended(slot_of(row), schedule_of(schedule))

        return await self._database.run(work)

    def follow(self, session: Session, run: Run) -> None:
        """A person's answer for an unconfirmed run is also its slot's end (``Journal.in_same_commit``)."""
        if run.resolved_by is None:
            return
        for row in session.exec(select(SlotRow).where(SlotRow.run_id == run.id)):
            row.status, row.reason = run.status, run.verdict.rests_on if run.verdict else ""
            session.add(row)


def _open(session: Session, row: ScheduleRow, now: datetime) -> Opened:
    schedule = schedule_of(row)
    due, following = _due(schedule, now)
    busy = (
        select(SlotRow.id)
        .where(SlotRow.schedule_id == schedule.id, col(SlotRow.status).in_(OPEN))
        .where(or_(col(SlotRow.status) == Status.RUNNING, col(SlotRow.deadline) > now))
    )
    decisions = decide(
        due, schedule.terms, now=now, busy=session.exec(busy).first() is not None, following=following
    )
    rows = [
        SlotRow(
            schedule_id=schedule.id,
            slot=decision.slot,
            status=decision.status,
            reason=decision.reason,
            deadline=decision.deadline,
            try_at=now if decision.status is Status.QUEUED else None,
            finished_at=None if decision.status is Status.QUEUED else now,
        )
        for decision in decisions
    ]
    session.add_all(rows)
    set_next(row, schedule.rule, schedule.terms, after=due[-1].slot)
    session.add(row)
    session.flush()
    return Opened(schedule, [slot_of(item) for item in rows if item.finished_at is not None])


def _due(schedule: Schedule, now: datetime) -> tuple[list[Due], Due | None]:
    """The slots that are due, at least the one the row holds, and the one that follows them."""
    assert schedule.next_at is not None
    due: list[Due] = []
    slot: datetime | None = schedule.next_at
    while slot is not None:
        item = Due(slot, jittered(slot, schedule_id=schedule.id, most=schedule.terms.jitter))
        if due and (item.fire_at > now or len(due) >= MOST_SLOTS):
            return due, item
        due.append(item)
        later = next_slots(schedule.rule, slot, 1)
        slot = later[0] if later else None
    return due, None


def _update(session: Session, slot_id: int, **values: object) -> bool:
    row = session.get(SlotRow, slot_id)
    if row is None or row.status not in OPEN:
        return False
    for name, value in values.items():
        setattr(row, name, value)
    session.add(row)
    return True


def _count(row: ScheduleRow, status: Status) -> None:
    if status is Status.DONE:
        row.failures_in_row = 0
    elif status is Status.FAILED:
        row.failures_in_row += 1
        if row.failures_in_row >= DISABLE_AFTER and row.state == State.ACTIVE:
            row.state = State.DISABLED
            row.note = f"Failed {row.failures_in_row} times in a row."
