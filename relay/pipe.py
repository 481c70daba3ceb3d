"""Chrome's debugging protocol over its pipe: JSON messages, each ended by a zero byte. Blocking.

Used by the keeper alone, which has nothing else to do. Chrome reads file descriptor 3 and writes 4.
"""

import json
import os
import select
import time
from collections.abc import Mapping
from typing import Any

from library.errors import SetupError

_CHUNK = 65_536


class ChromeGone(SetupError):
    """The pipe has ended: Chrome is closed or has crashed."""

    code = "CHROME_GONE"


class Pipe:
    def __init__(self, *, write_fd: int, read_fd: int) -> None:
        self._write_fd = write_fd
        self._read_fd = read_fd
        self._buffer = b""
        self._last_id = 0

    def call(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        session: str | None = None,
        timeout_s: float = 15,
    ) -> dict[str, Any]:
        """The result. Raises SetupError with Chrome's own words, ChromeGone, or TimeoutError."""
        self._last_id += 1
        self._write({"id": self._last_id, "method": method, "params": params or {}}, session)
        until = time.monotonic() + timeout_s
        while True:
            message = self._read(until)
            if message.get("id") != self._last_id:
                continue  # Events, and answers that came too late.
            if "error" in message:
                raise SetupError(
                    f"Chrome refused {method}: {message['error'].get('message', 'no reason given')}."
                )
            result: dict[str, Any] = message["result"]
            return result

    def evaluate(self, session: str, expression: str, *, timeout_s: float = 15) -> Any:
        """The (awaited) JSON value of an expression in a page."""
        params = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        answer = self.call("Runtime.evaluate", params, session=session, timeout_s=timeout_s)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            said = details.get("exception", {}).get("description") or details.get("text")
            raise SetupError(f"The extension's page failed: {said}")
        return answer["result"].get("value")

    def wait_for_the_end(self) -> None:
        """Returns when Chrome has closed its end; what it says until then is passed over."""
        try:
            while True:
                self._read(None)
        except ChromeGone:
            return

    def _write(self, message: dict[str, Any], session: str | None) -> None:
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        try:
            while data:
                data = data[os.write(self._write_fd, data) :]
        except BrokenPipeError as error:
            raise ChromeGone("Chrome has ended.") from error

    def _read(self, until: float | None) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            left = None if until is None else max(0.0, until - time.monotonic())
            readable, _, _ = select.select([self._read_fd], [], [], left)
            if not readable:
                raise TimeoutError("Chrome did not answer in time.")
            chunk = os.read(self._read_fd, _CHUNK)
            if not chunk:
                raise ChromeGone("Chrome has ended.")
            self._buffer += chunk
        frame, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(frame)
        return message
