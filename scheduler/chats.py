"""What is kept about chats: which are linked, which updates were taken, whether messages arrived.
Decides nothing."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from library.models import ChatRef
from scheduler.database import Database
from scheduler.tables import ChatRow, ChatZoneRow, DeliveryRow, UpdateRow

KEPT = timedelta(days=30)
"""How long a taken update is remembered; providers deliver again within a day."""


class Delivered(Protocol):
    """What a channel says about one message: ``sent`` or ``failed``, and the provider's id for it."""

    @property
    def status(self) -> str: ...
    @property
    def message_id(self) -> str | None: ...
    @property
    def reason(self) -> str: ...


class Chats:
    """Linked chats and their time zones."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def linked(self) -> Mapping[ChatRef, str]:
        """Every linked chat, and who linked it."""

        def work(session: Session) -> dict[ChatRef, str]:
            rows = session.exec(select(ChatRow))
            return {ChatRef(channel=row.channel, id=row.chat_id): row.owner for row in rows}

        return await self._database.read(work)

    async def link(self, chat: ChatRef, owner: str, *, at: datetime) -> None:
        def work(session: Session) -> None:
            row = session.get(ChatRow, (chat.channel, chat.id))
            row = row or ChatRow(channel=chat.channel, chat_id=chat.id, owner=owner, linked_at=at)
            row.owner, row.linked_at = owner, at
            session.add(row)

        await self._database.run(work)

    async def unlink(self, chat: ChatRef) -> None:
        def work(session: Session) -> None:
            row = session.get(ChatRow, (chat.channel, chat.id))
            if row is not None:
                session.delete(row)

        await self._database.run(work)

    async def timezone(self, chat: ChatRef) -> str | None:
        """The IANA name that ``/tz`` set for this chat."""

        def work(session: Session) -> str | None:
            row = session.get(ChatZoneRow, (chat.channel, chat.id))
            return row.timezone if row else None

        return await self._database.read(work)

    async def set_timezone(self, chat: ChatRef, zone: str) -> None:
        await self._database.run(
            lambda session: session.merge(ChatZoneRow(channel=chat.channel, chat_id=chat.id, timezone=zone))
        )


class Claims:
    """Updates that were taken up, kept over restarts."""

    def __init__(self, database: Database, *, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def take(self, claim: str) -> bool:
        """True the first time, False ever after (for 30 days)."""

        def work(session: Session) -> bool:
            session.exec(delete(UpdateRow).where(col(UpdateRow.at) < self._now() - KEPT))
            session.add(UpdateRow(claim=claim, at=self._now()))
            try:
                session.flush()
            except IntegrityError:
                session.rollback()
                return False
            return True

        return await self._database.run(work)


class Deliveries:
    """Whether messages about runs reached their chat: apart from the run's own status."""

    def __init__(self, database: Database, *, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def record(self, run_id: str, chat: ChatRef, delivered: Delivered) -> None:
        row = DeliveryRow(
            run_id=run_id,
            channel=chat.channel,
            chat_id=chat.id,
            status=str(delivered.status),
            message_id=delivered.message_id,
            reason=delivered.reason,
            at=self._now(),
        )
        await self._database.run(lambda session: session.add(row))

    async def update(self, message_id: str, status: str, reason: str = "") -> None:
        """What a provider reports later about a message (delivered, read, failed)."""

        def work(session: Session) -> None:
            for row in session.exec(select(DeliveryRow).where(DeliveryRow.message_id == message_id)):
                row.status, row.reason = status, reason
                session.add(row)

        await self._database.run(work)

    async def of_runs(self, run_ids: list[str]) -> Mapping[str, str]:
        """The newest delivery status of each of these runs that has one."""

        def work(session: Session) -> dict[str, str]:
            query = (
                select(DeliveryRow).where(col(DeliveryRow.run_id).in_(run_ids)).order_by(col(DeliveryRow.id))
            )
            return {row.run_id: row.status for row in session.exec(query) if row.run_id}

        return await self._database.read(work)
