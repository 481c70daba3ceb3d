"""The bot with a real database and dispatcher, and fakes at its edges: runner, browsers, channel, clock."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.access import ChatAccess
from bot.files import Files
from bot.handlers import (
    Desk,
    Handlers,
    ListDesk,
    PlainTextDesk,
    QueueDesk,
    ResultsDesk,
    RunDesk,
    ScheduleDesk,
)
from bot.messages import Attachment, Incoming, Reply
from library.models import Browser, ChatRef, Tab
from scheduler.chats import Chats, Claims, Deliveries
from scheduler.database import Database, bring_up_to_date, make_engine
from scheduler.dispatcher import Dispatcher
from scheduler.ids import RunIds
from scheduler.journal import Journal
from scheduler.timekeeper import Timekeeper
from tests.fakes import FakeCatalog, FakeClock, FakeHome, FakeNotifier, FakeRunner
from tests.fakes_channel import FakeBrowsers, FakeChannel

PHONE = ChatRef(channel="telegram", id="4711")
ZONE = "Europe/Berlin"
STRANGER = ChatRef(channel="telegram", id="666")


class NoClaims:
    """Every update is new."""

    async def take(self, claim: str) -> bool:
        return True


@dataclass
class House:
    handlers: Handlers
    channel: FakeChannel
    catalog: FakeCatalog
    runner: FakeRunner
    access: ChatAccess
    journal: Journal
    deliveries: Deliveries
    timekeeper: Timekeeper
    clock: FakeClock

    def __post_init__(self) -> None:
        self._numbers = count(1)

    def incoming(
        self,
        text: str,
        *,
        chat: ChatRef = PHONE,
        claim: str | None = None,
        sender: str = "",
        files: Sequence[Path] = (),
    ) -> Incoming:
        return Incoming(
            chat=chat,
            sender=sender or chat.id,
            text=text,
            claim=claim or f"{chat.channel}:{next(self._numbers)}",
            at=self.clock(),
            attachments=tuple(Attachment(file, file.name, "text/csv") for file in files),
        )

    async def say(
        self,
        text: str,
        *,
        chat: ChatRef = PHONE,
        claim: str | None = None,
        sender: str = "",
        files: Sequence[Path] = (),
    ) -> list[Reply]:
        """Sends one message, from the linked phone unless said otherwise; the replies to it."""
        before = len(self.channel.replies)
        incoming = self.incoming(text, chat=chat, claim=claim, sender=sender, files=files)
        await self.handlers.handle(incoming, self.channel)
        return self.channel.replies[before:]

    async def answer(self, text: str) -> str:
        """The text of the one reply to one message."""
        replies = await self.say(text)
        assert len(replies) == 1, [reply.text for reply in replies]
        return replies[0].text


@cache
def _blank_database() -> bytes:
    """Migrated once for all tests."""
    with TemporaryDirectory() as folder:
        engine = make_engine(Path(folder) / "blank.db")
        bring_up_to_date(engine)
        with engine.connect() as connection:
            connection.exec_driver_sql("COMMIT")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.exec_driver_sql("BEGIN")
        engine.dispose()
        return (Path(folder) / "blank.db").read_bytes()


@asynccontextmanager
async def open_house(
    folder: Path, *, runner: FakeRunner | None = None, catalog: FakeCatalog | None = None, after_s: float = 60
) -> AsyncIterator[House]:
    """``after_s``: how long a run may take before its progress is shown; 60 means never, here."""
    clock, runner, catalog = FakeClock(), runner or FakeRunner(), catalog or FakeCatalog()
    (folder / "runhome.db").write_bytes(_blank_database())
    database = await Database.open(folder / "runhome.db")
    chats = Chats(database)
    await chats.link(PHONE, f"telegram:{PHONE.id}", at=clock())
    access = ChatAccess(chats, now=clock)
    await access.load()
    journal = Journal(database, folder / "runs")
    deliveries = Deliveries(database, now=clock)
    (folder / "files").mkdir()
    files = Files(folder / "files")
    dispatcher = Dispatcher(
        catalog=catalog,
        journal=journal,
        runner=runner,
        access=access,
        files=files,
        now=clock,
        new_id=RunIds(clock),
    )
    browsers = FakeBrowsers(
        Browser(name="home", connected=True, tabs=(Tab(id=1, url="http://127.0.0.1/", title="Demo"),)),
        Browser(name="work"),
    )
    timekeeper = Timekeeper(
        database=database,
        journal=journal,
        dispatcher=dispatcher,
        catalog=catalog,
        home=FakeHome(),
        notifier=FakeNotifier(),
        now=clock,
    )
    queues = QueueDesk(
        catalog=catalog,
        queues=timekeeper.queues,
        work=timekeeper.queue_work,
        schedules=timekeeper.schedules,
        untold=timekeeper.untold,
        zones=chats,
        zone=ZONE,
        folder=folder / "outbox",
        now=clock,
        progress_after_s=after_s,
        progress_every_s=0,
    )
    runs = RunDesk(
        catalog=catalog,
        dispatcher=dispatcher,
        journal=journal,
        deliveries=deliveries,
        files=files,
        folder=folder / "outbox",
        stop_queues=queues.stop_all,
        progress_after_s=after_s,
        progress_every_s=0,
    )
    schedules = ScheduleDesk(
        catalog=catalog,
        schedules=timekeeper.schedules,
        triggers=timekeeper.triggers,
        queues=timekeeper.queues,
        zones=chats,
        runs=runs,
        zone=ZONE,
        hook_url="http://127.0.0.1:18792/hooks/{}".format,
        now=clock,
    )
    results = ResultsDesk(
        schedules=timekeeper.schedules,
        journal=journal,
        deliveries=deliveries,
        folder=folder / "outbox",
        now=clock,
    )
    lists = ListDesk(catalog=catalog, journal=journal, browsers=browsers, now=clock)
    plain = PlainTextDesk(catalog, queues.take_lines)
    desks: list[Desk] = [runs, lists, schedules, results, queues, plain]
    handlers = Handlers(desks, catalog=catalog, access=access, claims=Claims(database, now=clock))
    try:
        yield House(handlers, FakeChannel(), catalog, runner, access, journal, deliveries, timekeeper, clock)
    finally:
        await dispatcher.close()
        await database.close()
