"""The process that holds a managed Chrome (``python -m relay.keeper``), detached from its starter.

1. It reads its job (one JSON line) from stdin, takes the profile's lock and starts Chrome with a pipe.
2. It loads the extension and pairs it; when that needs a code it asks its starter: ``{"need": "code"}``.
3. It answers ``{"ready": {...}}`` or ``{"error": {...}}``, closes stdout, and holds the pipe from then on.
4. On SIGTERM it closes Chrome: Browser.close, then TERM, then KILL of its own child. When Chrome ends by
   itself, the profile's state says how.

Only the standard library and our own errors are imported, for it lives as long as the browser does.
"""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from library.errors import RunhomeError, SetupError
from relay.introduction import introduce
from relay.pipe import ChromeGone, Pipe
from relay.profile import BrowserState, Profile

_CLOSE_S = 5.0
_CHILD_READS, _CHILD_WRITES = 3, 4


class _Stopped(Exception):
    """SIGTERM came."""


def main() -> None:
    if os.fork():
        os._exit(0)  # The starter's child ends at once, so that nobody has to wait for the keeper.
    os.setsid()
    _reserve_the_ends()
    signal.signal(signal.SIGTERM, _on_term)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    job = json.loads(sys.stdin.readline())
    profile = Profile(Path(job["profile"]))
    try:
        with profile.locked():
            _keep(profile, job)
    except RunhomeError as error:
        _say({"error": {"code": error.code, "message": str(error)}})
    except _Stopped:
        return


def _keep(profile: Profile, job: dict[str, Any]) -> None:
    state = {"keeper": os.getpid(), "chrome": None, "name": job["name"], "exit_code": None}
    profile.write(state | {"state": BrowserState.STARTING})
    chrome, pipe = _start(job)
    state["chrome"] = chrome.pid
    try:
        introduced = introduce(
            pipe, Path(job["extension"]), port=job["port"], name=job["name"], new_code=_ask_for_code
        )
        if job["url"]:
            pipe.call("Target.createTarget", {"url": job["url"]})
        profile.write(state | {"state": BrowserState.RUNNING})
        _say({"ready": state | {"paired": introduced.paired, "connected": introduced.connected}})
        _let_go_of_the_starter()
        pipe.wait_for_the_end()
        profile.write(state | _how_it_ended(chrome))
    except _Stopped:
        _close(chrome, pipe)
        profile.write(state | {"state": BrowserState.STOPPED})
    except ChromeGone as error:
        raise SetupError(
            f"Chrome ended right after its start. Is the profile {profile.folder} open in another Chrome? "
            f"What it said is in {profile.log}."
        ) from error
    except TimeoutError as error:
        raise SetupError(f"{error} What Chrome said is in {profile.log}.") from error
    finally:
        _end(chrome)


def _start(job: dict[str, Any]) -> tuple["subprocess.Popen[bytes]", Pipe]:
    """Chrome finds its pipe at the file descriptors 3 and 4, so that is where it is put here first."""
    child_reads, we_write = os.pipe()
    we_read, child_writes = os.pipe()
    os.dup2(child_reads, _CHILD_READS)
    os.dup2(child_writes, _CHILD_WRITES)
    os.close(child_reads)
    os.close(child_writes)
    try:
        chrome = subprocess.Popen(
            [job["chrome"], *job["flags"]],
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,  # Which is the profile's log.
            pass_fds=(_CHILD_READS, _CHILD_WRITES),
        )
    except OSError as error:
        raise SetupError(f"{job['chrome']} cannot be started: {error.strerror}.") from error
    finally:
        # Our copies of Chrome's ends: with them open we would never see the pipe end.
        _reserve_the_ends()
    return chrome, Pipe(write_fd=we_write, read_fd=we_read)


def _reserve_the_ends() -> None:
    """Puts nothing at 3 and 4, so that no file of ours (the lock, a pipe) gets to be there."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for end in {_CHILD_READS, _CHILD_WRITES} - {nowhere}:
        os.dup2(nowhere, end, inheritable=False)
    if nowhere not in (_CHILD_READS, _CHILD_WRITES):
        os.close(nowhere)


def _close(chrome: "subprocess.Popen[bytes]", pipe: Pipe) -> None:
    """Asks Chrome to close as a person would, so that the profile is written out."""
    with suppress(RunhomeError, TimeoutError):
        pipe.call("Browser.close", timeout_s=_CLOSE_S)
    with suppress(subprocess.TimeoutExpired):
        chrome.wait(_CLOSE_S)


def _end(chrome: "subprocess.Popen[bytes]") -> None:
    """Our own child only, and only if it is still there."""
    for last_word in (chrome.terminate, chrome.kill):
        if chrome.poll() is not None:
            return
        last_word()
        with suppress(subprocess.TimeoutExpired):
            chrome.wait(_CLOSE_S)


def _how_it_ended(chrome: "subprocess.Popen[bytes]") -> dict[str, Any]:
    """Chrome closed by a person exits with 0; anything else is a crash."""
    with suppress(subprocess.TimeoutExpired):
        chrome.wait(_CLOSE_S)
    code = chrome.poll()
    return {"state": BrowserState.STOPPED if code == 0 else BrowserState.CRASHED, "exit_code": code}


def _ask_for_code() -> str:
    _say({"need": "code"})
    line = sys.stdin.readline()
    if not line:
        raise SetupError("Whoever started the browser went away before giving a pairing code.")
    code: str = json.loads(line)["code"]
    return code


def _say(message: dict[str, Any]) -> None:
    with suppress(BrokenPipeError, ValueError):
        print(json.dumps(message), flush=True)  # noqa: T201 - stdout is how it speaks with its starter


def _let_go_of_the_starter() -> None:
    """Its pipes end here, also for whoever waits for them to end."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nowhere, standard)
    os.close(nowhere)


def _on_term(_: int, __: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise _Stopped


if __name__ == "__main__":
    main()
