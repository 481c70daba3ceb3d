"""What the bot needs from the scheduler and the relay, as Protocols; bot/app.py introduces them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, Protocol

from bot.messages import Delivery
from library.models import Browser, Call, ChatRef, Run, Status
from scheduler.ports import OnProgress


class Dispatcher(Protocol):
    """The one door to a run."""

    async def dispatch(self, call: Call, on_progress: OnProgress | None = None) -> Run:
        """The run when it has ended; for a claim seen before, the first one's. Raises RunhomeError."""
        ...

    async def cancel(self, run_id: str) -> bool:
        """True when the run was under way and was told to stop."""
        ...


class Journal(Protocol):
    """What happened. Reading changes nothing."""

    def get(self, run_id: str) -> Run:
        """Raises UnknownName."""
        ...

    def recent(self, *, limit: int) -> Sequence[Run]:
        """Newest first."""
        ...

    def resolve(self, run_id: str, status: Literal[Status.DONE, Status.FAILED], *, by: str) -> Run:
        """A person's answer for an unconfirmed run. Raises AskError when it is not unconfirmed."""
        ...

    def record_delivery(self, run_id: str, chat: ChatRef, delivery: Delivery) -> None:
        """Whether the result reached the chat: apart from the run's own status."""
        ...


class Browsers(Protocol):
    """Paired browsers, connected or not."""

    def browsers(self) -> Sequence[Browser]: ...


class Claims(Protocol):
    """Updates that were taken up, kept over restarts."""

    def take(self, claim: str) -> bool:
        """True the first time, False ever after."""
        ...


class LinkedChat(Protocol):
    """A chat that may ask."""

    @property
    def chat(self) -> ChatRef: ...

    @property
    def sender(self) -> str:
        """Who linked it; in a group nobody else may ask."""
        ...


class Chats(Protocol):
    """Linked chats and invite codes, kept over restarts. Codes arrive here already hashed."""

    def linked(self, chat: ChatRef) -> LinkedChat | None: ...

    def link(self, chat: ChatRef, sender: str, *, at: datetime) -> None: ...

    def keep_invite(self, code_hash: str, *, expires_at: datetime) -> None: ...

    def has_invite(self, *, now: datetime) -> bool:
        """Whether a code is open: pairing is on."""
        ...

    def use_invite(self, code_hash: str, *, now: datetime) -> bool:
        """Atomically: True once for an open code, False for every other."""
        ...
