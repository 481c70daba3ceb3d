"""One person asking one thing, and what a desk is that answers it. No answers of its own."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from bot.messages import Channel, Delivery, Incoming, Reply
from library.models import ChatRef


@dataclass(frozen=True)
class Asking:
    """``asked_by`` is how calls of this person are signed."""

    incoming: Incoming
    channel: Channel
    asked_by: str

    @property
    def chat(self) -> ChatRef:
        return self.incoming.chat

    async def answer(self, reply: Reply) -> Delivery:
        return await self.channel.send(self.chat, reply)


Answer = Callable[[Asking, Any], Awaitable[None]]
"""Takes the command of its kind. Raises RunhomeError, whose message becomes the reply."""


class Desk(Protocol):
    """Answers some kinds of commands. A kind that no desk answers is not in /help and not in the menu."""

    @property
    def answers(self) -> Mapping[type, Answer]: ...

    @property
    def claimed(self) -> frozenset[type]:
        """Kinds that change something, so that a repeated update must not do them again."""
        ...
