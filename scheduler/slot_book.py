"""Writes slots: opens those that are due, moves each to its one end. Every step is one durable transaction.

A slot's row is written in the same transaction that moves its schedule on, so that no slot is opened
twice and none is forgotten: not by a crash, not by a clock that is set back. What its chat
must be told is written down there too, and where a slot ends.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, insert, or_, update
from sqlmodel import Session, SQLModel, col, select

from library.models import ChatRef, Run, Status
from scheduler.database import Database
from scheduler.rules import jittered, next_slots
from scheduler.schedule_rows import Schedule, Slot, State, schedule_of, slot_of
from scheduler.schedules import move_to
from scheduler.slot_tellings import DISABLE_AFTER, of_end, of_run, of_unrun
from scheduler.slots import Decision, Due, decide
from scheduler.time_tables import ScheduleRow, SlotRow
from scheduler.untold import Telling, tell_later

AT_ONCE = 200
"""Schedules opened in one transaction."""

MOST_SLOTS = 2_000
"""Slots of one schedule opened in one transaction; the rest of a long sleep follows in the next."""

OPEN = (Status.QUEUED, Status.RUNNING)

# Written once and run as they are, as in the journal: building these costs more than the disk does.
_IS_OPEN = col(SlotRow.status).in_([status.value for status in OPEN])
_DUE = (
    select(ScheduleRow)
    .where(ScheduleRow.state == State.ACTIVE.value, col(ScheduleRow.fire_at) <= bindparam("now"))
    .order_by(col(ScheduleRow.fire_at))
    .limit(AT_ONCE)
)
_BUSY = (
    select(SlotRow.schedule_id)
    .where(col(SlotRow.schedule_id).in_(bindparam("ids", expanding=True)), _IS_OPEN)
    .where(or_(col(SlotRow.status) == Status.RUNNING.value, col(SlotRow.deadline) > bindparam("now")))
)
_TO_TRY = (
    select(SlotRow, ScheduleRow)
    .join(ScheduleRow)
    .where(_IS_OPEN, col(SlotRow.try_at) <= bindparam("now"))
    .where(col(SlotRow.id).not_in(bindparam("but", expanding=True)))
    .order_by(col(SlotRow.slot), col(SlotRow.id))
    .limit(bindparam("most"))
)
_ONE = select(SlotRow, ScheduleRow).join(ScheduleRow).where(SlotRow.id == bindparam("slot_id"))
_SLOTS, _SCHEDULES = SQLModel.metadata.tables["slots"], SQLModel.metadata.tables["schedules"]
_INSERT = insert(_SLOTS)
_UPDATE_OPEN = update(_SLOTS).where(
    _SLOTS.c.id == bindparam("slot_id"), _SLOTS.c.status.in_([status.value for status in OPEN])
)
_START = _UPDATE_OPEN.values(status=Status.RUNNING.value)
_END = _UPDATE_OPEN.values(
    status=bindparam("end"),
    reason=bindparam("why"),
    run_id=bindparam("run"),
    try_at=None,
    finished_at=bindparam("at"),
)
_NO_FAILURES = (
    update(_SCHEDULES)
    .where(_SCHEDULES.c.id == bindparam("schedule"), _SCHEDULES.c.failures_in_row != 0)
    .values(failures_in_row=0)
)


@dataclass(frozen=True)
class Opened:
    """That slots of one schedule were opened, and what its chat is to be told of those that were over before
    they began."""

    schedule: Schedule
    tellings: Sequence[Telling]


@dataclass(frozen=True)
class Look:
    """What one transaction opened, and what is to be tried now."""

    opened: Sequence[Opened]
    to_try: Sequence[tuple[Slot, Schedule]]
    """Open slots whose next attempt is due, oldest first."""
    more: bool
    """More schedules are due: look again."""


class SlotBook:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def look(self, now: datetime, *, most: int, but: Collection[int] = ()) -> Look:
        """Writes a row for each slot whose time has come, and gives at most ``most`` slots to be tried,
        ``but`` left out. What is due is told by our tables alone."""

        def work(session: Session) -> Look:
            due = session.exec(_DUE, params={"now": now}).all()
            opened = _open(session, due, now) if due else []
            trying = {"now": now, "most": most, "but": list(but)}
            return Look(
                opened,
                [(slot_of(slot), schedule_of(row)) for slot, row in session.exec(_TO_TRY, params=trying)],
                more=len(due) == AT_ONCE or any(row.fire_at and row.fire_at <= now for row in due),
            )

        return await self._database.run(work)

    async def start(self, slot: Slot) -> bool:
        """An attempt begins. False when the slot has ended, or was deleted, meanwhile."""

        def work(session: Session) -> bool:
            return session.connection().execute(_START, {"slot_id": slot.id}).rowcount == 1

        return await self._database.run(work)

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
        self,
        slot: Slot,
        status: Status,
        reason: str,
        *,
        at: datetime,
        run_id: str | None,
        chat: ChatRef | None,
    ) -> list[Telling]:
        """The slot's one end; gives what is to be told of it. Counts failures in a row, and disables the
        schedule after too many. ``chat``: of its schedule, which may be deleted by now."""
        values = {"slot_id": slot.id, "end": status, "why": reason, "run": run_id, "at": at}

        def work(session: Session) -> list[Telling]:
            if session.connection().execute(_END, values).rowcount == 0:
                # Of a schedule that was deleted meanwhile, only what was carried out is still of interest.
                was_deleted = session.get(SlotRow, slot.id) is None
                messages = of_run(chat, run_id) if was_deleted and run_id is not None else []
                return [tell_later(session, message) for message in messages]
            _count(session, slot.schedule_id, status)
            ended, schedule = session.exec(_ONE, params={"slot_id": slot.id}).one()
            messages = of_end(slot_of(ended), schedule_of(schedule))
            return [tell_later(session, message) for message in messages]

        return await self._database.run(work)

    def follow(self, session: Session, run: Run) -> None:
        """A person's answer for an unconfirmed run is also its slot's end (``Journal.in_same_commit``)."""
        if run.resolved_by is None:
            return
        for row in session.exec(select(SlotRow).where(SlotRow.run_id == run.id)):
            row.status, row.reason = run.status, run.verdict.rests_on if run.verdict else ""
            session.add(row)


def _open(session: Session, due: Sequence[ScheduleRow], now: datetime) -> list[Opened]:
    """The slots of all these schedules, in a handful of statements."""
    asked = {"ids": [row.id for row in due], "now": now}
    busy = set(session.connection().execute(_BUSY, asked).scalars())
    opened: list[Opened] = []
    slots: list[dict[str, object]] = []
    for row in due:
        schedule = schedule_of(row)
        decisions = _move_on(row, schedule, now, busy=row.id in busy)
        slots += [_values(schedule, decision, now) for decision in decisions]
        over = [decision for decision in decisions if decision.status is not Status.QUEUED]
        tellings = [tell_later(session, message) for message in of_unrun(schedule, over)]
        opened.append(Opened(schedule, tellings))
    session.add_all(due)
    session.connection().execute(_INSERT, slots)
    return opened


def _move_on(row: ScheduleRow, schedule: Schedule, now: datetime, *, busy: bool) -> list[Decision]:
    """Moves the row to its next slot to come, and decides on those that it leaves behind."""
    due, following = _due(schedule, now)
    move_to(row, following.slot if following else None, schedule.terms)
    return decide(due, schedule.terms, now=now, busy=busy, following=following)


def _values(schedule: Schedule, decision: Decision, now: datetime) -> dict[str, object]:
    """The columns of a new slot."""
    is_open = decision.status is Status.QUEUED
    return {
        "schedule_id": schedule.id,
        "slot": decision.slot,
        "status": decision.status.value,
        "reason": decision.reason,
        "attempt": 1,
        "deadline": decision.deadline,
        "try_at": decision.slot if is_open else None,
        "finished_at": None if is_open else now,
    }


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


def _count(session: Session, schedule_id: int, status: Status) -> None:
    if status is Status.DONE:
        session.connection().execute(_NO_FAILURES, {"schedule": schedule_id})
    elif status is Status.FAILED:
        row = session.get_one(ScheduleRow, schedule_id)
        row.failures_in_row += 1
        if row.failures_in_row >= DISABLE_AFTER and row.state == State.ACTIVE:
            row.state = State.DISABLED
            row.note = f"Failed {row.failures_in_row} times in a row."
        session.add(row)
