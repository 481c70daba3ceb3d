"""Pieces of work that are under way, each by its number: begun, counted, waited for, left. It does none."""

import asyncio
import logging
from collections.abc import Callable, Coroutine

log = logging.getLogger(__name__)

MOST_AT_ONCE = 50
"""Each that ends makes room for the next. More of one chat would be refused at the door."""


class UnderWay:
    """Whoever begins one looks at ``room`` first."""

    def __init__(self) -> None:
        self._tasks: dict[int, asyncio.Task[None]] = {}

    @property
    def room(self) -> int:
        """How many more may be begun."""
        return MOST_AT_ONCE - len(self._tasks)

    @property
    def numbers(self) -> list[int]:
        return list(self._tasks)

    def begin(
        self, number: int, work: Coroutine[None, None, None], *, name: str, ended: Callable[[], None]
    ) -> None:
        """``ended`` is called when there is room again, however the work ended. Its error goes to the log."""

        def let_go(task: asyncio.Task[None]) -> None:
            del self._tasks[number]
            ended()
            if not task.cancelled() and task.exception() is not None:
                log.error("The work on %s broke off", name, exc_info=task.exception())

        task = self._tasks[number] = asyncio.create_task(work, name=name)
        task.add_done_callback(let_go)

    async def idle(self) -> None:
        """Waits until nothing is under way."""
        while self._tasks:
            await asyncio.wait(list(self._tasks.values()))

    async def close(self) -> None:
        """Breaks off all of it; its rows stay as they are."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
