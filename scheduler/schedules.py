"""Saved schedules: kept, listed, paused, deleted, and what comes next. It runs nothing, and reading
changes nothing."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import func, or_
from sqlmodel import Session, col, select

from library.errors import AskError, UnknownName
from library.models import Call, ChatRef, Word
from scheduler.database import Database
from scheduler.rules import Rule, after_pause, jittered, next_slots, slots_between, to_json
from scheduler.schedule_rows import Schedule, Slot, State, Terms, schedule_of, slot_of
from scheduler.time_tables import ScheduleRow, SlotRow

MOST_UPCOMING = 500
NO_MORE = "Its rule has no more slots."


class Upcoming(Word):
    """A slot to come."""

    at: datetime
    schedule: Schedule


class Schedules:
    """``changed`` is called with a schedule's id whenever its next moment may have moved."""

    def __init__(
        self,
        database: Database,
        *,
        now: Callable[[], datetime],
        changed: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._database = database
        self._now = now
        self.changed = changed

    async def save(self, call: Call, rule: Rule, words: str, terms: Terms) -> Schedule:
        """Keeps a call whose name, arguments and rule were checked. Its first slot is the rule's next one."""

        def work(session: Session) -> Schedule:
            row = ScheduleRow(
                name=call.name,
                call=call.model_dump_json(),
                rule=to_json(rule),
                words=words,
                terms=terms.model_dump_json(),
                state=State.ACTIVE,
                channel=call.chat.channel if call.chat else None,
                chat_id=call.chat.id if call.chat else None,
                created_at=self._now(),
            )
            session.add(row)
            session.flush()
            set_next(row, rule, terms, after=self._now())
            session.add(row)
            return schedule_of(row)

        saved = await self._database.run(work)
        self.changed(saved.id)
        return saved

    async def all(self) -> list[Schedule]:
        """All of them that have not ended, in the order of their numbers."""
        query = select(ScheduleRow).where(ScheduleRow.state != State.ENDED).order_by(col(ScheduleRow.id))
        return await self._database.read(lambda session: [schedule_of(row) for row in session.exec(query)])

    async def with_slots(self, since: datetime) -> list[Schedule]:
        """Those that have not ended, and ended ones with a slot since then, in the order of their numbers."""
        lately = select(SlotRow.schedule_id).where(col(SlotRow.slot) >= since)
        of_interest = or_(col(ScheduleRow.state) != State.ENDED, col(ScheduleRow.id).in_(lately))
        query = select(ScheduleRow).where(of_interest).order_by(col(ScheduleRow.id))
        return await self._database.read(lambda session: [schedule_of(row) for row in session.exec(query)])

    async def find(self, what: str) -> Schedule:
        """By ``#3``, ``3``, or the name of its subroutine when only one has it; of ended ones, the newest.

        Raises UnknownName, AskError."""
        return await self._database.read(lambda session: schedule_of(_found(session, what)))

    async def pause(self, what: str) -> Schedule:
        """Until ``resume``; slots that pass meanwhile are not due."""
        return await self._change(what, lambda _, row: _pause(row))

    async def resume(self, what: str) -> Schedule:
        """Goes on with the next slot from now; also for one that was disabled. It uses up no ``times=``."""
        return await self._change(what, lambda session, row: _resume(session, row, self._now()))

    async def delete(self, what: str) -> Schedule:
        """Deletes it and its slots; its runs stay in the journal."""

        def work(session: Session) -> Schedule:
            row = _found(session, what)
            session.delete(row)
            return schedule_of(row)

        deleted = await self._database.run(work)
        self.changed(deleted.id)
        return deleted

    async def upcoming(self, span: timedelta = timedelta(hours=24)) -> Sequence[Upcoming]:
        """The slots of all active schedules within the span, in order; at most 500."""
        now = self._now()
        listed = [schedule for schedule in await self.all() if schedule.state is State.ACTIVE]
        coming = [
            Upcoming(at=at, schedule=schedule)
            for schedule in listed
            if schedule.next_at is not None
            for at in slots_between(schedule.rule, schedule.next_at - timedelta(microseconds=1), now + span)
        ]
        return sorted(coming, key=lambda item: (item.at, item.schedule.id))[:MOST_UPCOMING]

    async def slots(
        self, schedule_id: int | None = None, *, since: datetime | None = None, limit: int = 20
    ) -> list[Slot]:
        """The newest slots that have come, newest first: of one schedule, or of all."""
        query = select(SlotRow).order_by(col(SlotRow.slot).desc(), col(SlotRow.id).desc()).limit(limit)
        if schedule_id is not None:
            query = query.where(SlotRow.schedule_id == schedule_id)
        if since is not None:
            query = query.where(col(SlotRow.slot) >= since)
        return await self._database.read(lambda session: [slot_of(row) for row in session.exec(query)])

    async def call_now(self, what: str, *, claim: str, asked_by: str, chat: ChatRef | None) -> Call:
        """The call of a schedule, to be dispatched now without disturbing its slots. Raises as ``find``."""
        schedule = await self.find(what)
        if schedule.terms.queue is not None:
            raise AskError(
                f"{schedule.title} takes its arguments from the queue {schedule.terms.queue}. "
                f"Send /queue run {schedule.terms.queue} {schedule.terms.take} instead."
            )
        return schedule.call.model_copy(update={"claim": claim, "asked_by": asked_by, "chat": chat})

    async def _change(self, what: str, change: Callable[[Session, ScheduleRow], None]) -> Schedule:
        def work(session: Session) -> Schedule:
            row = _found(session, what)
            change(session, row)
            session.add(row)
            return schedule_of(row)

        changed = await self._database.run(work)
        self.changed(changed.id)
        return changed


def set_next(row: ScheduleRow, rule: Rule, terms: Terms, *, after: datetime) -> None:
    """Moves the row to the rule's first slot after a moment; without one it has ended."""
    slots = next_slots(rule, after, 1)
    move_to(row, slots[0] if slots else None, terms)


def move_to(row: ScheduleRow, slot: datetime | None, terms: Terms) -> None:
    """Makes this the row's next slot; without one it has ended."""
    row.next_at = slot
    row.fire_at = jittered(slot, schedule_id=row.id or 0, most=terms.jitter) if slot else None
    if slot is None:
        row.state, row.note = State.ENDED, NO_MORE


def _pause(row: ScheduleRow) -> None:
    row.state, row.note = State.PAUSED, "Paused by you."


def _resume(session: Session, row: ScheduleRow, now: datetime) -> None:
    if row.state in (State.ACTIVE, State.ENDED):
        return
    schedule = schedule_of(row)
    row.state, row.note, row.failures_in_row = State.ACTIVE, "", 0
    came = session.exec(select(func.count()).where(SlotRow.schedule_id == row.id)).one()
    rule = after_pause(schedule.rule, now=now, came=came)
    if rule is None:
        row.next_at = row.fire_at = None
        row.state, row.note = State.ENDED, NO_MORE
        return
    row.rule = to_json(rule)
    set_next(row, rule, schedule.terms, after=now)


def _found(session: Session, what: str) -> ScheduleRow:
    number = what.removeprefix("#")
    if number.isdecimal():
        row = session.get(ScheduleRow, int(number))
        if row is not None:
            return row
    rows = session.exec(select(ScheduleRow).order_by(col(ScheduleRow.id))).all()
    called = [row for row in rows if row.name == what]
    named = [row for row in called if row.state != State.ENDED] or called[-1:]
    if len(named) == 1:
        return named[0]
    if named:
        numbers = ", ".join(f"#{row.id}" for row in named)
        raise AskError(f'"{what}" is scheduled {len(named)} times: {numbers}. Say which by its number.')
    known = [name for row in rows for name in (row.name, f"#{row.id}")]
    raise UnknownName("schedule", f"#{number}" if number.isdecimal() else what, sorted(set(known)))
