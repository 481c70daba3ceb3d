"""The one message that shows how far a run is: sent when it takes a while, then edited. Not the answer."""

import asyncio

from bot.handlers.asking import Asking
from bot.messages import Reply
from bot.replies import progress_reply
from library.models import Progress

AFTER_S = 0.8
"""A run that is quicker than this is answered at once, without a message before."""
EVERY_S = 1.0
"""Providers slow down those who edit more often."""


class ProgressMessage:
    """``told`` is an ``OnProgress``. Within ``every_s`` the newest state is shown; the last always is."""

    def __init__(
        self, asking: Asking, name: str, *, after_s: float = AFTER_S, every_s: float = EVERY_S
    ) -> None:
        self._asking = asking
        self._name = name
        self._after_s = after_s
        self._every_s = every_s
        self.last: Progress | None = None
        self._changed = asyncio.Event()
        self._ended = asyncio.Event()
        self._message_id: str | None = None
        self._task = asyncio.create_task(self._show(), name=f"progress of {name}")

    def told(self, progress: Progress) -> None:
        self.last = progress
        self._changed.set()

    async def end(self, state: Reply) -> None:
        """Shows the last state, if anything was shown before; it stays in the chat."""
        self._ended.set()
        self._changed.set()
        await self._task
        if self._message_id is not None:
            await self._asking.channel.edit(self._asking.chat, self._message_id, state)

    async def _show(self) -> None:
        if await self._ended_within(self._after_s):
            return
        self._changed.clear()
        delivery = await self._asking.answer(progress_reply(self._name, self.last))
        self._message_id = delivery.message_id
        while self._message_id is not None and not await self._ended_within(self._every_s):
            await self._changed.wait()
            if self._ended.is_set():
                return
            self._changed.clear()
            shown = progress_reply(self._name, self.last)
            await self._asking.channel.edit(self._asking.chat, self._message_id, shown)

    async def _ended_within(self, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self._ended.wait(), seconds)
        except TimeoutError:
            return False
        return True
