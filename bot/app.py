"""The composition root: builds every object once, introduces them to each other, takes them down in order."""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from bot import api, hooks
from bot.access import ChatAccess
from bot.address import Address, forget_address, write_address
from bot.files import Files
from bot.home import ManagedHome
from bot.messages import Channel
from bot.notifier import ChatNotifier
from bot.settings import Settings, prepare_folder
from library.catalog import BUILT_IN, Catalog
from library.errors import NotAllowed
from library.models import Call
from relay.browsers import Browsers
from relay.chrome import extension_id
from relay.pairing import CODE_LIFE, Pairings
from relay.pairing_file import PairingFile
from relay.reception import Reception
from relay.runner import Runner
from relay.server import create_app, serve
from relay.workbench import Workbench
from scheduler.chats import Chats, Claims, Deliveries
from scheduler.database import Database
from scheduler.dispatcher import Dispatcher
from scheduler.ids import RunIds
from scheduler.journal import Journal
from scheduler.timekeeper import TAKEOVER_S, Timekeeper

if TYPE_CHECKING:
    from bot.handlers import Handlers

DATABASE = "runhome.sqlite3"


def now() -> datetime:
    return datetime.now(UTC)


@dataclass
class App:
    """A Runhome that runs. Everything in it is closed when the block of :func:`open_app` ends."""

    settings: Settings
    journal: Journal
    catalog: Catalog
    pairings: Pairings
    browsers: Browsers
    runner: Runner
    dispatcher: Dispatcher
    files: Files
    access: ChatAccess
    timekeeper: Timekeeper
    channels: dict[str, Channel]
    chats: Chats
    deliveries: Deliveries
    claims: Claims
    address: Address = field(default_factory=lambda: Address(port=0, token="", pid=0))

    @cached_property
    def handlers(self) -> "Handlers":
        """Who answers in chats; with what only chats need, imported when a chat is opened."""
        from bot.desks import open_desks

        return open_desks(self)

    @property
    def port(self) -> int:
        return self.address.port

    async def new_code(self) -> str:
        """A one-use code for a browser."""
        return self.pairings.new_code().text


@asynccontextmanager
async def open_app(
    settings: Settings, *, only_local: bool = False, on_serving: Callable[[App], None] = lambda app: None
) -> AsyncIterator[App]:
    """Builds, serves and at the end closes a whole Runhome.

    ``only_local``: no channel but the loopback API and no clock, for a command that needs one for a moment.
    ``on_serving`` is called when browsers and commands are answered, before the channels are open.
    Raises SetupError (a taken port, an unusable database or data folder).
    """
    async with AsyncExitStack() as stack:
        prepare_folder(settings.data)
        database = await Database.open(settings.data / DATABASE)
        stack.push_async_callback(database.close)
        app = _compose(settings, database)
        stack.push_async_callback(app.timekeeper.close)
        stack.push_async_callback(app.dispatcher.close)
        await app.access.load()
        await app.timekeeper.settle()
        await stack.enter_async_context(_serving(app))
        on_serving(app)
        if not only_local:
            await asyncio.to_thread(_import_the_rest, settings)
            await _open_channels(app, stack)
            app.timekeeper.start()
        yield app


def _import_the_rest(settings: Settings) -> None:
    """What chats and the clock need, while the server answers already; what is broken ends the start."""
    import_module("bot.desks")
    import_module("scheduler.clock")
    if settings.telegram.token.get_secret_value():
        import_module("bot.channels.telegram")


@dataclass
class _OnlyKeeper:
    """Access for the process that keeps the clock: another one on the same data only reads."""

    access: ChatAccess
    timekeeper: Timekeeper | None = None

    def check(self, call: Call) -> None:
        if self.timekeeper is not None and not self.timekeeper.is_owner:
            holder = self.timekeeper.lock.holder()
            raise NotAllowed(
                f"Process {holder} runs Runhome on this data; this one only reads. Ask that one."
            )
        self.access.check(call)


