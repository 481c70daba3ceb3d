"""The test's side of the nursery: bears children, hears what they say, kills them. Knows no work."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
BEGIN_S = 60


class Nursery:
    """One child at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._child = 0

    async def bear(self, folder: Path, port: int, *, kill: bool) -> None:
        """A child begins to start; ``kill``: it would work for ever."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{folder} {port} {'kill' if kill else 'finish'}\n".encode())
        self._child = int(await self._said("born"))

    async def served(self) -> int:
        """The port of the child, once it serves."""
        return int(await self._said("up"))

    async def kill(self) -> None:
        """As the machine's end does it; returns when it is gone."""
        os.kill(self._child, signal.SIGKILL)
        await self._gone()

    async def ended(self, within_s: float) -> None:
        """Waits until the child has ended by itself, with nothing wrong."""
        assert await self._gone(within_s) == 0

    async def _gone(self, within_s: float = BEGIN_S) -> int:
        """It may have said that it is up just before."""
        async with asyncio.timeout(within_s):
            while (said := await self._line())[0] != "gone":
                pass
        self._child = 0
        return int(said[1])

    async def _said(self, word: str) -> str:
        async with asyncio.timeout(BEGIN_S):
            said = await self._line()
        assert said[0] == word, said
        return said[1]

    async def _line(self) -> list[str]:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        assert line, "the nursery has ended"
        return line.decode().split()


@asynccontextmanager
async def nursery() -> AsyncIterator[Nursery]:
    """Ends with its child, whatever happened in the block."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.scheduler.soak_child"),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield Nursery(process)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
