"""What a person did, from one Telegram update: a message with its files, or a press of a button."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from telegram import Bot, CallbackQuery, Message, Update
from telegram.error import TelegramError

from bot.channels.inbox import Inbox
from bot.messages import Attachment, Incoming
from library.models import ChatRef

CHANNEL = "telegram"
WANTED = ["message", "callback_query"]
"""Nothing else is asked for: an edited message is no new command."""
MOST_FILE_BYTES = 20_000_000
"""What Telegram lets a bot fetch."""


@dataclass(frozen=True)
class SentFile:
    """One file of a message, before it is fetched."""

    file_id: str
    name: str
    media_type: str
    size: int


class FileRefused(Exception):
    """A file that could not be fetched; the message is for the person who sent it."""


def chat_of(message: Message) -> ChatRef:
    return ChatRef(channel=CHANNEL, id=str(message.chat.id))


def sender_of(message: Message) -> str:
    """Empty for an anonymous admin or a channel: all of them have the same id, whoever it is."""
    return str(message.from_user.id) if message.from_user and message.sender_chat is None else ""


def incoming(update: Update, message: Message, attachments: Sequence[Attachment]) -> Incoming:
    """A new message; its caption counts as its text."""
    return Incoming(
        chat=chat_of(message),
        sender=sender_of(message),
        text=message.text or message.caption or "",
        claim=f"{CHANNEL}:{update.update_id}",
        at=message.date,
        attachments=tuple(attachments),
        is_forwarded=_is_anothers(message),
    )


def _is_anothers(message: Message) -> bool:
    if message.forward_origin is None:
        return False
    writer = getattr(message.forward_origin, "sender_user", None)
    return writer is None or writer != message.from_user


def pressed(query: CallbackQuery, message: Message, command: str, *, at: datetime) -> Incoming:
    """A press; its claim is the button's, so that a second press is the same one."""
    return Incoming(
        chat=chat_of(message),
        sender=str(query.from_user.id),
        text=command,
        claim=f"{CHANNEL}:press:{message.chat.id}:{message.message_id}:{query.data}",
        at=at,
        is_button=True,
    )


def files_of(message: Message) -> list[SentFile]:
    """The files of a message; of a photo, the largest size."""
    found = []
    if message.photo:
        largest = message.photo[-1]
        found.append(SentFile(largest.file_id, "photo.jpg", "image/jpeg", largest.file_size or 0))
    for file in (message.document, message.video, message.audio):
        if file is not None:
            name = file.file_name or "file"
            kind = file.mime_type or "application/octet-stream"
            found.append(SentFile(file.file_id, name, kind, file.file_size or 0))
    return found


async def fetch(bot: Bot, file: SentFile, inbox: Inbox, claim: str) -> Attachment:
    """Stores one file in the inbox. Raises FileRefused."""
    if file.size > MOST_FILE_BYTES:
        size, most = file.size / 1e6, MOST_FILE_BYTES / 1e6
        raise FileRefused(f"That file has {size:.0f} MB; Telegram lets me fetch at most {most:.0f} MB.")
    path = inbox.place_for(claim, file.name)
    try:
        remote = await bot.get_file(file.file_id)
        await remote.download_to_drive(path)
    except TelegramError as error:
        raise FileRefused("That file could not be fetched from Telegram. Please send it again.") from error
    return Attachment(path=path, name=file.name, media_type=file.media_type)
