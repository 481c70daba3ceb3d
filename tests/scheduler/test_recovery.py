"""The crash rule: nothing that may have happened is done again, nothing is forgotten."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from library.models import Effect, Run, Status
from scheduler.database import Database
from scheduler.dispatcher import Dispatcher
from scheduler.item_book import ItemBook
from scheduler.journal import Journal
from scheduler.recovery import Recovery
from scheduler.teller import Teller
from scheduler.untold import Untold
from tests.fakes import FakeClock, FakeHome, FakeNotifier, FakeRunner
from tests.scheduler.conftest import call, new_run

ROOT = Path(__file__).parents[2]


@pytest.fixture
def notifier() -> FakeNotifier:
    return FakeNotifier()


@pytest.fixture
def new_process(
    database: Database, journal: Journal, dispatcher: Dispatcher, notifier: FakeNotifier, clock: FakeClock
) -> Callable[[], Recovery]:
    """The next start's, on the same database."""
    return lambda: Recovery(
        journal=journal,
        dispatcher=dispatcher,
        items=ItemBook(database, now=clock),
        teller=Teller(Untold(database), notifier, journal),
        home=FakeHome(),
        now=clock,
    )


@pytest.fixture
def recovery(new_process: Callable[[], Recovery]) -> Recovery:
    return new_process()


async def _left_behind(
    journal: Journal, clock: FakeClock, name: str, status: Status, claim: str = "telegram:1"
) -> Run:
    effect = Effect.READ if name == "list-posts" else Effect.WRITE
    new = new_run(claim, clock, name=name, effect=effect)
    run, _ = await journal.claim(new.model_copy(update={"status": status}))
    return run


async def _kill_in_the_middle(folder: Path, claim: str, name: str) -> None:
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.scheduler.crash_child", str(folder), claim, name),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert child.stdout is not None
        assert await asyncio.wait_for(child.stdout.readline(), 60) == b"acting\n"
    finally:
        child.kill()
        await child.wait()


@pytest.mark.parametrize(
    ("name", "ends", "runs_after"),
    [("create-post", Status.UNCONFIRMED, 0), ("list-posts", Status.DONE, 1)],
)
async def test_a_killed_write_is_unconfirmed_and_never_repeated_a_killed_read_runs_again(
    database: Database,
    journal: Journal,
    dispatcher: Dispatcher,
    recovery: Recovery,
    runner: FakeRunner,
    notifier: FakeNotifier,
    name: str,
    ends: Status,
    runs_after: int,
) -> None:
    await _kill_in_the_middle(database.path.parent, "telegram:1", name)
    assert [run.status for run in await journal.unfinished()] == [Status.RUNNING]

    await recovery.settle()
    await recovery.resume()

    assert [run.status for run in notifier.runs] == [ends]
    assert len(runner.runs) == runs_after
    assert (await dispatcher.dispatch(call("telegram:1", name))).status is ends
    assert len(runner.runs) == runs_after
    assert (database.path.parent / "site.log").read_text().count("\n") == 1


async def test_the_sentence_says_that_the_machine_stopped(
    journal: Journal, recovery: Recovery, clock: FakeClock
) -> None:
    run = await _left_behind(journal, clock, "create-post", Status.RUNNING)
    await recovery.settle()
    verdict = (await journal.get(run.id)).verdict
    assert verdict is not None
    assert verdict.rests_on == "The machine stopped while it ran: whether it happened is not known."


@pytest.mark.parametrize(("minutes", "ends", "runs"), [(14, Status.DONE, 1), (16, Status.MISSED, 0)])
async def test_what_was_never_sent_runs_while_it_is_fresh_and_is_missed_after(
    journal: Journal,
    recovery: Recovery,
    runner: FakeRunner,
    notifier: FakeNotifier,
    clock: FakeClock,
    minutes: int,
    ends: Status,
    runs: int,
) -> None:
    run = await _left_behind(journal, clock, "create-post", Status.QUEUED)
    clock.pass_(minutes=minutes)
    await recovery.settle()
    await recovery.resume()
    assert [told.id for told in notifier.runs] == [run.id]
    assert ((await journal.get(run.id)).status, len(runner.runs)) == (ends, runs)


