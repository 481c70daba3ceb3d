"""One process owns the clock of a database."""

import subprocess
import sys
from pathlib import Path

from scheduler.lock import ClockLock

ROOT = Path(__file__).parents[2]
HOLDER = """
import sys
from pathlib import Path
from scheduler.lock import ClockLock
lock = ClockLock(Path(sys.argv[1]))
print(lock.acquire(), flush=True)
sys.stdin.read()
"""


def test_another_process_gets_it_only_when_its_holder_is_dead(tmp_path: Path) -> None:
    path = tmp_path / "runhome.db"
    ours = ClockLock(path)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"True"
        assert not ours.acquire()
        assert not ours.is_held
        assert ours.holder() == holder.pid
    finally:
        holder.kill()
        holder.communicate()
    assert ours.acquire()
    ours.release()


def test_it_is_held_until_it_is_released(tmp_path: Path) -> None:
    first, second = ClockLock(tmp_path / "runhome.db"), ClockLock(tmp_path / "runhome.db")
    assert first.holder() is None
    assert first.acquire()
    assert first.acquire()
    assert not second.acquire()
    first.release()
    assert second.acquire()
    second.release()
