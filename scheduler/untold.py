"""What a chat must be told and was not yet, kept over restarts. It sends nothing.

1. It is written down before, or in the same commit as, what it tells of: a crash loses none.
2. Whoever has channels sends it, and then takes it out. A crash in between sends it once more.
3. Work on a queue is written down when it begins; the next start words what a crash leaves of it.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, insert
from sqlmodel import Session, SQLModel, col, select

from library.models import ChatRef, Run
from scheduler.database import Database
from scheduler.queue_rows import Queue
from scheduler.tables import UntoldRow

# Written once and run as they are, as in the journal: they are run for every slot.
_UNTOLD = SQLModel.metadata.tables["untold"]
_INSERT = insert(_UNTOLD)
_TOLD = delete(_UNTOLD).where(_UNTOLD.c.id == bindparam("telling"))


@dataclass(frozen=True)
class Message:
    """How a run ended, or a text. Without a chat it is for the owner."""

    chat: ChatRef | None
    text: str = ""
    run_id: str | None = None


@dataclass(frozen=True)
class Telling:
    """A message that is kept until it has been told."""

    id: int
    message: Message


class Untold:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def run(self, run: Run) -> None:
        """Its chat shall be told how it ended, once it has. Saying so again changes nothing."""

        def work(session: Session) -> None:
            if session.exec(select(UntoldRow.id).where(UntoldRow.run_id == run.id)).first() is None:
                tell_later(session, Message(run.call.chat, run_id=run.id))

        await self._database.run(work)

    @asynccontextmanager
    async def until_told(self, work: str, queue: Queue, chat: ChatRef) -> AsyncIterator[None]:
        """Around work on a queue and telling the chat how it ended: after a crash the next start tells it.
        ``work`` names it, as ``claimed_by`` of its items does."""
        begun = {**_columns(Message(chat)), "work": work, "queue_id": queue.id}
        await self._database.run(lambda session: session.connection().execute(_INSERT, begun))
        try:
            yield
        except Exception:
            await self._work_told(work)
            raise
        await self._work_told(work)

    async def all(self) -> list[Telling]:
        """In the order in which they came."""
        query = select(UntoldRow).where(col(UntoldRow.work).is_(None)).order_by(col(UntoldRow.id))
        return await self._database.read(lambda session: [_telling(row) for row in session.exec(query)])

    async def told(self, telling: Telling) -> None:
        """It was sent."""
        await self._database.run(lambda session: session.connection().execute(_TOLD, {"telling": telling.id}))

    async def _work_told(self, work: str) -> None:
        of_work = delete(UntoldRow).where(col(UntoldRow.work) == work)
        await self._database.run(lambda session: session.exec(of_work))


def tell_later(session: Session, message: Message) -> Telling:
    """Writes it down in the caller's transaction."""
    result = session.connection().execute(_INSERT, _columns(message))
    return Telling(result.lastrowid, message)


def _columns(message: Message) -> dict[str, object]:
    chat = message.chat
    return {
        "run_id": message.run_id,
        "channel": chat.channel if chat else None,
        "chat_id": chat.id if chat else None,
        "text": message.text,
    }


def _telling(row: UntoldRow) -> Telling:
    assert row.id is not None
    chat = ChatRef(channel=row.channel, id=row.chat_id) if row.channel and row.chat_id else None
    return Telling(row.id, Message(chat, row.text, row.run_id))
