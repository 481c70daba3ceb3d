"""The bot with a real database and dispatcher, and fakes at its edges: runner, browsers, channel, clock."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from bot.access import ChatAccess
from bot.handlers import Desk, Handlers, ListDesk, RunDesk
from bot.messages import Incoming, Reply
from library.models import Browser, ChatRef, Tab
from scheduler.chats import Chats, Claims, Deliveries
from scheduler.database import Database
from scheduler.dispatcher import Dispatcher
from scheduler.ids import RunIds
from scheduler.journal import Journal
from tests.fakes import FakeCatalog, FakeClock, FakeRunner
from tests.fakes_channel import FakeBrowsers, FakeChannel

PHONE = ChatRef(channel="telegram", id="4711")
STRANGER = ChatRef(channel="telegram", id="666")


@dataclass
class House:
    handlers: Handlers
    channel: FakeChannel
    runner: FakeRunner
    access: ChatAccess
    journal: Journal
    deliveries: Deliveries
    clock: FakeClock

    def __post_init__(self) -> None:
        self._numbers = count(1)

    def incoming(
        self, text: str, *, chat: ChatRef = PHONE, claim: str | None = None, sender: str = ""
    ) -> Incoming:
        return Incoming(
            chat=chat,
            sender=sender or chat.id,
            text=text,
            claim=claim or f"{chat.channel}:{next(self._numbers)}",
            at=self.clock(),
        )

    async def say(
        self, text: str, *, chat: ChatRef = PHONE, claim: str | None = None, sender: str = ""
    ) -> list[Reply]:
        """Sends one message, from the linked phone unless said otherwise; the replies to it."""
        before = len(self.channel.replies)
        incoming = self.incoming(text, chat=chat, claim=claim, sender=sender)
        await self.handlers.handle(incoming, self.channel)
        return self.channel.replies[before:]

    async def answer(self, text: str) -> str:
        """The text of the one reply to one message."""
        replies = await self.say(text)
        assert len(replies) == 1, [reply.text for reply in replies]
        return replies[0].text


@asynccontextmanager
async def open_house(
    folder: Path, *, runner: FakeRunner | None = None, catalog: FakeCatalog | None = None, after_s: float = 60
) -> AsyncIterator[House]:
    """``after_s``: how long a run may take before its progress is shown; 60 means never, here."""
    clock, runner, catalog = FakeClock(), runner or FakeRunner(), catalog or FakeCatalog()
    database = await Database.open(folder / "runhome.db")
    chats = Chats(database)
    await chats.link(PHONE, f"telegram:{PHONE.id}", at=clock())
    access = ChatAccess(chats, now=clock)
    await access.load()
    journal = Journal(database, folder / "runs")
    deliveries = Deliveries(database, now=clock)
    dispatcher = Dispatcher(
        catalog=catalog, journal=journal, runner=runner, access=access, now=clock, new_id=RunIds(clock)
    )
    browsers = FakeBrowsers(
        Browser(name="home", connected=True, tabs=(Tab(id=1, url="http://127.0.0.1/", title="Demo"),)),
        Browser(name="work"),
    )
    desks: list[Desk] = [
        RunDesk(
            catalog=catalog,
            dispatcher=dispatcher,
            journal=journal,
            deliveries=deliveries,
            progress_after_s=after_s,
            progress_every_s=0,
        ),
        ListDesk(catalog=catalog, journal=journal, browsers=browsers, now=clock),
    ]
    handlers = Handlers(desks, catalog=catalog, access=access, claims=Claims(database, now=clock))
    try:
        yield House(handlers, FakeChannel(), runner, access, journal, deliveries, clock)
    finally:
        await dispatcher.close()
        await database.close()
