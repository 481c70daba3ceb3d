"""Works a queue: takes items, asks the guards, sends each through the one door, stops when it must.
Keeps no time.

It can be stopped at any item and gone on with: what was not asked for is pending again. After a crash,
an item whose write was under way is unconfirmed, and the queue stops; no item is ever sent twice under
one attempt.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from library.errors import AskError, SubroutineError
from library.models import Call, Effect, Outcome, Run, Status
from scheduler.dispatcher import Dispatcher
from scheduler.guard_book import GuardBook, Guarded
from scheduler.guards import Allow, Answer, AskFirst, PastRun, Refuse, judge, strictest
from scheduler.item_book import ENDS, NOT_SENT, ItemBook
from scheduler.past_runs import published
from scheduler.ports import Catalog
from scheduler.queue_rows import Item, ItemStatus, Queue
from scheduler.queues import Queues

BATCH = 20
SIDE_BY_SIDE = 3
"""Reads under way at once: some wait for their site while we see to the others. Writes go one after
another, in their order, and so do reads under a guard."""
LONGEST_WAIT = timedelta(minutes=15)
"""A guard that asks for a longer pause ends the work instead."""


@dataclass(frozen=True)
class Report:
    """How far a piece of work has come. ``why`` says why it ended; empty while it goes on, and when all
    is done."""

    queue: str
    total: int
    done: int = 0
    failed: int = 0
    unconfirmed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    why: str = ""
    ask: int | None = None
    """The item about which a guard asks."""

    @property
    def ended(self) -> int:
        return self.done + self.failed + self.unconfirmed + self.skipped

    @property
    def per_second(self) -> float:
        return self.ended / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        rate = self.per_second
        return (self.total - self.ended) / rate if rate > 0 else None


OnReport = Callable[[Report], None]


@dataclass
class _Work:
    by: str
    left: int
    browser: str | None
    report: Report
    on_report: OnReport
    guarded: list[Guarded] = field(default_factory=list)
    ending: set[asyncio.Task[Run]] = field(default_factory=set)
    """Runs whose outcome is known and is being written down: no more than there are lanes."""
    lanes: int = 1
    judging: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while an end that is not surely done is seen to: it may stop the queue."""
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    started: float = field(default_factory=monotonic)

    def count(self, status: ItemStatus) -> None:
        name = status.value
        self.report = replace(
            self.report,
            **{name: getattr(self.report, name) + 1},
            seconds=monotonic() - self.started,
        )
        self.left -= 1
        self.on_report(self.report)

    def end(self, why: str, *, ask: int | None = None) -> None:
        if not self.stop.is_set():
            self.report = replace(self.report, why=why, ask=ask)
        self.stop.set()

    def went_out(self, run: PastRun) -> None:
        for guarded in self.guarded:
            guarded.history.append(run)

    async def written_down(self) -> None:
        """Waits until the ends of the runs before are durable."""
        while self.ending:
            ended, self.ending = self.ending, set()
            await asyncio.gather(*ended)


