"""Who answers which commands in a chat: builds the desks and their entrance from a Runhome's parts."""

from bot import hooks
from bot.app import App, now
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
from bot.settings import prepare_folder


def open_desks(app: App) -> Handlers:
    """The entrance, with every desk behind it."""
    return Handlers(_desks(app), catalog=app.catalog, access=app.access, claims=app.claims)


def _desks(app: App) -> list[Desk]:
    """Who answers which commands."""
    zone, keeper = app.settings.zone, app.timekeeper
    outbox = prepare_folder(app.settings.data / "outbox")
    queues = QueueDesk(
        catalog=app.catalog,
        queues=keeper.queues,
        work=keeper.queue_work,
        schedules=keeper.schedules,
        untold=keeper.untold,
        zones=app.chats,
        zone=zone,
        folder=outbox,
        now=now,
    )
    runs = RunDesk(
        catalog=app.catalog,
        dispatcher=app.dispatcher,
        journal=app.journal,
        deliveries=app.deliveries,
        files=app.files,
        folder=outbox,
        stop_queues=queues.stop_all,
    )
    schedules = ScheduleDesk(
        catalog=app.catalog,
        schedules=keeper.schedules,
        triggers=keeper.triggers,
        queues=keeper.queues,
        zones=app.chats,
        runs=runs,
        zone=zone,
        hook_url=lambda token: f"{_public_url(app)}{hooks.PATH}{token}",
        now=now,
    )
    results = ResultsDesk(
        schedules=keeper.schedules, journal=app.journal, deliveries=app.deliveries, folder=outbox, now=now
    )
    lists = ListDesk(catalog=app.catalog, journal=app.journal, browsers=app.browsers, now=now)
    plain = PlainTextDesk(app.catalog, queues.take_lines)
    return [runs, lists, schedules, results, queues, plain]


def _public_url(app: App) -> str:
    return app.settings.public_url.rstrip("/") or f"http://127.0.0.1:{app.port}"
