"""Shows what became of each due time (``/check_schedule_results``). Asking changes nothing."""

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from bot import commands
from bot.handlers.asking import Answer, Asking
from bot.messages import Reply
from bot.ports import Deliveries, Journal
from bot.schedule_replies import SlotStory, results_reply
from library.errors import BadArgument, UnknownName
from scheduler.schedule_rows import Schedule, Slot
from scheduler.schedules import Schedules
from scheduler.sheets import neutral
from scheduler.when_dates import read_date
from scheduler.when_times import LENGTH, read_length
from scheduler.when_words import in_english

MOST_ASKED = 10
"""Schedules that are answered with a message each."""
LATELY = timedelta(days=7)
"""How long a schedule that has ended is still shown without being named."""
SHOWN = 5
SHOWN_OF_ONE = 15
IN_A_FILE = 1_000
COLUMNS = ("schedule", "slot", "status", "reason", "run", "seconds", "delivery")


class ResultsDesk:
    """``folder`` is where the files are made that ``--csv`` sends."""

    def __init__(
        self,
        *,
        schedules: Schedules,
        journal: Journal,
        deliveries: Deliveries,
        folder: Path,
        now: Callable[[], datetime],
    ) -> None:
        self._schedules = schedules
        self._journal = journal
        self._deliveries = deliveries
        self._folder = folder
        self._now = now

    @property
    def answers(self) -> Mapping[type, Answer]:
        return {commands.CheckResults: self._check}

    @property
    def claimed(self) -> frozenset[type]:
        return frozenset()

    async def _check(self, asking: Asking, command: commands.CheckResults) -> None:
        command = await self._read(command)
        asked = await self._asked(command)
        if not asked:
            await asking.answer(Reply("Nothing is scheduled, so there are no results. /schedule begins."))
            return
        shown = SHOWN_OF_ONE if command.what else SHOWN
        stories = {
            item.id: await self._stories(item, command.since, IN_A_FILE if command.csv else shown)
            for item in (asked if command.csv else asked[:MOST_ASKED])
        }
        if command.csv:
            await asking.answer(self._file(asking, asked, stories))
            return
        for schedule in asked[:MOST_ASKED]:
            await asking.answer(results_reply(schedule, stories[schedule.id]))
        if len(asked) > MOST_ASKED:
            more = len(asked) - MOST_ASKED
            hint = "/check_schedule_results #ID shows one of them, --csv sends all as a file."
            await asking.answer(Reply(f"{more} more schedules are not shown. {hint}"))

    async def _read(self, command: commands.CheckResults) -> commands.CheckResults:
        """Whoever names no schedule may begin with the time: ``yesterday``, ``since monday``."""
        if command.what is None:
            return command
        try:
            await self._schedules.find(command.what)
        except UnknownName:
            since = f"{command.what} {command.since}"
            try:
                read_since(since, now=self._now(), zone="UTC")
            except BadArgument:
                return command
            return replace(command, what=None, since=since)
        return command

    async def _asked(self, command: commands.CheckResults) -> Sequence[Schedule]:
        """The one that is named, or all: also those that ended lately, such as one for a single moment."""
        if command.what:
            return [await self._schedules.find(command.what)]
        since = read_since(command.since, now=self._now(), zone="UTC") or self._now() - LATELY
        return await self._schedules.with_slots(since)

    async def _stories(self, schedule: Schedule, since: str, most: int) -> list[SlotStory]:
        start = read_since(since, now=self._now(), zone=schedule.rule.zone)
        slots = await self._schedules.slots(schedule.id, since=start, limit=most)
        delivered = await self._deliveries.of_runs([slot.run_id for slot in slots if slot.run_id])
        return [await self._story(slot, delivered) for slot in slots]

    async def _story(self, slot: Slot, delivered: Mapping[str, str]) -> SlotStory:
        run = await self._journal.get(slot.run_id) if slot.run_id else None
        return SlotStory(slot, run, delivered.get(slot.run_id) if slot.run_id else None)

    def _file(
        self, asking: Asking, asked: Sequence[Schedule], stories: Mapping[int, Sequence[SlotStory]]
    ) -> Reply:
        rows = [_row(schedule, story) for schedule in asked for story in stories[schedule.id]]
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._folder / f"results-{self._now():%Y%m%d-%H%M%S}.csv"
        write_csv(path, COLUMNS, rows)
        return Reply("1 slot." if len(rows) == 1 else f"{len(rows)} slots.", file=path)


def read_since(text: str, *, now: datetime, zone: str) -> datetime | None:
    """``24h``, ``3 days``, ``yesterday``, ``monday``, ``2026-03-01``: from then on. None when empty."""
    if not text.strip():
        return None
    english = in_english(text).removeprefix("since ").strip()
    if re.fullmatch(LENGTH, english):
        return now - read_length(english)
    clock = ZoneInfo(zone)
    today = now.astimezone(clock).date()
    day = _day_before(english, today) or read_date(english, today, "00:00")
    if day is None or day > today:
        raise BadArgument(f'"{text}" is no time to look back to. For example: 24h, yesterday, 2026-03-01')
    return datetime.combine(day, time(), clock)


def _day_before(english: str, today: date) -> date | None:
    """``today``, ``yesterday``, or the newest day of that name, counting today."""
    if english in _DAYS_AGO:
        return today - timedelta(days=_DAYS_AGO[english])
    if not english.isalpha() or english[:3] not in _DAYS:
        return None
    return today - timedelta(days=(today.weekday() - _DAYS.index(english[:3])) % 7)


_DAYS_AGO = {"today": 0, "yesterday": 1, "gestern": 1, "어제": 1}
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """UTF-8 with a BOM, which Excel reads rightly; nothing in it is taken for a formula."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([neutral(cell) for cell in row] for row in (header, *rows))


def _row(schedule: Schedule, story: SlotStory) -> list[str]:
    run, slot = story.run, story.slot
    took = ""
    if run is not None and run.started_at and run.finished_at:
        took = f"{(run.finished_at - run.started_at).total_seconds():.1f}"
    local = slot.slot.astimezone(ZoneInfo(schedule.rule.zone)).isoformat()
    name = f"#{schedule.id} {schedule.call.name}"
    return [name, local, slot.status, slot.reason, slot.run_id or "", took, story.delivery or ""]
