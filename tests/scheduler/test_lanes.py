"""Lanes: limits for the process and for each chat, and an order."""

import asyncio

import pytest

from library.errors import AskError
from library.models import ChatRef
from scheduler.lanes import Lanes

ONE, TWO = ChatRef(channel="telegram", id="1"), ChatRef(channel="telegram", id="2")


async def _settle() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def test_a_chat_that_waits_does_not_hold_up_another() -> None:
    lanes = Lanes(at_once=3, per_chat=1)
    assert lanes.try_enter(ONE)
    waiting = asyncio.create_task(lanes.enter(ONE))
    await _settle()
    assert not waiting.done()
    assert lanes.try_enter(TWO)
    lanes.leave(ONE)
    await asyncio.wait_for(waiting, 1)


async def test_the_process_has_its_own_limit_and_programs_only_that() -> None:
    lanes = Lanes(at_once=2, per_chat=1)
    assert lanes.try_enter(None)
    assert lanes.try_enter(None)
    assert not lanes.try_enter(ONE)


async def test_nobody_overtakes_those_of_the_same_chat_who_wait() -> None:
    lanes = Lanes(per_chat=1)
    order: list[int] = []

    async def one(n: int) -> None:
        await lanes.enter(ONE)
        order.append(n)
        lanes.leave(ONE)

    assert lanes.try_enter(ONE)
    tasks = [asyncio.create_task(one(n)) for n in range(5)]
    await _settle()
    lanes.leave(ONE)
    await asyncio.wait_for(asyncio.gather(*tasks), 1)
    assert order == [0, 1, 2, 3, 4]


async def test_a_lane_given_to_one_who_left_is_given_back() -> None:
    lanes = Lanes(per_chat=1)
    assert lanes.try_enter(ONE)
    leaver = asyncio.create_task(lanes.enter(ONE))
    await _settle()
    lanes.leave(ONE)
    leaver.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaver
    assert lanes.try_enter(ONE)


async def test_a_chat_with_too_many_waiting_calls_is_told() -> None:
    lanes = Lanes(per_chat=1, waiting_per_chat=2)
    assert lanes.try_enter(ONE)
    tasks = [asyncio.create_task(lanes.enter(ONE)) for _ in range(2)]
    await _settle()
    with pytest.raises(AskError, match="2 calls of this chat are waiting"):
        lanes.check_room(ONE)
    lanes.check_room(TWO)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
