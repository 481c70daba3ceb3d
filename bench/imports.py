"""How long a sheet of 100,000 rows takes: read and checked, then added to a queue."""

import asyncio
import json
import resource
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from bench.table import Row
from library.models import Effect, Param, Subroutine
from scheduler.database import Database
from scheduler.imports import GoodRow, match_headers, typed_rows
from scheduler.queues import Queues
from scheduler.sheet_items import SheetRow
from scheduler.sheets import open_sheet

ROWS = 100_000
POST = Subroutine(
    name="post",
    version="1.0.0",
    sites=("https://example.com/*",),
    effect=Effect.WRITE,
    params={"text": Param(max_length=280), "post_id": Param(), "count": Param(type="integer")},
    body="",
    source="",
)


def measure(*, rows: int = ROWS) -> list[Row]:
    return asyncio.run(_measure(rows))


async def _measure(rows: int) -> list[Row]:
    checked, added = Row(f"{rows:,} rows: read and checked", "s"), Row(f"{rows:,} rows: added", "s")
    with tempfile.TemporaryDirectory(prefix="runhome-bench-") as folder:
        sheet, kept = Path(folder, "rows.csv"), Path(folder, "rows.checked")
        _write(sheet, rows)
        before = _peak_mib()
        begin = time.perf_counter()
        _check(sheet, kept)
        checked.samples.append(time.perf_counter() - begin)
        checked.note = f"memory grew by {_peak_mib() - before:.0f} MiB"
        database = await Database.open(Path(folder, "bench.sqlite3"))
        queues = Queues(database, now=lambda: datetime.now(UTC))
        await queues.create("posts", "post")
        before = _peak_mib()
        begin = time.perf_counter()
        assert await queues.sheets.import_rows("posts", sheet.name, _kept(kept)) == rows
        added.samples.append(time.perf_counter() - begin)
        added.note = f"memory grew by {_peak_mib() - before:.0f} MiB"
        await database.close()
    return [checked, added]


def _write(path: Path, rows: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write("text,post_id,count\n")
        file.writelines(f'"Row {n}, with a comma and some words",{n:08d},{n}\n' for n in range(rows))


def _check(sheet: Path, kept: Path) -> None:
    opened = open_sheet(sheet)
    encode = json.JSONEncoder(ensure_ascii=False).encode
    with kept.open("w", encoding="utf-8") as file:
        for row in typed_rows(opened, match_headers(opened.header, POST), POST, zone="UTC"):
            assert isinstance(row, GoodRow), row
            file.write(f"{row.line} {encode(row.arguments)}\n")


def _kept(path: Path) -> Iterator[SheetRow]:
    with path.open(encoding="utf-8") as file:
        for text in file:
            line, arguments = text.rstrip("\n").split(" ", 1)
            yield SheetRow(int(line), arguments)


def _peak_mib() -> float:
    """The most that the process ever held (kilobytes on Linux, getrusage(2))."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
