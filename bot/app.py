"""The composition root: builds every object once, introduces them to each other, takes them down in order."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version

from bot.access import ChatAccess
from bot.address import Address, forget_address, write_address
from bot.api import Services, create_router
from bot.handlers import Handlers
from bot.handlers.lists import ListDesk
from bot.handlers.runs import RunDesk
from bot.home import ManagedHome
from bot.messages import Channel
from bot.notifier import ChatNotifier
from bot.settings import Settings, prepare_folder
from library.catalog import BUILT_IN, Catalog
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
from scheduler.recovery import Recovery


@dataclass
class App:
    """A Runhome that runs. Everything in it is closed when the block of :func:`open_app` ends."""

    settings: Settings
    database: Database
    journal: Journal
    catalog: Catalog
    pairings: Pairings
    browsers: Browsers
    runner: Runner
    dispatcher: Dispatcher
    access: ChatAccess
    handlers: Handlers
    home: ManagedHome
    recovery: Recovery
    channels: dict[str, Channel] = field(default_factory=dict)
    address: Address = field(default_factory=lambda: Address(port=0, token="", pid=0))

    @property
    def port(self) -> int:
        return self.address.port

    async def new_code(self) -> str:
        """A one-use code for a browser."""
        return self.pairings.new_code().text


def now() -> datetime:
    return datetime.now(UTC)


@asynccontextmanager
async def open_app(settings: Settings, *, only_local: bool = False) -> AsyncIterator[App]:
    """Builds, serves and at the end closes a whole Runhome.

    ``only_local``: no channel but the loopback API, for a command that needs one for a moment.
    Raises SetupError (a taken port, an unusable database or data folder).
    """
    async with AsyncExitStack() as stack:
        prepare_folder(settings.data)
        database = await Database.open(settings.data / "runhome.sqlite3")
        stack.push_async_callback(database.close)
        app = _compose(settings, database)
        await app.access.load()
        await app.recovery.settle()
        stack.push_async_callback(app.dispatcher.close)
        await stack.enter_async_context(_serving(app))
        if not only_local:
            await _open_channels(app, stack)
        recovering = asyncio.create_task(app.recovery.resume(), name="recovery")
        stack.push_async_callback(_end, recovering)
        yield app


def _compose(settings: Settings, database: Database) -> App:
    data = settings.data
    journal = Journal(database, prepare_folder(data / "evidence"))
    catalog = Catalog([BUILT_IN, prepare_folder(data / "subroutines")])
    chats, deliveries = Chats(database), Deliveries(database, now=now)
    pairings = Pairings(PairingFile(data / "pairings.json"), now=now)
    browsers = Browsers(pairings)
    runner = Runner(browsers)
    access = ChatAccess(chats, now=now)
    dispatcher = Dispatcher(
        catalog=catalog, journal=journal, runner=runner, access=access, now=now, new_id=RunIds(now)
    )
    channels: dict[str, Channel] = {}
    notifier = ChatNotifier(channels, chats=chats, deliveries=deliveries)
    handlers = Handlers(
        [
            RunDesk(catalog=catalog, dispatcher=dispatcher, journal=journal, deliveries=deliveries),
            ListDesk(catalog=catalog, journal=journal, browsers=browsers, now=now),
        ],
        catalog=catalog,
        access=access,
        claims=Claims(database, now=now),
    )
    home = ManagedHome(settings.browser, data, browsers, port=lambda: app.port, code=lambda: app.new_code())
    recovery = Recovery(journal=journal, dispatcher=dispatcher, notifier=notifier, home=home, now=now)
    app = App(
        settings=settings,
        database=database,
        journal=journal,
        catalog=catalog,
        pairings=pairings,
        browsers=browsers,
        runner=runner,
        dispatcher=dispatcher,
        access=access,
        handlers=handlers,
        home=home,
        recovery=recovery,
        channels=channels,
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
        routers=[create_router(_services(app), token)],
    )
    async with serve(here, app.settings.relay.port) as port:
        app.address = write_address(app.settings.data, port, token)
        try:
            yield
        finally:
            forget_address(app.settings.data, app.address)


def _services(app: App) -> Services:
    return Services(
        catalog=app.catalog,
        dispatcher=app.dispatcher,
        journal=app.journal,
        handlers=app.handlers,
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
        folder=prepare_folder(app.settings.data / "telegram"),
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


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
