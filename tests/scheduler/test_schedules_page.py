"""docs/schedules.md says what the code does: every line of its tables is run here."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scheduler.rule_words import in_words
from scheduler.schedule_line import Options, split
from scheduler.when import WhenNotUnderstood, parse

PAGE = (Path(__file__).parent.parent.parent / "docs" / "schedules.md").read_text(encoding="utf-8")
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
BERLIN = "Europe/Berlin"


def lines(section: str) -> list[list[str]]:
    """The cells of the table rows under one heading."""
    text = re.split(r"^## ", PAGE.partition(f"## {section}\n")[2], flags=re.MULTILINE)[0]
    rows = [line.strip("|").split(" | ") for line in text.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in row] for row in rows]


UNDERSTOOD = [
    row
    for section in (
        "Every day, every week, every month",
        "Again and again",
        "Once",
        "As in cron",
        "In German",
        "In Korean",
    )
    for row in lines(section)
]


@pytest.mark.parametrize(("text", "words"), UNDERSTOOD)
def test_every_form_of_the_page_is_understood_as_it_says(text: str, words: str) -> None:
    assert in_words(parse(text.strip("`"), now=NOW, zone=BERLIN)) == words


@pytest.mark.parametrize(("text", "message"), lines("What is refused"))
def test_every_refusal_of_the_page_is_refused_in_its_words(text: str, message: str) -> None:
    with pytest.raises(WhenNotUnderstood) as refused:
        parse(text.strip("`"), now=NOW, zone=BERLIN)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("text", "arguments", "words"), [row for row in lines("Arguments and options") if len(row) == 3]
)
def test_every_whole_line_of_the_page_is_split_as_it_says(text: str, arguments: str, words: str) -> None:
    found = split(text.strip("`"), now=NOW, zone=BERLIN)
    assert found.arguments == ("" if arguments == "none" else arguments.strip("`"))
    assert in_words(found.rule) == words


def test_every_option_is_on_the_page() -> None:
    first_cells = " ".join(row[0] for row in lines("Arguments and options") if len(row) == 2)
    assert all(re.search(rf"\b{name}\b", first_cells, re.IGNORECASE) for name in Options.model_fields)


def test_the_page_has_all_its_tables() -> None:
    assert len(UNDERSTOOD) > 70
    assert len(lines("What is refused")) > 15
