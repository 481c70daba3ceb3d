"""How many runs may be under way at once, in the process and for one chat. The rest wait in order; a
browser's own order is the runner's business."""

import asyncio
from collections import Counter, deque

from library.errors import AskError
from library.models import ChatRef

BUSY = "BUSY"
"""The code of a refusal because too many calls of a chat are waiting."""


class Lanes:
    """``try_enter(chat)`` takes a free lane; ``await enter(chat)`` waits for a free lane;
    ``leave(chat)`` gives it back."""

    def __init__(self, *, at_once: int = 32, per_chat: int = 4, waiting_per_chat: int = 50) -> None:
        self._at_once = at_once
        self._per_chat = per_chat
        self._waiting_per_chat = waiting_per_chat
        self._taken: Counter[ChatRef | None] = Counter()
        self._waiting: deque[tuple[ChatRef | None, asyncio.Future[None]]] = deque()

    def check_room(self, chat: ChatRef | None) -> None:
        """Raises AskError when this chat has too many calls waiting already."""
        waiting = sum(1 for other, _ in self._waiting if other == chat)
        if chat is not None and waiting >= self._waiting_per_chat:
            raise AskError(
                f"{waiting} calls of this chat are waiting already. Wait for some to end, or use a queue.",
                code=BUSY,
            )

    def try_enter(self, chat: ChatRef | None) -> bool:
        """True in a lane, when one is free and nobody of this chat waits for it."""
        if not self._has_room(chat) or any(other == chat for other, _ in self._waiting):
            return False
        self._taken[chat] += 1
        return True

    async def enter(self, chat: ChatRef | None) -> None:
        if self.try_enter(chat):
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((chat, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave(chat)
            raise

    def leave(self, chat: ChatRef | None) -> None:
        self._taken[chat] -= 1
        self._let_in()

    def _let_in(self) -> None:
        still_waiting: deque[tuple[ChatRef | None, asyncio.Future[None]]] = deque()
        for chat, turn in self._waiting:
            if turn.done():
                continue
            if self._has_room(chat):
                self._taken[chat] += 1
                turn.set_result(None)
            else:
                still_waiting.append((chat, turn))
        self._waiting = still_waiting

    def _has_room(self, chat: ChatRef | None) -> bool:
        # Calls without a chat (queues, programs) share no lane: only the process's limit holds for them.
        return self._taken.total() < self._at_once and (chat is None or self._taken[chat] < self._per_chat)
