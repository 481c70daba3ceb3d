"""How fast we may send: the library's limits for the whole bot, and Telegram's "wait" for one chat only."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from datetime import timedelta
from typing import Any

from telegram.error import RetryAfter
from telegram.ext import AIORateLimiter

log = logging.getLogger(__name__)

MOST_WAITS = 5
SLACK_S = 0.1

Sleep = Callable[[float], Awaitable[None]]
Result = bool | dict[str, Any] | list[dict[str, Any]]


class Pace(AIORateLimiter):
    """After an answer "429, retry after N" the chat it was for waits N seconds; other chats go on.

    (The library's own limiter would hold back every chat.)
    """

    def __init__(self, *, sleep: Sleep = asyncio.sleep) -> None:
        super().__init__()
        self._sleep = sleep
        self._turns: dict[str, asyncio.Lock] = {}

    async def process_request(
        self,
        callback: Callable[..., Coroutine[Any, Any, Result]],
        args: Any,
        kwargs: dict[str, Any],
        endpoint: str,
        data: dict[str, Any],
        rate_limit_args: int | None,
    ) -> Result:
        chat = data.get("chat_id")
        if chat is None:
            return await super().process_request(callback, args, kwargs, endpoint, data, rate_limit_args)

        async def patiently(*args: Any, **kwargs: Any) -> Result:
            # A chat's messages go one after another: what waits keeps its order, and one wait serves all.
            async with self._turns.setdefault(str(chat), asyncio.Lock()):
                return await self._obeying(lambda: callback(*args, **kwargs), str(chat))

        return await super().process_request(patiently, args, kwargs, endpoint, data, rate_limit_args)

    async def _obeying(self, ask: Callable[[], Awaitable[Result]], chat: str) -> Result:
        for _ in range(MOST_WAITS):
            try:
                return await ask()
            except RetryAfter as told:
                wait = told.retry_after
                seconds = wait.total_seconds() if isinstance(wait, timedelta) else float(wait)
                log.info("Telegram asks us to wait %s s before the next message to chat %s.", seconds, chat)
                await self._sleep(seconds + SLACK_S)
        return await ask()
