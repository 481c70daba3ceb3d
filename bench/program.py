"""How long the program takes to be there, and what it holds while it waits."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from bench.table import Row

STARTS = 7
RUNHOME = (sys.executable, "-m", "bot.cli")


ALONE = ("--help", "library list", "doctor")
ASKING = ("invite",)


def measure() -> list[Row]:
    """``runhome up`` until it serves (the second start and later) and its memory; commands, without one that
    runs and asking it. Bytecode is kept, as where a person uses it."""
    up, memory = Row("runhome up, until it serves"), Row("runhome up, idle", "MiB")
    alone = [Row(f"runhome {words}") for words in ALONE]
    asking = [Row(f"runhome {words}, asking `up`") for words in ASKING]
    with tempfile.TemporaryDirectory(prefix="runhome-bench-") as folder:
        environment = _environment(folder)
        for is_warm in (False, *[True] * STARTS):
            took = [_command(words, environment) for words in ALONE]
            with _up(environment) as started:
                _command(ASKING[0], environment)  # Meets a start that still imports what only chats need.
                took += [_command(words, environment) for words in ASKING]
                resident = resident_mib(started.pid)
            if is_warm:
                up.samples.append(started.took_ms)
                memory.samples.append(resident)
                for row, sample in zip([*alone, *asking], took, strict=True):
                    row.samples.append(sample)
    return [up, memory, *alone, *asking]


def _environment(folder: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return clean | {
        "RUNHOME_HOME": folder,
        "RUNHOME_RELAY__PORT": "0",
        "PYTHONPYCACHEPREFIX": str(Path(folder, "bytecode")),
    }


def _command(words: str, environment: dict[str, str]) -> float:
    begin = time.perf_counter()
    process = subprocess.Popen(
        [*RUNHOME, *words.split()], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    code = process.wait(60)
    assert code == (1 if words == "doctor" else 0), (words, code)  # Doctor finds that no browser is paired.
    return (time.perf_counter() - begin) * 1000


class Started(NamedTuple):
    pid: int
    took_ms: float


@contextmanager
def _up(environment: dict[str, str]) -> Iterator[Started]:
    begin = time.perf_counter()
    process = subprocess.Popen(
        [*RUNHOME, "up"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        process.stdout.readline()
        yield Started(process.pid, (time.perf_counter() - begin) * 1000)
    finally:
        process.terminate()
        process.wait(20)


def resident_mib(pid: int | str = "self") -> float:
    """VmRSS of proc_pid_status(5); where there is no /proc it is not known."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return float("nan")
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024
