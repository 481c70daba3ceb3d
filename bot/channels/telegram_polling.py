"""Fetches updates by long polling, for ever, and knows how that goes. What an update means is not known here.

1. ``getUpdates`` is asked again and again; asking with a higher offset tells Telegram what has arrived.
2. A poll that has no end after its time is given up: the connection was dead, though nobody said so.
3. Another program that polls with the same token (409), a lost network, "retry after": wait, ask again.
   Each is logged once when it begins and once when it is over.
4. A token that Telegram does not know ends the polling.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from telegram import Update
from telegram.error import Conflict, InvalidToken, RetryAfter, TelegramError

log = logging.getLogger(__name__)

FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 30.0
REMEMBERED = 1_000
"""Update ids; Telegram may deliver one again as long as it is not told that it arrived."""

Fetch = Callable[[int | None], Awaitable[Sequence[Update]]]
Sleep = Callable[[float], Awaitable[None]]


class PollState(StrEnum):
    STARTING = "starting"
    POLLING = "polling"
    CONFLICT = "conflict"
    UNREACHABLE = "unreachable"
    STALLED = "stalled"
    REFUSED = "refused"


PROBLEMS = {
    PollState.CONFLICT: "Another program receives this bot's messages. Stop the other Runhome (or whatever "
    "else uses this bot token), or make a new token with @BotFather.",
    PollState.UNREACHABLE: "Telegram cannot be reached. Check this machine's network; it is tried again by "
    "itself.",
    PollState.STALLED: "The connection to Telegram went silent. It was closed and is opened again.",
    PollState.REFUSED: "Telegram does not know this bot token. Get the current one from @BotFather, then "
    "`runhome setup`.",
}


@dataclass(frozen=True)
class PollHealth:
    """``last_success`` is when ``getUpdates`` was last answered."""

    state: PollState
    last_success: datetime | None

    @property
    def problem(self) -> str:
        """What is wrong and what to do about it, for a person; empty when nothing is."""
        return PROBLEMS.get(self.state, "")

    def age(self, now: datetime) -> timedelta | None:
        return None if self.last_success is None else now - self.last_success


class Polling:
    """``take`` gets each update once and must not block. ``deadline_s``: how long one poll may last."""

    def __init__(
        self,
        fetch: Fetch,
        take: Callable[[Update], None],
        *,
        deadline_s: float,
        now: Callable[[], datetime],
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._fetch = fetch
        self._take = take
        self._deadline_s = deadline_s
        self._now = now
        self._sleep = sleep
        self._offset: int | None = None
        self._recent: deque[int] = deque(maxlen=REMEMBERED)
        self.health = PollHealth(PollState.STARTING, None)

    @property
    def offset(self) -> int | None:
        """To be told to Telegram as arrived: everything below it."""
        return self._offset

    async def run(self) -> None:
        """Until cancelled, or until the token is refused."""
        wait_s = FIRST_WAIT_S
        while True:
            failure = await self._poll()
            if failure is None:
                wait_s = FIRST_WAIT_S
            elif failure.state is PollState.REFUSED:
                return
            else:
                await self._sleep(failure.wait_s or wait_s)
                wait_s = min(wait_s * 2, LONGEST_WAIT_S)

    async def _poll(self) -> "_Failure | None":
        try:
            async with asyncio.timeout(self._deadline_s):
                updates = await self._fetch(self._offset)
        except TimeoutError:
            return self._failed(PollState.STALLED)
        except TelegramError as error:
            return self._failed(_state_of(error), _wait_of(error))
        self._succeeded()
        for update in updates:
            self._offset = update.update_id + 1
            if update.update_id not in self._recent:
                self._recent.append(update.update_id)
                self._take(update)
        return None

    def _succeeded(self) -> None:
        if self.health.state not in (PollState.POLLING, PollState.STARTING):
            log.info("Telegram answers again.")
        self.health = PollHealth(PollState.POLLING, self._now())

    def _failed(self, state: PollState, wait_s: float | None = None) -> "_Failure":
        if state is not self.health.state and state in PROBLEMS:
            log.warning(PROBLEMS[state])
        self.health = PollHealth(state, self.health.last_success)
        return _Failure(state, wait_s)


@dataclass(frozen=True)
class _Failure:
    state: PollState
    wait_s: float | None


def _state_of(error: TelegramError) -> PollState:
    if isinstance(error, Conflict):
        return PollState.CONFLICT
    return PollState.REFUSED if isinstance(error, InvalidToken) else PollState.UNREACHABLE


def _wait_of(error: TelegramError) -> float | None:
    if not isinstance(error, RetryAfter):
        return None
    wait = error.retry_after
    return wait.total_seconds() if isinstance(wait, timedelta) else float(wait)
