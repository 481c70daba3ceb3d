"""A whole scheduler that works until it is killed: ``soak_child.py FOLDER``; ``soak_child.py FOLDER
finish`` ends.

Its site is a file: every post is one line, appended in the middle of a run. It says ``up`` when it
works. With
``finish`` it ends by itself as soon as nothing is left to do.
"""

import asyncio
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from pydantic import JsonValue

from library.models import Call, Effect, Outcome, Proof, Subroutine
from scheduler.database import Database
from scheduler.journal import Journal
from scheduler.ports import OnProgress
from scheduler.queue_rows import ItemStatus
from scheduler.timekeeper import Timekeeper
from scheduler.trigger_rows import Event
from tests.fakes import FakeCatalog, FakeHome, FakeNotifier, FakeRunner, outcome, subroutine
from tests.scheduler.conftest import make_dispatcher

CATALOG = FakeCatalog(*(subroutine(name, Effect.WRITE) for name in ("slot", "item", "chained", "hooked")))
QUEUE = "news"


def now() -> datetime:
    return datetime.now(UTC)


class Site(FakeRunner):
    """Posts by appending a line, somewhere in the middle of the run."""

    def __init__(self, log: Path) -> None:
        super().__init__()
        self._log = log

    async def run(
        self,
        run_id: str,
        subroutine: Subroutine,
        arguments: Mapping[str, JsonValue],
        *,
        browser: str | None,
        proof: Proof,
        on_progress: OnProgress | None = None,
    ) -> Outcome:
        await asyncio.sleep(0.002)
        with self._log.open("a") as log:
            log.write(f"{run_id} {subroutine.name} {arguments['text']}\n")
        await asyncio.sleep(0.002)
        return outcome()


async def open_keeper(folder: Path) -> tuple[Timekeeper, Database, Journal]:
    database = await Database.open(folder / "runhome.db")
    journal = Journal(database, folder / "files")
    keeper = Timekeeper(
        database=database,
        journal=journal,
        dispatcher=make_dispatcher(journal, Site(folder / "site.log"), now, CATALOG),
        catalog=CATALOG,
        home=FakeHome(),
        notifier=FakeNotifier(),
        now=now,
    )
    return keeper, database, journal


async def work_queue(keeper: Timekeeper) -> None:
    """As a person would: switch the queue on again and go on, until nothing is pending."""
    while (await keeper.queues.get(QUEUE)).pending:
        await keeper.queues.resume(QUEUE)
        await keeper.queue_work.run(QUEUE, by=f"work:{now().timestamp()}")


async def deliver(keeper: Timekeeper, token: str) -> None:
    """A sender that does not know what arrived, and delivers everything again."""
    for n in range(20):
        await keeper.triggers.receive(token, f"d{n}", {"text": f"hook {n}"})


async def everything_ended(keeper: Timekeeper) -> bool:
    slots = await keeper.schedules.slots(limit=10_000)
    firings = await keeper.triggers.firings(limit=10_000)
    items = await keeper.queues.items(QUEUE, limit=10_000)
    coming = [schedule for schedule in await keeper.schedules.all() if schedule.next_at is not None]
    open_items = (ItemStatus.PENDING, ItemStatus.CLAIMED)
    return (
        not coming
        and all(slot.status.is_final for slot in slots)
        and all(firing.status.is_final for firing in firings)
        and all(item.status not in open_items for item in items)
    )


async def main(folder: Path, *, finish: bool) -> None:
    keeper, database, _ = await open_keeper(folder)
    await keeper.settle()
    keeper.start()
    sys.stdout.write("up\n")
    sys.stdout.flush()
    await asyncio.gather(work_queue(keeper), deliver(keeper, (folder / "token").read_text()))
    while not (finish and await everything_ended(keeper)):  # noqa: ASYNC110  (many things may end it)
        await asyncio.sleep(0.02)
    await keeper.close()
    await database.close()


def saved(name: str, text: str) -> Call:
    return Call(name=name, arguments={"text": text}, claim="", asked_by="owner")


CHAINS = (("slot", Event.DONE, "of slot"), ("item", Event.UNCONFIRMED, "of item"))

if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), finish="finish" in sys.argv))
