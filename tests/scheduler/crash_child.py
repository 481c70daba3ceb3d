"""A process that dispatches one call and is killed in the middle of it: ``crash_child.py FOLDER CLAIM NAME``.

Its runner notes the run in ``site.log``, says ``acting``, and never ends.
"""

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path

from pydantic import JsonValue

from library.models import Outcome, Proof, Subroutine
from scheduler.database import Database
from scheduler.journal import Journal
from scheduler.ports import OnProgress
from tests.fakes import FakeClock, FakeRunner
from tests.scheduler.conftest import call, make_dispatcher


class HangingRunner(FakeRunner):
    def __init__(self, site: Path) -> None:
        super().__init__()
        self._site = site

    async def run(
        self,
        run_id: str,
        subroutine: Subroutine,
        arguments: Mapping[str, JsonValue],
        *,
        browser: str | None,
        proof: Proof,
        on_progress: OnProgress | None = None,
    ) -> Outcome:
        with self._site.open("a") as site:
            site.write(f"{run_id}\n")
        sys.stdout.write("acting\n")
        sys.stdout.flush()
        await asyncio.Event().wait()
        raise AssertionError("unreachable")


async def main(folder: Path, claim: str, name: str) -> None:
    database = await Database.open(folder / "runhome.db")
    journal = Journal(database, folder / "files")
    runner = HangingRunner(folder / "site.log")
    await make_dispatcher(journal, runner, FakeClock()).dispatch(call(claim, name))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3]))
