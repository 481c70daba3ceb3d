"""What goes between a channel and the handlers. Frozen types; knows no provider."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from library.models import ChatRef


@dataclass(frozen=True)
class Attachment:
    """A file a person sent; the channel has already stored it in the inbox folder."""

    path: Path
    name: str
    media_type: str


@dataclass(frozen=True)
class Incoming:
    """One message, or one press of a button, from a person.

    ``claim`` is unique for this update in this channel (``telegram:81231``): the same update delivered twice
    has the same claim. ``text`` is what the person typed; for a button it is the button's ``command``, and
    the claim is that of the button (its message and command), so that two presses have the same one.
    ``sender`` is empty where no single person stands behind the message. ``is_forwarded``: somebody else
    wrote it.
    """

    chat: ChatRef
    sender: str
    text: str
    claim: str
    at: datetime
    attachments: tuple[Attachment, ...] = ()
    is_button: bool = False
    is_forwarded: bool = False


@dataclass(frozen=True)
class Button:
    """``command`` is a chat command (``/again r3k...``): a channel without buttons shows it as text.

    ``once``: pressing it decides something; a channel that can takes all such buttons of a message away then.
    """

    label: str
    command: str
    once: bool = False


@dataclass(frozen=True)
class Reply:
    """What a person gets. Plain text; the channel escapes and splits it as its provider demands."""

    text: str
    buttons: tuple[Button, ...] = ()
    photo: Path | None = None
    file: Path | None = None


class DeliveryStatus(StrEnum):
    SENT = "sent"
    FAILED = "failed"


@dataclass(frozen=True)
class Delivery:
    """Whether a message reached the provider; ``message_id`` is the provider's, and serves to edit it."""

    status: DeliveryStatus
    message_id: str | None = None
    reason: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)


class Channel(Protocol):
    """One way to reach people. A provider's refusal is a failed Delivery, never an exception."""

    name: str

    async def send(self, chat: ChatRef, reply: Reply) -> Delivery: ...

    async def edit(self, chat: ChatRef, message_id: str, reply: Reply) -> Delivery:
        """Replaces a message sent before; a channel that cannot edit sends a new one."""
        ...
