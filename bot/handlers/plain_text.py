"""Answers text without a command: rows for a queue that was just made, a call without its slash, or talk."""

from collections.abc import Awaitable, Callable, Mapping

from bot import commands
from bot.handlers.asking import Answer, Asking
from bot.listings import plain_reply
from bot.verbs import name_of
from scheduler.ports import Catalog

TakeLines = Callable[[Asking, str], Awaitable[bool]]


class PlainTextDesk:
    """``take_lines`` gets what names no subroutine, and says whether it took it."""

    claimed: frozenset[type] = frozenset()

    def __init__(self, catalog: Catalog, take_lines: TakeLines) -> None:
        self._catalog = catalog
        self._take_lines = take_lines

    @property
    def answers(self) -> Mapping[type, Answer]:
        return {commands.Plain: self._plain}

    async def _plain(self, asking: Asking, command: commands.Plain) -> None:
        first = name_of((command.text.split(maxsplit=1) or [""])[0])
        called = self._catalog.get(first) if first in self._catalog.names() else None
        if called is not None or not await self._take_lines(asking, command.text):
            await asking.answer(plain_reply(command.text, called))
