"""Queues as people handle them in a chat (``/queue VERB ...``, and files). It sends no item itself."""

import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from pathlib import Path

from bot import commands
from bot.handlers.asking import Answer, Asking
from bot.handlers.progress import AFTER_S, EVERY_S, ProgressMessage
from bot.handlers.queue_filling import QueueFilling
from bot.handlers.queue_guards import QueueGuards
from bot.handlers.queue_items import QueueItems, Verb
from bot.handlers.queue_words import how_many, named
from bot.handlers.result_sheets import ResultSheets
from bot.handlers.schedules import Zones
from bot.messages import Reply
from bot.queue_replies import (
    SURE,
    changed_reply,
    created_reply,
    delete_reply,
    deleted_reply,
    queue_reply,
    queues_reply,
    report_progress,
    report_reply,
)
from bot.verbs import GUARD_MORE, QUEUE_MORE, name_of
from library.errors import AskError, nearest
from scheduler.ports import Catalog
from scheduler.queue_rows import ItemStatus, Queue
from scheduler.queue_work import QueueWork, Report
from scheduler.queues import Queues
from scheduler.schedules import Schedules
from scheduler.untold import Untold

SHOWN_ITEMS = 5
_NEW = re.compile(r"(?P<name>\S+)\s+for\s+(?P<subroutine>\S+)", re.IGNORECASE)


