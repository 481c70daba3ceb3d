"""The way in for every message of every channel: access, claim, the right desk, and errors as answers.

1. A stranger gets silence; while pairing is on, a way to link the chat. What a stranger wrote and somebody
   else forwards is no command either.
2. An update that was taken up before does nothing.
3. The desk for this kind of command answers.
4. The message of an error of ours is the answer; any other error is a reference number that the log explains.
"""

import logging
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from bot import commands
from bot.access import ChatAccess
from bot.handlers.asking import Answer, Asking, Desk
from bot.listings import (
    help_reply,
    incomplete_reply,
    saved_reply,
    subroutine_reply,
    unknown_reply,
    verb_reply,
)
from bot.messages import Channel, Incoming, Reply
from bot.ports import Claims
from bot.replies import error_reply, fault_reply
from bot.verbs import VERBS, Verb, parse
from library.errors import RunhomeError, UnknownName
from library.models import Subroutine
from scheduler.ports import Catalog

log = logging.getLogger(__name__)

WELCOME = (
    "This chat is linked: what you send here, your browser at home does.\n/library shows what can be run."
)
PAIR_HINT = "Send /pair CODE with the code that `runhome invite` shows at home."
FORWARDED = "That was forwarded: what others write is not carried out. Send it yourself if you mean it."
WRONG_CODE = "That code is wrong, used or too old. `runhome invite` at home shows a new one."


class MenuEntry(NamedTuple):
    """``command`` is without its slash."""

    command: str
    description: str


@dataclass(frozen=True)
class _Answerer:
    answer: Answer
    is_claimed: bool


class Handlers:
    def __init__(
        self, desks: Iterable[Desk], *, catalog: Catalog, access: ChatAccess, claims: Claims
    ) -> None:
        self._catalog = catalog
        self._access = access
        self._claims = claims
        self._in_hand: set[str] = set()
        self._answerers = {
            kind: _Answerer(answer, kind in desk.claimed)
            for desk in desks
            for kind, answer in desk.answers.items()
        }
        for kind, answer in self._own_answers().items():
            self._answerers.setdefault(kind, _Answerer(answer, is_claimed=False))

    @property
    def menu(self) -> list[MenuEntry]:
        """The commands that a channel may list; only those that some desk answers."""
        return [MenuEntry(verb.word, verb.summary) for verb in self._listed]

    async def handle(self, incoming: Incoming, channel: Channel) -> None:
        """Answers one message; returns when the answer is complete, and never raises for an error."""
        asking = Asking(incoming, channel, self._access.asked_by(incoming.chat, incoming.sender))
        if incoming.claim in self._in_hand:
            return
        self._in_hand.add(incoming.claim)
        try:
            await self._let_in(asking)
        except RunhomeError as error:
            await asking.answer(error_reply(str(error)))
        except Exception:
            reference = secrets.token_hex(3).upper()
            log.exception("%s: a message in %s was not answered", reference, incoming.chat.channel)
            await asking.answer(fault_reply(reference))
        finally:
            self._in_hand.discard(incoming.claim)

    async def _let_in(self, asking: Asking) -> None:
        command = parse(asking.incoming.text)
        if isinstance(command, commands.Plain) and asking.incoming.attachments:
            command = commands.Files(command.text)
        if not self._access.may_ask(asking.chat, asking.incoming.sender):
            await self._meet(asking, command)
            return
        if asking.incoming.is_forwarded and not isinstance(command, commands.Plain | commands.Files):
            await asking.answer(Reply(FORWARDED))
            return
        answerer = self._answerers.get(type(command))
        if answerer is None:
            await asking.answer(unknown_reply(asking.incoming.text.split()[0].lstrip("/"), None))
        elif not answerer.is_claimed or await self._claims.take(asking.incoming.claim):
            await answerer.answer(asking, command)

    async def _meet(self, asking: Asking, command: commands.Command) -> None:
        """A stranger. Without an open code nothing shows that anybody is here."""
        if not self._access.is_pairing or not asking.incoming.sender:
            return
        code = command.code if isinstance(command, commands.Pair | commands.Start) else None
        if code is None:
            await asking.answer(Reply(PAIR_HINT))
            return
        is_linked = await self._access.pair(asking.chat, asking.asked_by, code)
        await asking.answer(Reply(WELCOME if is_linked else WRONG_CODE))

    def _own_answers(self) -> Mapping[type, Answer]:
        return {
            commands.Help: self._help,
            commands.Start: self._welcome,
            commands.Pair: self._welcome,
            commands.Files: self._files,
            commands.Unknown: self._unknown,
            commands.Incomplete: self._incomplete,
        }

    @property
    def _listed(self) -> list[Verb]:
        return [verb for verb in VERBS.values() if verb.summary and verb.kind in self._answerers]

    async def _help(self, asking: Asking, command: commands.Help) -> None:
        if command.topic is None:
            await asking.answer(help_reply(self._listed, self._catalog.names()))
            return
        word = command.topic.lstrip("/").casefold()
        verb = VERBS.get(word)
        if verb is not None and verb.kind in self._answerers:
            await asking.answer(verb_reply(verb))
            return
        subroutine = self._named(command.topic)
        if subroutine is None:
            known = [*self._catalog.names(), *(verb.word for verb in self._listed)]
            raise UnknownName("command or subroutine", command.topic, known)
        await asking.answer(subroutine_reply(subroutine))

    async def _welcome(self, asking: Asking, command: commands.Command) -> None:
        await asking.answer(Reply(WELCOME))

    async def _files(self, asking: Asking, command: commands.Files) -> None:
        await asking.answer(saved_reply([file.name for file in asking.incoming.attachments]))

    async def _unknown(self, asking: Asking, command: commands.Unknown) -> None:
        near = command.nearest if command.nearest in {verb.word for verb in self._listed} else None
        await asking.answer(unknown_reply(command.verb, near))

    async def _incomplete(self, asking: Asking, command: commands.Incomplete) -> None:
        await asking.answer(incomplete_reply(command.usage))

    def _named(self, name: str) -> Subroutine | None:
        return self._catalog.get(name) if name in self._catalog.names() else None
