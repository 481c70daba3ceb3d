"""What the tables tell the clock: when schedules, and firings that are tried later, have something to do.
It changes nothing."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import BindParameter, bindparam, func
from sqlmodel import Session, col, select

from library.models import Status
from scheduler.database import Database
from scheduler.schedule_rows import State
from scheduler.time_tables import FiringRow, ScheduleRow, SlotRow

# Written once, as in the journal: the clock asks them at every look.
_AFTER: BindParameter[datetime] = bindparam("after")
_OPEN_SLOT = col(SlotRow.status).in_([Status.QUEUED.value, Status.RUNNING.value])
_NEXT = (
    select(func.min(ScheduleRow.fire_at)).where(
        ScheduleRow.state == State.ACTIVE.value, col(ScheduleRow.fire_at) > _AFTER
    ),
    select(func.min(SlotRow.try_at)).where(_OPEN_SLOT, col(SlotRow.try_at) > _AFTER),
    select(func.min(FiringRow.try_at)).where(
        FiringRow.status == Status.QUEUED.value, col(FiringRow.try_at) > _AFTER
    ),
)
_IDS: BindParameter[Collection[int]] = bindparam("ids", expanding=True)
# The state is told, not asked: with it among the conditions, SQLite walks through every active schedule.
_FIRE = select(ScheduleRow.id, ScheduleRow.fire_at, ScheduleRow.state).where(col(ScheduleRow.id).in_(_IDS))
_TRY = select(SlotRow.schedule_id, SlotRow.try_at).where(
    SlotRow.status == Status.QUEUED.value, col(SlotRow.schedule_id).in_(_IDS)
)
_LAST = select(func.max(ScheduleRow.id))


class TableMoments:
    """Satisfies ``scheduler.clock.Moments``. A firing has no job: its event wakes the clock, or this."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def last_id(self) -> int:
        return await self._database.read(lambda session: session.exec(_LAST).one() or 0)

    async def moments(self, schedule_ids: Collection[int]) -> dict[int, datetime]:
        """A schedule's next slot, or the next attempt at one that has come."""

        def work(session: Session) -> dict[int, datetime]:
            asked = {"ids": list(schedule_ids)}
            fire = [(id, at) for id, at, state in session.exec(_FIRE, params=asked) if state == State.ACTIVE]
            moments: dict[int, datetime] = {}
            for schedule_id, at in [*fire, *session.exec(_TRY, params=asked)]:
                if schedule_id is not None and at is not None:
                    moments[schedule_id] = min(at, moments.get(schedule_id, at))
            return moments

        return await self._database.read(work)

    async def next_moment(self, after: datetime) -> datetime | None:
        """Of a slot to come, or of another attempt at a slot or a firing."""

        def work(session: Session) -> datetime | None:
            moments = [session.exec(ask, params={"after": after}).one() for ask in _NEXT]
            return min((at for at in moments if at is not None), default=None)

        return await self._database.read(work)
