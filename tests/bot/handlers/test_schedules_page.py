"""docs/schedules.md says what is answered: every command of its table is sent here, in order."""

import re
from pathlib import Path

from tests.bot.house import House

PAGE = (Path(__file__).parents[3] / "docs" / "schedules.md").read_text(encoding="utf-8")


def commands() -> list[tuple[str, str]]:
    section = re.split(r"^## ", PAGE.partition("## Commands\n")[2], flags=re.MULTILINE)[0]
    return re.findall(r"^\| `(.+?)` \| (.+?) \|$", section, flags=re.MULTILINE)


async def test_every_command_of_the_page_is_answered_as_it_says(house: House) -> None:
    rows = commands()
    assert len(rows) > 40
    for text, begins in rows:
        (reply, *_) = await house.say(text)
        assert reply.text.startswith(begins), (text, reply.text)
