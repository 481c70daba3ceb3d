"""Rows of a .csv, .tsv or .xlsx file, lazily and as text, and results beside them. Knows no parameters.

Every cell is text: leading zeros and long ids stay as they are. Dates become ``YYYY-MM-DD`` or
``YYYY-MM-DD HH:MM[:SS]``, times ``HH:MM[:SS]``. Blank rows, and rows that are only formatted, are skipped and
counted. Of a workbook the first sheet is read.
"""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from library.errors import BadArgument
from scheduler.encodings import detect
from scheduler.workbooks import read_workbook, write_workbook

OnRows = Callable[[int], None]
"""Called with the number of rows read so far, every PROGRESS_EVERY rows."""
PROGRESS_EVERY = 1000
LONGEST_CELL = 1 << 20
_SNIFFED = 1 << 16
_DELIMITERS = ",;\t|"
_ONE_COLUMN = "\x1f"
"""A delimiter that no text has: every line is one cell, commas and all."""


class SheetUnreadable(BadArgument):
    """The file is no sheet, or a cell of it has no clear value; the message says which."""

    code = "SHEET_UNREADABLE"


@dataclass(frozen=True)
class Row:
    """``line`` is the row's number in the file as a spreadsheet shows it (the header is usually 1)."""

    line: int
    cells: tuple[str, ...]


@dataclass
class Sheet:
    """An open sheet: the header at once, the rows lazily. ``skipped`` grows while rows are read."""

    path: Path
    header: tuple[str, ...]
    _rows: Iterator[tuple[int, Sequence[str]]] = field(repr=False)
    on_rows: OnRows | None = None
    skipped: int = 0

    def __iter__(self) -> Iterator[Row]:
        width = len(self.header)
        count = 0
        for line, cells in self._rows:
            if not any(cell.strip() for cell in cells):
                self.skipped += 1
                continue
            if any(cell.strip() for cell in cells[width:]):
                raise SheetUnreadable(
                    f"Row {line} of {self.path.name} has {len(cells)} cells, but the header has {width}. "
                    "A text with a delimiter in it needs quotes."
                )
            count += 1
            if self.on_rows is not None and count % PROGRESS_EVERY == 0:
                self.on_rows(count)
            yield Row(line, tuple(cells[:width]) + ("",) * (width - len(cells)))
        if self.on_rows is not None:
            self.on_rows(count)


def open_sheet(path: Path, *, on_rows: OnRows | None = None) -> Sheet:
    """Raises SheetUnreadable, WorkbookUnreadable or EncodingUnclear, here or while rows are read."""
    rows = _numbered(path)
    for _, cells in rows:
        names = [cell.strip() for cell in cells]
        while names and not names[-1]:
            names.pop()
        if names:
            return Sheet(path, tuple(names), rows, on_rows)
    raise SheetUnreadable(f"{path.name} has no rows. The first row must name the parameters.")


def write_results(path_in: Path, path_out: Path, columns: Mapping[str, Mapping[int, str]]) -> None:
    """Copies the sheet with result columns beside the rows: name -> (row's ``line`` -> text).

    A .csv or .tsv keeps its delimiter and becomes UTF-8 with a BOM, which Excel reads rightly. Results that a
    spreadsheet would take for a formula get an apostrophe in front (OWASP, "CSV Injection").
    """
    if path_in.resolve() == path_out.resolve():
        raise SheetUnreadable(f"Results cannot be written over {path_in.name} itself.")
    safe = {name: {line: neutral(text) for line, text in texts.items()} for name, texts in columns.items()}
    if _kind(path_in) == "xlsx":
        write_workbook(path_in, path_out, safe)
        return
    header_line = next((line for line, cells in _numbered(path_in) if any(map(str.strip, cells))), 1)
    with path_out.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, delimiter=_dialect(path_in, detect(path_in)))
        width = 0
        for line, cells in _numbered(path_in):
            if line == header_line:
                width = len(cells)
                writer.writerow([*cells, *safe])
            else:
                padding = [""] * (width - len(cells))
                writer.writerow([*cells, *padding, *(texts.get(line, "") for texts in safe.values())])


@contextmanager
def error_file(path: Path, header: Sequence[str]) -> Iterator[Callable[[int, Sequence[str], str], None]]:
    """A new .csv for rows that were refused; the function takes the row's line, its cells and the reason.

    The reason stands in the last column, the line in the one before: both are ignored by a second import.
    """
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*header, "(row)", "(problem)"])

        def add(line: int, cells: Sequence[str], reason: str) -> None:
            writer.writerow([*cells, line, neutral(reason)])

        yield add


def neutral(text: str) -> str:
    """The text so that a spreadsheet shows it and does not compute it. Plain negative numbers stay."""
    if text[:1] in tuple("=+-@\t\r") and text and not _is_number(text):
        return f"'{text}"
    return text


def _is_number(text: str) -> bool:
    return (
        text[0] in "+-" and text[1:].replace(".", "", 1).isascii() and text[1:].replace(".", "", 1).isdigit()
    )


def _kind(path: Path) -> str:
    kind = path.suffix.casefold().removeprefix(".")
    if kind not in ("csv", "tsv", "txt", "xlsx"):
        raise SheetUnreadable(f'"{path.name}" is no sheet that can be read; there is .csv, .tsv and .xlsx.')
    return kind


def _numbered(path: Path) -> Iterator[tuple[int, Sequence[str]]]:
    if _kind(path) == "xlsx":
        yield from read_workbook(path)
        return
    encoding = detect(path)
    delimiter = _dialect(path, encoding)
    csv.field_size_limit(LONGEST_CELL)
    with path.open(encoding=encoding, newline="") as file:
        reader = csv.reader(file, delimiter=delimiter, strict=True)
        try:
            yield from enumerate(reader, start=1)
        except csv.Error as error:
            raise SheetUnreadable(
                f"{path.name} cannot be read near line {reader.line_num}: {error}. Is a quote left open?"
            ) from error


def _dialect(path: Path, encoding: str) -> str:
    """The delimiter that cuts the first rows into the same number of cells, and into the most of them."""
    if path.suffix.casefold() == ".tsv":
        return "\t"
    with path.open(encoding=encoding, newline="") as file:
        start = file.read(_SNIFFED)
    if len(start) == _SNIFFED:
        start = start[: start.rfind("\n") + 1] or start
    best = max(_DELIMITERS, key=lambda delimiter: _regularity(start, delimiter))
    return best if _regularity(start, best) > (0.0, 0) else _ONE_COLUMN


def _regularity(start: str, delimiter: str) -> tuple[float, int]:
    try:
        rows = [
            len(row) for row in csv.reader(start.splitlines(keepends=True)[:200], delimiter=delimiter) if row
        ]
    except csv.Error:
        return 0.0, 0
    if not rows or rows[0] == 1:
        return 0.0, 0
    return sum(width == rows[0] for width in rows) / len(rows), rows[0]
