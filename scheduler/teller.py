"""Tells chats what they must be told, and takes it out of the untold. It decides nothing."""

from library.models import Run
from scheduler.journal import Journal
from scheduler.ports import Notifier
from scheduler.untold import Telling, Untold


class Teller:
    def __init__(self, untold: Untold, notifier: Notifier, journal: Journal) -> None:
        self.untold = untold
        self._notifier = notifier
        self._journal = journal

    async def tell(self, telling: Telling, run: Run | None = None) -> bool:
        """``run``: the one it tells of, where it is at hand. False while that has not ended."""
        message = telling.message
        if message.run_id is None:
            await self._notifier.note(message.chat, message.text)
        else:
            run = run or await self._journal.get(message.run_id)
            if not run.status.is_final:
                return False
            if run.resolved_by is None:
                await self._notifier.run_finished(run)
        await self.untold.told(telling)
        return True
