"""A channel that keeps what it was asked to send, for tests of what people get. Knows no provider."""

import asyncio
from dataclasses import dataclass, field

from bot.messages import Delivery, DeliveryStatus, Reply
from library.models import Browser, ChatRef

FAILED = Delivery(DeliveryStatus.FAILED, reason="The phone is unreachable.")


@dataclass
class FakeChannel:
    """``shown`` maps message ids to what the person sees now; ``replies`` is everything sent, in order."""

    name: str = "telegram"
    fails: bool = False
    shown: dict[str, Reply] = field(default_factory=dict)
    replies: list[Reply] = field(default_factory=list)
    chats: list[ChatRef] = field(default_factory=list)
    edits: list[Reply] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when anything is sent or edited; a test clears it."""

    async def send(self, chat: ChatRef, reply: Reply) -> Delivery:
        if self.fails:
            return FAILED
        message_id = str(len(self.replies) + 1)
        self.shown[message_id] = reply
        self.replies.append(reply)
        self.chats.append(chat)
        self.arrived.set()
        return Delivery(DeliveryStatus.SENT, message_id)

    async def edit(self, chat: ChatRef, message_id: str, reply: Reply) -> Delivery:
        if self.fails:
            return FAILED
        self.shown[message_id] = reply
        self.edits.append(reply)
        self.arrived.set()
        return Delivery(DeliveryStatus.SENT, message_id)

    @property
    def texts(self) -> list[str]:
        return [reply.text for reply in self.replies]

    @property
    def last(self) -> Reply:
        return self.replies[-1]


class FakeBrowsers:
    def __init__(self, *browsers: Browser) -> None:
        self._browsers = browsers

    def all(self) -> tuple[Browser, ...]:
        return self._browsers
