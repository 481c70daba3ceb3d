"""Builds the parts of the scheduler that work by themselves, and takes them up and down in order.

1. The process that gets the lock owns the clock: it applies the crash rule, then wakes schedules,
   triggers and queues.
2. Another process on the same database reads and lists, and takes over when the owner has died.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime

from scheduler.database import Database
from scheduler.dispatcher import Dispatcher
from scheduler.edges import Edges
from scheduler.guard_book import GuardBook
from scheduler.item_book import ItemBook
from scheduler.journal import Journal
from scheduler.lock import ClockLock
from scheduler.moments import TableMoments
from scheduler.ports import Catalog, Home, Notifier
from scheduler.queue_work import QueueWork
from scheduler.queues import Queues
from scheduler.recovery import Recovery
from scheduler.schedules import Schedules
from scheduler.slot_book import SlotBook
from scheduler.slot_items import SlotItems
from scheduler.slot_work import SlotWork
from scheduler.teller import Teller
from scheduler.trigger_work import TriggerWork
from scheduler.triggers import Triggers
from scheduler.untold import Untold
from scheduler.waker import HEARTBEAT_S, Waker

log = logging.getLogger(__name__)

TAKEOVER_S = 5.0
"""How often a process that does not own the clock looks whether it may."""


class Timekeeper:
    """``schedules``, ``triggers``, ``queues``, ``queue_work`` and ``untold`` are what handlers use."""

    def __init__(
        self,
        *,
        database: Database,
        journal: Journal,
        dispatcher: Dispatcher,
        catalog: Catalog,
        home: Home,
        notifier: Notifier,
        now: Callable[[], datetime],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        heartbeat_s: float = HEARTBEAT_S,
        takeover_s: float = TAKEOVER_S,
    ) -> None:
        book, items = SlotBook(database), ItemBook(database, now=now)
        self.untold = Untold(database)
        teller = Teller(self.untold, notifier, journal)
        edges = Edges(dispatcher, journal, catalog, home, teller, now)
        self.schedules = Schedules(database, now=now)
        self.queues = Queues(database, now=now)
        self.triggers = Triggers(database, now=now)
        self.queue_work = QueueWork(
            queues=self.queues,
            book=items,
            dispatcher=dispatcher,
            catalog=catalog,
            guards=GuardBook(database, catalog),
            now=now,
            sleep=sleep,
        )
        self.slot_work = SlotWork(book, SlotItems(items, self.queue_work), edges)
        self.trigger_work = TriggerWork(database, edges)
        moments = TableMoments(database)
        self.waker = Waker(database.path, tick=self.tick, moments=moments, heartbeat_s=heartbeat_s)
        self.recovery = Recovery(
            journal=journal,
            dispatcher=dispatcher,
            items=items,
            teller=teller,
            home=home,
            now=now,
        )
        self.lock = ClockLock(database.path)
        self._takeover_s = takeover_s
        self._task: asyncio.Task[None] | None = None
        for follower in (items.follow, book.follow, self.triggers.follow):
            journal.in_same_commit(follower)
        self.schedules.changed = self.slot_work.changed = self.waker.changed
        self.slot_work.moved = self.waker.moved
        self.triggers.fired = self.trigger_work.changed = self.waker.wake

    @property
    def is_owner(self) -> bool:
        return self.lock.is_held

    async def settle(self) -> bool:
        """Call it before the first call is dispatched: takes the clock and settles what a crash left.

        False when another process keeps the clock (``lock.holder()``): then this one shall only read."""
        if not self.lock.acquire():
            return False
        await self.recovery.settle()
        await self.queues.sheets.settle()
        return True

    def start(self) -> None:
        """Call it when the channels are up: begins to wake, or to wait until the clock is free."""
        if not self.is_owner:
            log.warning("Process %s keeps the clock; this one only reads.", self.lock.holder())
        self._task = asyncio.create_task(self._keep(), name="timekeeper")

    async def tick(self) -> None:
        """Does all that is due now."""
        await self.slot_work.tick()
        await self.trigger_work.tick()

    async def close(self) -> None:
        """Leaves what is under way as it is; the next start takes it up."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await self.waker.close()
        await self.slot_work.close()
        await self.trigger_work.close()
        self.lock.release()

    async def _keep(self) -> None:
        while not self.is_owner:
            await asyncio.sleep(self._takeover_s)
            if await self.settle():
                log.warning("The process that kept the clock is gone; this one keeps it now.")
        await self.waker.start()
        await self.recovery.resume()
