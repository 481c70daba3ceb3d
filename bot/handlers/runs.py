"""Starts, repeats, stops and settles runs. It decides nothing about access and judges no evidence."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from bot import commands
from bot.files import Files
from bot.handlers.asking import Answer, Asking
from bot.handlers.progress import AFTER_S, EVERY_S, ProgressMessage
from bot.handlers.row_files import row_files
from bot.listings import example
from bot.messages import Reply
from bot.ports import Deliveries, Dispatcher, Journal
from bot.replies import progress_end, resolved_reply, run_reply, stopped_reply, too_late_reply
from library.arguments import parse_words
from library.errors import BadArgument
from library.models import Call, Effect, Proof, Run, Status, Subroutine
from library.words import UnclosedQuote, split
from scheduler.ports import Catalog


class RunDesk:
    """``folder``: where files are made that are sent.

    ``progress_*_s``: how long a run may take unseen, and how often its progress changes at most.
    """

    def __init__(
        self,
        *,
        catalog: Catalog,
        dispatcher: Dispatcher,
        journal: Journal,
        deliveries: Deliveries,
        files: Files,
        folder: Path,
        stop_queues: Callable[[], Awaitable[Sequence[str]]] | None = None,
        progress_after_s: float = AFTER_S,
        progress_every_s: float = EVERY_S,
    ) -> None:
        self._catalog = catalog
        self._dispatcher = dispatcher
        self._journal = journal
        self._deliveries = deliveries
        self._files = files
        self._folder = folder
        self._stop_queues = stop_queues
        self._progress_after_s = progress_after_s
        self._progress_every_s = progress_every_s

    @property
    def answers(self) -> Mapping[type, Answer]:
        return {
            commands.Run: self._run,
            commands.Again: self._again,
            commands.Stop: self._stop,
            commands.Worked: self._worked,
            commands.Didnt: self._didnt,
        }

    @property
    def claimed(self) -> frozenset[type]:
        """Not *Run* and *Again*: their claim is the run's own row, so a crash in between loses none."""
        return frozenset({commands.Stop, commands.Worked, commands.Didnt})

    async def _run(self, asking: Asking, command: commands.Run) -> None:
        subroutine = self._catalog.get(command.name)
        browser, words = _browser_choice(command.words, subroutine)
        try:
            call = Call(
                name=subroutine.name,
                arguments=parse_words(words, subroutine, await self._sent_along(asking, subroutine, words)),
                claim=asking.incoming.claim,
                asked_by=asking.asked_by,
                chat=asking.chat,
                browser=browser,
                proof=Proof.ALWAYS if subroutine.effect is Effect.WRITE else Proof.UNLESS_DONE,
            )
            await self.carry_out(asking, call)
        except BadArgument as error:
            await asking.answer(Reply(f"{error}\n\nLike this:\n{example(subroutine)}"))

    async def _sent_along(self, asking: Asking, subroutine: Subroutine, words: str) -> Mapping[str, str]:
        """The files of the message for the file parameters that ``words`` does not name, in their order."""
        sent = asking.incoming.attachments
        named = _named(words, subroutine) if sent else frozenset()
        open_ones = [name for name in subroutine.file_params if name not in named]
        if len(sent) > len(open_ones):
            left = sent[len(open_ones)].name
            raise BadArgument(f'{subroutine.name} has no parameter left for the file "{left}".')
        kept = [await asyncio.to_thread(self._files.keep, file.path, file.name) for file in sent]
        return dict(zip(open_ones, kept, strict=False))

    async def _again(self, asking: Asking, command: commands.Again) -> None:
        call = await self._journal.call_to_repeat(
            command.run, claim=asking.incoming.claim, asked_by=asking.asked_by, chat=asking.chat
        )
        if command.browser is not None:
            call = call.model_copy(update={"browser": command.browser})
        await self.carry_out(asking, call)

    async def carry_out(self, asking: Asking, call: Call) -> None:
        """Dispatches, shows progress, answers. A claim that has its run already does nothing."""
        if await self._journal.of_claim(call.claim) is not None:
            return
        message = ProgressMessage(
            asking, call.name, after_s=self._progress_after_s, every_s=self._progress_every_s
        )
        run = None
        try:
            run = await self._dispatcher.dispatch(call, message.told)
        finally:
            await message.end(progress_end(call.name, run, message.last))
        delivery = await asking.answer(run_reply(run))
        await self._deliveries.record(run.id, asking.chat, delivery)
        for reply in row_files(run, self._folder):
            await asking.answer(reply)

    async def _stop(self, asking: Asking, command: commands.Stop) -> None:
        """Without a name everything that runs is stopped: whoever sends /stop in a hurry means that."""
        if command.run is not None:
            named = await self._journal.get(command.run)
            if not await self._dispatcher.cancel(named.id):
                await asking.answer(too_late_reply(named))
                return
            await asking.answer(stopped_reply([named]))
            return
        queues = await self._stop_queues() if self._stop_queues is not None else ()
        stopped = [run for run in await self._journal.unfinished() if await self._dispatcher.cancel(run.id)]
        await asking.answer(stopped_reply(stopped, queues))

    async def _worked(self, asking: Asking, command: commands.Worked) -> None:
        await self._settle(asking, command.run, Status.DONE)

    async def _didnt(self, asking: Asking, command: commands.Didnt) -> None:
        await self._settle(asking, command.run, Status.FAILED)

    async def _settle(self, asking: Asking, run_id: str, status: Status) -> None:
        run: Run = await self._journal.resolve(run_id, status, asking.asked_by)
        await asking.answer(resolved_reply(run))


def _named(words: str, subroutine: Subroutine) -> frozenset[str]:
    """The parameters that are given by name; what cannot be read is told by whoever reads it all."""
    try:
        return frozenset(word.name for word in split(words, list(subroutine.params)) if word.name)
    except UnclosedQuote:
        return frozenset()


def _browser_choice(words: str, subroutine: Subroutine) -> tuple[str | None, str]:
    """``browser=NAME`` in the first line is for us, unless the subroutine has a parameter of that name."""
    first_line, rest = words.partition("\n")[0], words[len(words.partition("\n")[0]) :]
    if _BROWSER in subroutine.params:
        return None, words
    try:
        parts = split(first_line, [*subroutine.params, _BROWSER])
    except UnclosedQuote:
        return None, words
    for part in parts:
        if part.name == _BROWSER and part.value:
            return part.value, first_line[: part.start] + first_line[part.end :] + rest
    return None, words


_BROWSER = "browser"
