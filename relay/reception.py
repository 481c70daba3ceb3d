"""Receives browsers at the door: shakes hands, registers the session, pumps frames until the end.

The one place where the sans-I/O protocol meets a socket and a clock; knows no WebSocket library.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable

from relay.browsers import Browsers
from relay.messages import CloseCode
from relay.protocol import HANDSHAKE_S, Closing, Event, Opened, RelayConnection
from relay.session import Session, Socket

log = logging.getLogger(__name__)

Sleep = Callable[[float], Awaitable[None]]


def fresh_nonce() -> str:
    return secrets.token_hex(32)


class Reception:
    def __init__(
        self,
        browsers: Browsers,
        *,
        name: str = "home",
        nonce: Callable[[], str] = fresh_nonce,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._browsers = browsers
        self._name = name
        self._nonce = nonce
        self._sleep = sleep

    async def receive(self, socket: Socket) -> None:
        """Serves one socket until it ends; never raises for what the other end does."""
        connection = RelayConnection(self._browsers.key_of, nonce=self._nonce(), name=self._name)
        session = await self._shake_hands(connection, socket)
        if session is None:
            return
        log.info("browser %s connected", session.browser)
        try:
            await self._browsers.attach(session)
            await _pump(connection, session, socket)
        finally:
            session.end()
            self._browsers.detach(session)
            log.info("browser %s disconnected", session.browser)

    async def _shake_hands(self, connection: RelayConnection, socket: Socket) -> Session | None:
        clock = asyncio.create_task(self._watch_the_clock(connection, socket))
        try:
            while (text := await socket.receive()) is not None:
                events = connection.receive(text)
                for frame in connection.frames_to_send():
                    await socket.send(frame)
                for event in events:
                    if isinstance(event, Opened):
                        return Session(event.browser, connection, socket)
                    if isinstance(event, Closing):
                        await _close(socket, event)
                        return None
        except ConnectionError:
            log.debug("a socket ended during the handshake")
        finally:
            clock.cancel()
            await asyncio.gather(clock, return_exceptions=True)
        return None

    async def _watch_the_clock(self, connection: RelayConnection, socket: Socket) -> None:
        await self._sleep(HANDSHAKE_S)
        for event in connection.too_slow():
            if isinstance(event, Closing):
                await _close(socket, event)


async def _pump(connection: RelayConnection, session: Session, socket: Socket) -> None:
    try:
        while (text := await socket.receive()) is not None:
            for event in connection.receive(text):
                await _deliver(event, session)
            await session.flush()
    except ConnectionError:
        log.debug("the socket of browser %s ended while sending", session.browser)


async def _deliver(event: Event, session: Session) -> None:
    if isinstance(event, Closing):
        log.warning("browser %s is sent away: %s", session.browser, event.reason)
        await session.close(event.code, event.reason)
    elif not isinstance(event, Opened):
        session.take(event)


async def _close(socket: Socket, closing: Closing) -> None:
    level = logging.INFO if closing.code == CloseCode.TOO_SLOW else logging.WARNING
    log.log(level, "a socket is sent away (%d): %s", closing.code, closing.reason)
    await socket.close(closing.code, closing.reason)
