"""`runhome ...` as a person calls it: in this process where nothing else has to run, else as a process."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.app import App, open_app
from bot.cli import main
from bot.settings import RelaySettings, Settings
from relay.reception import Reception
from tests.fakes_browser import FakeExtension, Home

ROOT = Path(__file__).parents[3]
ENOUGH_S = 60


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str


Runhome = Callable[..., Said]
"""``runhome("library", "list", typed="...")`` in this process."""


def environment(home: Path, **more: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RUNHOME_")}
    return clean | {"RUNHOME_HOME": str(home), "RUNHOME_RELAY__PORT": "0", "PYTHONPATH": str(ROOT)} | more


def in_process(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runhome:
    def runhome(*words: str, typed: str = "", env: Mapping[str, str] | None = None) -> Said:
        before = signal.getsignal(signal.SIGTERM)
        with monkeypatch.context() as patch:
            patch.setenv("RUNHOME_HOME", str(home))
            patch.setenv("RUNHOME_RELAY__PORT", "0")
            for name, value in (env or {}).items():
                patch.setenv(name, value)
            patch.setattr(sys, "argv", ["runhome", *words])
            patch.setattr(sys, "stdin", StringIO(typed))
            with pytest.raises(SystemExit) as ended:
                main()
        signal.signal(signal.SIGTERM, before)
        shown = capsys.readouterr()
        return Said(cast("int", ended.value.code or 0), shown.out, shown.err)

    return runhome


@asynccontextmanager
async def process(home: Path, *words: str, **env: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """It is killed if it is still there when the block ends."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot.cli", *words),
        env=environment(home, **env),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield child
    finally:
        if child.returncode is None:
            child.kill()
        await child.communicate()


async def as_process(home: Path, *words: str, typed: str = "", **env: str) -> Said:
    async with process(home, *words, **env) as child, asyncio.timeout(ENOUGH_S):
        out, err = await child.communicate(typed.encode())
        return Said(child.returncode or 0, out.decode(), err.decode())


async def line_with(child: asyncio.subprocess.Process, part: str) -> str:
    """The next line of its output that has this part."""
    assert child.stdout is not None
    async with asyncio.timeout(ENOUGH_S):
        while line := (await child.stdout.readline()).decode():
            if part in line:
                return line
    raise AssertionError(f"it ended without saying {part!r}")


@dataclass
class Up:
    """A Runhome that runs in this process, with a fake browser; commands are processes of their own."""

    app: App
    home: Path
    extension: FakeExtension
    here: Home
    """What another fake browser is connected to."""

    async def runhome(self, *words: str, typed: str = "") -> Said:
        return await as_process(self.home, *words, typed=typed)


@asynccontextmanager
async def open_up(home: Path, *, name: str = "Chrome") -> AsyncIterator[Up]:
    async with open_app(Settings(data=home / "data", timezone="UTC", relay=RelaySettings(port=0))) as app:
        extension = FakeExtension(app.pairings.redeem(app.pairings.new_code().text, name))
        met: Any = SimpleNamespace(
            browsers=app.browsers, pairings=app.pairings, reception=Reception(app.browsers)
        )
        here = cast("Home", met)
        async with extension.connected(here):
            yield Up(app, home, extension, here)