def _compose(settings: Settings, database: Database) -> App:
    data = settings.data
    journal = Journal(database, prepare_folder(data / "evidence"))
    catalog = Catalog([BUILT_IN, prepare_folder(data / "subroutines")])
    chats, deliveries = Chats(database), Deliveries(database, now=now)
    pairings = Pairings(PairingFile(data / "pairings.json"), now=now)
    browsers = Browsers(pairings)
    runner = Runner(browsers)
    access = ChatAccess(chats, now=now)
    gate = _OnlyKeeper(access)
    files = Files(prepare_folder(data / "files"))
    dispatcher = Dispatcher(
        catalog=catalog,
        journal=journal,
        runner=runner,
        access=gate,
        files=files,
        now=now,
        new_id=RunIds(now),
    )
    channels: dict[str, Channel] = {}
    timekeeper = Timekeeper(
        database=database,
        journal=journal,
        dispatcher=dispatcher,
        catalog=catalog,
        home=ManagedHome(
            settings.browser, data, browsers, port=lambda: app.port, code=lambda: app.new_code()
        ),
        notifier=ChatNotifier(channels, chats=chats, deliveries=deliveries),
        now=now,
    )
    gate.timekeeper = timekeeper
    app = App(
        settings=settings,
        journal=journal,
        catalog=catalog,
        pairings=pairings,
        browsers=browsers,
        runner=runner,
        dispatcher=dispatcher,
        files=files,
        access=access,
        timekeeper=timekeeper,
        channels=channels,
        chats=chats,
        deliveries=deliveries,
        claims=Claims(database, now=now),
    )
    return app


@asynccontextmanager
async def _serving(app: App) -> AsyncIterator[None]:
    """The one loopback server, and the word of where it is."""
    token = secrets.token_urlsafe(32)
    here = create_app(
        app.pairings,
        app.browsers,
        Reception(app.browsers),
        extension_id=extension_id(),
        version=version("runhome"),
        routers=[api.create_router(_services(app), token), hooks.create_router(app.timekeeper.triggers)],
        public_url=app.settings.public_url,
        public_paths=(hooks.PATH,),
    )
    async with serve(here, app.settings.relay.port) as port:
        app.address = Address(port=port, token=token, pid=os.getpid())
        announcing = asyncio.create_task(_announce(app), name="announcing")
        try:
            if app.timekeeper.is_owner:
                await announcing
            yield
        finally:
            announcing.cancel()
            forget_address(app.settings.data, app.address)


async def _announce(app: App) -> None:
    """Leaves word of where it serves; a process that only reads does so when it has taken over."""
    while not app.timekeeper.is_owner:  # noqa: ASYNC110 - another process's lock gives no event
        await asyncio.sleep(TAKEOVER_S)
    write_address(app.settings.data, app.address)


def _services(app: App) -> api.Services:
    return api.Services(
        catalog=app.catalog,
        dispatcher=app.dispatcher,
        journal=app.journal,
        handle=lambda incoming, channel: app.handlers.handle(incoming, channel),
        access=app.access,
        browsers=app.browsers,
        pairing=lambda: (app.pairings.new_code().text, int(CODE_LIFE.total_seconds() // 60)),
        owner=Workbench(app.browsers),
        now=now,
        version=version("runhome"),
        telegram=lambda: _telegram_state(app),
    )


async def _open_channels(app: App, stack: AsyncExitStack) -> None:
    settings = app.settings.telegram
    token = settings.token.get_secret_value()
    if not token:
        return
    from bot.channels.telegram import TelegramChannel

    telegram = TelegramChannel(
        token,
        receive=app.handlers.handle,
        knows=app.access.may_ask,
        folder=prepare_folder(Path(app.settings.data, "telegram")),
        now=now,
        base_url=settings.base_url,
        base_file_url=settings.base_file_url,
    )
    app.channels[telegram.name] = telegram
    await telegram.start(app.handlers.menu)
    stack.push_async_callback(telegram.stop)


def _telegram_state(app: App) -> str:
    """One sentence for doctor."""
    telegram = app.channels.get("telegram")
    if telegram is None:
        return "off"
    from bot.channels.telegram import TelegramChannel

    assert isinstance(telegram, TelegramChannel)
    return telegram.health.problem or "on"
