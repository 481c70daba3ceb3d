"""Whole Runhomes that work until they are killed, one after another: a nursery and its children.

The nursery has imported everything and forks a child for each line it reads, ``FOLDER PORT kill`` or
``... finish``: to start a Python for each would take most of the time. It says ``born PID``, and
``gone STATUS`` when the child is.

A child is the real ``open_app`` with its real relay; it says ``up PORT`` when it serves. A browser and a site
are elsewhere, and live on when it dies. With ``finish`` it ends by itself when nothing is left to do.
"""

import asyncio
import os
import sys
from pathlib import Path

from bot.app import App, now, open_app
from bot.settings import BrowserSettings, RelaySettings, Settings
from scheduler.queue_rows import ItemStatus

QUEUE = "news"
MANY = 100_000
OPEN_ITEMS = (ItemStatus.PENDING, ItemStatus.CLAIMED)
PAUSE_S = 0.05
LOOK_S = 0.5
"""Between two looks whether everything has ended: each reads all rows."""
BROWSER_S = 60


def settings(folder: Path, port: int = 0) -> Settings:
    return Settings(
        data=folder / "data", relay=RelaySettings(port=port), browser=BrowserSettings(autostart=False)
    )


async def work_queue(app: App) -> None:
    """As a person would: switches the queue on again and goes on, until nothing is pending."""
    keeper = app.timekeeper
    while (await keeper.queues.get(QUEUE)).pending:
        await keeper.queues.resume(QUEUE)
        await keeper.queue_work.run(QUEUE, by=f"work:{now().timestamp()}")
        await asyncio.sleep(PAUSE_S)


async def everything_ended(app: App) -> bool:
    keeper = app.timekeeper
    slots = await keeper.schedules.slots(limit=MANY)
    firings = await keeper.triggers.firings(limit=MANY)
    items = await keeper.queues.items(QUEUE, limit=MANY)
    return (
        not [schedule for schedule in await keeper.schedules.all() if schedule.next_at is not None]
        and all(slot.status.is_final for slot in slots)
        and all(firing.status.is_final for firing in firings)
        and all(item.status not in OPEN_ITEMS for item in items)
    )


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


async def work(folder: Path, port: int, *, finish: bool) -> None:
    async with open_app(settings(folder, port)) as app:
        say(f"up {app.port}")
        await app.browsers.wait_connected(None, timeout_s=BROWSER_S)
        await work_queue(app)
        while not (finish and await everything_ended(app)):  # noqa: ASYNC110  (many things may end it)
            await asyncio.sleep(LOOK_S)


def main() -> None:
    for line in sys.stdin:
        folder, port, how = line.rsplit(maxsplit=2)
        child = os.fork()
        if child == 0:
            asyncio.run(work(Path(folder), int(port), finish=how == "finish"))
            os._exit(0)
        say(f"born {child}")
        _, status = os.waitpid(child, 0)
        say(f"gone {status}")


if __name__ == "__main__":
    main()