@pytest.mark.parametrize("claim", ["schedule:1:x", "trigger:1:x", "queue:1:2:1"])
@pytest.mark.parametrize("status", [Status.QUEUED, Status.RUNNING])
async def test_reads_that_have_an_owner_wait_for_it_to_take_them_up_by_their_claim(
    journal: Journal,
    dispatcher: Dispatcher,
    recovery: Recovery,
    runner: FakeRunner,
    clock: FakeClock,
    claim: str,
    status: Status,
) -> None:
    run = await _left_behind(journal, clock, "list-posts", status, claim)
    clock.pass_(hours=1)
    await recovery.settle()
    await recovery.resume()
    assert ((await journal.get(run.id)).status, runner.runs) == (Status.QUEUED, [])
    taken_up = await dispatcher.dispatch(call(claim, "list-posts"))
    assert (taken_up.id, taken_up.status) == (run.id, Status.DONE)


async def test_a_call_that_is_no_longer_allowed_is_not_resumed(
    journal: Journal, recovery: Recovery, notifier: FakeNotifier, clock: FakeClock
) -> None:
    new = new_run("telegram:1", clock)
    stranger = new.call.model_copy(update={"asked_by": "telegram:stranger"})
    await journal.claim(new.model_copy(update={"call": stranger}))
    await recovery.settle()
    await recovery.resume()
    assert [run.status for run in notifier.runs] == [Status.CANCELLED]


async def test_a_secret_that_is_not_kept_is_said(
    journal: Journal, recovery: Recovery, notifier: FakeNotifier, runner: FakeRunner, clock: FakeClock
) -> None:
    await journal.claim(new_run("telegram:1", clock), secrets=["text"])
    await recovery.settle()
    await recovery.resume()
    assert [run.status for run in notifier.runs] == [Status.MISSED]
    assert runner.runs == []


async def test_what_a_process_without_channels_settled_is_told_by_the_next_one_and_once(
    journal: Journal, new_process: Callable[[], Recovery], notifier: FakeNotifier, clock: FakeClock
) -> None:
    unconfirmed = await _left_behind(journal, clock, "create-post", Status.RUNNING)
    late = await _left_behind(journal, clock, "create-post", Status.QUEUED, "telegram:2")
    clock.pass_(hours=1)
    await new_process().settle()
    assert notifier.runs == []
    for _ in range(2):
        after = new_process()
        await after.settle()
        await after.resume()
    told = sorted((run.id, run.status) for run in notifier.runs)
    assert told == sorted([(unconfirmed.id, Status.UNCONFIRMED), (late.id, Status.MISSED)])


async def test_a_crash_between_settling_and_the_end_of_a_run_that_is_resumed_tells_it_once(
    journal: Journal, new_process: Callable[[], Recovery], notifier: FakeNotifier, clock: FakeClock
) -> None:
    run = await _left_behind(journal, clock, "create-post", Status.QUEUED)
    await new_process().settle()
    await journal.start(run.id, clock())
    after = new_process()
    await after.settle()
    await after.resume()
    assert [(told.id, told.status) for told in notifier.runs] == [(run.id, Status.UNCONFIRMED)]


async def test_what_a_person_answered_meanwhile_is_not_told(
    journal: Journal, new_process: Callable[[], Recovery], notifier: FakeNotifier, clock: FakeClock
) -> None:
    run = await _left_behind(journal, clock, "create-post", Status.RUNNING)
    await new_process().settle()
    await journal.resolve(run.id, Status.DONE, by="owner")
    after = new_process()
    await after.settle()
    await after.resume()
    assert notifier.runs == []


@pytest.mark.parametrize(("claim", "told"), [("schedule:1:x", 0), ("trigger:1:x", 0), ("queue:1:2:1", 1)])
async def test_schedules_and_triggers_tell_of_their_own_runs(
    journal: Journal, recovery: Recovery, notifier: FakeNotifier, clock: FakeClock, claim: str, told: int
) -> None:
    await _left_behind(journal, clock, "create-post", Status.RUNNING, claim)
    await recovery.settle()
    await recovery.resume()
    assert len(notifier.runs) == told