class QueueDesk:
    """``folder``: where results are made and sheets kept. ``zone``: for chats that set none (IANA name)."""

    def __init__(
        self,
        *,
        catalog: Catalog,
        queues: Queues,
        work: QueueWork,
        schedules: Schedules,
        untold: Untold,
        zones: Zones,
        zone: str,
        folder: Path,
        now: Callable[[], datetime],
        progress_after_s: float = AFTER_S,
        progress_every_s: float = EVERY_S,
    ) -> None:
        self._catalog = catalog
        self._queues = queues
        self._work = work
        self._schedules = schedules
        self._untold = untold
        self._zones = zones
        self._zone = zone
        self._now = now
        self._progress_after_s = progress_after_s
        self._progress_every_s = progress_every_s
        self._guards = QueueGuards(catalog, queues, work.guards)
        self._filling = QueueFilling(
            catalog=catalog, queues=queues, zones=zones, zone=zone, folder=folder / "sheets", now=now
        )
        self._items = QueueItems(catalog, queues)
        self._results_of = ResultSheets(queues, folder, folder / "sheets")
        self._verbs: Mapping[str, Verb] = {
            "list": self._list,
            "help": self._help,
            "new": self._new,
            "add": self._filling_in(self._filling.add),
            "map": self._filling_in(self._filling.map),
            "confirm": self._filling_in(self._filling.confirm),
            "show": self._show,
            "run": self._run,
            "stop": self._stop,
            "results": self._results,
            "guard": self._guard,
            "pause": self._changing(queues.pause, "is paused"),
            "resume": self._changing(queues.resume, "may go on", then_run=True),
            "delete": self._delete,
            **self._items.verbs,
        }

    @property
    def answers(self) -> Mapping[type, Answer]:
        return {commands.Queue: self._queue, commands.Files: self._files}

    @property
    def claimed(self) -> frozenset[type]:
        return frozenset({commands.Queue, commands.Files})

    async def _queue(self, asking: Asking, command: commands.Queue) -> None:
        verb = command.verb or "list"
        if verb in self._verbs:
            await self._verbs[verb](asking, command.words)
            return
        named_so = [queue.name for queue in await self._queues.all() if queue.name.casefold() == verb]
        if named_so and not command.words:
            await self._show(asking, named_so[0])
            return
        near = nearest(verb, list(self._verbs), most=1)
        hint = f"Did you mean /queue {near[0]}? " if near else ""
        raise AskError(f"There is no /queue {verb}. {hint}/queue help shows what there is.")

    # --- queues ---

    async def _list(self, asking: Asking, words: str) -> None:
        await asking.answer(queues_reply(await self._queues.all()))

    async def _help(self, asking: Asking, words: str) -> None:
        await asking.answer(Reply(QUEUE_MORE))

    async def _new(self, asking: Asking, words: str) -> None:
        found = _NEW.fullmatch(words.strip())
        if found is None:
            raise AskError("Send it like this, with a name of one word:\n/queue new NAME for SUBROUTINE")
        subroutine = self._catalog.get(name_of(found["subroutine"]))
        if not subroutine.params:
            raise AskError(f"{subroutine.name} takes no arguments, so there is nothing to put into rows.")
        queue = await self._queues.create(name_of(found["name"]), subroutine.name, chat=asking.chat)
        await asking.answer(created_reply(queue, subroutine))

    async def _show(self, asking: Asking, words: str) -> None:
        queue, _ = await named(self._queues, words)
        items = await self._queues.items(queue.name, status=ItemStatus.PENDING, limit=SHOWN_ITEMS)
        await asking.answer(queue_reply(queue, items, self._catalog.get(queue.subroutine)))

    async def _guard(self, asking: Asking, words: str) -> None:
        what, *rest = words.split(maxsplit=1) or [""]
        if not what:
            raise AskError(f"Say what to guard: a queue, a subroutine or a site.\n{GUARD_MORE}")
        zone = await self._zone_of(asking)
        await asking.answer(await self._guards.answer(what, rest[0] if rest else "", zone=zone))

    async def _delete(self, asking: Asking, words: str) -> None:
        """With a number after the name only that item: nobody who writes one means the whole queue. Rows that
        were not sent are asked about first."""
        queue, rest = await named(self._queues, words)
        is_sure = rest.strip().casefold() == SURE
        if rest and not is_sure:
            await self._items.verbs["remove"](asking, words)
        elif queue.unsent and not is_sure:
            await asking.answer(delete_reply(queue))
        else:
            await self._work.stop(queue.name)
            await self._queues.delete(queue.name)
            takers = [each for each in await self._schedules.all() if each.terms.queue == queue.name]
            await asking.answer(deleted_reply(queue, takers))

    def _changing(
        self, change: Callable[[str], Awaitable[None]], what: str, *, then_run: bool = False
    ) -> Verb:
        async def answer(asking: Asking, words: str) -> None:
            queue, _ = await named(self._queues, words)
            await change(queue.name)
            await asking.answer(changed_reply(queue.name, what, run=queue.name if then_run else None))

        return answer

    # --- items ---

    def _filling_in(self, fill: Callable[[Asking, Queue, str], Awaitable[None]]) -> Verb:
        async def answer(asking: Asking, words: str) -> None:
            queue, rest = await named(self._queues, words)
            await fill(asking, queue, rest)

        return answer

    async def _files(self, asking: Asking, command: commands.Files) -> None:
        await self._filling.file(asking)

    async def take_lines(self, asking: Asking, text: str) -> bool:
        """Text without a command. False, and nothing done, where no queue is waiting for rows."""
        return await self._filling.lines(asking, text)

    # --- work ---

    async def _run(self, asking: Asking, words: str) -> None:
        queue, rest = await named(self._queues, words)
        most, browser = how_many(rest, how=f"/queue run {queue.name} 5")
        by = f"work:{asking.incoming.claim}"
        async with self._untold.until_told(by, queue, asking.chat):
            report = await self._worked(asking, queue.name, by, most, browser)
            states = {each.id: each.state for each in await self._queues.all()}
            await asking.answer(report_reply(report, states.get(queue.id)))

    async def _worked(
        self, asking: Asking, name: str, by: str, most: int | None, browser: str | None
    ) -> Report:
        """With its progress in one message."""
        message = ProgressMessage(
            asking, name, after_s=self._progress_after_s, every_s=self._progress_every_s
        )
        report = Report(name, 0)
        try:
            report = await self._work.run(
                name,
                by=by,
                most=most,
                browser=browser,
                on_report=lambda so_far: message.told(report_progress(so_far)),
            )
        finally:
            await message.end(report_reply(report))
        return report

    async def _stop(self, asking: Asking, words: str) -> None:
        queue, _ = await named(self._queues, words)
        was_running = await self._work.stop(queue.name)
        what = "stops after this row" if was_running else "is not being worked"
        await asking.answer(changed_reply(queue.name, what))

    async def stop_all(self) -> list[str]:
        """Stops every queue that is being worked, after the row it is at; their names."""
        names = [queue.name for queue in await self._queues.all()]
        return [name for name in names if await self._work.stop(name)]

    async def _results(self, asking: Asking, words: str) -> None:
        queue, _ = await named(self._queues, words)
        paths = await self._results_of.write(queue, self._catalog.get(queue.subroutine), self._now())
        if not paths:
            raise AskError(f"The queue {queue.name} has no rows yet.")
        for path in paths:
            await asking.answer(Reply(f"The rows of {queue.name}, with what became of each.", file=path))

    async def _zone_of(self, asking: Asking) -> str:
        return await self._zones.timezone(asking.chat) or self._zone
