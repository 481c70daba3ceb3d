"""Killed at random moments and started again, it posts nothing twice and forgets nothing."""

import asyncio
import random
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from library.models import Status
from scheduler.rules import Once
from scheduler.schedule_rows import Terms
from tests.scheduler.soak_child import CHAINS, QUEUE, now, open_keeper, saved

ROOT = Path(__file__).parents[2]
SLOTS = 40
ITEMS = 200


async def _prepare(folder: Path) -> None:
    """Slots some milliseconds apart, a queue, chains on both, a webhook."""
    keeper, database, _ = await open_keeper(folder)
    begin = now() + timedelta(seconds=2)
    for n in range(SLOTS):
        rule = Once(zone="UTC", at=begin + n * timedelta(milliseconds=250))
        await keeper.schedules.save(saved("slot", f"slot {n}"), rule, "soon", Terms())
    await keeper.queues.create(QUEUE, "item")
    await keeper.queues.add(QUEUE, [{"text": f"item {n}"} for n in range(ITEMS)])
    for of_name, event, text in CHAINS:
        await keeper.triggers.on_run(saved("chained", text), event, of_name)
    _, token = await keeper.triggers.on_webhook(saved("hooked", "nothing"))
    (folder / "token").write_text(token)
    await keeper.close()
    await database.close()


async def _round(folder: Path, kill_after_s: float | None) -> None:
    finish = [] if kill_after_s is not None else ["finish"]
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.scheduler.soak_child", str(folder), *finish),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert child.stdout is not None
        assert await asyncio.wait_for(child.stdout.readline(), 60) == b"up\n"
        if kill_after_s is None:
            assert await asyncio.wait_for(child.wait(), 60) == 0
        else:
            await asyncio.sleep(kill_after_s)
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()


@pytest.mark.parametrize(
    "rounds", [4, pytest.param(200, marks=[pytest.mark.soak, pytest.mark.timeout(7200)])]
)
async def test_nothing_is_posted_twice_and_everything_ends(tmp_path: Path, rounds: int) -> None:
    await _prepare(tmp_path)
    for seed in range(rounds):
        await _round(tmp_path, random.Random(seed).uniform(0.0, 0.8))
    await _round(tmp_path, None)

    posts = [line.split(" ", 2) for line in (tmp_path / "site.log").read_text().splitlines()]
    assert max(Counter(run_id for run_id, _, _ in posts).values()) == 1
    once = Counter(text for _, name, text in posts if name != "chained")
    assert max(once.values()) == 1

    keeper, database, journal = await open_keeper(tmp_path)
    slots = await keeper.schedules.slots(limit=10_000)
    items = await keeper.queues.items(QUEUE, limit=10_000)
    firings = await keeper.triggers.firings(limit=10_000)
    runs = await journal.recent(limit=10_000)
    await keeper.close()
    await database.close()
    assert (len(slots), len(items)) == (SLOTS, ITEMS)
    assert not [run for run in runs if not run.status.is_final]
    claims = Counter(run.call.claim for run in runs)
    assert max(claims.values()) == 1
    chained = [firing for firing in firings if firing.trigger_id <= len(CHAINS)]
    done = [slot for slot in slots if slot.status is Status.DONE]
    unconfirmed = [item for item in items if item.status == "unconfirmed"]
    assert len(chained) == len(done) + len(unconfirmed)
    assert len(firings) - len(chained) == 20
    posted = {text for _, _, text in posts}
    assert {f"slot {n}" for n in range(SLOTS)} >= {text for text in posted if text.startswith("slot")}
    assert all(f"item {n}" in posted for n in range(ITEMS) if items[n].status == "done")
