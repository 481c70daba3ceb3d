"""Killed at random moments and started again, it posts nothing twice and forgets nothing."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from library.demo.server import serve
from library.demo.site import DemoSite
from library.models import Status
from relay.pairing import Pairings
from relay.pairing_file import PairingFile
from tests.journeys.sites import Log
from tests.scheduler.soak import Browser, Work, check, ends_of, one_round, posts, prepare
from tests.scheduler.soak_browser import SoakBrowser
from tests.scheduler.soak_chromium import chromium
from tests.scheduler.soak_nursery import nursery

CHROMIUM_ROUNDS = 10


@asynccontextmanager
async def browsing(folder: Path, site: str) -> AsyncIterator[SoakBrowser]:
    """Paired with whoever serves this folder, and alive while the block runs."""
    pairings = Pairings(PairingFile(folder / "data" / "pairings.json"), now=lambda: datetime.now(UTC))
    browser = SoakBrowser(pairings.redeem(pairings.new_code().text, "Chrome"), site)
    await browser.open_tabs()
    living = asyncio.create_task(browser.live())
    try:
        yield browser
    finally:
        living.cancel()
        await asyncio.gather(living, return_exceptions=True)
        await browser.close()


@pytest.mark.parametrize(
    "rounds",
    [
        pytest.param(3, marks=pytest.mark.timeout(600)),
        pytest.param(200, marks=[pytest.mark.soak, pytest.mark.timeout(3600)]),
    ],
)
async def test_nothing_is_posted_twice_and_everything_ends(tmp_path: Path, rounds: int) -> None:
    log = tmp_path / "posts.jsonl"
    async with serve(DemoSite(log)) as site:
        work = await prepare(tmp_path, site, rounds=rounds)
        async with browsing(tmp_path, site) as browser:
            await all_rounds(tmp_path, browser, work, rounds)
    ends = await ends_of(tmp_path)
    check(work, posts(log), ends)
    assert max(browser.asked.values()) == 1
    told(rounds, posts(log), Counter(run.status for run in ends.runs))


@pytest.mark.browser
@pytest.mark.soak
@pytest.mark.timeout(1800)
async def test_nothing_is_posted_twice_by_a_real_chromium_either(tmp_path: Path) -> None:
    """Its tabs share one session, whose token changes with every write: a run that fails has an end too."""
    posted, demo = tmp_path / "posts.jsonl", DemoSite(tmp_path / "posts.jsonl")
    demo.app = log = Log(demo.app)
    async with serve(demo) as site:
        work = await prepare(tmp_path, site, rounds=CHROMIUM_ROUNDS)
        async with chromium(tmp_path, tmp_path / "profile", site, log) as browser:
            await all_rounds(tmp_path, browser, work, CHROMIUM_ROUNDS)
    ends = await ends_of(tmp_path)
    check(work, posts(posted), ends, expected=(Status.DONE, Status.UNCONFIRMED, Status.FAILED))
    told(CHROMIUM_ROUNDS, posts(posted), Counter(run.status for run in ends.runs))


async def all_rounds(folder: Path, browser: Browser, work: Work, rounds: int) -> None:
    """So many that are killed, and one that ends."""
    async with nursery() as home:
        for number in range(rounds + 1):
            await one_round(folder, home, browser, work, number=number, kill=number < rounds)


def told(rounds: int, posted: Counter[str], statuses: Counter[Status]) -> None:
    """For `make soak`, which shows it."""
    counts = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
    print(f"\n{rounds} rounds: {posted.total()} posts, {statuses.total()} runs ({counts})")  # noqa: T201
