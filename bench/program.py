"""How long the program takes to be there, and what it holds while it waits."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.table import Row

STARTS = 7


def measure() -> list[Row]:
    """``runhome --help``, ``runhome up`` until it serves (the second start and later), its memory."""
    helped, up, memory = (
        Row("runhome --help"),
        Row("runhome up, until it serves"),
        Row("runhome up, idle", "MiB"),
    )
    with tempfile.TemporaryDirectory(prefix="runhome-bench-") as folder:
        environment = {**os.environ, "RUNHOME_HOME": folder, "RUNHOME_RELAY__PORT": "0"}
        _up(environment)
        for _ in range(STARTS):
            begin = time.perf_counter()
            subprocess.run([*RUNHOME, "--help"], check=True, stdout=subprocess.DEVNULL)
            helped.samples.append((time.perf_counter() - begin) * 1000)
            took, resident = _up(environment)
            up.samples.append(took)
            memory.samples.append(resident)
    return [helped, up, memory]


RUNHOME = (sys.executable, "-m", "bot.cli")


def _up(environment: dict[str, str]) -> tuple[float, float]:
    begin = time.perf_counter()
    process = subprocess.Popen(
        [*RUNHOME, "up"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        process.stdout.readline()
        took = (time.perf_counter() - begin) * 1000
        return took, resident_mib(process.pid)
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