class QueueWork:
    """``guards`` is where people's guards are kept."""

    def __init__(
        self,
        *,
        queues: Queues,
        book: ItemBook,
        dispatcher: Dispatcher,
        catalog: Catalog,
        guards: GuardBook,
        now: Callable[[], datetime],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.guards = guards
        self._queues = queues
        self._book = book
        self._dispatcher = dispatcher
        self._catalog = catalog
        self._now = now
        self._sleep = sleep
        self._under_way: dict[str, _Work] = {}

    async def run(
        self,
        name: str,
        *,
        by: str,
        most: int | None = None,
        browser: str | None = None,
        on_report: OnReport = lambda _: None,
    ) -> Report:
        """Works the queue now: ``most`` items, or all. ``by`` names the work, e.g. ``work:`` and a
        chat's claim.

        Raises UnknownName. A queue that is stopped, or worked already, is reported and left alone."""
        queue = await self._queues.get(name)
        waiting = queue.pending + sum(
            item.status is ItemStatus.CLAIMED for item in await self._book.taken(by)
        )
        total = waiting if most is None else min(most, waiting)
        report = Report(name, total)
        if name in self._under_way:
            return replace(report, why="It is being worked already. Send /stop to end that.")
        if total == 0 and most != 0:
            return replace(report, why=queue.note or "It is empty.")
        work = self._under_way[name] = _Work(by, total, browser, report, on_report)
        try:
            await self._batches(name, work)
        finally:
            del self._under_way[name]
        # Not when it was broken off: then the next start must know what this work had taken.
        await self._book.give_back(by)
        return work.report

    async def stop(self, name: str) -> bool:
        """Ends the work after the item it is at. False when there was none."""
        work = self._under_way.get(name)
        if work is not None:
            work.end("Stopped as you asked.")
        return work is not None

    async def _batches(self, name: str, work: _Work) -> None:
        while work.left > 0 and not work.stop.is_set():
            queue, items = await self._book.take(name, min(work.left, BATCH), by=work.by)
            if not items:
                work.end(queue.note or ("" if work.report.ended else "It is empty."))
                return
            work.guarded = await self.guards.of(queue, self._now())
            await self._batch(queue, items, work)
            await work.written_down()

    async def _batch(self, queue: Queue, items: Sequence[Item], work: _Work) -> None:
        rest = iter(items)
        work.lanes = SIDE_BY_SIDE if self._may_go_side_by_side(queue, work) else 1
        tasks = [asyncio.create_task(self._lane(queue, rest, work)) for _ in range(work.lanes)]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _may_go_side_by_side(self, queue: Queue, work: _Work) -> bool:
        if work.guarded or queue.subroutine not in self._catalog.names():
            return False
        return self._catalog.get(queue.subroutine).effect is Effect.READ

    async def _lane(self, queue: Queue, rest: Iterator[Item], work: _Work) -> None:
        for item in rest:
            async with work.judging:
                may_go = await self._may_go(queue, item, work)
            if may_go:
                await self._one(queue, item, work)

    async def _may_go(self, queue: Queue, item: Item, work: _Work) -> bool:
        while not work.stop.is_set():
            answer = self._judged(item, work)
            if isinstance(answer, Allow):
                return True
            await self._hold(queue, item, work, answer)
        return False

    def _judged(self, item: Item, work: _Work) -> Answer:
        said_yes = {"no_repeat_within_days": None} if item.allowed else {}
        now, text = self._now(), published(item.arguments)
        answers = [
            judge(each.guards.model_copy(update=said_yes), each.history, now=now, text=text)
            for each in work.guarded
        ]
        return strictest(answers, now)

    async def _hold(self, queue: Queue, item: Item, work: _Work, answer: Refuse | AskFirst) -> None:
        if isinstance(answer, AskFirst):
            how = f"Send /queue allow {queue.name} {item.id} or /queue skip {queue.name} {item.id}."
            work.end(f"Item {item.id}: {answer.reason} {how}", ask=item.id)
        elif answer.until is None or answer.until - self._now() > LONGEST_WAIT:
            work.end(answer.reason)
        else:
            await work.written_down()
            await self._sleep((answer.until - self._now()).total_seconds())

    async def _one(self, queue: Queue, item: Item, work: _Work) -> None:
        """Returns when the next item may be asked for: an item that is surely done is written down meanwhile.

        The next one's row is written after it by the same thread, often in the same commit."""
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(
            self._dispatcher.dispatch(_call(queue, item, work), on_outcome=outcome.set_result)
        )
        either: set[asyncio.Future[Any]] = {task, outcome}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if len(work.ending) >= work.lanes:
            await work.written_down()
        if not task.done() and outcome.result().verdict.status is Status.DONE:
            task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
            work.ending.add(task)
            self._count(Status.DONE, item, work)
            return
        async with work.judging:
            stopped = await self._unproven(task, item, work)
            if stopped:
                work.end(stopped)

    async def _unproven(self, task: asyncio.Task[Run], item: Item, work: _Work) -> str:
        """Waits until the end is durable; gives the reason where the work has to stop."""
        try:
            run = await task
        except (AskError, SubroutineError) as error:
            stopped = await self._book.refuse(item, str(error))
            work.count(ItemStatus.FAILED)
            return stopped
        return await self._ended(run, item, work)

    async def _ended(self, run: Run, item: Item, work: _Work) -> str:
        fault = run.evidence.fault if run.evidence else None
        if fault is not None and fault.code in NOT_SENT:
            return fault.message
        if not run.status.is_final:
            return f"Run {run.id} is still {run.status}. Start Runhome again to have it judged."
        self._count(run.status, item, work)
        if run.status in (Status.FAILED, Status.UNCONFIRMED):
            return (await self._queues.get(work.report.queue)).note
        return ""

    def _count(self, status: Status, item: Item, work: _Work) -> None:
        work.count(ENDS[status])
        work.went_out(PastRun(at=self._now(), status=status, text=published(item.arguments)))


def _call(queue: Queue, item: Item, work: _Work) -> Call:
    return Call(
        name=queue.subroutine,
        arguments=dict(item.arguments),
        claim=item.claim,
        asked_by=queue.asked_by,
        chat=queue.chat,
        browser=work.browser,
    )
