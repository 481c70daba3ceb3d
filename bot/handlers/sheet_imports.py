"""From rows that a person sent to items of a queue: looked at, shown, agreed to, added.

1. ``offer``: every row of a file is checked, once; three are shown as they will be sent, those with problems
   come back. ``offer_lines``: the same for rows that were read from lines of text.
2. ``choose``: the person says which column is which parameter.
3. ``confirm``: the rows that are good are added, all or none, and the sheet is kept for its results.

What was offered is remembered for the chat until its rows are in, or others are offered.
"""

import asyncio
import json
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from pydantic import JsonValue

from bot.handlers.asking import Asking
from bot.handlers.progress import ProgressMessage
from bot.messages import Reply
from bot.queue_replies import added_reply, missing_reply, preview_reply
from library.errors import AskError, SetupError
from library.models import ChatRef, Progress, Subroutine
from scheduler.imports import GoodRow, Matching, Preview, confirm, match_headers, preview, typed_rows
from scheduler.queue_rows import Queue
from scheduler.queues import Queues
from scheduler.sheet_items import SheetRow
from scheduler.sheets import OnRows, error_file, open_sheet

SHEETS = frozenset({".csv", ".tsv", ".xlsx", ".txt"})


@dataclass(frozen=True)
class _Offer:
    queue: str
    subroutine: Subroutine
    path: Path
    matching: Matching
    zone: str
    at: datetime

    @property
    def checked(self) -> Path:
        """The good rows, one JSON a line, so that nothing is read and checked twice."""
        return self.path.with_name(f"{self.path.name}.checked")


@dataclass(frozen=True)
class _LineOffer:
    queue: str
    rows: Sequence[Mapping[str, JsonValue]]
    at: datetime


@dataclass(frozen=True)
class _Look:
    preview: Preview
    skipped: int
    problems: Path | None


