"""Rows of text files: delimiters, quotes, ids, blank rows, results beside them."""

import tracemalloc
from pathlib import Path

import pytest

from scheduler.sheets import Row, SheetUnreadable, error_file, neutral, open_sheet, write_results


def written(tmp_path: Path, text: str, *, name: str = "posts.csv", codec: str = "utf-8") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode(codec))
    return path


@pytest.mark.parametrize(
    ("text", "header", "rows"),
    [
        ("a,b\n1,2\n", ("a", "b"), [("1", "2")]),
        ("a;b\n1,5;2,5\n1,25;3\n", ("a", "b"), [("1,5", "2,5"), ("1,25", "3")]),
        ("a\tb\n1\t2, and 3\n", ("a", "b"), [("1", "2, and 3")]),
        ("a|b\n1|2\n", ("a", "b"), [("1", "2")]),
        ("text\nHello, world; yes\n", ("text",), [("Hello, world; yes",)]),
        ('a,b\n"x, y","say ""hi"""\n', ("a", "b"), [("x, y", 'say "hi"')]),
        ('a;b\n"two\nlines";2\n', ("a", "b"), [("two\nlines", "2")]),
        ("a,b,,\r\n1,2,,\r\n", ("a", "b"), [("1", "2")]),
        ("a,b\n007,98765432109876543210\n", ("a", "b"), [("007", "98765432109876543210")]),
        ("a,b,c\n1\n", ("a", "b", "c"), [("1", "", "")]),
        ("\ufeffa,b\n1,2", ("a", "b"), [("1", "2")]),
        ("\n\na,b\n1,2\n", ("a", "b"), [("1", "2")]),
    ],
)
def test_rows_come_as_text(
    tmp_path: Path, text: str, header: tuple[str, ...], rows: list[tuple[str, ...]]
) -> None:
    sheet = open_sheet(written(tmp_path, text))
    assert sheet.header == header
    assert [row.cells for row in sheet] == rows


def test_blank_rows_are_skipped_and_counted_and_keep_the_numbers_of_the_others(tmp_path: Path) -> None:
    sheet = open_sheet(written(tmp_path, "a,b\n1,2\n\n , \n,\n3,4\n"))
    assert list(sheet) == [Row(2, ("1", "2")), Row(6, ("3", "4"))]
    assert sheet.skipped == 3


def test_old_encodings_are_read_rightly(tmp_path: Path) -> None:
    text = "이름;내용\r\n김민수;안녕하세요 여러분\r\n"
    assert list(open_sheet(written(tmp_path, text, codec="cp949"))) == [
        Row(2, ("김민수", "안녕하세요 여러분"))
    ]


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        ("", "posts.csv", "no rows"),
        (" , \n", "posts.csv", "no rows"),
        ("a", "posts.pdf", "is no sheet"),
        ("a,b\n1,2,3\n", "posts.csv", "Row 2 .* 3 cells, but the header has 2"),
        ('a,b\n1,"open\n3,4\n', "posts.csv", "quote left open"),
        ("no workbook", "posts.xlsx", "not an .xlsx workbook"),
    ],
)
def test_what_is_no_clear_sheet_is_refused(tmp_path: Path, text: str, name: str, says: str) -> None:
    path = written(tmp_path, text, name=name)
    with pytest.raises(Exception, match=says) as error:
        list(open_sheet(path))
    assert "readable" in type(error.value).__name__.casefold() or isinstance(error.value, SheetUnreadable)


def test_many_rows_are_read_with_progress_in_bounded_memory(tmp_path: Path) -> None:
    rows = "".join(f'{n:07d},"Hello number {n}",https://example.com/{n}\n' for n in range(20_000))
    path = written(tmp_path, "id,text,url\n" + rows)
    del rows
    seen: list[int] = []
    tracemalloc.start()
    count = sum(1 for _ in open_sheet(path, on_rows=seen.append))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 20_000
    assert seen == [*range(1000, 20_001, 1000), 20_000]
    assert peak < 1_500_000


def test_results_stand_beside_their_rows(tmp_path: Path) -> None:
    path = written(tmp_path, 'id;text\n007;"a;b"\n\n008\n')
    out = tmp_path / "results.csv"
    write_results(path, out, {"status": {2: "done", 4: "failed"}, "link": {2: "https://example.com/1"}})
    sheet = open_sheet(out)
    assert sheet.header == ("id", "text", "status", "link")
    assert [row.cells for row in sheet] == [
        ("007", "a;b", "done", "https://example.com/1"),
        ("008", "", "failed", ""),
    ]
    assert out.read_bytes().startswith(b"\xef\xbb\xbf")


def test_results_are_never_written_over_the_sheet_itself(tmp_path: Path) -> None:
    path = written(tmp_path, "a\n1\n")
    with pytest.raises(SheetUnreadable, match="itself"):
        write_results(path, path, {})
    assert path.read_text() == "a\n1\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("-5.25", "-5.25"),
        ("+49", "+49"),
        ("-", "'-"),
        ("fine", "fine"),
        ("", ""),
    ],
)
def test_a_result_is_never_a_formula(text: str, shown: str) -> None:
    assert neutral(text) == shown


def test_refused_rows_go_back_with_the_reason_beside_each(tmp_path: Path) -> None:
    out = tmp_path / "problems.csv"
    with error_file(out, ("id", "text")) as add:
        add(7, ("007", "two\nlines"), "=reason")
    sheet = open_sheet(out)
    assert sheet.header == ("id", "text", "(row)", "(problem)")
    assert [row.cells for row in sheet] == [("007", "two\nlines", "7", "'=reason")]
