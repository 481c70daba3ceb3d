"""The Telegram channel: one bot, by long polling. It receives and sends for the handlers."""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from telegram import BotCommand, CallbackQuery, Message, Update
from telegram.error import BadRequest, TelegramError
from telegram.ext import ExtBot
from telegram.request import HTTPXRequest

from bot.channels.inbox import Inbox
from bot.channels.telegram_buttons import KeptCommands, command_of, is_once, without_once
from bot.channels.telegram_outbox import Outbox
from bot.channels.telegram_pace import Pace
from bot.channels.telegram_polling import PollHealth, Polling
from bot.channels.telegram_updates import (
    CHANNEL,
    WANTED,
    FileRefused,
    chat_of,
    fetch,
    files_of,
    incoming,
    pressed,
    sender_of,
)
from bot.messages import Attachment, Channel, Delivery, Incoming, Reply
from library.models import ChatRef

log = logging.getLogger(__name__)

API = "https://api.telegram.org/bot"
FILES = "https://api.telegram.org/file/bot"
POLL_S = 25
SLACK_S = 15
"""How much longer than asked for a poll may take before the connection counts as dead."""
TOO_OLD = "This button is too old. Please send the command instead."

Receive = Callable[[Incoming, Channel], Awaitable[None]]
Knows = Callable[[ChatRef, str], bool]
"""Whether a sender in a chat may ask: nothing is fetched or changed for anybody else."""


class TelegramChannel:
    """``folder`` holds the inbox and the buttons' long commands. ``start()`` once, ``stop()`` at the end."""

    name = CHANNEL

    def __init__(
        self,
        token: str,
        *,
        receive: Receive,
        knows: Knows,
        folder: Path,
        now: Callable[[], datetime],
        base_url: str = API,
        base_file_url: str = FILES,
        poll_s: int = POLL_S,
        slack_s: float = SLACK_S,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._receive = receive
        self._knows = knows
        self._now = now
        self._poll_s = poll_s
        self._bot = _make_bot(token, base_url, base_file_url, sleep)
        self._inbox = Inbox(folder / "inbox")
        self._kept = KeptCommands(folder / "buttons.json")
        self._outbox = Outbox(self._bot, self._kept, sleep=sleep)
        self._polling = Polling(
            self._get_updates, self._take, deadline_s=poll_s + slack_s, now=now, sleep=sleep
        )
        self._menu: list[BotCommand] = []
        self._is_introduced = False
        self._poller: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def health(self) -> PollHealth:
        return self._polling.health

    async def start(self, menu: Sequence[tuple[str, str]]) -> None:
        """Returns at once; a network that is down or a wrong token shows in ``health`` and in the log."""
        self._menu = [BotCommand(word, description) for word, description in menu]
        self._poller = asyncio.create_task(self._polling.run(), name="telegram polling")

    async def polling_ended(self) -> None:
        """Returns when there is no more polling: after ``stop``, or because the token was refused."""
        if self._poller is not None:
            await asyncio.wait([self._poller])

    async def stop(self, *, grace_s: float = 5.0) -> None:
        """Waits a while for answers under way, and tells Telegram what has arrived."""
        if self._poller is not None:
            self._poller.cancel()
            await asyncio.gather(self._poller, return_exceptions=True)
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=grace_s)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        await self._acknowledge()
        await self._bot.shutdown()

    async def send(self, chat: ChatRef, reply: Reply) -> Delivery:
        return await self._outbox.send(chat, reply)

    async def edit(self, chat: ChatRef, message_id: str, reply: Reply) -> Delivery:
        return await self._outbox.edit(chat, message_id, reply)

    async def _get_updates(self, offset: int | None) -> Sequence[Update]:
        if not self._is_introduced:
            await self._introduce()
        return await self._bot.get_updates(offset=offset, timeout=self._poll_s, allowed_updates=WANTED)

    async def _introduce(self) -> None:
        """Once there is a network: who are we, no webhook, the menu."""
        await self._bot.initialize()
        await self._bot.delete_webhook()
        await self._bot.set_my_commands(self._menu)
        self._is_introduced = True
        log.info("Telegram: this is @%s.", self._bot.username)

    async def _acknowledge(self) -> None:
        if self._polling.offset is None:
            return
        try:
            await self._bot.get_updates(offset=self._polling.offset, timeout=0, limit=1, read_timeout=2)
        except TelegramError as error:
            log.info(
                "Telegram was not told what has arrived (%s): it will be ignored when it comes again.", error
            )

    def _take(self, update: Update) -> None:
        if update.callback_query is not None:
            self._spawn(self._press(update.callback_query))
        elif update.message is not None:
            self._spawn(self._message(update, update.message))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _message(self, update: Update, message: Message) -> None:
        attachments: list[Attachment] = []
        for file in files_of(message) if self._knows(chat_of(message), sender_of(message)) else ():
            try:
                claim = f"{update.update_id}-{len(attachments)}"
                attachments.append(await fetch(self._bot, file, self._inbox, claim))
            except FileRefused as refusal:
                await self.send(chat_of(message), Reply(str(refusal)))
                return
        await self._receive(incoming(update, message, attachments), self)

    async def _press(self, query: CallbackQuery) -> None:
        message, data = query.message, query.data or ""
        if not isinstance(message, Message) or not self._knows(chat_of(message), str(query.from_user.id)):
            await self._answer_press(query, "")
            return
        command = command_of(data, self._kept)
        await self._answer_press(query, "" if command is not None else TOO_OLD)
        if command is None:
            return
        if is_once(data):
            await self._take_buttons_away(message)
        await self._receive(pressed(query, message, command, at=self._now()), self)

    async def _answer_press(self, query: CallbackQuery, text: str) -> None:
        """Ends the little clock on the button; a press that waited too long has none any more."""
        try:
            await self._bot.answer_callback_query(query.id, text or None)
        except TelegramError as error:
            log.info("A press was not acknowledged: %s", error)

    async def _take_buttons_away(self, message: Message) -> None:
        try:
            await self._bot.edit_message_reply_markup(
                message.chat.id, message.message_id, reply_markup=without_once(message.reply_markup)
            )
        except BadRequest:
            pass  # a second press of the same button: they are away already
        except TelegramError as error:
            log.info("The buttons of a message stay: %s", error)


def _make_bot(
    token: str, base_url: str, base_file_url: str, sleep: Callable[[float], Awaitable[None]]
) -> ExtBot[Any]:
    # The library warns about every waiting time unless this says that we expect a timedelta.
    os.environ["PTB_TIMEDELTA"] = "true"
    return ExtBot(
        token,
        base_url=base_url,
        base_file_url=base_file_url,
        request=HTTPXRequest(connection_pool_size=16),
        get_updates_request=HTTPXRequest(connection_pool_size=1),
        rate_limiter=Pace(sleep=sleep),
    )
