"""Cells of an .xlsx workbook's first sheet as text, and back; imports openpyxl, and that late: it is slow."""

import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from library.errors import BadArgument

MOST_DIGITS = 15
"""Spreadsheet programs keep 15 digits of a number: a longer one has lost its end before it got here."""
_PADDED = re.compile(r"0{2,}")
_CHUNK = 1 << 20


class WorkbookUnreadable(BadArgument):
    """No workbook, or a cell without a clear value; the message names the cell."""

    code = "WORKBOOK_UNREADABLE"


def read_workbook(path: Path) -> Iterator[tuple[int, Sequence[str]]]:
    """(row number from 1, cells as text) of every row, blank ones too.

    Raises WorkbookUnreadable: formula without a stored value, error value, number of more than 15 digits.
    """
    values = _load(path, data_only=True)
    formulas = _load(path, data_only=False) if _has_formulas(path) else None
    try:
        written = formulas.worksheets[0].rows if formulas else None
        for line, row in enumerate(values.worksheets[0].rows, start=1):
            if written is not None:
                _refuse_uncalculated(row, next(written))
            yield line, [_text(cell) for cell in row]
    finally:
        values.close()
        if formulas:
            formulas.close()


def write_workbook(path_in: Path, path_out: Path, columns: Mapping[str, Mapping[int, str]]) -> None:
    """Copies the first sheet (values, formulas and number formats) with ``columns`` of results beside it."""
    from openpyxl import Workbook

    source, target = _load(path_in, data_only=False), Workbook(write_only=True)
    sheet = target.create_sheet(source.worksheets[0].title)
    try:
        width = 0
        for line, row in enumerate(source.worksheets[0].rows, start=1):
            cells = [_copied(sheet, cell) for cell in row]
            has_text = any(cell.value is not None for cell in row)
            if not width and has_text:
                width = len(cells)
                sheet.append([*cells, *columns])
            else:
                results = [texts.get(line) for texts in columns.values()]
                sheet.append([*cells, *[None] * (width - len(cells)), *results])
        target.save(path_out)
    finally:
        source.close()


def _load(path: Path, *, data_only: bool) -> Any:
    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and extensions that do not matter here
            return openpyxl.load_workbook(path, read_only=True, data_only=data_only)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, OSError) as error:
        raise WorkbookUnreadable(f"{path.name} is not an .xlsx workbook, or it is damaged.") from error


def _has_formulas(path: Path) -> bool:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if not name.startswith("xl/worksheets/"):
                continue
            with archive.open(name) as part:
                tail = b""
                while chunk := part.read(_CHUNK):
                    if b"<f>" in tail + chunk or b"<f " in tail + chunk or b"<f/" in tail + chunk:
                        return True
                    tail = chunk[-3:]
    return False


def _refuse_uncalculated(row: Sequence[Any], written: Sequence[Any]) -> None:
    for cell, source in zip(row, written, strict=True):
        if source.data_type == "f" and cell.value is None:
            raise WorkbookUnreadable(
                f"Cell {source.coordinate} is a formula ({source.value}) whose result is not in the file. "
                "Open it in a spreadsheet program and save it again, or paste the values."
            )


def _text(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if cell.data_type == "e":
        raise WorkbookUnreadable(f"Cell {cell.coordinate} shows the error {value}.")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _number(cell, value)
    if isinstance(value, datetime):
        return _moment(value, cell.number_format)
    if isinstance(value, time):
        return _clock(value)
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60:02d}:{minutes % 60:02d}" + (f":{seconds:02d}" if seconds else "")
    return value.isoformat() if isinstance(value, date) else str(value)


def _number(cell: Any, value: float) -> str:
    if value != int(value):
        return repr(value)
    digits = str(int(value))
    if len(digits.lstrip("-")) > MOST_DIGITS:
        raise WorkbookUnreadable(
            f"Cell {cell.coordinate} is a number of {len(digits.lstrip('-'))} digits; spreadsheets keep "
            f"only {MOST_DIGITS}, so its end is lost. Enter it as text (an apostrophe in front)."
        )
    return digits.zfill(len(cell.number_format)) if _PADDED.fullmatch(cell.number_format) else digits


def _moment(value: datetime, number_format: str) -> str:
    """With the time where the cell shows it; rounded to seconds, for programs store fractions of days."""
    rounded = (value + timedelta(milliseconds=500)).replace(microsecond=0)
    shown = re.sub(r'"[^"]*"|\\.|\[[^\]]*\]', "", number_format).casefold()
    if not re.search(r"[hs]", shown) and rounded.time() == time():
        return f"{rounded:%Y-%m-%d}"
    return f"{rounded:%Y-%m-%d} {_clock(rounded.time())}"


def _clock(at: time) -> str:
    return f"{at:%H:%M:%S}" if at.second else f"{at:%H:%M}"


def _copied(sheet: Any, cell: Any) -> Any:
    from openpyxl.cell import WriteOnlyCell

    if cell.value is None:
        return None
    is_formula_like_text = cell.data_type == "s" and cell.value[:1] == "="
    if cell.number_format == "General" and not is_formula_like_text:
        return cell.value
    copy = WriteOnlyCell(sheet, value=cell.value)
    copy.number_format = cell.number_format
    if is_formula_like_text:
        copy.data_type = "s"
    return copy
