"""A whole scheduler with its real clock: two processes, a takeover, and what a crash left."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from library.errors import NoBrowser
from library.models import Call, Effect, Status
from scheduler.database import Database
from scheduler.dispatcher import Dispatcher
from scheduler.journal import Journal
from scheduler.rules import Once
from scheduler.schedule_rows import Terms
from scheduler.timekeeper import Timekeeper
from scheduler.trigger_rows import Event
from tests.fakes import FakeCatalog, FakeClock, FakeHome, FakeNotifier, FakeRunner, outcome
from tests.scheduler.conftest import CHAT, call, make_dispatcher, new_run


def _now() -> datetime:
    return datetime.now(UTC)


class Process:
    """One Runhome on a database; its clock is the real one."""

    def __init__(self, database: Database) -> None:
        self.runner, self.notifier = FakeRunner(), FakeNotifier()
        self.journal = Journal(database, database.path.parent / "files")
        self.dispatcher: Dispatcher = make_dispatcher(self.journal, self.runner, _now)
        self.keeper = Timekeeper(
            database=database,
            journal=self.journal,
            dispatcher=self.dispatcher,
            catalog=FakeCatalog(),
            home=FakeHome(),
            notifier=self.notifier,
            now=_now,
            takeover_s=0.05,
        )

    async def schedule_in(self, seconds: float) -> None:
        at = _now() + timedelta(seconds=seconds)
        call = Call(name="create-post", arguments={"text": "Hi"}, claim="", asked_by="owner", chat=CHAT)
        await self.keeper.schedules.save(call, Once(zone="UTC", at=at), "soon", Terms())

    async def close(self) -> None:
        await self.keeper.close()
        await self.dispatcher.close()


async def test_a_schedule_runs_by_itself_on_the_real_clock(database: Database) -> None:
    process = Process(database)
    assert await process.keeper.settle()
    process.keeper.start()
    await process.schedule_in(0.3)
    await asyncio.wait_for(process.runner.started_times(1), 20)
    await process.close()


async def test_a_chain_runs_at_once_after_its_run(database: Database) -> None:
    process = Process(database)
    await process.keeper.settle()
    process.keeper.start()
    chained = Call(name="list-posts", claim="", asked_by="owner", chat=CHAT)
    await process.keeper.triggers.on_run(chained, Event.DONE, "create-post")
    await process.dispatcher.dispatch(call("telegram:1"))
    await asyncio.wait_for(process.runner.started_times(2), 20)
    await process.close()
    assert [name for _, name, _ in process.runner.runs] == ["create-post", "list-posts"]


async def test_a_firing_that_is_tried_again_is_tried_at_its_time(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock looks by itself only every half minute: the test would not wait that long."""
    monkeypatch.setattr("scheduler.retries.DELAYS", (timedelta(seconds=0.5),))
    process = Process(database)
    await process.keeper.settle()
    process.keeper.start()
    chained = Call(name="list-posts", claim="", asked_by="owner", chat=CHAT)
    await process.keeper.triggers.on_run(chained, Event.DONE, "create-post")
    process.runner.script = [outcome(), NoBrowser("No browser.")]
    await process.dispatcher.dispatch(call("telegram:1"))
    await asyncio.wait_for(process.runner.started_times(3), 15)
    await process.close()


async def test_a_firing_that_is_to_be_tried_after_a_restart_is_tried_at_its_time(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scheduler.retries.DELAYS", (timedelta(seconds=1),))
    first = Process(database)
    chained = Call(name="list-posts", claim="", asked_by="owner", chat=CHAT)
    await first.keeper.triggers.on_run(chained, Event.DONE, "create-post")
    first.runner.script = [outcome(), NoBrowser("No browser.")]
    await first.dispatcher.dispatch(call("telegram:1"))
    await first.keeper.tick()
    await first.keeper.trigger_work.idle()
    second = Process(database)
    await second.keeper.settle()
    second.keeper.start()
    await asyncio.wait_for(second.runner.started_times(1), 15)
    await second.close()
    await first.close()


async def test_of_two_processes_one_keeps_the_clock_and_the_other_takes_over_when_it_is_gone(
    database: Database, tmp_path: Path
) -> None:
    second_database = await Database.open(tmp_path / "runhome.db")
    first, second = Process(database), Process(second_database)
    assert await first.keeper.settle()
    first.keeper.start()
    assert not await second.keeper.settle()
    second.keeper.start()
    await first.schedule_in(0.2)
    await asyncio.wait_for(first.runner.started_times(1), 20)
    assert len(await second.keeper.schedules.slots()) == 1
    await first.close()
    await second.schedule_in(0.2)
    await asyncio.wait_for(second.runner.started_times(1), 20)
    assert second.keeper.is_owner
    assert len(first.runner.runs) == len(second.runner.runs) == 1
    await second.close()
    await second_database.close()


async def test_the_crash_rule_is_applied_before_anything_runs_and_the_chat_is_told(
    database: Database, clock: FakeClock
) -> None:
    process = Process(database)
    left = new_run("telegram:1", clock, effect=Effect.WRITE)
    await process.journal.claim(left.model_copy(update={"status": Status.RUNNING}))
    await process.keeper.settle()
    process.keeper.start()
    assert (await process.journal.get(left.id)).status is Status.UNCONFIRMED
    async with asyncio.timeout(20):
        while not process.notifier.runs:  # noqa: ASYNC110  (told in the background)
            await asyncio.sleep(0.01)
    assert [run.id for run in process.notifier.runs] == [left.id]
    await process.close()


async def test_a_process_that_does_not_own_the_clock_settles_nothing(
    database: Database, clock: FakeClock
) -> None:
    first, second = Process(database), Process(database)
    await first.keeper.settle()
    left = new_run("telegram:1", clock)
    await first.journal.claim(left.model_copy(update={"status": Status.RUNNING}))
    assert not await second.keeper.settle()
    assert (await first.journal.get(left.id)).status is Status.RUNNING
    await second.close()
    await first.close()
