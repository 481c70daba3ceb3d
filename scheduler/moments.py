"""What the tables tell the clock: when schedules, and firings that are tried later, have something to do.
It changes nothing."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import BindParameter, bindparam, func, union_all
from sqlmodel import Session, SQLModel, col, select

from library.models import Status
from scheduler.columns import UtcTime
from scheduler.database import Database
from scheduler.schedule_rows import State
from scheduler.time_tables import ScheduleRow, SlotRow

# Written once, as in the journal: the clock asks them at every look.
_AFTER: BindParameter[datetime] = bindparam("after", type_=UtcTime())
_SCHEDULES, _SLOTS, _FIRINGS = (SQLModel.metadata.tables[name] for name in ("schedules", "slots", "firings"))
_OPEN = (Status.QUEUED.value, Status.RUNNING.value)
_NEXT = union_all(
    select(func.min(_SCHEDULES.c.fire_at)).where(
        _SCHEDULES.c.state == State.ACTIVE.value, _SCHEDULES.c.fire_at > _AFTER
    ),
    select(func.min(_SLOTS.c.try_at)).where(_SLOTS.c.status.in_(_OPEN), _SLOTS.c.try_at > _AFTER),
    select(func.min(_FIRINGS.c.try_at)).where(
        _FIRINGS.c.status == Status.QUEUED.value, _FIRINGS.c.try_at > _AFTER
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
    """Satisfies ``scheduler.waker.Moments``. A firing has no job: its event wakes the waker, or this."""

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
            moments = session.connection().execute(_NEXT, {"after": after}).scalars()
            return min((at for at in moments if at is not None), default=None)

        return await self._database.read(work)
