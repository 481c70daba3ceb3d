"""What went out under a subroutine's name lately, as the guards want it. Reads the journal's rows,
changes nothing."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from pydantic import JsonValue
from sqlmodel import Session, col, select

from library.models import Call, Status
from scheduler.database import Database
from scheduler.guards import Guards, PastRun, fingerprint
from scheduler.tables import RunRow


class PastRuns:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, subroutines: Sequence[str], guards: Guards, now: datetime) -> list[PastRun]:
        """The runs of these subroutines that guards could ask about, from chats and schedules too."""
        if guards.is_empty:
            return []
        days = max(guards.no_repeat_within_days or 0, 2)
        since = now - max(timedelta(days=days), guards.least_gap or timedelta(0))
        query = select(RunRow).where(col(RunRow.name).in_(subroutines), col(RunRow.created_at) >= since)

        def work(session: Session) -> list[PastRun]:
            return [_past(row) for row in session.exec(query)]

        return await self._database.read(work)


def published(arguments: Mapping[str, JsonValue]) -> str:
    """The fingerprint of what a run publishes: of all its texts, in the order of their names."""
    texts = [value for _, value in sorted(arguments.items()) if isinstance(value, str)]
    return fingerprint("\n".join(texts))


def _past(row: RunRow) -> PastRun:
    arguments = Call.model_validate_json(row.call).arguments
    return PastRun(at=row.finished_at or row.created_at, status=Status(row.status), text=published(arguments))
