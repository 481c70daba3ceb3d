"""What Runhome keeps in a managed browser's profile folder: lock, state, Chrome's own words."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any

from library.errors import SetupError

_LOCK_S = 2.0
_POLL_S = 0.05


class BrowserState(StrEnum):
    NEVER_STARTED = "never_started"
    STARTING = "starting"
    RUNNING = "running"
    STOPPED = "stopped"
    CRASHED = "crashed"


class Profile:
    """The keeper writes here, everyone else reads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "runhome-browser.log"
        self._state = folder / "runhome-browser.json"
        self._lock = folder / "runhome-browser.lock"

    def write(self, state: dict[str, Any]) -> None:
        fresh = self._state.with_suffix(".new")
        fresh.write_text(json.dumps(state), encoding="utf-8")
        fresh.replace(self._state)

    def read(self) -> dict[str, Any]:
        """``{state, keeper, chrome, name, exit_code}`` as the keeper last wrote it; empty if never."""
        try:
            state: dict[str, Any] = json.loads(self._state.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return {}
        return state

    def state(self) -> BrowserState:
        """How it stands now: a keeper that is gone without having said so has crashed."""
        written = self.read().get("state", BrowserState.NEVER_STARTED)
        if self.is_held():
            return BrowserState.STARTING if written == BrowserState.STARTING else BrowserState.RUNNING
        known_ends = (BrowserState.NEVER_STARTED, BrowserState.STOPPED)
        return BrowserState(written) if written in known_ends else BrowserState.CRASHED

    def is_held(self) -> bool:
        """Whether a keeper holds the lock: true as long as it lives. (A process id may be anybody's.)"""
        import fcntl  # Not on Windows, where no managed browser is started.

        try:
            with self._lock.open() as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True
        return False

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Held as long as the keeper lives. Raises SetupError when another one holds it."""
        import fcntl

        until = time.monotonic() + _LOCK_S
        with self._lock.open("w") as file:
            while True:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError as error:
                    # Whoever only looks (is_held) has it for a moment too.
                    if time.monotonic() > until:
                        raise already_running() from error
                    time.sleep(_POLL_S)
            yield


def already_running() -> SetupError:
    return SetupError("This managed browser is already running. Stop it with: runhome browser stop")
