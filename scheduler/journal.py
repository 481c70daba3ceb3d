"""Writes and reads runs: the rows, and the files of evidence beside them. Decides nothing.

Secret arguments never get here: a row holds ``•••`` in their place and knows that it does.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from sqlalchemy import bindparam, insert, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, SQLModel, col, select

from library.errors import AskError, UnknownName
from library.models import Call, ChatRef, Outcome, Run, Status
from scheduler.database import Database
from scheduler.evidence_files import EvidenceFiles
from scheduler.prepared import Prepared
from scheduler.run_rows import end_values, ended, masked, new_values, run_of
from scheduler.tables import RunRow

InSameCommit = Callable[[Session, Run], None]

# Written once and run as they are: building statements costs more than the disk does.
_RUNS = SQLModel.metadata.tables["runs"]
_NEW_COLUMNS = (
    *("id", "claim", "name", "version", "effect", "status", "asked_by", "channel", "chat_id", "browser"),
    *("call", "has_secrets", "created_at", "started_at"),
)
_INSERT = Prepared(
    insert(_RUNS).values({name: bindparam(name) for name in _NEW_COLUMNS} | {"acted": True, "files": "{}"})
)
_END_COLUMNS = ("status", "rests_on", "evidence", "browser", "acted", "finished_at", "files")
_END = Prepared(
    update(_RUNS)
    .where(_RUNS.c.id == bindparam("run_id"), _RUNS.c.status == Status.RUNNING.value)
    .values({name: bindparam(name) for name in _END_COLUMNS})
)


class Journal:
    """Runs, in order of their ids. ``folder`` is where evidence files go."""

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._files = EvidenceFiles(folder)
        self._followers: list[InSameCommit] = []

    def in_same_commit(self, follower: InSameCommit) -> None:
        """``follower(session, run)`` is called whenever a run ends, before the commit that ends it."""
        self._followers.append(follower)

    # --- writing ---

    async def claim(self, run: Run, *, secrets: Sequence[str] = ()) -> tuple[Run, bool]:
        """Writes a new row, ``queued`` or at once ``running``, and gives the run as it is kept, its
        secrets masked.

        When the claim is taken, gives the run that has it, and False."""

        def work(session: Session) -> tuple[Run, bool]:
            try:
                _INSERT.run(session, values)
            except IntegrityError:
                taken = session.exec(select(RunRow).where(RunRow.claim == run.call.claim)).one()
                return run_of(taken), False
            return run.model_copy(update={"call": masked(run.call, secrets)}), True

        values = new_values(run, secrets)
        return await self._database.run(work)

    async def start(self, run_id: str, at: datetime) -> bool:
        """From ``queued`` to ``running``, durable when this returns. False when it is no longer queued."""
        return await self._database.run(
            lambda session: _move(session, run_id, Status.QUEUED, Status.RUNNING, started_at=at)
        )

    async def requeue(self, run_id: str) -> bool:
        """From ``running`` back to ``queued``: for a read that the machine's end cut short."""
        return await self._database.run(
            lambda session: _move(session, run_id, Status.RUNNING, Status.QUEUED, started_at=None)
        )

    async def finish(self, run: Run, outcome: Outcome, at: datetime, *, patience_s: float = 0.0) -> Run:
        """Writes the outcome of a running run, and its files. One that has ended keeps its end, and is
        returned."""

        def work(session: Session) -> Run:
            end = ended(run, outcome, at, self._files.write(run.id, outcome.evidence))
            if _END.run(session, end_values(end)).rowcount == 0:
                return run_of(session.get_one(RunRow, run.id))
            return self._followed(session, end)

        return await self._database.run(work, patience_s=patience_s)

    async def end_unsent(self, run_id: str, status: Status, why: str, at: datetime) -> Run:
        """Ends a run that never left for the browser: ``cancelled``, ``missed`` or ``skipped``."""

        def work(session: Session) -> Run:
            if _move(session, run_id, Status.QUEUED, status, finished_at=at, rests_on=why, acted=False):
                return self._followed(session, run_of(session.get_one(RunRow, run_id)))
            return run_of(session.get_one(RunRow, run_id))

        return await self._database.run(work)

    async def resolve(self, run_id: str, status: Status, by: str) -> Run:
        """A person's answer for an unconfirmed run: it worked (``done``) or it did not (``failed``).

        Raises UnknownName, and AskError when the run is not unconfirmed."""

        def work(session: Session) -> Run:
            row = _known(session, run_id)
            if row.status != Status.UNCONFIRMED:
                raise AskError(
                    f"Run {run_id} is {row.status}, so there is nothing to answer.", code="NOT_UNCONFIRMED"
                )
            row.status, row.resolved_by = status, by
            said = "it worked" if status is Status.DONE else "it did not"
            row.rests_on = f"You said that {said}. Before: {row.rests_on}"
            session.add(row)
            session.flush()
            return self._followed(session, run_of(row))

        return await self._database.run(work)

    def _followed(self, session: Session, run: Run) -> Run:
        for follower in self._followers:
            follower(session, run)
        return run

    # --- reading ---

    async def get(self, run_id: str) -> Run:
        """Raises UnknownName."""
        return await self._database.read(lambda session: run_of(_known(session, run_id)))

    async def of_claim(self, claim: str) -> Run | None:
        def work(session: Session) -> Run | None:
            row = session.exec(select(RunRow).where(RunRow.claim == claim)).one_or_none()
            return run_of(row) if row else None

        return await self._database.read(work)

    async def unfinished(self) -> list[Run]:
        """Runs that are queued or running, oldest first."""
        statuses = (Status.QUEUED, Status.RUNNING)
        query = select(RunRow).where(col(RunRow.status).in_(statuses)).order_by(RunRow.id)
        return await self._database.read(lambda session: [run_of(row) for row in session.exec(query)])

    async def recent(
        self,
        *,
        chat: ChatRef | None = None,
        name: str | None = None,
        asked_by: str | None = None,
        since: datetime | None = None,
        limit: int = 20,
    ) -> list[Run]:
        """The newest runs that fit every given condition, newest first."""
        query = select(RunRow).order_by(col(RunRow.id).desc()).limit(limit)
        if chat is not None:
            query = query.where(RunRow.channel == chat.channel, RunRow.chat_id == chat.id)
        if name is not None:
            query = query.where(RunRow.name == name)
        if asked_by is not None:
            query = query.where(RunRow.asked_by == asked_by)
        if since is not None:
            query = query.where(col(RunRow.created_at) >= since)
        return await self._database.read(lambda session: [run_of(row) for row in session.exec(query)])

    async def call_to_repeat(self, run_id: str, *, claim: str, asked_by: str, chat: ChatRef | None) -> Call:
        """The call of *Run again*. Raises UnknownName, and AskError when it held secret values."""

        def work(session: Session) -> Call:
            row = _known(session, run_id)
            if row.has_secrets:
                raise AskError(
                    "That run had a secret value, which is not kept. Send the whole command again.",
                    code="SECRET_NOT_KEPT",
                )
            again = {"claim": claim, "asked_by": asked_by, "chat": chat}
            return Call.model_validate_json(row.call).model_copy(update=again)

        return await self._database.read(work)


def _known(session: Session, run_id: str) -> RunRow:
    row = session.get(RunRow, run_id)
    if row is None:
        newest = session.exec(select(RunRow.id).order_by(col(RunRow.id).desc()).limit(5)).all()
        raise UnknownName("run", run_id, list(newest))
    return row


def _move(session: Session, run_id: str, before: Status, after: Status, **values: object) -> bool:
    where = (col(RunRow.id) == run_id, col(RunRow.status) == before)
    return session.exec(update(RunRow).where(*where).values(status=after, **values)).rowcount == 1
