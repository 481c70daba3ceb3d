"""The rows that a run returned as files, where a message does not show them all: as CSV and as JSON."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from bot.handlers.results import write_csv
from bot.messages import Reply
from bot.values import MOST_ROWS
from library.models import Run


def row_files(run: Run, folder: Path) -> list[Reply]:
    """One reply for each file, made in ``folder``; none where the message has shown everything."""
    rows = _rows(run.evidence.value if run.evidence is not None else None)
    if rows is None or len(rows) <= MOST_ROWS:
        return []
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    stem = f"{run.call.name.replace('/', '-')}-{run.id}"
    header = list(dict.fromkeys(key for row in rows for key in row))
    sheet, document = folder / f"{stem}.csv", folder / f"{stem}.json"
    write_csv(sheet, header, ([_cell(row.get(key)) for key in header] for row in rows))
    document.write_text(json.dumps(rows, ensure_ascii=False, indent=1), encoding="utf-8")
    return [
        Reply(f"All {len(rows)} rows of {run.call.name}.", file=sheet),
        Reply("The same as JSON.", file=document),
    ]


def _rows(value: JsonValue) -> Sequence[Mapping[str, JsonValue]] | None:
    """The value itself, or the only thing in it, when that is a list of objects."""
    if isinstance(value, Mapping) and len(value) == 1:
        value = next(iter(value.values()))
    if not isinstance(value, list):
        return None
    rows = [row for row in value if isinstance(row, dict)]
    return rows if len(rows) == len(value) else None


def _cell(value: JsonValue) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)
