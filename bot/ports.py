"""What the bot needs from the scheduler and the relay, as Protocols; bot/app.py introduces them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

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

    async def get(self, run_id: str) -> Run:
        """Raises UnknownName."""
        ...

    async def of_claim(self, claim: str) -> Run | None: ...

    async def unfinished(self) -> Sequence[Run]:
        """Queued or running, oldest first."""
        ...

    async def recent(self, *, limit: int = 20) -> Sequence[Run]:
        """Newest first."""
        ...

    async def resolve(self, run_id: str, status: Status, by: str) -> Run:
        """A person's answer for an unconfirmed run. Raises AskError when it is not unconfirmed."""
        ...

    async def call_to_repeat(self, run_id: str, *, claim: str, asked_by: str, chat: ChatRef | None) -> Call:
        """The call of *Run again*. Raises AskError when it held a secret value, which is not kept."""
        ...


class Deliveries(Protocol):
    """Whether messages about runs reached their chats: apart from the runs' own status."""

    async def record(self, run_id: str, chat: ChatRef, delivered: Delivery) -> None: ...

    async def of_runs(self, run_ids: list[str]) -> Mapping[str, str]:
        """The newest status (``sent``, ``failed``) of each of these runs that has one."""
        ...


class Browsers(Protocol):
    """Paired browsers, connected or not."""

    def all(self) -> Sequence[Browser]: ...


class Claims(Protocol):
    """Updates of channels that were taken up, kept over restarts."""

    async def take(self, claim: str) -> bool:
        """True the first time, False ever after."""
        ...


class Chats(Protocol):
    """Linked chats, kept over restarts."""

    async def linked(self) -> Mapping[ChatRef, str]:
        """Every linked chat, and who linked it, as in ``Call.asked_by``: ``telegram:4711``."""
        ...

    async def link(self, chat: ChatRef, owner: str, *, at: datetime) -> None:
        """Links the chat, or changes who linked it."""
        ...

    async def unlink(self, chat: ChatRef) -> None: ...
