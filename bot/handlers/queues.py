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
from bot.handlers.result_sheets import ResultSheets
from bot.handlers.schedules import Zones, with_all_optional
from bot.messages import Reply
from bot.queue_replies import (
    changed_reply,
    created_reply,
    queue_reply,
    queues_reply,
    report_progress,
    report_reply,
)
from bot.verbs import QUEUE_MORE, name_of
from library.arguments import parse_words
from library.errors import AskError, nearest
from scheduler.ports import Catalog
from scheduler.queue_rows import ItemStatus, Queue
from scheduler.queue_work import QueueWork, Report
from scheduler.queues import Queues

SHOWN_ITEMS = 5
_NEW = re.compile(r"(?P<name>\S+)\s+for\s+(?P<subroutine>\S+)", re.IGNORECASE)

Verb = Callable[[Asking, str], Awaitable[None]]


class QueueDesk:
    """``folder``: where results are made and sheets kept. ``zone``: for chats that set none (IANA name)."""

    def __init__(
        self,
        *,
        catalog: Catalog,
        queues: Queues,
        work: QueueWork,
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
        self._zones = zones
        self._zone = zone
        self._now = now
        self._progress_after_s = progress_after_s
        self._progress_every_s = progress_every_s
        self._guards = QueueGuards(catalog, queues, work.guards)
        self._filling = QueueFilling(
            catalog=catalog, queues=queues, zones=zones, zone=zone, folder=folder / "sheets", now=now
        )
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
            "edit": self._edit,
            "move": self._move,
            "pause": self._changing(queues.pause, "is paused"),
            "resume": self._changing(queues.resume, "may go on", then_run=True),
            "delete": self._delete,
            "skip": self._changing_item(queues.skip, "is skipped"),
            "remove": self._changing_item(queues.remove, "is removed"),
            "allow": self._changing_item(queues.allow, "may go out", then_run=True),
            "again": self._changing_item(queues.again, "is waiting again", then_run=True),
        }

    @property
    def answers(self) -> Mapping[type, Answer]:
        return {commands.Queue: self._queue, commands.Files: self._files}

    @property
    def claimed(self) -> frozenset[type]:
        return frozenset({commands.Queue, commands.Files})

    async def _queue(self, asking: Asking, command: commands.Queue) -> None:
        verb = command.verb or "list"
        if verb not in self._verbs:
            near = nearest(verb, list(self._verbs), most=1)
            hint = f"Did you mean /queue {near[0]}?\n\n" if near else ""
            raise AskError(f"There is no /queue {verb}. {hint}{QUEUE_MORE}")
        await self._verbs[verb](asking, command.words)

    # --- queues ---

    async def _list(self, asking: Asking, words: str) -> None:
        await asking.answer(queues_reply(await self._queues.all()))

    async def _help(self, asking: Asking, words: str) -> None:
        await asking.answer(Reply(QUEUE_MORE))

    async def _new(self, asking: Asking, words: str) -> None:
        found = _NEW.fullmatch(words.strip())
        if found is None:
            raise AskError("Send it like this:\n/queue new NAME for SUBROUTINE")
        subroutine = self._catalog.get(name_of(found["subroutine"]))
        if not subroutine.params:
            raise AskError(f"{subroutine.name} takes no arguments, so there is nothing to put into rows.")
        queue = await self._queues.create(name_of(found["name"]), subroutine.name, chat=asking.chat)
        await asking.answer(created_reply(queue, subroutine))

    async def _show(self, asking: Asking, words: str) -> None:
        queue, _ = await self._named(words)
        items = await self._queues.items(queue.name, status=ItemStatus.PENDING, limit=SHOWN_ITEMS)
        await asking.answer(queue_reply(queue, items, self._catalog.get(queue.subroutine)))

    async def _guard(self, asking: Asking, words: str) -> None:
        what, *rest = words.split(maxsplit=1) or [""]
        if not what:
            raise AskError(f"Say what to guard: a queue, a subroutine or a site.\n\n{QUEUE_MORE}")
        zone = await self._zone_of(asking)
        await asking.answer(await self._guards.answer(what, rest[0] if rest else "", zone=zone))

    async def _delete(self, asking: Asking, words: str) -> None:
        """With a number after the name only that item: nobody who writes one means the whole queue."""
        _, rest = await self._named(words)
        one = self._changing_item(self._queues.remove, "is removed")
        await (one if rest else self._changing(self._queues.delete, "is deleted"))(asking, words)

    def _changing(
        self, change: Callable[[str], Awaitable[None]], what: str, *, then_run: bool = False
    ) -> Verb:
        async def answer(asking: Asking, words: str) -> None:
            queue, _ = await self._named(words)
            await change(queue.name)
            await asking.answer(changed_reply(queue.name, what, run=queue.name if then_run else None))

        return answer

    # --- items ---

    def _filling_in(self, fill: Callable[[Asking, Queue, str], Awaitable[None]]) -> Verb:
        async def answer(asking: Asking, words: str) -> None:
            queue, rest = await self._named(words)
            await fill(asking, queue, rest)

        return answer

    async def _files(self, asking: Asking, command: commands.Files) -> None:
        await self._filling.file(asking)

    async def take_lines(self, asking: Asking, text: str) -> bool:
        """Text without a command. False, and nothing done, where no queue is waiting for rows."""
        return await self._filling.lines(asking, text)

    async def _edit(self, asking: Asking, words: str) -> None:
        queue, rest = await self._named(words)
        item, rest = _number(rest)
        subroutine = self._catalog.get(queue.subroutine)
        changes = parse_words(rest, with_all_optional(subroutine))
        if not changes:
            raise AskError(f"Say what to change, for example: {next(iter(subroutine.params))}=...")
        await self._queues.edit(queue.name, item, changes)
        await asking.answer(changed_reply(f"Item {item}", "is changed"))

    async def _move(self, asking: Asking, words: str) -> None:
        queue, rest = await self._named(words)
        item, rest = _number(rest)
        place, _ = _number(rest)
        await self._queues.move(queue.name, item, place)
        await asking.answer(changed_reply(f"Item {item}", f"is at place {place}"))

    def _changing_item(
        self, change: Callable[[str, int], Awaitable[None]], what: str, *, then_run: bool = False
    ) -> Verb:
        async def answer(asking: Asking, words: str) -> None:
            queue, rest = await self._named(words)
            item, _ = _number(rest)
            await change(queue.name, item)
            run = queue.name if then_run else None
            await asking.answer(changed_reply(f"Item {item}", what, run=run))

        return answer

    # --- work ---

    async def _run(self, asking: Asking, words: str) -> None:
        queue, rest = await self._named(words)
        most, browser = _how_many(rest)
        message = ProgressMessage(
            asking, queue.name, after_s=self._progress_after_s, every_s=self._progress_every_s
        )
        report = Report(queue.name, 0)
        try:
            report = await self._work.run(
                queue.name,
                by=f"work:{asking.incoming.claim}",
                most=most,
                browser=browser,
                on_report=lambda so_far: message.told(report_progress(so_far)),
            )
        finally:
            await message.end(report_reply(report))
        state = (await self._queues.get(queue.name)).state
        await asking.answer(report_reply(report, state))

    async def _stop(self, asking: Asking, words: str) -> None:
        queue, _ = await self._named(words)
        was_running = await self._work.stop(queue.name)
        what = "stops after this row" if was_running else "is not being worked"
        await asking.answer(changed_reply(queue.name, what))

    async def stop_all(self) -> list[str]:
        """Stops every queue that is being worked, after the row it is at; their names."""
        names = [queue.name for queue in await self._queues.all()]
        return [name for name in names if await self._work.stop(name)]

    async def _results(self, asking: Asking, words: str) -> None:
        queue, _ = await self._named(words)
        paths = await self._results_of.write(queue, self._catalog.get(queue.subroutine), self._now())
        if not paths:
            raise AskError(f"The queue {queue.name} has no rows yet.")
        for path in paths:
            await asking.answer(Reply(f"The rows of {queue.name}, with what became of each.", file=path))

    # --- words ---

    async def _named(self, words: str) -> tuple[Queue, str]:
        """The queue that the first word names, and the rest."""
        first, *rest = words.split(maxsplit=1) or [""]
        if not first:
            names = ", ".join(queue.name for queue in await self._queues.all())
            raise AskError(f"Say which queue. There is: {names or 'none yet'}. /queue help shows how.")
        return await self._queues.get(name_of(first)), rest[0] if rest else ""

    async def _zone_of(self, asking: Asking) -> str:
        return await self._zones.timezone(asking.chat) or self._zone


def _how_many(words: str) -> tuple[int | None, str | None]:
    """``5 browser=home``: both may be left out."""
    most = browser = None
    for word in words.split():
        name, equals, value = word.partition("=")
        if equals and name.casefold() == "browser" and value:
            browser = name_of(value)
        else:
            most, _ = _number(word)
    return most, browser


def _number(words: str) -> tuple[int, str]:
    found = re.match(r"#?(\d{1,9})(?:\s+|$)", words)
    if found is None:
        where = f'before "{words}"' if words else "at the end"
        raise AskError(f"A number is missing {where}.")
    return int(found[1]), words[found.end() :]
