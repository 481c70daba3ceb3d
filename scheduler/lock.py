"""One process owns the clock of a database: a lock on a file beside it, which the system frees when its
holder dies.

It is about our own processes on one machine. Reading and writing the database needs no lock.
"""

import os
import sys
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: IO[str]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_lock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class ClockLock:
    """``acquire`` as often as one likes; it is held until ``release`` or the end of the process, even
    by SIGKILL."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(f"{database.name}.clock")
        self._file: IO[str] | None = None

    @property
    def is_held(self) -> bool:
        return self._file is not None

    def acquire(self) -> bool:
        """False when another process has it."""
        if self._file is not None:
            return True
        file = open(self._path, "a+")
        try:
            _try_lock(file)
        except OSError:
            file.close()
            return False
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        self._file = file
        return True

    def holder(self) -> int | None:
        """The process that took it last, for messages; None when nobody ever did."""
        try:
            text = self._path.read_text()
        except FileNotFoundError:
            return None
        return int(text) if text.isdecimal() else None

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
