"""What the tables tell the clock: when schedules, and firings that are tried later, have something to do."""

from collections.abc import Collection, Mapping
from datetime import datetime

from scheduler.slot_book import SlotBook
from scheduler.trigger_work import TriggerWork


class TableMoments:
    """Satisfies ``scheduler.clock.Moments``. Firings have no jobs: their events wake the clock, and these."""

    def __init__(self, book: SlotBook, triggers: TriggerWork) -> None:
        self._book = book
        self._triggers = triggers

    async def last_id(self) -> int:
        return await self._book.last_id()

    async def moments(self, schedule_ids: Collection[int]) -> Mapping[int, datetime]:
        return await self._book.moments(schedule_ids)

    async def next_moment(self, after: datetime) -> datetime | None:
        both = (await self._book.next_moment(after), await self._triggers.next_moment(after))
        return min((at for at in both if at is not None), default=None)
