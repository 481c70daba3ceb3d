"""Small stand-ins for runner, catalog, access, notifier and clock. They do what they are told, and no
more."""

import asyncio
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from pydantic import JsonValue

from library.errors import NotAllowed, UnknownName
from library.models import (
    Call,
    ChatRef,
    Effect,
    Evidence,
    Outcome,
    Param,
    Progress,
    Proof,
    Run,
    Status,
    Step,
    Subroutine,
    Verdict,
)
from scheduler.ports import OnProgress

A_MONDAY = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


class FakeClock:
    """A wall clock that moves only when told, in both directions. Call it to read it."""

    def __init__(self, start: datetime = A_MONDAY) -> None:
        self.at = start

    def __call__(self) -> datetime:
        return self.at

    def pass_(self, **duration: float) -> datetime:
        """``clock.pass_(hours=3)``; negative values set the clock back."""
        self.at += timedelta(**duration)
        return self.at


def subroutine(
    name: str = "create-post",
    effect: Effect = Effect.WRITE,
    *,
    params: Mapping[str, Param] | None = None,
) -> Subroutine:
    """An installed subroutine with one text parameter, or with the given ones."""
    return Subroutine(
        name=name,
        version="1.0.0",
        sites=("http://127.0.0.1/*",),
        params={"text": Param(description="What to say")} if params is None else params,
        effect=effect,
        body="return null",
        source=f"/*---\nname: {name}\n---*/\nreturn null",
    )


class FakeFiles:
    """Has files of these names, each with its own name as its content."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def check(self, names: Sequence[str]) -> None:
        for name in names:
            if name not in self.names:
                raise UnknownName("file", name, self.names)

    def open(self, name: str) -> Mapping[str, JsonValue]:
        self.check([name])
        return {"name": name, "type": "text/plain", "data": b64encode(name.encode()).decode()}


class FakeCatalog:
    """Holds the subroutines it was given; without any, one write (create-post) and one read (list-posts)."""

    def __init__(self, *subroutines: Subroutine) -> None:
        chosen = subroutines or (subroutine(), subroutine("list-posts", Effect.READ, params={}))
        self.by_name = {item.name: item for item in chosen}

    def get(self, name: str) -> Subroutine:
        if name not in self.by_name:
            raise UnknownName("subroutine", name, self.names())
        return self.by_name[name]

    def names(self) -> list[str]:
        return sorted(self.by_name)


def outcome(
    status: Status = Status.DONE,
    rests_on: str = "POST /api/posts was answered 201.",
    *,
    value: JsonValue = None,
    acted: bool = True,
    screenshot: bytes | None = None,
) -> Outcome:
    """What a runner gives back, with one step in its trace."""
    return Outcome(
        verdict=Verdict.model_validate({"status": status, "rests_on": rests_on}),
        evidence=Evidence(
            value=value,
            steps=(Step(n=1, helper="click", at_ms=1.0, took_ms=2.0, acted=acted),),
            final_url="http://127.0.0.1/posts/1",
            screenshot=screenshot,
        ),
        browser="home",
        acted=acted,
    )


Script = Outcome | BaseException | Callable[[Mapping[str, JsonValue]], Outcome]


class FakeRunner:
    """Plays what ``script`` says, one entry per run and then ``otherwise``; an exception in it is raised.

    ``runs`` holds (run id, subroutine name, arguments) in the order of their start. After ``hold()``
    every run waits, having set ``started``, until ``let_go()``; a held run that is cancelled ends as
    cancelled.
    """

    def __init__(self, *script: Script, otherwise: Script | None = None) -> None:
        self.script = list(script)
        self.otherwise: Script = otherwise or outcome()
        self.runs: list[tuple[str, str, dict[str, JsonValue]]] = []
        self.under_way: set[str] = set()
        self.most_at_once = 0
        self.started = asyncio.Event()
        self._start = asyncio.Condition()
        self._gate = asyncio.Event()
        self._gate.set()
        self._cancelled: dict[str, asyncio.Event] = {}

    def hold(self) -> None:
        self.started.clear()
        self._gate.clear()

    def let_go(self) -> None:
        self._gate.set()

    async def started_times(self, count: int) -> None:
        """Waits until so many runs have been started in all."""
        async with self._start:
            await self._start.wait_for(lambda: len(self.runs) >= count)

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
        async with self._start:
            self.runs.append((run_id, subroutine.name, dict(arguments)))
            self._start.notify_all()
        said = self.script.pop(0) if self.script else self.otherwise
        if isinstance(said, BaseException):
            raise said
        if on_progress is not None:
            on_progress(Progress(run=run_id, text="half way", fraction=0.5))
        if not await self._passed_gate(run_id):
            return outcome(Status.CANCELLED, "Stopped as you asked.", acted=False)
        return said(arguments) if callable(said) else said

    async def _passed_gate(self, run_id: str) -> bool:
        stop = self._cancelled[run_id] = asyncio.Event()
        self.under_way.add(run_id)
        self.most_at_once = max(self.most_at_once, len(self.under_way))
        self.started.set()
        waits = [asyncio.ensure_future(self._gate.wait()), asyncio.ensure_future(stop.wait())]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
            self.under_way.discard(run_id)
        return not stop.is_set()

    async def cancel(self, run_id: str) -> bool:
        if run_id not in self.under_way:
            return False
        self._cancelled[run_id].set()
        return True


class FakeAccess:
    """Lets everyone ask, except those in ``refused``."""

    def __init__(self, *refused: str) -> None:
        self.refused = set(refused)

    def check(self, call: Call) -> None:
        if call.asked_by in self.refused:
            raise NotAllowed("This chat may not run subroutines. Ask the owner for an invitation.")


class FakeNotifier:
    """Keeps what it was told: ``runs`` that finished with nobody waiting, ``notes`` as (chat, text)."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.notes: list[tuple[ChatRef | None, str]] = []

    async def run_finished(self, run: Run) -> None:
        self.runs.append(run)

    async def note(self, chat: ChatRef | None, text: str) -> None:
        self.notes.append((chat, text))


class FakeHome:
    """A home whose browser is connected, or not, as ``awake`` says; ``asked`` holds the names it was
    asked for."""

    def __init__(self, *, awake: bool = True) -> None:
        self.awake = awake
        self.asked: list[str | None] = []

    async def ensure_browser(self, name: str | None) -> bool:
        self.asked.append(name)
        return self.awake
