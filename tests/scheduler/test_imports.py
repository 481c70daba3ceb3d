"""From a sheet's rows to arguments: headers, types, dates, preview, and what is wrong with a row."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

import pytest

from library.errors import AskError, BadArgument
from library.models import Effect, Param, Subroutine
from scheduler.imports import (
    BadRow,
    GoodRow,
    confirm,
    match_headers,
    preview,
    read_date_time,
    typed_rows,
)
from scheduler.sheets import Row

BERLIN = ZoneInfo("Europe/Berlin")


def subroutine(**params: Param) -> Subroutine:
    return Subroutine(
        name="post", version="1.0.0", sites=("https://example.com/*",), effect=Effect.WRITE, params=params,
        body="", source="",
    )  # fmt: skip


POST = subroutine(
    text=Param(min_length=1, max_length=20),
    post_id=Param(required=False),
    count=Param(type="integer", required=False, default=1),
    at=Param(format="date-time", required=False),
    token=Param(secret=True, required=False),
)


def rows(header: Sequence[str], *cells: tuple[str, ...]) -> list[GoodRow | BadRow]:
    numbered = [Row(line, row) for line, row in enumerate(cells, start=2)]
    return list(typed_rows(numbered, match_headers(header, POST), POST, zone="Europe/Berlin"))


@pytest.mark.parametrize("title", ["post_id", "Post ID", "POST-ID", "postid", "ｐｏｓｔ＿ｉｄ"])  # noqa: RUF001
def test_a_header_is_a_parameters_name_whatever_its_case_and_spaces(title: str) -> None:
    assert match_headers(["text", title], POST).columns == {0: "text", 1: "post_id"}


def test_a_near_name_is_offered_and_counts_only_when_confirmed() -> None:
    header = ["txt", "cuont", "Zzzz"]
    matching = match_headers(header, POST)
    assert matching.columns == {}
    assert matching.offers["txt"][0] == "text"
    assert matching.offers["cuont"][0] == "count"
    assert matching.left_out == ("Zzzz",)
    assert matching.missing == ("text",)
    confirmed = confirm(matching, header, {"txt": "text"}, POST)
    assert confirmed.columns == {0: "text"}
    assert confirmed.missing == ()
    assert set(confirmed.offers) == {"cuont"}


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"nope": "text"}, "no column"),
        ({"Zzzz": "nope"}, "no parameter"),
        ({"Zzzz": "text"}, "column already"),
    ],
)
def test_a_wrong_confirmation_is_refused(chosen: dict[str, str], says: str) -> None:
    header = ["text", "Zzzz"]
    with pytest.raises(BadArgument, match=says):
        confirm(match_headers(header, POST), header, chosen, POST)


def test_two_columns_for_one_parameter_are_refused() -> None:
    with pytest.raises(BadArgument, match='Two columns are "text"'):
        match_headers(["text", "Text"], POST)


def test_cells_become_typed_arguments_and_ids_stay_text() -> None:
    (row,) = rows(["text", "post_id", "count"], ("Hello", "007", "3"))
    assert row == GoodRow(2, {"text": "Hello", "post_id": "007", "count": 3, "at": None, "token": None})


def test_an_empty_cell_leaves_the_default() -> None:
    (row,) = rows(["text", "count"], ("Hello", ""))
    assert isinstance(row, GoodRow)
    assert row.arguments["count"] == 1


def test_one_bad_row_does_not_stop_the_others() -> None:
    first, second, third = rows(["text", "count"], ("", "1"), ("x" * 21, "many"), ("fine", "2"))
    assert isinstance(first, BadRow)
    assert "text" in first.reason
    assert isinstance(second, BadRow)
    assert second.cells == ("x" * 21, "many")
    assert "at most 20" in second.reason
    assert "whole number" in second.reason
    assert isinstance(third, GoodRow)


def test_the_preview_shows_three_rows_as_they_will_be_sent_and_counts_all() -> None:
    typed = rows(["text", "token"], ("a", "hush"), ("", ""), ("b", ""), ("c", ""), ("d", ""))
    bad: list[BadRow] = []
    shown = preview(typed, POST, on_bad=bad.append)
    assert (shown.good, shown.bad) == (4, 1)
    assert [row["text"] for row in shown.first] == ["a", "b", "c"]
    assert shown.first[0]["token"] == "•••"
    assert [row.line for row in bad] == [3]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-12-24T18:00:00Z", "2026-12-24T18:00:00Z"),
        ("2026-12-24 18:00", "2026-12-24T18:00:00+01:00"),
        ("2026-07-24 18:00:05", "2026-07-24T18:00:05+02:00"),
        ("2020-12-24", "2020-12-24T00:00:00+01:00"),
        ("24.12.2026 18:00", "2026-12-24T18:00:00+01:00"),
        ("24/12/2026 6pm", "2026-12-24T18:00:00+01:00"),
        ("24 December 2026 18:00", "2026-12-24T18:00:00+01:00"),
    ],
)
def test_a_date_becomes_a_moment_with_its_offset(text: str, moment: str) -> None:
    assert read_date_time(text, BERLIN) == moment


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("09/10/2026", '"2026-09-10" or "2026-10-09"'),
        ("09/10/2026 18:00", '"2026-09-10 18:00" or "2026-10-09 18:00"'),
        ("24/12", "with a year"),
        ("24.12.26", "two digits"),
        ("2026-02-30", "no day"),
        ("2026-10-25 02:30", "twice"),
        ("2026-03-29 02:30", "never"),
        ("2026-12-24 25:00:00", "no time of day"),
        ("tomorrow", "with a year"),
        ("soon", "no date"),
    ],
)
def test_a_date_that_is_not_clear_is_refused(text: str, says: str) -> None:
    with pytest.raises(AskError, match=says):
        read_date_time(text, BERLIN)


def test_an_ambiguous_date_makes_a_bad_row_with_both_readings() -> None:
    (row,) = rows(["text", "at"], ("Hello", "09/10/2026"))
    assert isinstance(row, BadRow)
    assert '"2026-09-10" or "2026-10-09"' in row.reason


def test_a_row_with_several_problems_tells_all_of_them_at_once() -> None:
    (bad,) = rows(["text", "count", "at"], ("x" * 21, "many", "03/04/2026 9:00"))
    assert isinstance(bad, BadRow)
    for part in ("2026-03-04", "2026-04-03", "21 characters", "whole number"):
        assert part in bad.reason
    assert "missing" not in bad.reason
