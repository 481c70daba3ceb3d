"""``/queue guard WHAT words``: guards of a queue, a subroutine or a site, set and shown. Judges nothing."""

from bot.handlers.guard_words import guards_in_words, read_guards
from bot.messages import Reply
from bot.verbs import name_of
from library.errors import UnknownName
from scheduler.guard_book import GuardBook, Subject
from scheduler.ports import Catalog
from scheduler.queue_rows import Queue
from scheduler.queues import Queues


class QueueGuards:
    def __init__(self, catalog: Catalog, queues: Queues, book: GuardBook) -> None:
        self._catalog = catalog
        self._queues = queues
        self._book = book

    async def answer(self, what: str, words: str, *, zone: str) -> Reply:
        """Without words, what is set. Raises UnknownName and BadArgument."""
        queues = {queue.name: queue for queue in await self._queues.all()}
        name = name_of(what)
        if name in queues:
            return await self._of_queue(queues[name], words, zone)
        subject, title = self._subject(name, list(queues))
        before = await self._book.get(subject)
        if words:
            before = read_guards(words, before, zone=zone)
            await self._book.set(subject, before)
        return Reply(f"{title}: {guards_in_words(before)}.")

    async def _of_queue(self, queue: Queue, words: str, zone: str) -> Reply:
        guards = queue.guards
        if words:
            guards = read_guards(words, guards, zone=zone)
            await self._queues.set_guards(queue.name, guards)
        return Reply(f"The queue {queue.name}: {guards_in_words(guards)}.")

    def _subject(self, name: str, queues: list[str]) -> tuple[Subject, str]:
        sites = self._book.sites()
        if name in self._catalog.names():
            return Subject(kind="subroutine", name=name), f"All that queues send by {name}"
        if name in sites:
            return Subject(kind="site", name=name), f"All that queues send to {name}"
        raise UnknownName("queue, subroutine or site", name, [*queues, *self._catalog.names(), *sites])
