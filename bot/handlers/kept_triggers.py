"""Triggers in a chat: ``/trigger new CALL on EVENT``, and their list. It fires none."""

import re
from collections.abc import Callable, Sequence

from bot import commands
from bot.handlers.asking import Asking
from bot.handlers.kept_calls import kept_call, secrets_of, with_all_optional
from bot.schedule_replies import trigger_reply, triggers_reply
from bot.verbs import TRIGGER_MORE, name_of
from library.arguments import parse_words
from library.errors import AskError
from library.models import Call, Effect, Subroutine
from scheduler.ports import Catalog
from scheduler.trigger_rows import Event
from scheduler.triggers import Triggers

_EVENT = re.compile(
    r"(?P<call>\S[\s\S]*?)\s+on\s+"
    r"(?:(?P<webhook>webhook)|(?P<event>done|failed|unconfirmed|change)\s+of\s+(?P<of>\S+))",
    re.IGNORECASE,
)
MOST_READS = 8


class KeptTriggers:
    """``hook_url``: the address of a webhook's token."""

    def __init__(self, catalog: Catalog, triggers: Triggers, hook_url: Callable[[str], str]) -> None:
        self._catalog = catalog
        self._triggers = triggers
        self._hook_url = hook_url

    async def new(self, asking: Asking, command: commands.NewTrigger) -> None:
        found = _EVENT.fullmatch(command.words.strip())
        if found is None:
            raise AskError(f"Say what fires it:\n{TRIGGER_MORE}")
        name, _, words = found["call"].partition(" ")
        subroutine = self._catalog.get(name)
        # What is missing may come with the event.
        arguments = parse_words(words, with_all_optional(subroutine))
        call = kept_call(asking, subroutine, arguments)
        if found["webhook"]:
            trigger, token = await self._triggers.on_webhook(call)
            await asking.answer(trigger_reply(trigger, self._secrets_of, hook=self._hook_url(token)))
            return
        event, watched = Event(found["event"].casefold()), self._catalog.get(name_of(found["of"]))
        if event is Event.CHANGE and watched.effect is not Effect.READ:
            raise AskError(self._no_read(watched))
        trigger = await self._triggers.on_run(call, event, watched.name)
        await asking.answer(trigger_reply(trigger, self._secrets_of))

    def _secrets_of(self, call: Call) -> Sequence[str]:
        """Of a subroutine that is gone nobody knows: then all of its arguments."""
        if call.name not in self._catalog.names():
            return list(call.arguments)
        return secrets_of(self._catalog.get(call.name))

    def _no_read(self, watched: Subroutine) -> str:
        reads = [name for name in self._catalog.names() if self._catalog.get(name).effect is Effect.READ]
        return (
            f"{watched.name} writes, and a change can only be seen in what a read returns. "
            f"Nothing was saved. Reads here: {', '.join(reads[:MOST_READS]) or 'none'}. "
            f'To fire each time {watched.name} has run, write "on done of {watched.name}".'
        )

    async def list(self, asking: Asking, command: commands.Triggers) -> None:
        await asking.answer(triggers_reply(await self._triggers.all(), self._secrets_of))
