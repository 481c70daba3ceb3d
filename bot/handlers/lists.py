"""Shows what there is: library, browsers, status, proof. Asking changes nothing."""

from collections.abc import Callable, Mapping
from datetime import datetime

from bot import commands
from bot.handlers.asking import Answer, Asking
from bot.listings import browsers_reply, library_reply, status_reply, subroutine_reply
from bot.ports import Browsers, Journal
from bot.replies import proof_reply, run_reply
from scheduler.ports import Catalog

MOST_RECENT = 10


class ListDesk:
    def __init__(
        self, *, catalog: Catalog, journal: Journal, browsers: Browsers, now: Callable[[], datetime]
    ) -> None:
        self._catalog = catalog
        self._journal = journal
        self._browsers = browsers
        self._now = now

    @property
    def answers(self) -> Mapping[type, Answer]:
        return {
            commands.Library: self._library,
            commands.Browsers: self._list_browsers,
            commands.Status: self._status,
            commands.Proof: self._proof,
        }

    @property
    def claimed(self) -> frozenset[type]:
        return frozenset()

    async def _library(self, asking: Asking, command: commands.Library) -> None:
        if command.name is not None:
            await asking.answer(subroutine_reply(self._catalog.get(command.name)))
            return
        await asking.answer(library_reply([self._catalog.get(name) for name in self._catalog.names()]))

    async def _list_browsers(self, asking: Asking, command: commands.Browsers) -> None:
        await asking.answer(browsers_reply(self._browsers.all()))

    async def _status(self, asking: Asking, command: commands.Status) -> None:
        if command.run is not None:
            await asking.answer(run_reply(await self._journal.get(command.run)))
            return
        unfinished = await self._journal.unfinished()
        recent = await self._journal.recent(limit=MOST_RECENT)
        await asking.answer(status_reply(unfinished, recent, self._now()))

    async def _proof(self, asking: Asking, command: commands.Proof) -> None:
        await asking.answer(proof_reply(await self._journal.get(command.run)))
