"""The journal: rows that say what happened, files beside them, and no secrets."""

from pathlib import Path

import pytest

from library.errors import AskError, UnknownName
from library.models import Effect, Evidence, Run, Status
from scheduler.database import Database
from scheduler.evidence_files import EvidenceFiles
from scheduler.journal import Journal
from tests.fakes import FakeClock, outcome
from tests.scheduler.conftest import CHAT, call, new_run

JPEG = b"\xff\xd8\xff\xe0 a picture"


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def _ended(journal: Journal, claim: str, clock: FakeClock, status: Status = Status.DONE) -> Run:
    run, _ = await journal.claim(new_run(claim, clock))
    await journal.start(run.id, clock())
    return await journal.finish(run, outcome(status), clock.pass_(seconds=1))


async def test_a_run_reads_back_as_it_was_written(journal: Journal, clock: FakeClock) -> None:
    run, is_new = await journal.claim(new_run("telegram:1", clock))
    assert is_new
    assert await journal.get(run.id) == run
    assert await journal.start(run.id, clock())
    started = await journal.get(run.id)
    finished = await journal.finish(started, outcome(value={"url": "/1"}, screenshot=JPEG), clock())
    assert await journal.get(run.id) == finished
    assert (finished.status, finished.browser) == (Status.DONE, "home")
    assert finished.evidence is not None
    assert finished.evidence.value == {"url": "/1"}
    assert finished.evidence.steps[0].helper == "click"


async def test_a_picture_lies_in_a_file_named_by_the_run(
    journal: Journal, clock: FakeClock, tmp_path: Path
) -> None:
    run, _ = await journal.claim(new_run("telegram:1", clock))
    await journal.start(run.id, clock())
    files = (await journal.finish(run, outcome(screenshot=JPEG), clock())).files
    folder = tmp_path / "files"
    assert files == {"screenshot": f"{folder / run.id}.jpg"}
    assert _contents(folder) == {f"{run.id}.jpg": JPEG}


@pytest.mark.parametrize("name", ["../../etc/passwd", "r0/../x", "", "r123456789012/"])
def test_a_name_that_is_no_run_id_makes_no_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="not a run id"):
        EvidenceFiles(tmp_path).write(name, Evidence())
    assert list(tmp_path.iterdir()) == []


async def test_a_second_claim_gets_the_first_run(journal: Journal, clock: FakeClock) -> None:
    first, _ = await journal.claim(new_run("telegram:1", clock))
    clock.pass_(seconds=1)
    again, is_new = await journal.claim(new_run("telegram:1", clock))
    assert (again.id, is_new) == (first.id, False)


async def test_a_run_starts_once_and_ends_once(journal: Journal, clock: FakeClock) -> None:
    run, _ = await journal.claim(new_run("telegram:1", clock))
    assert await journal.start(run.id, clock())
    assert not await journal.start(run.id, clock())
    await journal.finish(run, outcome(Status.UNCONFIRMED), clock())
    assert (await journal.finish(run, outcome(), clock())).status is Status.UNCONFIRMED


async def test_secret_values_are_nowhere_on_the_disk(
    journal: Journal, database: Database, clock: FakeClock, tmp_path: Path
) -> None:
    run = new_run("telegram:1", clock)
    run = run.model_copy(update={"call": call(text="Hi", password="hunter2-hunter2")})
    await journal.claim(run, secrets=["password"])
    assert (await journal.get(run.id)).call.arguments == {"text": "Hi", "password": "•••"}
    await database.close()
    kept = b"".join(_contents(tmp_path).values())
    assert b"telegram:1" in kept
    assert b"hunter2" not in kept


async def test_a_run_that_had_a_secret_cannot_be_repeated_from_the_journal(
    journal: Journal, clock: FakeClock
) -> None:
    run = new_run("telegram:1", clock)
    await journal.claim(run, secrets=["text"])
    with pytest.raises(AskError, match="Send the whole command again"):
        await journal.call_to_repeat(run.id, claim="telegram:2", asked_by="owner", chat=CHAT)


async def test_a_repeated_call_has_the_same_arguments_and_its_own_claim(
    journal: Journal, clock: FakeClock
) -> None:
    run, _ = await journal.claim(new_run("telegram:1", clock))
    again = await journal.call_to_repeat(run.id, claim="telegram:2", asked_by="telegram:9", chat=None)
    assert again == run.call.model_copy(
        update={"claim": "telegram:2", "asked_by": "telegram:9", "chat": None}
    )


@pytest.mark.parametrize(("answer", "said"), [(Status.DONE, "it worked"), (Status.FAILED, "it did not")])
async def test_a_person_settles_what_the_machine_could_not(
    journal: Journal, clock: FakeClock, answer: Status, said: str
) -> None:
    run = await _ended(journal, "telegram:1", clock, Status.UNCONFIRMED)
    settled = await journal.resolve(run.id, answer, by="owner")
    assert (settled.status, settled.resolved_by) == (answer, "owner")
    assert settled.verdict is not None
    assert said in settled.verdict.rests_on
    with pytest.raises(AskError, match=f"is {answer}, so there is nothing to answer"):
        await journal.resolve(run.id, answer, by="owner")


async def test_recent_runs_come_newest_first_and_by_every_condition(
    journal: Journal, clock: FakeClock
) -> None:
    old = await _ended(journal, "telegram:1", clock)
    clock.pass_(hours=2)
    new = await _ended(journal, "telegram:2", clock)
    listed = await journal.recent()
    assert [run.id for run in listed] == [new.id, old.id]
    assert [run.id for run in await journal.recent(since=clock.at.replace(minute=0, second=0))] == [new.id]
    assert await journal.recent(name="other") == []
    assert await journal.recent(chat=CHAT.model_copy(update={"id": "0"})) == []
    assert len(await journal.recent(chat=CHAT, name="create-post", limit=1)) == 1


async def test_an_unknown_run_is_named_with_its_neighbours(journal: Journal, clock: FakeClock) -> None:
    run, _ = await journal.claim(new_run("telegram:1", clock))
    with pytest.raises(UnknownName, match=run.id):
        await journal.get(run.id[:-1] + ("a" if run.id[-1] != "a" else "b"))


async def test_followers_write_in_the_commit_that_ends_the_run(
    journal: Journal, database: Database, clock: FakeClock
) -> None:
    def refuses(session: object, run: Run) -> None:
        raise RuntimeError("full")

    run, _ = await journal.claim(new_run("telegram:1", clock, effect=Effect.READ))
    await journal.start(run.id, clock())
    journal.in_same_commit(refuses)
    with pytest.raises(RuntimeError):
        await journal.finish(run, outcome(), clock())
    assert (await journal.get(run.id)).status is Status.RUNNING
