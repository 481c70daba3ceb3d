"""A slot that takes its arguments from a queue: works N items for it, and sums them up as the slot's
one end."""

from collections import Counter

from library.errors import UnknownName
from library.models import Status
from scheduler.item_book import ItemBook
from scheduler.queue_rows import ItemStatus
from scheduler.queue_work import QueueWork
from scheduler.schedule_rows import Schedule, Slot


class SlotItems:
    def __init__(self, book: ItemBook, work: QueueWork) -> None:
        self._book = book
        self._work = work

    async def work(self, slot: Slot, schedule: Schedule, queue: str) -> tuple[Status, str]:
        """Works what the slot has not worked yet; gives how the slot ends, and why."""
        by = f"slot:{slot.id}"
        ended = sum(item.status is not ItemStatus.CLAIMED for item in await self._book.taken(by))
        why = ""
        if ended < schedule.terms.take:
            try:
                why = (
                    await self._work.run(
                        queue, by=by, most=schedule.terms.take - ended, browser=schedule.call.browser
                    )
                ).why
            except UnknownName as error:
                return Status.FAILED, str(error)
        counts = Counter(item.status for item in await self._book.taken(by))
        return _status(counts), _sentence(counts, queue, why)

    async def has_begun(self, slot: Slot) -> bool:
        return bool(await self._book.taken(f"slot:{slot.id}"))


def _status(counts: Counter[ItemStatus]) -> Status:
    """The worst of them; without any, the slot is skipped."""
    for status in (ItemStatus.UNCONFIRMED, ItemStatus.FAILED, ItemStatus.DONE):
        if counts[status]:
            return Status(status.value)
    return Status.SKIPPED


def _sentence(counts: Counter[ItemStatus], queue: str, why: str) -> str:
    told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()) if count)
    return f"Queue {queue}: {told or 'no item was taken'}." + (f" {why}" if why else "")
