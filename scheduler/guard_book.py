"""Guards as people set them: of a queue, of a subroutine, of a site (an account). It judges nothing.

What goes out of a queue must be allowed by all of them. A subroutine's guards count its runs wherever they
came from; a site's count the runs of every installed subroutine that acts there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urlsplit

from library.models import Subroutine, Word
from scheduler.database import Database
from scheduler.guards import Guards, PastRun
from scheduler.past_runs import PastRuns
from scheduler.ports import Catalog
from scheduler.queue_rows import Queue
from scheduler.time_tables import GuardRow


class Subject(Word):
    """What is guarded; ``subroutine:create-post`` or ``site:example.com``."""

    kind: str
    name: str

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.name}"


@dataclass
class Guarded:
    """Guards, and what went out under them lately; whoever sends something adds it."""

    guards: Guards
    history: list[PastRun] = field(default_factory=list)


class GuardBook:
    def __init__(self, database: Database, catalog: Catalog) -> None:
        self._database = database
        self._catalog = catalog
        self._past = PastRuns(database)

    async def get(self, subject: Subject) -> Guards:
        """None of them, where nothing was set."""
        kept = await self._database.read(lambda session: session.get(GuardRow, subject.key))
        return Guards.model_validate_json(kept.guards) if kept is not None else Guards()

    async def set(self, subject: Subject, guards: Guards) -> None:
        row = GuardRow(subject=subject.key, guards=guards.model_dump_json())
        await self._database.run(lambda session: session.merge(row))

    def sites(self) -> list[str]:
        """Hosts (with their port) on which installed subroutines act."""
        names = self._catalog.names()
        return sorted({host for name in names for host in hosts_of(self._catalog.get(name))})

    async def of(self, queue: Queue, now: datetime) -> list[Guarded]:
        """All guards that hold for what this queue sends, with what they count."""
        if queue.subroutine not in self._catalog.names():
            return []
        subroutine = self._catalog.get(queue.subroutine)
        own = [queue.subroutine]
        guarded = [await self._guarded(queue.guards, own, now)]
        subject = Subject(kind="subroutine", name=queue.subroutine)
        guarded.append(await self._guarded(await self.get(subject), own, now))
        for host in sorted(hosts_of(subroutine)):
            guards = await self.get(Subject(kind="site", name=host))
            guarded.append(await self._guarded(guards, self._acting_on(host), now))
        return [one for one in guarded if not one.guards.is_empty]

    async def _guarded(self, guards: Guards, subroutines: Sequence[str], now: datetime) -> Guarded:
        return Guarded(guards, await self._past.of(subroutines, guards, now))

    def _acting_on(self, host: str) -> list[str]:
        return [name for name in self._catalog.names() if host in hosts_of(self._catalog.get(name))]


def hosts_of(subroutine: Subroutine) -> set[str]:
    """``https://*.example.com/*`` -> ``*.example.com``; a port is part of it."""
    return {urlsplit(site).netloc for site in subroutine.sites} - {""}
