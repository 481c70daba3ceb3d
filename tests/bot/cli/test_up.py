"""`runhome up`: one of it for each data folder, and nothing left when it ends."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.address import Address, read_address, write_address
from bot.cli.client import answering
from library.errors import SetupError
from tests.bot.cli.commands import ENOUGH_S, as_process, line_with, process

GREETING = (
    "No browser is paired yet. In another window: `runhome pair` (your Chrome) "
    "or `runhome browser start` (one of its own).\n"
    "Telegram is off: `runhome setup` takes the bot's token.\n"
    "Stopping ...\n"
)


@asynccontextmanager
async def running(home: Path, **env: str) -> AsyncIterator[asyncio.subprocess.Process]:
    async with process(home, "up", **env) as child:
        await line_with(child, "Runhome is up on 127.0.0.1:")
        yield child


def address(home: Path) -> Address:
    found = read_address(home / "data")
    assert found is not None
    return found


async def ended(child: asyncio.subprocess.Process, name: signal.Signals) -> tuple[int | None, str]:
    child.send_signal(name)
    async with asyncio.timeout(ENOUGH_S):
        out, _ = await child.communicate()
    return child.returncode, out.decode()


async def test_a_second_one_is_told_who_runs_and_the_first_ends_cleanly(home: Path) -> None:
    async with running(home) as first:
        port = str(address(home).port)
        second = await as_process(home, "up", RUNHOME_RELAY__PORT=port)
        assert (second.code, second.out) == (1, "")
        assert second.err == (
            f"Runhome is already running on 127.0.0.1:{port} (process {first.pid}). "
            "Stop that one first if you want to start it anew.\n"
        )
        assert await ended(first, signal.SIGTERM) == (0, GREETING)
    assert read_address(home / "data") is None
    assert not os.path.exists(home / "data" / "runhome.sqlite3-wal")  # noqa: ASYNC240 - one look


async def test_on_another_port_a_second_one_reads_and_takes_over_after_a_kill(home: Path) -> None:
    async with running(home) as first, process(home, "up") as second:
        await line_with(second, "Runhome is up")
        assert f"Process {first.pid} runs Runhome on this data" in await line_with(second, "Process")
        assert address(home).pid == first.pid
        first.kill()
        async with asyncio.timeout(ENOUGH_S):
            while address(home).pid != second.pid:  # noqa: ASYNC110 - another process gives no event
                await asyncio.sleep(0.1)
        found = await answering(home / "data")
        assert found is not None
        assert found.pid == second.pid
        assert (await ended(second, signal.SIGINT))[0] == 0
    assert read_address(home / "data") is None


async def test_what_a_crash_left_is_not_believed(home: Path) -> None:
    data = home / "data"
    data.mkdir(parents=True)
    write_address(data, Address(port=9, token="old", pid=os.getpid()))
    assert await answering(data) is None
    said = await as_process(home, "invite")
    assert (said.code, said.err) == (
        1,
        "Runhome is not running. Start it with `runhome up`, then try again.\n",
    )


@pytest.mark.parametrize(
    "answer",
    ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "?"],
)
async def test_another_program_on_the_old_port_is_not_taken_for_runhome(tmp_path: Path, answer: str) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer.encode())
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        write_address(tmp_path, Address(port=port, token="t", pid=os.getpid()))
        assert await answering(tmp_path) is None


async def test_one_that_hangs_is_told_apart_from_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.client.ANSWER_S", 0.2)

    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async with await asyncio.start_server(hang, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        write_address(tmp_path, Address(port=port, token="t", pid=os.getpid()))
        with pytest.raises(SetupError, match=f"process {os.getpid()}\\) does not answer on 127.0.0.1:{port}"):
            await answering(tmp_path)
