"""Who may ask: the owner, and chats linked with an invite code. It neither answers nor stores.

1. `runhome invite` opens a code: one use, ten minutes. While a code is open, pairing is on.
2. A stranger's `/pair CODE` links that chat, for that sender, to the owner.
3. Every call is checked again when it is dispatched, so a chat that was unlinked also loses its schedules.

Codes live in memory: a restart closes them.
"""

import hmac
import secrets
from collections import defaultdict, deque
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.ports import Chats
from library.errors import NotAllowed
from library.models import Call, ChatRef

OWNER = "owner"
ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""No 0 O 1 I, which look alike on a phone."""
CODE_LENGTH = 8
CODE_LIFE = timedelta(minutes=10)
MOST_TRIES = 5
"""Wrong codes a sender may send within CODE_LIFE, and wrong codes after which an open code is closed."""

_BY_MACHINE = ("schedule:", "trigger:", "queue:")


@dataclass(frozen=True)
class Invite:
    code: str
    expires_at: datetime


class ChatAccess:
    """Satisfies ``scheduler.ports.Access``. ``local_channels`` are those that only the owner can reach."""

    def __init__(
        self,
        chats: Chats,
        *,
        now: Callable[[], datetime],
        local_channels: Collection[str] = ("console", "web"),
    ) -> None:
        self._chats = chats
        self._now = now
        self._local_channels = frozenset(local_channels)
        self._linked: dict[ChatRef, str] = {}
        self._invite: Invite | None = None
        self._wrong = 0
        self._tries: defaultdict[str, deque[datetime]] = defaultdict(deque)

    async def load(self) -> None:
        """Reads the linked chats; call it once, before anything is asked."""
        self._linked = dict(await self._chats.linked())

    def check(self, call: Call) -> None:
        """Today's rules for one call. Raises NotAllowed."""
        if call.asked_by == OWNER:
            return
        if call.asked_by.startswith(_BY_MACHINE):
            if call.chat is None or self._is_local(call.chat) or call.chat in self._linked:
                return
            raise NotAllowed(
                "The chat that asked for this is no longer linked. Link it again with /pair CODE."
            )
        if call.chat is None or not self._is_theirs(call.chat, call.asked_by):
            raise NotAllowed("This chat is not linked. Ask the owner for a code, then send /pair CODE.")

    def may_ask(self, chat: ChatRef, sender: str) -> bool:
        """Whether this person in this chat is known; in a group only the one who linked it is, by name."""
        return bool(sender) and self._is_theirs(chat, self.asked_by(chat, sender))

    def asked_by(self, chat: ChatRef, sender: str) -> str:
        """How calls from this sender in this chat are signed."""
        return OWNER if self._is_local(chat) else f"{chat.channel}:{sender}"

    @property
    def is_pairing(self) -> bool:
        return self._invite is not None and self._now() < self._invite.expires_at

    def invite(self) -> Invite:
        """Opens a new code; an older one is closed."""
        code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
        self._invite = Invite(code, self._now() + CODE_LIFE)
        self._wrong = 0
        return self._invite

    async def pair(self, chat: ChatRef, asked_by: str, code: str) -> bool:
        """Links the chat if the code is the open one; a refusal does not say why."""
        if self._invite is None or not self.is_pairing or not self._may_try(asked_by):
            return False
        given = "".join(code.split()).replace("-", "").upper()
        if not hmac.compare_digest(given.encode(), self._invite.code.encode()):
            self._wrong += 1
            if self._wrong >= MOST_TRIES:
                self._invite = None
            return False
        self._invite = None
        await self._chats.link(chat, asked_by, at=self._now())
        self._linked[chat] = asked_by
        return True

    async def unlink(self, chat: ChatRef) -> None:
        """From now on this chat gets silence, and its schedules are refused."""
        self._linked.pop(chat, None)
        await self._chats.unlink(chat)

    def _may_try(self, asked_by: str) -> bool:
        """Counts this try; a code opened anew does not give a guesser new tries."""
        tries = self._tries[asked_by]
        while tries and tries[0] <= self._now() - CODE_LIFE:
            tries.popleft()
        tries.append(self._now())
        return len(tries) <= MOST_TRIES

    def _is_theirs(self, chat: ChatRef, asked_by: str) -> bool:
        return self._is_local(chat) or self._linked.get(chat) == asked_by

    def _is_local(self, chat: ChatRef) -> bool:
        return chat.channel in self._local_channels
