"""One connected browser: hands each answer to its asker and each event to its run. Knows no socket library.

1. A session is made when the handshake is over.
2. ``ask`` sends a request and waits for its answer; ``send`` does not wait.
3. It ends when the socket does: whoever still waits gets BrowserLost.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Protocol

from pydantic import JsonValue, ValidationError

from library.errors import BrowserLost, NoBrowser, PageError
from library.models import Tab
from relay.messages import Answer, PauseState, TabList, Told
from relay.protocol import RelayConnection

Result = Mapping[str, JsonValue]
OnEvent = Callable[[str, Result], None]
"""Gets the name and the params of each event of one run."""


GOODBYE_S = 1.0


class Socket(Protocol):
    """The one thing a session needs of a WebSocket library."""

    async def send(self, text: str) -> None:
        """Raises ConnectionError when the socket is gone."""
        ...

    async def receive(self) -> str | None:
        """The next text frame; None when the socket has ended."""
        ...

    async def close(self, code: int, reason: str) -> None: ...


class Session:
    def __init__(self, browser: str, connection: RelayConnection, socket: Socket) -> None:
        self.browser = browser
        """The browser's id, as pairing gave it."""
        self.tabs: tuple[Tab, ...] = ()
        self.paused = False
        self.ended = False
        self._connection = connection
        self._socket = socket
        self._waiting: dict[int, asyncio.Future[Result]] = {}
        self._listeners: dict[str, OnEvent] = {}

    async def ask(self, method: str, params: Result, *, timeout_s: float) -> Result:
        """The answer's result.

        Raises NoBrowser when the connection had ended before anything left, BrowserLost when it ended before
        the answer came, PageError with the browser's own code when it answered with an error, TimeoutError.
        """
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        request = await self.send(method, params, answer)
        try:
            async with asyncio.timeout(timeout_s):
                return await answer
        finally:
            self._waiting.pop(request, None)

    async def send(self, method: str, params: Result, answer: asyncio.Future[Result] | None = None) -> int:
        """Sends a request and returns its id; without ``answer`` nobody waits for what comes back."""
        if self.ended:
            raise NoBrowser("The browser's connection has just ended. Try again in a moment.")
        request = self._connection.request(method, params)
        if answer is not None:
            self._waiting[request] = answer
        try:
            await self.flush()
        except ConnectionError as error:
            self._waiting.pop(request, None)
            raise BrowserLost("The connection to the browser ended while a request was leaving.") from error
        return request

    async def flush(self) -> None:
        for frame in self._connection.frames_to_send():
            await self._socket.send(frame)

    async def close(self, code: int, reason: str) -> None:
        """Says goodbye with a close code of docs/wire.md and ends the session."""
        self._connection.close(code, reason)
        self.end()
        # A socket whose other end has stopped reading must not hold up whoever closes it.
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(GOODBYE_S):
                await self._socket.close(code, reason)

    @contextmanager
    def listening(self, run: str, on_event: OnEvent) -> Iterator[None]:
        """Inside the block the events of this run go to ``on_event``, in order."""
        self._listeners[run] = on_event
        try:
            yield
        finally:
            del self._listeners[run]

    # --- what the owner of the socket calls -------------------------------------------------------

    def take(self, event: Answer | Told) -> None:
        if isinstance(event, Answer):
            self._answered(event)
        else:
            self._told(event)

    def end(self) -> None:
        """The socket is gone; without effect the second time."""
        self.ended = True
        waiting, self._waiting = self._waiting, {}
        for answer in waiting.values():
            if not answer.done():
                answer.set_exception(BrowserLost("The connection to the browser ended before it answered."))

    def _answered(self, answer: Answer) -> None:
        future = self._waiting.pop(answer.id, None)
        if future is None or future.done():
            return
        if answer.error is None:
            future.set_result(answer.result or {})
        else:
            fault = answer.error
            future.set_exception(PageError(fault.message, code=fault.code, details=fault.details))

    def _told(self, told: Told) -> None:
        run = told.params.get("run")
        if isinstance(run, str):
            listener = self._listeners.get(run)
            if listener is not None:
                listener(told.event, told.params)
            return
        try:
            if told.event == "tabs":
                self.tabs = TabList.model_validate(told.params, extra="ignore").tabs
            elif told.event == "state":
                self.paused = PauseState.model_validate(told.params).paused
        except ValidationError:
            return  # An event that this version does not understand is ignored, as an unknown one is.
