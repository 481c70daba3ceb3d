"""What waits together is made durable together; what fails, fails alone; nobody is answered too early."""

import asyncio
import threading
from collections.abc import Callable

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from library.errors import SetupError
from scheduler.database import Database
from scheduler.tables import UpdateRow
from tests.fakes import FakeClock

BOUND_S = 10


class Held:
    """A piece of work that holds the thread until it is let go, so that others come meanwhile."""

    def __init__(self) -> None:
        self.begun, self.gate = threading.Event(), threading.Event()

    def __call__(self, session: Session) -> None:
        self.begun.set()
        assert self.gate.wait(BOUND_S)


Work = Callable[[Session], None]


async def together(database: Database, *works: Work) -> list[object]:
    """Runs the works while the thread is held by another one; their results or errors."""
    held = Held()
    first = asyncio.create_task(database.run(held))
    await asyncio.to_thread(held.begun.wait, BOUND_S)
    tasks = [asyncio.create_task(database.run(work)) for work in works]
    await asyncio.sleep(0)
    held.gate.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    await first
    return list(results)


async def known(database: Database) -> set[str]:
    query = text("SELECT claim FROM updates")
    return await database.read(lambda session: set(session.connection().execute(query).scalars()))


def adding(claim: str, clock: FakeClock) -> Work:
    return lambda session: session.add(UpdateRow(claim=claim, at=clock()))


async def test_what_waits_together_is_one_commit(database: Database, clock: FakeClock) -> None:
    commits: list[str] = []
    event.listen(database._engine, "commit", lambda _: commits.append("commit"))
    await together(database, *(adding(f"u{n}", clock) for n in range(20)))
    assert await known(database) == {f"u{n}" for n in range(20)}
    assert len(commits) == 2  # one for all of them, one for the reading


async def test_an_error_undoes_its_own_piece_alone(database: Database, clock: FakeClock) -> None:
    def fails(session: Session) -> None:
        session.add(UpdateRow(claim="never", at=clock()))
        session.flush()
        raise RuntimeError("no")

    ends = await together(database, adding("one", clock), fails, adding("one", clock), adding("two", clock))
    assert [type(end) for end in ends] == [type(None), RuntimeError, IntegrityError, type(None)]
    assert await known(database) == {"one", "two"}


async def test_when_the_commit_fails_all_of_them_are_told_so(database: Database, clock: FakeClock) -> None:
    def refuse(_: object) -> None:
        raise OSError("no room")

    event.listen(database._engine, "commit", refuse)
    ends = await asyncio.gather(
        database.run(adding("a", clock)),
        database.run(adding("b", clock)),
        return_exceptions=True,
    )
    event.remove(database._engine, "commit", refuse)
    assert [type(end) for end in ends] == [OSError, OSError]
    assert await known(database) == set()


async def test_a_broken_statement_is_told_in_words_and_the_thread_lives_on(
    database: Database, clock: FakeClock
) -> None:
    with pytest.raises(SetupError, match="cannot be used"):
        await database.run(lambda session: session.connection().execute(text("SELECT * FROM nothing")))
    await database.run(adding("after", clock))
    assert await known(database) == {"after"}


async def test_work_that_nobody_waits_for_any_more_is_not_begun(database: Database, clock: FakeClock) -> None:
    held = Held()
    first = asyncio.create_task(database.run(held))
    await asyncio.to_thread(held.begun.wait, BOUND_S)
    unwanted = asyncio.create_task(database.run(adding("unwanted", clock)))
    await asyncio.sleep(0)
    unwanted.cancel()
    await asyncio.sleep(0)
    held.gate.set()
    await first
    assert await known(database) == set()
