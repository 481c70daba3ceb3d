"""Polling that goes wrong, and how it goes on."""

import asyncio
import logging
from collections.abc import Sequence

import pytest
from telegram import Update
from telegram.error import InvalidToken

from bot.channels.telegram_polling import Polling, PollState
from bot.messages import Reply
from tests.bot.channels.conftest import BOUND_S, CHAT, Line, OpenLine
from tests.fakes import FakeClock
from tests.fakes_telegram import FakeTelegram
from tests.fakes_telegram_http import Fault


async def test_another_poller_is_told_in_plain_words_and_polling_goes_on(
    telegram: FakeTelegram, open_line: OpenLine, caplog: pytest.LogCaptureFixture
) -> None:
    telegram.fail_next("getUpdates", *[Fault.CONFLICT] * 8)
    with caplog.at_level(logging.INFO, "bot"):
        async with open_line() as line:
            await telegram.says("/status")
            await line.until_received(1)
            assert line.channel.health.problem == ""
    assert line.waits == [1, 2, 4, 8, 16, 30, 30, 30]
    assert caplog.text.count("Another program receives this bot's messages.") == 1
    assert caplog.text.count("Telegram answers again.") == 1


async def test_a_network_drop_during_polling_is_survived(line: Line) -> None:
    line.telegram.fail_next("getUpdates", Fault.DROP)
    await line.telegram.says("/status")
    await line.until_received(1)
    await line.telegram.says("/help")
    assert [message.text for message in await line.until_received(2)] == ["/status", "/help"]


async def test_a_start_without_network_is_made_up_for(telegram: FakeTelegram, open_line: OpenLine) -> None:
    telegram.fail_next("getMe", Fault.DROP, Fault.BAD_GATEWAY)
    async with open_line() as line:
        await telegram.says("/status")
        await line.until_received(1)
        assert len(telegram.called("setMyCommands")) == 1


async def test_a_stalled_poll_is_noticed_and_given_up(
    telegram: FakeTelegram, open_line: OpenLine, caplog: pytest.LogCaptureFixture
) -> None:
    telegram.fail_next("getUpdates", Fault.STALL)
    async with open_line() as line:
        await telegram.says("/status")
        await line.until_received(1)
    assert "went silent" in caplog.text


async def test_telegram_s_wait_is_obeyed_while_polling(telegram: FakeTelegram, open_line: OpenLine) -> None:
    telegram.fail_next("getUpdates", Fault.FLOOD)
    async with open_line() as line:
        await telegram.says("/status")
        await line.until_received(1)
        assert line.waits == [7]


async def test_a_token_that_telegram_does_not_know_ends_the_polling() -> None:
    async def fetch(offset: int | None) -> Sequence[Update]:
        raise InvalidToken

    async def wait(seconds: float) -> None:
        raise AssertionError("nothing more is to be waited for")

    polling = Polling(fetch, lambda update: None, deadline_s=BOUND_S, now=FakeClock(), sleep=wait)
    await asyncio.wait_for(polling.run(), BOUND_S)
    assert polling.health.state is PollState.REFUSED
    assert "@BotFather" in polling.health.problem


async def test_a_wrong_token_is_told_apart_from_a_lost_network(
    telegram: FakeTelegram, open_line: OpenLine, caplog: pytest.LogCaptureFixture
) -> None:
    telegram.fail_next("getMe", Fault.UNAUTHORIZED)
    async with open_line() as line:
        await asyncio.wait_for(line.channel.polling_ended(), BOUND_S)
    assert "Telegram does not know this bot token." in caplog.text
    assert telegram.called("getUpdates") == []


async def test_the_age_of_the_last_good_poll_is_known(line: Line) -> None:
    assert line.channel.health.age(line.clock()) is None
    await line.telegram.says("/status")
    await line.until_received(1)
    line.clock.pass_(seconds=90)
    age = line.channel.health.age(line.clock())
    assert age is not None
    assert age.total_seconds() == 90


async def test_a_chat_that_must_wait_does_not_hold_back_another(line: Line) -> None:
    """The library's own limiter would: it holds back every chat."""
    other = CHAT.model_copy(update={"id": "815"})
    line.telegram.fail_next("sendMessage", Fault.FLOOD)
    line.clock_runs.clear()
    first = asyncio.create_task(line.channel.send(CHAT, Reply("first")))
    await line.telegram.until_called("sendMessage")
    await asyncio.wait_for(line.channel.send(other, Reply("second")), BOUND_S)
    assert (line.telegram.texts(4711), line.telegram.texts(815)) == ([], ["second"])
    line.clock_runs.set()
    await asyncio.wait_for(first, BOUND_S)
    assert line.telegram.texts(4711) == ["first"]
