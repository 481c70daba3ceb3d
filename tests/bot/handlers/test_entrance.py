"""Who is let in, what is not understood, and what goes wrong."""

import logging
from collections.abc import Mapping

import pytest

from bot import commands
from bot.handlers import Answer, Asking, Handlers
from tests.bot.house import STRANGER, House, NoClaims
from tests.fakes import FakeCatalog


@pytest.mark.parametrize("text", ["hello", "/run create-post hi", "/pair ABCDEFGH", "/start", "/help", ""])
async def test_a_stranger_gets_silence(house: House, text: str) -> None:
    assert await house.say(text, chat=STRANGER) == []
    assert not house.runner.runs


async def test_someone_else_in_a_linked_chat_gets_silence(house: House) -> None:
    assert await house.say("/status", sender="666") == []


@pytest.mark.parametrize("word", ["/pair", "/start"])
async def test_while_pairing_is_on_a_stranger_may_link_the_chat(house: House, word: str) -> None:
    code = house.access.invite().code
    texts = []
    for said in ("hello", "/pair NONSENSE", f"{word} {code}", "/run create-post hi"):
        await house.handlers.handle(house.incoming(said, chat=STRANGER), house.channel)
        texts.append(house.channel.last.text)
    assert "/pair CODE" in texts[0]
    assert "wrong, used or too old" in texts[1]
    assert texts[2].startswith("This chat is linked")
    assert texts[3].startswith("✅ create-post: done")


class BrokenDesk:
    claimed: frozenset[type] = frozenset()

    @property
    def answers(self) -> Mapping[type, Answer]:
        return {commands.Status: self._status}

    async def _status(self, asking: Asking, command: commands.Status) -> None:
        raise KeyError("the password is hunter2")


async def test_an_error_of_no_ours_is_a_reference_number_that_the_log_explains(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    broken = Handlers([BrokenDesk()], catalog=FakeCatalog(), access=house.access, claims=NoClaims())
    with caplog.at_level(logging.ERROR):
        await broken.handle(house.incoming("/status"), house.channel)
    text = house.channel.last.text
    assert "hunter2" not in text
    reference = text.split("under ")[1].split(".")[0]
    assert reference in caplog.text
    assert "hunter2" in caplog.text
