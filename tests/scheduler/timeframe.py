"""A whole scheduler on a fake clock: real tables, fake edges, and no APScheduler; ``at`` moves the time."""

from datetime import datetime, timedelta

from library.models import Call, ChatRef, Status
from scheduler.database import Database
from scheduler.dispatcher import Dispatcher
from scheduler.journal import Journal
from scheduler.rules import Rule
from scheduler.schedule_line import split
from scheduler.schedule_rows import Schedule, Slot, Terms
from scheduler.timekeeper import Timekeeper
from tests.fakes import FakeCatalog, FakeClock, FakeHome, FakeNotifier, FakeRunner

CHAT = ChatRef(channel="telegram", id="4711")


class Timeframe:
    """Everything around a Timekeeper that a test looks at."""

    def __init__(
        self,
        database: Database,
        journal: Journal,
        dispatcher: Dispatcher,
        runner: FakeRunner,
        clock: FakeClock,
        *,
        catalog: FakeCatalog | None = None,
    ) -> None:
        self.database, self.journal, self.dispatcher = database, journal, dispatcher
        self.runner, self.clock = runner, clock
        self.home, self.notifier = FakeHome(), FakeNotifier()
        self.catalog = catalog or FakeCatalog()
        self.keeper = self.restarted()

    def restarted(self) -> Timekeeper:
        """A new process' objects on the same database."""
        self.keeper = Timekeeper(
            database=self.database,
            journal=self.journal,
            dispatcher=self.dispatcher,
            catalog=self.catalog,
            home=self.home,
            notifier=self.notifier,
            now=self.clock,
            sleep=self._sleep,
        )
        return self.keeper

    async def schedule(
        self, when: str, *, name: str = "create-post", zone: str = "UTC", terms: Terms | None = None
    ) -> Schedule:
        """As ``/schedule NAME WHEN`` does it."""
        line = split(when, now=self.clock(), zone=zone)
        return await self.save(name, line.rule, when, terms or Terms())

    async def save(self, name: str, rule: Rule, words: str, terms: Terms) -> Schedule:
        arguments = {"text": "Hello"} if name == "create-post" else {}
        call = Call(name=name, arguments=arguments, claim="", asked_by="owner", chat=CHAT)
        return await self.keeper.schedules.save(call, rule, words, terms)

    async def at(self, moment: datetime) -> None:
        """The clock shows this moment, and the work looks once and ends what it started."""
        self.clock.at = moment
        await self.keeper.tick()
        await self.keeper.slot_work.idle()
        await self.keeper.trigger_work.idle()

    async def after(self, **duration: float) -> None:
        await self.at(self.clock() + timedelta(**duration))

    async def slots(self) -> list[Slot]:
        """Oldest first."""
        return list(reversed(await self.keeper.schedules.slots(limit=10_000)))

    async def ends(self) -> list[Status]:
        return [slot.status for slot in await self.slots()]

    async def _sleep(self, seconds: float) -> None:
        self.clock.pass_(seconds=seconds)
