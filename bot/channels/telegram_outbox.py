"""Sends one reply as Telegram's messages, and changes them. It translates; it does not receive.

Plain text throughout: what people and pages write is never read as HTML or Markdown (no ``parse_mode``).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

from telegram import Bot, InlineKeyboardMarkup, LinkPreviewOptions, Message
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, NetworkError, TelegramError

from bot.channels.splitting import clean, split
from bot.channels.telegram_buttons import KeptCommands, keyboard
from bot.messages import Delivery, DeliveryStatus, Reply
from library.models import ChatRef

log = logging.getLogger(__name__)

MOST_TEXT = 4_096
MOST_CAPTION = 1_024
RETRY_AFTER_S = (1.0, 3.0, 9.0)
"""A message may arrive twice when its answer was lost; that is better than a result nobody sees."""

_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
_EMPTY = "(empty)"

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]


class Outbox:
    def __init__(self, bot: Bot, kept: KeptCommands, *, sleep: Sleep = asyncio.sleep) -> None:
        self._bot = bot
        self._kept = kept
        self._sleep = sleep

    async def send(self, chat: ChatRef, reply: Reply) -> Delivery:
        """In as many messages as it needs; the buttons are under the last, whose id the delivery has."""
        try:
            last = await self._send(int(chat.id), reply)
        except TelegramError as error:
            return _failed(error)
        return Delivery(DeliveryStatus.SENT, str(last.message_id))

    async def edit(self, chat: ChatRef, message_id: str, reply: Reply) -> Delivery:
        """One message stays one: a longer text is cut."""
        text = _parts(reply.text, MOST_TEXT)[0]
        try:
            await self._patiently(
                lambda: self._bot.edit_message_text(
                    text,
                    chat_id=int(chat.id),
                    message_id=int(message_id),
                    reply_markup=keyboard(reply.buttons, self._kept),
                    link_preview_options=_NO_PREVIEW,
                )
            )
        except BadRequest as error:
            if "not modified" not in error.message:
                return _failed(error)
        except TelegramError as error:
            return _failed(error)
        return Delivery(DeliveryStatus.SENT, message_id)

    async def _send(self, chat: int, reply: Reply) -> Message:
        markup = keyboard(reply.buttons, self._kept)
        file = reply.photo or reply.file
        if file is None:
            return await self._send_texts(chat, _parts(reply.text, MOST_TEXT), markup)
        first, *others = _parts(reply.text, MOST_TEXT, first=MOST_CAPTION)
        try:
            sent = await self._send_file(chat, reply, first, None if others else markup)
        except (BadRequest, OSError) as error:
            log.warning("%s was not sent to Telegram: %s", file, error)
            noted = f"{reply.text}\n(The picture or file could not be sent. It lies at home.)"
            return await self._send_texts(chat, _parts(noted, MOST_TEXT), markup)
        return await self._send_texts(chat, others, markup) if others else sent

    async def _send_texts(
        self, chat: int, texts: Sequence[str], markup: InlineKeyboardMarkup | None
    ) -> Message:
        for text in texts[:-1]:
            await self._send_text(chat, text, None)
        return await self._send_text(chat, texts[-1], markup)

    async def _send_text(self, chat: int, text: str, markup: InlineKeyboardMarkup | None) -> Message:
        return await self._patiently(
            lambda: self._bot.send_message(chat, text, reply_markup=markup, link_preview_options=_NO_PREVIEW)
        )

    async def _send_file(
        self, chat: int, reply: Reply, caption: str, markup: InlineKeyboardMarkup | None
    ) -> Message:
        if reply.photo is not None:
            photo = await _content(reply.photo)
            return await self._patiently(
                lambda: self._bot.send_photo(chat, photo, caption=caption, reply_markup=markup)
            )
        assert reply.file is not None
        name, content = reply.file.name, await _content(reply.file)
        return await self._patiently(
            lambda: self._bot.send_document(
                chat, content, caption=caption, filename=name, reply_markup=markup
            )
        )

    async def _patiently(self, ask: Callable[[], Awaitable[T]]) -> T:
        for wait_s in RETRY_AFTER_S:
            try:
                return await ask()
            except BadRequest:
                raise
            except NetworkError as error:
                log.info("Telegram did not answer (%s); trying again in %s s.", error.message, wait_s)
                await self._sleep(wait_s)
        return await ask()


async def _content(path: Path) -> bytes:
    return await asyncio.to_thread(path.read_bytes)


def _parts(text: str, most: int, *, first: int | None = None) -> list[str]:
    return split(clean(text), most, first=first) or [_EMPTY]


def _failed(error: TelegramError) -> Delivery:
    """In words for the journal and the doctor; Telegram's own text where there is none of ours."""
    return Delivery(DeliveryStatus.FAILED, reason=_reason(error))


def _reason(error: TelegramError) -> str:
    if isinstance(error, Forbidden):
        return f"The person has blocked the bot, or it was removed from the chat ({error.message})."
    if isinstance(error, ChatMigrated):
        return "The group became a supergroup, which is a new chat: link it again with /pair CODE."
    if isinstance(error, InvalidToken):
        return "Telegram does not know this bot token."
    if isinstance(error, NetworkError) and not isinstance(error, BadRequest):
        return f"Telegram could not be reached ({error.message})."
    return f"Telegram refused it: {error.message}."
