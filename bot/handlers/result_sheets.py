"""Files of what became of a queue's rows: each sheet as it was sent, with results beside its rows."""

import asyncio
import csv
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from library.models import Subroutine
from scheduler.queue_rows import Item, Queue
from scheduler.queues import Queues
from scheduler.sheets import neutral, write_results

RESULTS = ("(item)", "(status)", "(reason)", "(run)", "(result)")


class ResultSheets:
    """``folder`` is where they are made; ``kept`` is where imported sheets lie."""

    def __init__(self, queues: Queues, folder: Path, kept: Path) -> None:
        self._queues = queues
        self._folder = folder
        self._kept = kept

    async def write(self, queue: Queue, subroutine: Subroutine, at: datetime) -> list[Path]:
        """One file for each sheet that was imported, and one for items that came as lines."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return [
            await self._of_sheet(queue, subroutine, sheet, f"queue-{queue.id}-{at:%Y%m%d-%H%M%S}-{number}")
            for number, sheet in enumerate(await self._queues.sheets.names(queue.name), start=1)
        ]

    async def _of_sheet(self, queue: Queue, subroutine: Subroutine, sheet: str | None, stem: str) -> Path:
        source = self._kept / sheet if sheet is not None else None
        if source is None or not source.exists():
            return await self._fresh(queue, subroutine, sheet, self._folder / f"{stem}.csv")
        path = self._folder / f"{stem}{source.suffix}"
        columns: Mapping[str, dict[int, str]] = {name: {} for name in RESULTS}
        async for page in self._queues.sheets.pages(queue.name, sheet=sheet):
            for item in page:
                for name, text in zip(RESULTS, _results(item), strict=True):
                    columns[name][item.line or 0] = text
        await asyncio.to_thread(write_results, source, path, columns)
        return path

    async def _fresh(self, queue: Queue, subroutine: Subroutine, sheet: str | None, path: Path) -> Path:
        shown = [name for name, param in subroutine.params.items() if not param.secret]
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([*shown, *RESULTS])
            async for page in self._queues.sheets.pages(queue.name, sheet=sheet):
                for item in page:
                    cells = [_cell(item.arguments.get(name)) for name in shown]
                    writer.writerow([neutral(cell) for cell in (*cells, *_results(item))])
        return path


def _results(item: Item) -> Sequence[str]:
    return str(item.id), item.status, item.reason, item.run_id or "", _cell(item.value)


def _cell(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
