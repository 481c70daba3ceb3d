"""Cells of .xlsx workbooks: dates in both epochs, ids, formulas, blank and merely formatted rows."""

import re
import zipfile
from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900

from scheduler.sheets import Row, open_sheet, write_results
from scheduler.workbooks import WorkbookUnreadable


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "posts.xlsx"


def saved(path: Path, *rows: list[object], epoch: datetime = CALENDAR_WINDOWS_1900) -> Path:
    book = Workbook()
    book.epoch = epoch
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


@pytest.mark.parametrize("epoch", [CALENDAR_WINDOWS_1900, CALENDAR_MAC_1904])
def test_dates_are_right_in_both_epochs(path: Path, epoch: datetime) -> None:
    cells = [date(2026, 12, 24), datetime(2026, 12, 24, 18, 0), datetime(2026, 1, 2, 3, 4, 5), time(9, 30)]
    saved(path, ["a", "b", "c", "d"], list(cells), epoch=epoch)
    (row,) = open_sheet(path)
    assert row.cells == ("2026-12-24", "2026-12-24 18:00", "2026-01-02 03:04:05", "09:30")


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        ("007", "General", "007"),
        ("98765432109876543210", "General", "98765432109876543210"),
        (7, "General", "7"),
        (7, "00000", "00007"),
        (7.0, "General", "7"),
        (0.1, "General", "0.1"),
        (123456789012345, "0", "123456789012345"),
        (True, "General", "true"),
        (datetime(2026, 12, 24), "dd.mm.yyyy", "2026-12-24"),
        (datetime(2026, 12, 24), '"am" dd.mm.yy hh:mm', "2026-12-24 00:00"),
        (timedelta(hours=30, minutes=5), "[h]:mm", "30:05"),
        ("  kept  ", "General", "  kept  "),
    ],
)
def test_a_cell_is_read_as_it_is_meant(path: Path, value: object, number_format: str, text: str) -> None:
    book = Workbook()
    book.active.append(["x"])
    book.active["A2"] = value
    book.active["A2"].number_format = number_format
    book.save(path)
    assert [row.cells for row in open_sheet(path)] == [(text,)]


def test_a_number_that_has_lost_its_end_is_refused(path: Path) -> None:
    saved(path, ["id"], [98765432109876543210])
    with pytest.raises(WorkbookUnreadable, match=r"A2 is a number of 20 digits"):
        list(open_sheet(path))


def test_a_formula_without_a_stored_value_is_refused(path: Path) -> None:
    saved(path, ["a", "b"], ["1", "=A2&A2"])
    with pytest.raises(WorkbookUnreadable, match=r"B2 is a formula \(=A2&A2\)"):
        list(open_sheet(path))


def test_the_stored_value_of_a_formula_is_taken(path: Path, tmp_path: Path) -> None:
    saved(path, ["a"], ["=1+1"])
    calculated = tmp_path / "calculated.xlsx"
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(calculated, "w") as target:
        for name in source.namelist():
            raw = source.read(name)
            target.writestr(name, re.sub(rb"</f><v ?/?>(</v>)?", b"</f><v>2</v>", raw))
    assert [row.cells for row in open_sheet(calculated)] == [("2",)]


def test_an_error_value_is_refused(path: Path) -> None:
    saved(path, ["a"], ["#REF!"])
    with pytest.raises(WorkbookUnreadable, match="A2 shows the error #REF!"):
        list(open_sheet(path))


def test_blank_and_merely_formatted_rows_are_skipped_and_counted(path: Path) -> None:
    book = Workbook()
    for row in (["a"], ["1"], [None], ["2"]):
        book.active.append(row)
    book.active["A9"].number_format = "0.00"
    book.save(path)
    sheet = open_sheet(path)
    assert list(sheet) == [Row(2, ("1",)), Row(4, ("2",))]
    assert sheet.skipped == 6


def test_results_stand_beside_the_rows_and_are_no_formulas(path: Path, tmp_path: Path) -> None:
    saved(path, ["a", "when"], ["007", datetime(2026, 12, 24, 18)], [None], ["=1+1", None])
    out = tmp_path / "results.xlsx"
    write_results(path, out, {"status": {2: "done", 4: "=cmd()"}})
    rows = [[cell.value for cell in row] for row in load_workbook(out).active.rows]
    assert rows[0] == ["a", "when", "status"]
    assert rows[1] == ["007", datetime(2026, 12, 24, 18), "done"]
    assert rows[3] == ["=1+1", None, "'=cmd()"]
