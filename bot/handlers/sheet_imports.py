"""From a file that a person sent to items of a queue: looked at, shown, agreed to, added.

1. ``offer``: every row is checked; three are shown as they will be sent, those with problems come back.
2. ``choose``: the person says which column is which parameter.
3. ``confirm``: the rows that are good are added, in parts, with progress.

What was offered is remembered for the chat until it is confirmed, or another file is sent.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from pydantic import JsonValue

from bot.handlers.asking import Asking
from bot.handlers.progress import ProgressMessage
from bot.messages import Reply
from bot.queue_replies import added_reply, missing_reply, preview_reply
from library.errors import AskError
from library.models import ChatRef, Progress, Subroutine
from scheduler.imports import GoodRow, Matching, Preview, confirm, match_headers, preview, typed_rows
from scheduler.queue_rows import Queue
from scheduler.queues import Queues
from scheduler.sheets import error_file, open_sheet

PART = 1_000
SHEETS = frozenset({".csv", ".tsv", ".xlsx", ".txt"})


@dataclass(frozen=True)
class _Offer:
    queue: str
    subroutine: Subroutine
    path: Path
    matching: Matching
    zone: str


@dataclass(frozen=True)
class _Look:
    preview: Preview
    skipped: int
    problems: Path | None


class SheetImports:
    def __init__(self, queues: Queues) -> None:
        self._queues = queues
        self._offers: dict[ChatRef, _Offer] = {}

    async def offer(
        self, asking: Asking, queue: Queue, subroutine: Subroutine, path: Path, *, zone: str
    ) -> None:
        """Raises BadArgument (unreadable file, unclear encoding, two columns alike)."""
        sheet = await asyncio.to_thread(open_sheet, path)
        matching = match_headers(sheet.header, subroutine)
        await self._show(asking, queue, _Offer(queue.name, subroutine, path, matching, zone))

    async def choose(self, asking: Asking, queue: Queue, chosen: Mapping[str, str]) -> None:
        """``chosen`` is header -> parameter. Raises AskError where nothing was offered, BadArgument."""
        offer = self._offer_of(asking.chat, queue)
        header = (await asyncio.to_thread(open_sheet, offer.path)).header
        matching = confirm(offer.matching, header, chosen, offer.subroutine)
        await self._show(asking, queue, replace(offer, matching=matching))

    async def confirm(self, asking: Asking, queue: Queue) -> None:
        """Adds the good rows. Raises AskError where nothing was offered."""
        offer = self._offers.pop(asking.chat, None)
        if offer is None or offer.queue != queue.name:
            raise AskError(f"There is no file to add to {queue.name}. Please send it again.")
        message = ProgressMessage(asking, queue.name)
        added = 0
        try:
            rows = _good_rows(offer)
            while part := await asyncio.to_thread(_part, rows):
                added += await self._queues.add(queue.name, part)
                message.told(Progress(run=queue.name, text=f"{added:,} rows added"))
        finally:
            await message.end(Reply(f"{queue.name}: {added:,} rows added"))
        await asking.answer(added_reply(await self._queues.get(queue.name), added))

    async def _show(self, asking: Asking, queue: Queue, offer: _Offer) -> None:
        self._offers[asking.chat] = offer
        if offer.matching.missing:
            await asking.answer(missing_reply(queue, offer.matching))
            return
        look = await asyncio.to_thread(_look, offer)
        if look.problems is not None:
            await asking.answer(
                Reply("These rows have problems; the reason is beside each.", file=look.problems)
            )
        await asking.answer(preview_reply(queue, look.preview, offer.matching, look.skipped))

    def _offer_of(self, chat: ChatRef, queue: Queue) -> _Offer:
        offer = self._offers.get(chat)
        if offer is None or offer.queue != queue.name:
            raise AskError(f"There is no file to add to {queue.name}. Please send it again.")
        return offer


def _look(offer: _Offer) -> _Look:
    sheet = open_sheet(offer.path)
    rows = typed_rows(sheet, offer.matching, offer.subroutine, zone=offer.zone)
    problems = offer.path.with_name(f"{offer.path.stem}-problems.csv")
    with error_file(problems, sheet.header) as add:
        seen = preview(rows, offer.subroutine, on_bad=lambda row: add(row.line, row.cells, row.reason))
    if not seen.bad:
        problems.unlink()
    return _Look(seen, sheet.skipped, problems if seen.bad else None)


def _good_rows(offer: _Offer) -> Iterator[Mapping[str, JsonValue]]:
    rows = typed_rows(open_sheet(offer.path), offer.matching, offer.subroutine, zone=offer.zone)
    return (row.arguments for row in rows if isinstance(row, GoodRow))


def _part(rows: Iterator[Mapping[str, JsonValue]]) -> Sequence[Mapping[str, JsonValue]]:
    return list(islice(rows, PART))
