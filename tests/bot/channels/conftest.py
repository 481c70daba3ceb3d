"""A Telegram channel that talks to a fake Bot API, and keeps what it received."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.channels.telegram import TelegramChannel
from bot.messages import Channel, Incoming
from library.models import ChatRef
from tests.fakes import FakeClock
from tests.fakes_telegram import TOKEN, FakeTelegram, fake_telegram
from tests.telegram_contract import Contract

BOUND_S = 10
CHAT = ChatRef(channel="telegram", id="4711")
MENU = [("run", "Do something in your browser"), ("help", "What you can send")]


@dataclass
class Line:
    """One phone line: the fake of Telegram at one end, our channel at the other."""

    telegram: FakeTelegram
    channel: TelegramChannel
    clock: FakeClock
    received: list[Incoming] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    """How long we were told, or chose, to wait; nobody really waits in a test."""
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    clock_runs: asyncio.Event = field(default_factory=asyncio.Event)
    """Cleared: whoever waits, waits until it is set."""

    def __post_init__(self) -> None:
        self.clock_runs.set()

    async def receive(self, incoming: Incoming, channel: Channel) -> None:
        self.received.append(incoming)
        self.arrived.set()

    async def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        await asyncio.sleep(0)
        await self.clock_runs.wait()

    async def until_received(self, count: int) -> list[Incoming]:
        while len(self.received) < count:
            self.arrived.clear()
            await asyncio.wait_for(self.arrived.wait(), BOUND_S)
        return self.received


OpenLine = Callable[[], AbstractAsyncContextManager[Line]]


@pytest.fixture
async def telegram(shared: Path) -> AsyncIterator[FakeTelegram]:
    async with fake_telegram(Contract(shared / "contracts" / "telegram-bot-api.json")) as opened:
        yield opened


@pytest.fixture
def open_line(telegram: FakeTelegram, tmp_path: Path) -> OpenLine:
    """Opens the channel; a second opening is a restart of our side. One known sender: 4711."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[Line]:
        lines: list[Line] = []
        clock = FakeClock()
        channel = TelegramChannel(
            TOKEN,
            receive=lambda incoming, channel: lines[0].receive(incoming, channel),
            knows=lambda chat, sender: sender == "4711",
            folder=tmp_path / "telegram",
            now=clock,
            base_url=telegram.base_url,
            base_file_url=telegram.base_file_url,
            poll_s=1,
            slack_s=0.5,
            sleep=lambda seconds: lines[0].wait(seconds),
        )
        line = Line(telegram, channel, clock)
        lines.append(line)
        await channel.start(MENU)
        try:
            yield line
        finally:
            await channel.stop()

    return opened


@pytest.fixture
async def line(open_line: OpenLine) -> AsyncIterator[Line]:
    async with open_line() as opened:
        yield opened
