"""Work that is under way: counted, ended, broken off."""

import asyncio
import logging

import pytest

from scheduler.under_way import MOST_AT_ONCE, UnderWay


async def test_what_ended_makes_room_and_says_so_and_its_error_is_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    under_way, rooms = UnderWay(), list[int]()

    async def failing() -> None:
        raise KeyError("the disk is gone")

    under_way.begin(7, failing(), name="slot 7", ended=lambda: rooms.append(under_way.room))
    assert (under_way.room, under_way.numbers) == (MOST_AT_ONCE - 1, [7])
    with caplog.at_level(logging.ERROR):
        await under_way.idle()
    assert rooms == [MOST_AT_ONCE]
    assert "The work on slot 7 broke off" in caplog.text


async def test_closing_breaks_off_what_would_never_end(caplog: pytest.LogCaptureFixture) -> None:
    under_way = UnderWay()
    begun, broken = asyncio.Event(), list[int]()

    async def endless() -> None:
        begun.set()
        await asyncio.Event().wait()

    under_way.begin(1, endless(), name="slot 1", ended=lambda: broken.append(1))
    await asyncio.wait_for(begun.wait(), 5)
    await asyncio.wait_for(under_way.close(), 5)
    assert (broken, under_way.numbers, caplog.text) == ([1], [], "")
