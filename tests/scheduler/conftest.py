"""A scheduler with real SQLite and fakes at its edges, for the tests of this folder."""

import shutil
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from pathlib import Path

import pytest

from library.models import Call, Effect, Run, Status
from scheduler.database import Database, bring_up_to_date, make_engine
from scheduler.dispatcher import Dispatcher
from scheduler.ids import RunIds
from scheduler.journal import Journal
from scheduler.lanes import Lanes
from tests.fakes import FakeAccess, FakeCatalog, FakeClock, FakeFiles, FakeRunner
from tests.scheduler import timeframe
from tests.scheduler.timeframe import Timeframe

CHAT = timeframe.CHAT


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def runner() -> FakeRunner:
    return FakeRunner()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Migrated once; tests copy it, which is quicker than migrating."""
    path = tmp_path_factory.mktemp("database") / "runhome.db"
    engine = make_engine(path)
    bring_up_to_date(engine)
    engine.dispose()
    return path


@pytest.fixture
async def database(tmp_path: Path, empty_database: Path) -> AsyncIterator[Database]:
    shutil.copyfile(empty_database, tmp_path / "runhome.db")
    opened = await Database.open(tmp_path / "runhome.db")
    yield opened
    await opened.close()


@pytest.fixture
def journal(database: Database, tmp_path: Path) -> Journal:
    return Journal(database, tmp_path / "files")


@pytest.fixture
async def dispatcher(journal: Journal, runner: FakeRunner, clock: FakeClock) -> AsyncIterator[Dispatcher]:
    door = make_dispatcher(journal, runner, clock)
    yield door
    runner.let_go()
    await door.close()


@pytest.fixture
def time(
    database: Database, journal: Journal, dispatcher: Dispatcher, runner: FakeRunner, clock: FakeClock
) -> Timeframe:
    return Timeframe(database, journal, dispatcher, runner, clock)


def make_dispatcher(
    journal: Journal,
    runner: FakeRunner,
    now: Callable[[], datetime],
    catalog: FakeCatalog | None = None,
    *,
    files: FakeFiles | None = None,
    lanes: Lanes | None = None,
) -> Dispatcher:
    return Dispatcher(
        catalog=catalog or FakeCatalog(),
        journal=journal,
        runner=runner,
        access=FakeAccess("telegram:stranger"),
        files=files or FakeFiles("report.pdf"),
        now=now,
        new_id=RunIds(now),
        lanes=lanes,
    )


def call(
    claim: str = "telegram:1", name: str = "create-post", *, asked_by: str = "owner", **arguments: str
) -> Call:
    if name == "create-post" and not arguments:
        arguments = {"text": "Hello"}
    return Call(name=name, arguments=arguments, claim=claim, asked_by=asked_by, chat=CHAT)


def new_run(claim: str, clock: FakeClock, *, effect: Effect = Effect.WRITE, name: str = "create-post") -> Run:
    return Run(
        id=RunIds(clock)(),
        call=call(claim, name),
        effect=effect,
        version="1.0.0",
        status=Status.QUEUED,
        created_at=clock(),
    )
