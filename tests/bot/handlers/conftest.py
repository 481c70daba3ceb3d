"""The bot with fakes at its edges, opened for one test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.house import House, open_house


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path) as opened:
        yield opened
