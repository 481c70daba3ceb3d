"""What the scheduler needs from others, as Protocols: relay and bot satisfy them, the app wires them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from pydantic import JsonValue

from library.models import Call, ChatRef, Outcome, Progress, Proof, Run, Subroutine

OnProgress = Callable[[Progress], None]


class Runner(Protocol):
    """Carries out a call in a browser.

    Raises NoBrowser, BrowserNotChosen or UnknownName *before* anything left for the browser; once
    something left it never raises, it returns an Outcome (a lost browser is an outcome).
    """

    async def run(
        self,
        run_id: str,
        subroutine: Subroutine,
        arguments: Mapping[str, JsonValue],
        *,
        browser: str | None,
        proof: Proof,
        on_progress: OnProgress | None = None,
    ) -> Outcome: ...

    async def cancel(self, run_id: str) -> bool:
        """True when the run was known and told to stop."""
        ...


class Catalog(Protocol):
    """Installed subroutines."""

    def get(self, name: str) -> Subroutine:
        """Raises UnknownName with the nearest names."""
        ...

    def names(self) -> list[str]: ...


class Files(Protocol):
    """The person's own files, by name."""

    def check(self, names: Sequence[str]) -> None:
        """Whether one run can have these. Raises UnknownName with the nearest names, or BadArgument."""
        ...

    def open(self, name: str) -> Mapping[str, JsonValue]:
        """``{name, type, data}``, the data in base64. It may take a while; raises like ``check``."""
        ...


class Access(Protocol):
    """Who may ask; asked at dispatch, with today's rules."""

    def check(self, call: Call) -> None:
        """Raises NotAllowed."""
        ...


class Notifier(Protocol):
    """Where results leave that nobody waits for (schedules, triggers, recovered runs)."""

    async def run_finished(self, run: Run) -> None: ...

    async def note(self, chat: ChatRef | None, text: str) -> None:
        """One or two sentences about something that is not a run: a disabled schedule, a missed slot, a
        paused queue. Without a chat it goes to the owner."""
        ...


class Home(Protocol):
    """The machine where the browser runs."""

    async def ensure_browser(self, name: str | None) -> bool:
        """Starts the browser when it may (``browser.autostart``); True when one is connected afterwards."""
        ...
