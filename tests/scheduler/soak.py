"""Rounds of killing: work for them, the rounds themselves, and what must be true afterwards."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Protocol

import httpx

from bot.app import App, now, open_app
from library.models import Call, Run, Status
from scheduler.queue_rows import Item
from scheduler.rules import Once
from scheduler.schedule_rows import Slot, Terms
from scheduler.trigger_rows import Event, Firing
from tests.scheduler.soak_child import MANY, QUEUE, settings
from tests.scheduler.soak_nursery import Nursery

KINDS = ("slot", "item", "chained", "hooked")
CHAINS = (("slot", Event.DONE), ("item", Event.UNCONFIRMED), ("hooked", Event.DONE))
WORK_S = 10
SUBROUTINE = """/*---
name: {name}
version: 1.0.0
sites: ["{site}/*"]
start: {site}/
params:
  text: {{type: string}}
effect: write
permissions:
  requests: ["POST {site}/api/posts"]
expect:
  - request: POST /api/posts
    status: 201
---*/
return await tab.requestJson("/api/posts", {{ method: "POST", body: {{ text }} }});
"""


class Browser(Protocol):
    """What outlives the relay. ``port`` is where the relay serves now."""

    port: int
    wants_port: int
    """Where the relay must serve; 0 for anywhere."""

    async def asked_more(self, count: int) -> None:
        """Waits until so many more runs were asked for."""
        ...


@dataclass(frozen=True)
class Work:
    """How much there is to do, and the secret of the webhook."""

    slots: int
    items: int
    hooks: int
    token: str


@dataclass(frozen=True)
class Ends:
    """All rows, after the last round."""

    slots: Sequence[Slot]
    items: Sequence[Item]
    firings: Sequence[Firing]
    runs: Sequence[Run]


async def prepare(folder: Path, site: str, *, rounds: int) -> Work:
    """Slots some milliseconds apart over the whole time, a queue, chains on all of them, a webhook."""
    installed = folder / "data" / "subroutines"
    installed.mkdir(parents=True)
    for name in KINDS:
        (installed / f"{name}.js").write_text(SUBROUTINE.format(name=name, site=site))
    slots, items, hooks = 8 * rounds + 16, 12 * rounds + 60, 4 * rounds
    async with open_app(settings(folder), only_local=True) as app:
        keeper, begin = app.timekeeper, now() + timedelta(seconds=1)
        for n in range(slots):
            rule = Once(zone="UTC", at=begin + n * timedelta(milliseconds=150))
            await keeper.schedules.save(_saved("slot", f"slot {n}"), rule, "soon", Terms())
        await keeper.queues.create(QUEUE, "item")
        await keeper.queues.add(QUEUE, [{"text": f"item {n}"} for n in range(items)])
        for of_name, event in CHAINS:
            await keeper.triggers.on_run(_saved("chained", f"after {of_name}"), event, of_name)
        _, token = await keeper.triggers.on_webhook(_saved("hooked", "nothing"))
    return Work(slots, items, hooks, token)


async def one_round(
    folder: Path, home: Nursery, browser: Browser, work: Work, *, number: int, kill: bool
) -> None:
    """A child that is killed while it starts, or while it works; or that ends by itself."""
    chance = random.Random(number)
    await home.bear(folder, browser.wants_port, kill=kill)
    if kill and chance.random() < 0.2:
        await asyncio.sleep(chance.uniform(0, 0.5))
        await home.kill()
        return
    browser.port = await home.served()
    deliveries = asyncio.create_task(deliver(browser.port, work, chance, everything=not kill))
    if kill:
        await moment_to_kill(browser, chance)
        await home.kill()
        await deliveries
    else:
        await deliveries
        await home.ended(within_s=60 + 3 * work.slots)


async def moment_to_kill(browser: Browser, chance: random.Random) -> None:
    """Some runs later, wherever those that are under way are then; however slow the machine is."""
    with suppress(TimeoutError):
        async with asyncio.timeout(WORK_S):
            await browser.asked_more(chance.randrange(12))
    await asyncio.sleep(chance.uniform(0, 0.06))


async def deliver(port: int, work: Work, chance: random.Random, *, everything: bool) -> None:
    """A sender that does not know what arrived: it delivers some events again, or at the end all of them."""
    numbers = range(work.hooks) if everything else [chance.randrange(work.hooks) for _ in range(8)]
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False) as sender:
        for n in numbers:
            try:
                await sender.post(
                    f"/hooks/{work.token}",
                    json={"text": f"hook {n}"},
                    headers={"Idempotency-Key": f"d{n}"},
                )
            except httpx.TransportError:
                return


def posts(log: Path) -> Counter[str]:
    """How often each text is in the demo site's own log."""
    events = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    return Counter(event["text"] for event in events if event["event"] == "posted")


async def ends_of(folder: Path) -> Ends:
    async with open_app(settings(folder), only_local=True) as app:
        return await _read(app)


async def _read(app: App) -> Ends:
    keeper = app.timekeeper
    return Ends(
        slots=await keeper.schedules.slots(limit=MANY),
        items=await keeper.queues.items(QUEUE, limit=MANY),
        firings=await keeper.triggers.firings(limit=MANY),
        runs=await app.journal.recent(limit=MANY),
    )


def check(
    work: Work,
    posted: Counter[str],
    ends: Ends,
    *,
    expected: Collection[Status] = (Status.DONE, Status.UNCONFIRMED),
) -> None:
    """Never two posts for one slot, item or delivery; nothing without an end; nothing done without a post.

    ``expected``: home comes back within every window, and the site answers: nothing is missed, or failed."""
    chained = {text for text in posted if text.startswith("after ")}
    assert [text for text, count in posted.items() if count > 1 and text not in chained] == []
    assert (len(ends.slots), len(ends.items)) == (work.slots, work.items)
    assert [run for run in ends.runs if not run.status.is_final] == []
    assert [slot for slot in ends.slots if slot.status not in expected] == []
    assert [firing for firing in ends.firings if firing.status not in expected] == []
    assert max(Counter(run.call.claim for run in ends.runs).values()) == 1
    for run in ends.runs:
        text = str(run.call.arguments["text"])
        if run.status is Status.DONE:
            assert posted[text] >= 1, run
        if text not in chained and posted[text]:
            assert run.status in (Status.DONE, Status.UNCONFIRMED), run
    _check_chains(posted, ends)


def _check_chains(posted: Counter[str], ends: Ends) -> None:
    """One firing for each end that it waits for, and at most one post for each firing."""
    for of_name, event in CHAINS:
        fired = [run for run in ends.runs if run.call.arguments["text"] == f"after {of_name}"]
        watched = [run for run in ends.runs if run.call.name == of_name and run.status == event.value]
        assert len(fired) == len(watched)
        done = [run for run in fired if run.status is Status.DONE]
        assert len(done) <= posted[f"after {of_name}"] <= len(fired)


def _saved(name: str, text: str) -> Call:
    return Call(name=name, arguments={"text": text}, claim="", asked_by="owner")
