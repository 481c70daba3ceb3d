"""100,000 schedules in one database: start-up, memory, and how late slots are at a thousand a minute.

``python -m bench.schedules FOLDER SECONDS`` is the process that is measured; it prints one line of JSON.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import text
from sqlmodel import Session

from bench.program import resident_mib
from bench.table import Row
from library.models import Call, Outcome, Proof, Subroutine
from scheduler.database import Database
from scheduler.ids import RunIds
from scheduler.journal import Journal
from scheduler.ports import OnProgress
from scheduler.rules import Daily, Once
from scheduler.schedule_rows import Terms
from scheduler.timekeeper import Timekeeper
from tests.fakes import FakeCatalog, FakeHome, FakeNotifier, FakeRunner

SCHEDULES = 100_000
A_MINUTE = 1_000
BEGIN_S = 15.0
"""After the start, so that starting is not measured as lateness."""
_COPY = """
WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < :count)
INSERT INTO schedules
  (name, call, rule, words, terms, state, note, created_at, next_at, fire_at, failures_in_row)
SELECT name, call, rule, words, terms, state, note, created_at, next_at, fire_at, failures_in_row
FROM schedules, n WHERE schedules.id = 1
"""


def measure(*, schedules: int = SCHEDULES, seconds: float = 60) -> list[Row]:
    first = Row(f"{schedules:,} schedules: first start", "ms", note="its jobs are written meanwhile")
    start = Row(f"{schedules:,} schedules: start", "ms")
    memory = Row(f"{schedules:,} schedules: memory", "MiB")
    late = Row(f"slots, {A_MINUTE:,} a minute: lateness", "ms")
    with tempfile.TemporaryDirectory(prefix="runhome-bench-") as folder:
        asyncio.run(_fill(Path(folder), schedules))
        first.samples.append(_child(folder, 0)["up_ms"])
        told = _child(folder, seconds)
        start.samples.append(told["up_ms"])
        memory.samples.append(told["mib"])
        late.samples += told["late_ms"]
    worst = sorted(late.samples)[int(len(late.samples) * 0.99) - 1]
    late.note = f"p99 {worst:.0f} ms"
    return [first, start, memory, late]


class _NotingRunner(FakeRunner):
    """Ends at once, and notes when each run was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.at: dict[str, datetime] = {}

    async def run(
        self,
        run_id: str,
        subroutine: Subroutine,
        arguments: Mapping[str, Any],
        *,
        browser: str | None,
        proof: Proof,
        on_progress: OnProgress | None = None,
    ) -> Outcome:
        self.at[str(arguments["text"])] = _now()
        return await super().run(run_id, subroutine, arguments, browser=browser, proof=proof)


def _now() -> datetime:
    return datetime.now(UTC)


def _keeper(database: Database, folder: Path, runner: FakeRunner) -> Timekeeper:
    from scheduler.dispatcher import Dispatcher
    from tests.fakes import FakeAccess, FakeFiles

    catalog, journal = FakeCatalog(), Journal(database, folder / "evidence")
    door = Dispatcher(
        catalog=catalog,
        journal=journal,
        runner=runner,
        access=FakeAccess(),
        files=FakeFiles(),
        now=_now,
        new_id=RunIds(_now),
    )
    return Timekeeper(
        database=database,
        journal=journal,
        dispatcher=door,
        catalog=catalog,
        home=FakeHome(),
        notifier=FakeNotifier(),
        now=_now,
    )


def _call(said: str) -> Call:
    return Call(name="create-post", arguments={"text": said}, claim="", asked_by="owner")


async def _fill(folder: Path, schedules: int) -> None:
    """One daily schedule, far from now, and its copies."""
    database = await Database.open(folder / "bench.sqlite3")
    keeper = _keeper(database, folder, FakeRunner())
    far = (_now() + timedelta(hours=12)).time().replace(second=0, microsecond=0)
    await keeper.schedules.save(_call("far"), Daily(zone="UTC", at=(far,)), "daily", Terms())
    await database.run(lambda session: session.connection().execute(text(_COPY), {"count": schedules - 1}))
    await database.close()


def _child(folder: str, seconds: float) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.schedules", folder, str(seconds)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


async def _run(folder: Path, seconds: float) -> dict[str, Any]:
    runner = _NotingRunner()
    begin = time.perf_counter()
    database = await Database.open(folder / "bench.sqlite3")
    keeper = _keeper(database, folder, runner)
    await keeper.settle()
    keeper.start()
    await keeper.tick()
    up_ms = (time.perf_counter() - begin) * 1000
    slots = await _due_slots(keeper, seconds) if seconds else []
    if not seconds:
        await _jobs_written(database)
    await asyncio.sleep(BEGIN_S + seconds + 5 if seconds else 0)
    late = [(runner.at[said] - slot).total_seconds() * 1000 for said, slot in slots]
    mib = resident_mib()
    await keeper.close()
    await database.close()
    return {"up_ms": up_ms, "mib": mib, "late_ms": late}


async def _due_slots(keeper: Timekeeper, seconds: float) -> Sequence[tuple[str, datetime]]:
    """A thousand a minute, evenly."""
    begin = _now() + timedelta(seconds=BEGIN_S)
    count = int(A_MINUTE * seconds / 60)
    slots = [(f"slot {n}", begin + timedelta(seconds=n * 60 / A_MINUTE)) for n in range(count)]
    await asyncio.gather(
        *(keeper.schedules.save(_call(said), Once(zone="UTC", at=at), "once", Terms()) for said, at in slots)
    )
    if _now() > begin:
        raise RuntimeError("the machine is too busy to measure lateness: saving the slots took too long")
    return slots


async def _jobs_written(database: Database) -> None:
    def are_written(session: Session) -> bool:
        ask = session.connection().execute
        if ask(text("SELECT 1 FROM sqlite_master WHERE name = 'apscheduler_jobs'")).first() is None:
            return False
        counts = [ask(text(f"SELECT count(*) FROM {name}")).scalar_one() for name in _COUNTED]
        return bool(counts[0] >= counts[1])

    async with asyncio.timeout(600):
        while not await database.read(are_written):  # noqa: ASYNC110  (another thread writes them)
            await asyncio.sleep(0.2)


_COUNTED = ("apscheduler_jobs", "schedules")


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_run(Path(sys.argv[1]), float(sys.argv[2])))))
