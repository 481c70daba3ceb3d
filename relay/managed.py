"""A Chrome that Runhome starts, pairs and stops by itself, with a profile folder of its own. Linux and macOS.

The browser outlives whoever starts it: relay/keeper.py holds it; what is known of it lies in the profile.
"""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from library.errors import PairingRefused, SetupError
from relay import chrome
from relay.chrome import extension_folder, find_chrome
from relay.profile import BrowserState, Profile, already_running

_ROOT = str(Path(__file__).resolve().parent.parent)
"""Where this package lies, so that the keeper finds it from any working directory."""
_START_S = 90.0
_STOP_S = 20.0
_POLL_S = 0.05

NewCode = Callable[[], Awaitable[str]]
"""Gets a fresh pairing code from the running relay."""


@dataclass(frozen=True)
class Started:
    chrome_pid: int
    keeper_pid: int
    paired: bool
    """True when a new pairing was made; a profile that was paired before keeps its pairing."""
    connected: bool
    """False when the relay was not reached; the extension goes on trying by itself."""


class ManagedBrowser:
    """``profile`` is the folder of its Chrome profile; what is not given is found (relay/chrome.py)."""

    def __init__(
        self, profile: Path, *, executable: Path | None = None, extension: Path | None = None
    ) -> None:
        self._profile = Profile(profile.expanduser().absolute())
        self._executable = executable
        self._extension = extension or extension_folder()

    async def start(
        self,
        *,
        port: int,
        new_code: NewCode,
        name: str = "Chrome",
        headless: bool = False,
        url: str | None = None,
    ) -> Started:
        """Starts it, loads the extension, pairs it if needed with the relay on ``port``, opens ``url``.

        Raises SetupError (no Chrome, already running, Chrome would not start) or PairingRefused.
        """
        if sys.platform == "win32":
            raise SetupError(
                "On Windows Runhome cannot start a browser yet. Load the extension in your own Chrome: "
                "runhome extension path, then runhome pair"
            )
        job = self._job(port=port, name=name, headless=headless, url=url)
        try:
            self._profile.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise SetupError(
                f"The profile folder {self._profile.folder} cannot be made: {error.strerror}. "
                "Choose another one with --profile."
            ) from error
        if self._profile.is_held():
            raise already_running()
        with self._profile.log.open("wb") as log:
            keeper = await _start_keeper(log)
        try:
            async with asyncio.timeout(_START_S):
                ready = await _converse(keeper, job, new_code, log=self._profile.log)
        except asyncio.CancelledError:
            await self.stop()
            raise
        except TimeoutError as error:
            await self.stop()
            raise SetupError(f"Chrome did not start within {_START_S:.0f} s.") from error
        finally:
            await _take_leave(keeper)
        return Started(ready["chrome"], ready["keeper"], ready["paired"], ready["connected"])

    async def stop(self) -> bool:
        """Closes the browser as a person would; False when it did not run. Raises SetupError if it stays."""
        if not self._profile.is_held():
            return False
        os.kill(self._profile.read()["keeper"], signal.SIGTERM)
        try:
            async with asyncio.timeout(_STOP_S):
                while self._profile.is_held():  # noqa: ASYNC110 - another process's lock gives no event
                    await asyncio.sleep(_POLL_S)
        except TimeoutError as error:
            raise SetupError(f"The browser did not end within {_STOP_S:.0f} s.") from error
        return True

    def state(self) -> BrowserState:
        return self._profile.state()

    def _job(self, *, port: int, name: str, headless: bool, url: str | None) -> dict[str, Any]:
        executable = self._executable or find_chrome()
        return {
            "chrome": str(executable),
            "flags": chrome.flags(self._profile.folder, headless=headless),
            "profile": str(self._profile.folder),
            "extension": str(self._extension),
            "port": port,
            "name": name,
            "url": url,
        }


async def _start_keeper(log: BinaryIO) -> Process:
    path = os.pathsep.join(filter(None, (_ROOT, os.environ.get("PYTHONPATH"))))
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "relay.keeper"),
        stdin=PIPE,
        stdout=PIPE,
        stderr=log,
        env={**os.environ, "PYTHONPATH": path},
    )


async def _converse(keeper: Process, job: dict[str, Any], new_code: NewCode, *, log: Path) -> dict[str, Any]:
    """Until the keeper says that the browser is ready. Raises what it says otherwise."""
    assert keeper.stdin is not None
    assert keeper.stdout is not None
    await _tell(keeper, job)
    while line := await keeper.stdout.readline():
        said = json.loads(line)
        if "need" in said:
            await _tell(keeper, {"code": await new_code()})
        elif "error" in said:
            error = said["error"]
            raise (PairingRefused if error["code"] == PairingRefused.code else SetupError)(error["message"])
        else:
            ready: dict[str, Any] = said["ready"]
            return ready
    raise SetupError(f"The browser ended before it was ready. What it said is in {log}.")


async def _take_leave(keeper: Process) -> None:
    """The keeper's ends of the pipes close when it is ready, and when it has cleaned up after a failure."""
    assert keeper.stdin is not None
    assert keeper.stdout is not None
    keeper.stdin.close()
    async with asyncio.timeout(_STOP_S):
        await keeper.stdout.read()
        await keeper.wait()


async def _tell(keeper: Process, message: dict[str, Any]) -> None:
    assert keeper.stdin is not None
    keeper.stdin.write(json.dumps(message).encode() + b"\n")
    await keeper.stdin.drain()
