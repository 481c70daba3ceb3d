"""How rows get into a queue: a file or lines of text are shown, agreed to, added. It works no queue.

Rows that are sent without a command are for the newest queue of the chat: a file at any time, lines only
while that queue was just made and is empty, and nothing that was shown since awaits an answer.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from pydantic import JsonValue

from bot.handlers.asking import Asking
from bot.handlers.schedules import Zones
from bot.handlers.sheet_imports import SHEETS, SheetImports
from bot.messages import Attachment, Reply
from library.arguments import parse_words
from library.errors import AskError, BadArgument
from library.models import ChatRef, Subroutine
from library.words import split
from scheduler.ports import Catalog
from scheduler.queue_rows import Queue
from scheduler.queues import Queues

JUST_MADE = timedelta(minutes=30)
"""So long after ``/queue new`` plain lines are taken for its rows."""


class QueueFilling:
    """``folder``: where imported sheets are kept. ``zone``: for chats that set none (IANA name)."""

    def __init__(
        self,
        *,
        catalog: Catalog,
        queues: Queues,
        zones: Zones,
        zone: str,
        folder: Path,
        now: Callable[[], datetime],
    ) -> None:
        self._catalog = catalog
        self._queues = queues
        self._zones = zones
        self._zone = zone
        self._now = now
        self._imports = SheetImports(queues, folder, now=now)

    async def add(self, asking: Asking, queue: Queue, words: str) -> None:
        """Raises AskError where there are no rows, BadArgument for rows that do not fit."""
        if asking.incoming.attachments:
            await self._offer(asking, queue, asking.incoming.attachments[0])
        elif words.strip():
            await self._offer_lines(asking, queue, words)
        else:
            raise AskError(f"Send the rows as lines after /queue add {queue.name}, or as a file.")

    async def file(self, asking: Asking) -> None:
        """One that came without a command."""
        file = asking.incoming.attachments[0]
        queue = await self._newest(asking.chat)
        if file.path.suffix not in SHEETS or queue is None:
            hint = "To post its rows: /queue new NAME for SUBROUTINE"
            await asking.answer(Reply(f"Saved at home: {file.name}. {hint}"))
            return
        await self._offer(asking, queue, file)

    async def lines(self, asking: Asking, text: str) -> bool:
        """Text that came without a command. False, and nothing done, where no queue is waiting for it."""
        queue = await self._newest(asking.chat)
        if queue is None or not text.strip() or any(queue.counts.values()):
            return False
        shown_at = self._imports.offered_at(asking.chat)
        if self._now() - queue.created_at > JUST_MADE or (shown_at and shown_at >= queue.created_at):
            return False
        await self._offer_lines(asking, queue, text)
        return True

    async def map(self, asking: Asking, queue: Queue, words: str) -> None:
        """``PARAMETER="Column"``: which column of the file that was shown is which parameter."""
        params = list(self._catalog.get(queue.subroutine).params)
        chosen = {word.value: word.name for word in split(words, params) if word.name and word.value}
        await self._imports.choose(asking, queue, chosen)

    async def confirm(self, asking: Asking, queue: Queue, words: str) -> None:
        """Adds what was shown. Raises AskError where nothing was."""
        await self._imports.confirm(asking, queue)

    async def _offer(self, asking: Asking, queue: Queue, file: Attachment) -> None:
        subroutine = self._catalog.get(queue.subroutine)
        zone = await self._zones.timezone(asking.chat) or self._zone
        await self._imports.offer(asking, queue, subroutine, file.path, zone=zone)

    async def _offer_lines(self, asking: Asking, queue: Queue, text: str) -> None:
        subroutine = self._catalog.get(queue.subroutine)
        lines = [line for line in text.splitlines() if line.strip()]
        rows = [_parsed(line, number, queue, subroutine) for number, line in enumerate(lines, start=1)]
        await self._imports.offer_lines(asking, queue, subroutine, rows)

    async def _newest(self, chat: ChatRef) -> Queue | None:
        mine = [queue for queue in await self._queues.all() if queue.chat == chat]
        return max(mine, key=lambda queue: queue.id, default=None)


def _parsed(line: str, number: int, queue: Queue, subroutine: Subroutine) -> Mapping[str, JsonValue]:
    try:
        return parse_words(line, subroutine)
    except BadArgument as error:
        problem = f"Line {number} is no row for {queue.name}: {error}"
        raise BadArgument(f"{problem}\nNothing was added; please send the lines again.") from error
