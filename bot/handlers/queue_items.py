"""One item of a queue, as a person changes it: edit, move, skip, remove, allow, again. It runs nothing."""

from collections.abc import Awaitable, Callable, Mapping

from bot.handlers.asking import Asking
from bot.handlers.kept_calls import with_all_optional
from bot.handlers.queue_words import named, number
from bot.queue_replies import changed_reply
from library.arguments import parse_words
from library.errors import AskError
from scheduler.ports import Catalog
from scheduler.queues import Queues

Verb = Callable[[Asking, str], Awaitable[None]]


class QueueItems:
    def __init__(self, catalog: Catalog, queues: Queues) -> None:
        self._catalog = catalog
        self._queues = queues
        self.verbs: Mapping[str, Verb] = {
            "edit": self._edit,
            "move": self._move,
            "skip": self._changing("skip", queues.skip, "is skipped"),
            "remove": self._changing("remove", queues.remove, "is removed"),
            "allow": self._changing("allow", queues.allow, "may go out", then_run=True),
            "again": self._changing("again", queues.again, "is waiting again", then_run=True),
        }

    async def _edit(self, asking: Asking, words: str) -> None:
        queue, rest = await named(self._queues, words)
        subroutine = self._catalog.get(queue.subroutine)
        how = f"/queue edit {queue.name} 3 {next(iter(subroutine.params))}=..."
        item, rest = number(rest, how=how)
        changes = parse_words(rest, with_all_optional(subroutine))
        if not changes:
            raise AskError(f"Say what to change, for example:\n{how}")
        await self._queues.edit(queue.name, item, changes)
        await asking.answer(changed_reply(f"Item {item}", "is changed"))

    async def _move(self, asking: Asking, words: str) -> None:
        queue, rest = await named(self._queues, words)
        how = f"/queue move {queue.name} 3 1 (item 3 to place 1)"
        item, rest = number(rest, how=how)
        place, _ = number(rest, how=how)
        await self._queues.move(queue.name, item, place)
        await asking.answer(changed_reply(f"Item {item}", f"is at place {place}"))

    def _changing(
        self, verb: str, change: Callable[[str, int], Awaitable[None]], what: str, *, then_run: bool = False
    ) -> Verb:
        async def answer(asking: Asking, words: str) -> None:
            queue, rest = await named(self._queues, words)
            item, _ = number(rest, how=f"/queue {verb} {queue.name} 3 (/queue show {queue.name} lists them)")
            await change(queue.name, item)
            run = queue.name if then_run else None
            await asking.answer(changed_reply(f"Item {item}", what, run=run))

        return answer
