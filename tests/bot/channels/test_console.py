"""The console as a phone: what is read as one message, and what is shown."""

import asyncio
import io
from collections.abc import AsyncIterator
from typing import Any

import pytest
from rich.console import Console as Screen

from bot.channels.console import Console

BOUND_S = 10
DONE = {
    "id": "1",
    "text": "✅ create-post: done\n[bold]not markup[/bold] \x1b[31mnot red",
    "buttons": [{"label": "Run again", "command": "/again r1"}],
    "photo": "/tmp/screenshot.png",
    "file": None,
}


class Phone:
    """Keeps what was asked and answers with what it was given."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        self.asked: list[str] = []
        self._answers = answers

    async def __call__(self, text: str) -> AsyncIterator[dict[str, Any]]:
        self.asked.append(text)
        for answer in self._answers:
            yield answer


async def talk(typed: str, *answers: dict[str, Any]) -> tuple[list[str], str]:
    phone, shown = Phone(*answers), io.StringIO()
    console = Console(io.StringIO(typed), Screen(file=shown, width=80))
    await asyncio.wait_for(console.talk(phone), BOUND_S)
    return phone.asked, shown.getvalue()


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("/help\n", ["/help"]),
        ("/help", ["/help"]),
        ("/help\n/status\n", ["/help", "/status"]),
        ("/run create-post\nTwo\n\nlines\n/help\n", ["/run create-post\nTwo\n\nlines", "/help"]),
        ("hello\r\n/help\r\n", ["hello", "/help"]),
        ("\n \n", []),
        ("", []),
    ],
)
async def test_lines_are_one_message_until_the_next_command(typed: str, asked: list[str]) -> None:
    assert (await talk(typed))[0] == asked


async def test_an_answer_is_shown_with_its_buttons_and_its_picture() -> None:
    _, shown = await talk("/run create-post hi\n", {"send": DONE})
    for part in (
        "/run create-post hi",
        "✅ create-post: done",
        "▸ Run again  /again r1",
        "/tmp/screenshot.png",
    ):
        assert part in shown


async def test_text_of_a_page_is_neither_markup_nor_an_escape_sequence() -> None:
    _, shown = await talk("/run create-post hi\n", {"send": DONE})
    assert "[bold]not markup[/bold] [31mnot red" in shown
    assert "\x1b" not in shown


async def test_the_state_of_a_message_is_shown_as_a_line() -> None:
    _, shown = await talk("/run create-post hi\n", {"edit": {"id": "1", "text": "▶ create-post\nhalf way"}})
    assert "… half way" in shown
