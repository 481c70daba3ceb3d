"""The run of one attempt at a slot or a firing, found by its claim; how long the next look at it waits."""

from datetime import timedelta

from library.models import Status
from scheduler.edges import Edges

LOOK_AGAIN = timedelta(seconds=30)
"""Whether a browser has come; or at a run that was left running, which only the next start may judge."""

BUSY_WAIT = timedelta(seconds=2)
"""Away from a door where too many calls of the same chat are waiting."""


async def was_sent(edges: Edges, claim: str) -> bool:
    """Whether the attempt went to the browser, as far as is known: perhaps before the machine stopped."""
    run = await edges.journal.of_claim(claim)
    return run is not None and run.status is not Status.QUEUED


async def call_off(edges: Edges, claim: str, why: str) -> None:
    """A run that still waited for a lane when the machine stopped is missed: it must not go out late."""
    run = await edges.journal.of_claim(claim)
    if run is not None and run.status is Status.QUEUED:
        await edges.journal.end_unsent(run.id, Status.MISSED, why, edges.now())