class SheetImports:
    """``folder`` is where imported sheets are kept."""

    def __init__(self, queues: Queues, folder: Path, *, now: Callable[[], datetime]) -> None:
        self._queues = queues
        self._folder = folder
        self._now = now
        self._offers: dict[ChatRef, _Offer | _LineOffer] = {}
        self._adding: set[ChatRef] = set()

    async def offer(
        self, asking: Asking, queue: Queue, subroutine: Subroutine, path: Path, *, zone: str
    ) -> None:
        """Raises BadArgument (unreadable file, unclear encoding, two columns alike)."""
        sheet = await asyncio.to_thread(open_sheet, path)
        matching = match_headers(sheet.header, subroutine)
        await self._show(asking, queue, _Offer(queue.name, subroutine, path, matching, zone, self._now()))

    async def offer_lines(
        self, asking: Asking, queue: Queue, subroutine: Subroutine, rows: Sequence[Mapping[str, JsonValue]]
    ) -> None:
        """``rows`` are typed arguments."""
        self._offers[asking.chat] = _LineOffer(queue.name, rows, self._now())
        seen = preview((GoodRow(line, row) for line, row in enumerate(rows, start=1)), subroutine)
        await asking.answer(preview_reply(queue, seen, Matching(columns={}), 0))

    def offered_at(self, chat: ChatRef) -> datetime | None:
        """When that was shown which this chat has not answered yet."""
        offer = self._offers.get(chat)
        return offer.at if offer is not None else None

    async def choose(self, asking: Asking, queue: Queue, chosen: Mapping[str, str]) -> None:
        """``chosen`` is header -> parameter. Raises AskError where nothing was offered, BadArgument."""
        offer = self._offer_of(asking.chat, queue)
        if isinstance(offer, _LineOffer):
            raise AskError("What was shown came as lines, which have no columns.")
        header = (await asyncio.to_thread(open_sheet, offer.path)).header
        matching = confirm(offer.matching, header, chosen, offer.subroutine)
        await self._show(asking, queue, replace(offer, matching=matching))

    async def confirm(self, asking: Asking, queue: Queue) -> None:
        """Adds the good rows. Raises AskError where nothing was offered, or it is being added already."""
        chat, offer = asking.chat, self._offer_of(asking.chat, queue)
        if chat in self._adding:
            raise AskError(f"The rows are being added to {queue.name} just now.")
        self._adding.add(chat)
        try:
            added = await self._add(asking, queue, offer)
        except SetupError as error:
            again = f"Nothing was added. To try again: /queue confirm {queue.name}"
            raise SetupError(f"{error} {again}") from error
        finally:
            self._adding.discard(chat)
        if self._offers.get(chat) is offer:
            del self._offers[chat]
        await asking.answer(added_reply(await self._queues.get(queue.name), added))

    async def _add(self, asking: Asking, queue: Queue, offer: _Offer | _LineOffer) -> int:
        if isinstance(offer, _LineOffer):
            return await self._queues.add(queue.name, offer.rows)
        return await self._add_sheet(asking, queue, offer)

    async def _add_sheet(self, asking: Asking, queue: Queue, offer: _Offer) -> int:
        if not offer.checked.exists():
            raise AskError("A parameter has no column yet, so that there is nothing to add.")
        kept = await asyncio.to_thread(self._keep, offer.path, queue)
        message, on_rows = _progress(asking, queue, "added")
        added = 0
        try:
            added = await self._queues.sheets.import_rows(queue.name, kept, _checked(offer), on_rows=on_rows)
        except BaseException:
            (self._folder / kept).unlink()
            raise
        finally:
            await message.end(Reply(f"{queue.name}: {added:,} rows added"))
        offer.checked.unlink()
        return added

    def _keep(self, path: Path, queue: Queue) -> str:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        name = f"{queue.id}-{secrets.token_hex(6)}{path.suffix.casefold()}"
        shutil.copyfile(path, self._folder / name)
        return name

    async def _show(self, asking: Asking, queue: Queue, offer: _Offer) -> None:
        self._offers[asking.chat] = offer
        if offer.matching.missing:
            await asking.answer(missing_reply(queue, offer.matching))
            return
        message, on_rows = _progress(asking, queue, "read")
        try:
            look = await asyncio.to_thread(_look, offer, on_rows)
        finally:
            await message.end(Reply(f"{queue.name}: the file was read"))
        if look.problems is not None:
            await asking.answer(
                Reply("These rows have problems; the reason is beside each.", file=look.problems)
            )
        await asking.answer(preview_reply(queue, look.preview, offer.matching, look.skipped))

    def _offer_of(self, chat: ChatRef, queue: Queue) -> _Offer | _LineOffer:
        offer = self._offers.get(chat)
        if offer is None or offer.queue != queue.name:
            raise AskError(f"There is nothing to add to {queue.name}. Please send the rows again.")
        return offer


def _progress(asking: Asking, queue: Queue, what: str) -> tuple[ProgressMessage, OnRows]:
    """The message, and what may be called from any thread with the number of rows so far."""
    message, loop = ProgressMessage(asking, queue.name), asyncio.get_running_loop()

    def on_rows(count: int) -> None:
        told = Progress(run=queue.name, text=f"{count:,} rows {what}")
        loop.call_soon_threadsafe(message.told, told)

    return message, on_rows


def _look(offer: _Offer, on_rows: OnRows) -> _Look:
    sheet = open_sheet(offer.path, on_rows=on_rows)
    rows = typed_rows(sheet, offer.matching, offer.subroutine, zone=offer.zone)
    problems = offer.path.with_name(f"{offer.path.stem}-problems.csv")
    with error_file(problems, sheet.header) as add, offer.checked.open("w", encoding="utf-8") as checked:
        seen = preview(
            rows,
            offer.subroutine,
            on_good=_writer(checked.write),
            on_bad=lambda row: add(row.line, row.cells, row.reason),
        )
    if not seen.bad:
        problems.unlink()
    return _Look(seen, sheet.skipped, problems if seen.bad else None)


def _writer(write: Callable[[str], object]) -> Callable[[GoodRow], None]:
    encode = json.JSONEncoder(ensure_ascii=False).encode

    def keep(row: GoodRow) -> None:
        write(f"{row.line} {encode(row.arguments)}\n")

    return keep


def _checked(offer: _Offer) -> Iterator[SheetRow]:
    with offer.checked.open(encoding="utf-8") as file:
        for text in file:
            line, arguments = text.rstrip("\n").split(" ", 1)
            yield SheetRow(int(line), arguments)
