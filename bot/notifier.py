"""Sends what nobody waits for to the chat that asked for it. It judges nothing and keeps the delivery."""

import logging
from collections.abc import Mapping

from bot.messages import Channel, Delivery, DeliveryStatus, Reply
from bot.ports import Chats, Deliveries
from bot.replies import run_reply
from library.models import ChatRef, Run

log = logging.getLogger(__name__)


class ChatNotifier:
    """Satisfies ``scheduler.ports.Notifier``. ``channels`` by name; it may be filled after this is made."""

    def __init__(self, channels: Mapping[str, Channel], *, chats: Chats, deliveries: Deliveries) -> None:
        self._channels = channels
        self._chats = chats
        self._deliveries = deliveries

    async def run_finished(self, run: Run) -> None:
        """The same answer as if somebody had waited; without a chat there is nobody to tell."""
        if run.call.chat is None:
            return
        delivery = await self._send(run.call.chat, run_reply(run))
        await self._deliveries.record(run.id, run.call.chat, delivery)

    async def note(self, chat: ChatRef | None, text: str) -> None:
        """Without a chat it goes to every linked one: they all are the owner's."""
        chats = [chat] if chat is not None else list(await self._chats.linked())
        for each in chats:
            await self._send(each, Reply(text))

    async def _send(self, chat: ChatRef, reply: Reply) -> Delivery:
        channel = self._channels.get(chat.channel)
        if channel is None:
            log.warning("Nothing was sent to %s %s: that channel is off.", chat.channel, chat.id)
            return Delivery(DeliveryStatus.FAILED, reason=f"The channel {chat.channel} is off.")
        return await channel.send(chat, reply)
