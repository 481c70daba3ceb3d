"""The one door: every call that runs a subroutine goes through ``Dispatcher.dispatch``, whoever asks.

The life of a call:

1. Access is asked, the subroutine found, its arguments bound. What is wrong here raises, and there is no row.
2. The claim is written as a row, ``queued``. A second call with the same claim gets the first one's run.
3. In a free lane the row becomes ``running``, durably, *before* the runner is called (at once, when one
   is free).
4. The outcome, its verdict and its evidence are written in one go; the row has ended.

Errors become answers here and nowhere else: our own as their sentence, all others as a reference into
the log.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from library.arguments import bind
from library.errors import AskError, RunhomeError
from library.models import Call, Effect, Evidence, Fault, Outcome, Run, Status, Subroutine, Verdict
from library.subroutine_file import parse
from scheduler.journal import Journal
from scheduler.lanes import Lanes
from scheduler.ports import Access, Catalog, Files, OnProgress, Runner
from scheduler.run_rows import MASK

log = logging.getLogger(__name__)

OnOutcome = Callable[[Outcome], None]

NEXT_CALL_S = 0.002


@dataclass(frozen=True)
class _Order:
    """A call that may be carried out: what it asks for is known and bound."""

    call: Call
    subroutine: Subroutine
    arguments: Mapping[str, JsonValue]

    @property
    def secrets(self) -> list[str]:
        return [name for name, param in self.subroutine.params.items() if param.secret]

    @property
    def files(self) -> Mapping[str, str]:
        """The file that each file parameter names; the row keeps the name alone."""
        named = {name: self.arguments[name] for name in self.subroutine.file_params}
        return {name: file for name, file in named.items() if isinstance(file, str)}


@dataclass(frozen=True)
class _Play:
    """An order, and who is to be told meanwhile."""

    order: _Order
    on_progress: OnProgress | None
    on_outcome: OnOutcome | None


class Dispatcher:
    def __init__(
        self,
        *,
        catalog: Catalog,
        journal: Journal,
        runner: Runner,
        access: Access,
        files: Files,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
        lanes: Lanes | None = None,
    ) -> None:
        self._catalog = catalog
        self._journal = journal
        self._runner = runner
        self._access = access
        self._files = files
        self._now = now
        self._new_id = new_id
        self._lanes = lanes or Lanes()
        self._under_way: dict[str, asyncio.Task[Run]] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}

    async def dispatch(
        self,
        call: Call,
        on_progress: OnProgress | None = None,
        *,
        on_outcome: OnOutcome | None = None,
    ) -> Run:
        """Carries out a call and gives its run when that has ended, whatever its end.

        ``on_outcome`` is told what the browser said, before it is durable; not for a claim seen before.

        Cancelling the caller does not end the run. Raises RunhomeError, with no row written, when the
        call is not allowed (NotAllowed), names nothing (UnknownName), does not fit (BadArgument), or
        its claim belongs to another call (code ``CLAIM_TAKEN``)."""
        self._access.check(call)
        task = self._under_way.get(call.claim)
        if task is None:
            order = self._order(call)
            self._lanes.check_room(call.chat)
            task = asyncio.create_task(
                self._carry_out(_Play(order, on_progress, on_outcome)), name=f"run {call.claim}"
            )
            self._under_way[call.claim] = task
            task.add_done_callback(lambda _: self._under_way.pop(call.claim, None))
        run = await asyncio.shield(task)
        if not _is_same(run.call, call):
            raise AskError("This claim was used for another call. Use a new one.", code="CLAIM_TAKEN")
        return run

    async def cancel(self, run_id: str) -> bool:
        """Ends a run that waits, or has one under way stopped. False when there was nothing to stop."""
        waiting = self._waiting.get(run_id)
        if waiting is not None:
            waiting.cancel()
            return True
        return await self._runner.cancel(run_id)

    async def close(self, *, grace_s: float = 5.0) -> None:
        """Waits a while for the runs under way; longer ones are left to the crash rule of the next start."""
        tasks = list(self._under_way.values())
        if not tasks:
            return
        _, late = await asyncio.wait(tasks, timeout=grace_s)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def _order(self, call: Call) -> _Order:
        subroutine = parse(call.source) if call.source is not None else self._catalog.get(call.name)
        order = _Order(call, subroutine, bind(subroutine, call.arguments))
        self._files.check(list(order.files.values()))
        return order

    async def _carry_out(self, play: _Play) -> Run:
        order = play.order
        in_lane = self._lanes.try_enter(order.call.chat)
        try:
            new = self._new_run(order, Status.RUNNING if in_lane else Status.QUEUED)
            run, is_new = await self._journal.claim(new, secrets=order.secrets)
            if not is_new and (run.status is not Status.QUEUED or not _is_same(run.call, order.call)):
                return run
            in_lane = in_lane or await self._lane(run.id, order)
            if not in_lane:
                why = "Stopped as you asked, before anything was sent."
                return await self._journal.end_unsent(run.id, Status.CANCELLED, why, self._now())
            if run.status is Status.QUEUED and not await self._journal.start(run.id, self._now()):
                return await self._journal.get(run.id)
            return await self._to_its_end(run, play)
        finally:
            if in_lane:
                self._lanes.leave(order.call.chat)

    async def _to_its_end(self, run: Run, play: _Play) -> Run:
        if run.status is Status.QUEUED:
            run = await self._journal.get(run.id)
        outcome = await self._play(run.id, play.order, play.on_progress)
        if play.on_outcome is None:
            return await self._journal.finish(run, outcome, self._now())
        play.on_outcome(outcome)
        # Who was told asks for the next run now: its row and this end can be one commit.
        return await self._journal.finish(run, outcome, self._now(), patience_s=NEXT_CALL_S)

    async def _lane(self, run_id: str, order: _Order) -> bool:
        """True in a lane; False when the run was called off while it waited."""
        turn = asyncio.create_task(self._lanes.enter(order.call.chat))
        self._waiting[run_id] = turn
        try:
            await asyncio.wait([turn])
        except asyncio.CancelledError:
            turn.cancel()
            raise
        finally:
            del self._waiting[run_id]
        return not turn.cancelled()

    async def _play(self, run_id: str, order: _Order, on_progress: OnProgress | None) -> Outcome:
        try:
            return await self._runner.run(
                run_id,
                order.subroutine,
                {**order.arguments, **await self._opened(order)},
                browser=order.call.browser,
                proof=order.call.proof,
                on_progress=on_progress,
            )
        except RunhomeError as error:
            # The runner raises only before anything left for the browser: it surely did not happen.
            return _outcome(Status.FAILED, str(error), error.code, acted=False)
        except Exception as error:
            reference = f"E-{run_id}"
            log.exception("%s: %s of %s", reference, type(error).__name__, order.call.name)
            wrote = order.subroutine.effect is Effect.WRITE
            known = "Whether it happened is not known. " if wrote else ""
            sentence = f"Something went wrong inside Runhome. {known}The log explains it under {reference}."
            return _outcome(Status.UNCONFIRMED if wrote else Status.FAILED, sentence, "INTERNAL", acted=True)

    async def _opened(self, order: _Order) -> Mapping[str, JsonValue]:
        """What the runner gets for the file parameters; read only now: runs that wait hold none."""
        return {
            name: dict(await asyncio.to_thread(self._files.open, file)) for name, file in order.files.items()
        }

    def _new_run(self, order: _Order, status: Status) -> Run:
        now = self._now()
        return Run(
            id=self._new_id(),
            call=order.call,
            effect=order.subroutine.effect,
            version=order.subroutine.version,
            status=status,
            created_at=now,
            started_at=now if status is Status.RUNNING else None,
            browser=order.call.browser,
        )


def _is_same(kept: Call, call: Call) -> bool:
    """Whether two calls with one claim ask for the same. Secret arguments are not kept: they cannot tell."""
    if (kept.name, kept.asked_by, kept.arguments.keys()) != (call.name, call.asked_by, call.arguments.keys()):
        return False
    return all(value in (MASK, call.arguments[name]) for name, value in kept.arguments.items())


def _outcome(status: Status, sentence: str, code: str, *, acted: bool) -> Outcome:
    verdict = Verdict.model_validate({"status": status, "rests_on": sentence})
    return Outcome(verdict=verdict, evidence=Evidence(fault=Fault(code=code, message=sentence)), acted=acted)
