"""What a chat must be told and was not yet, kept over restarts. It sends nothing.

1. It is written down before, or in the same commit as, what it tells of: a crash loses none.
2. Whoever has channels sends it, and then takes it out. A crash in between sends it once more.
"""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from library.models import ChatRef, Run
from scheduler.database import Database
from scheduler.tables import UntoldRow


@dataclass(frozen=True)
class Telling:
    """How a run ended, or a text. Without a chat it is for the owner."""

    id: int
    run_id: str | None
    chat: ChatRef | None
    text: str


class Untold:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def run(self, run: Run) -> None:
        """Its chat shall be told how it ended, once it has. Saying so again changes nothing."""

        def work(session: Session) -> None:
            if session.exec(select(UntoldRow.id).where(UntoldRow.run_id == run.id)).first() is None:
                session.add(_row(run.call.chat, run_id=run.id))

        await self._database.run(work)

    async def all(self) -> list[Telling]:
        """In the order in which they came."""
        query = select(UntoldRow).order_by(col(UntoldRow.id))
        return await self._database.read(lambda session: [_telling(row) for row in session.exec(query)])

    async def told(self, telling: Telling) -> None:
        """It was sent."""
        await self._database.run(lambda session: session.delete(session.get_one(UntoldRow, telling.id)))


def tell_later(session: Session, chat: ChatRef | None, text: str) -> None:
    """Writes it down in the caller's transaction."""
    session.add(_row(chat, text=text))


def _row(chat: ChatRef | None, *, run_id: str | None = None, text: str = "") -> UntoldRow:
    return UntoldRow(
        run_id=run_id,
        channel=chat.channel if chat else None,
        chat_id=chat.id if chat else None,
        text=text,
    )


def _telling(row: UntoldRow) -> Telling:
    assert row.id is not None
    chat = ChatRef(channel=row.channel, id=row.chat_id) if row.channel and row.chat_id else None
    return Telling(row.id, row.run_id, chat, row.text)
