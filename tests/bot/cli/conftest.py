"""A home folder of its own for each test, commands in this process, and one Runhome that runs."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.cli.commands import Runhome, Up, in_process, open_up


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def runhome(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runhome:
    return in_process(home, monkeypatch, capsys)


@pytest.fixture(scope="module")
async def up(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Up]:
    async with open_up(tmp_path_factory.mktemp("home")) as up:
        yield up
