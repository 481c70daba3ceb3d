"""The error tree of Runhome. Messages of these errors may be shown in a chat; messages of no other error may.

It is split by who must act:

    RunhomeError
    ├── AskError            the person who asked: another word, a missing argument, an unknown name
    │   ├── UnknownName         no subroutine, schedule, browser ... has this name
    │   ├── BadArgument         a value is missing or does not fit its parameter
    │   └── NotAllowed          this chat, or this moment, may not do this
    ├── SubroutineError     the author of the subroutine: the file, its manifest, its body
    │   └── PermissionRefused   the body reached for something that its manifest does not name
    ├── PageError           nobody's fault: the page was not as expected (code: NOT_FOUND, AMBIGUOUS, ...)
    ├── HomeError           the owner of the home: no browser is connected, none is chosen, pairing failed
    │   ├── NoBrowser           no paired browser is connected
    │   ├── BrowserNotChosen    several are connected and none was named
    │   ├── BrowserLost         the connection ended while a call was under way: what happened is not known
    │   └── PairingRefused      a code or a key was wrong, used or too old
    └── SetupError          the owner of the machine: settings, files, database, Chrome
"""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches


class RunhomeError(Exception):
    """Root of the tree. ``str(error)`` is one or two sentences for a person: what was sought, what was there,
    what to try.

    ``code`` is a stable word for programs (``UNKNOWN_NAME``); ``details`` is JSON-ready, never shown.
    """

    code = "RUNHOME_ERROR"

    def __init__(
        self, message: str, *, code: str | None = None, details: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code
        self.details: Mapping[str, object] = details or {}


class AskError(RunhomeError):
    code = "ASK"


class UnknownName(AskError):
    """No thing of this kind has this name; the message offers the nearest ones."""

    code = "UNKNOWN_NAME"

    def __init__(self, kind: str, name: str, known: Sequence[str], *, hint: str = "") -> None:
        """``hint``: one more sentence, on what to do when none of them is meant."""
        near = nearest(name, known)
        offer = (
            f" Did you mean {_either(near)}?"
            if near
            else (f" There is: {', '.join(known[:8])}." if known else "")
        )
        more = f" {hint}" if hint else ""
        super().__init__(f'There is no {kind} named "{name}".{offer}{more}', details={"nearest": near})


class BadArgument(AskError):
    code = "BAD_ARGUMENT"


class NotAllowed(AskError):
    code = "NOT_ALLOWED"


class SubroutineError(RunhomeError):
    """A subroutine's file is wrong. ``line`` counts from 1; ``field`` is a dotted path into the manifest."""

    code = "SUBROUTINE"

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        field: str | None = None,
        code: str | None = None,
        problems: Sequence[Mapping[str, object]] = (),
    ):
        """``problems``: all that were found, each ``{line, field, message}``; ``line`` is the first one's."""
        super().__init__(message, code=code, details={"line": line, "field": field, "problems": problems})
        self.line = line
        self.field = field


class PermissionRefused(SubroutineError):
    code = "PERMISSION_REFUSED"


class PageError(RunhomeError):
    code = "PAGE"


class HomeError(RunhomeError):
    code = "HOME"


class NoBrowser(HomeError):
    code = "NO_BROWSER"


class BrowserNotChosen(HomeError):
    code = "BROWSER_NOT_CHOSEN"


class BrowserLost(HomeError):
    code = "BROWSER_LOST"


class PairingRefused(HomeError):
    code = "PAIRING_REFUSED"


class SetupError(RunhomeError):
    code = "SETUP"


def nearest(name: str, known: Sequence[str], *, most: int = 3) -> list[str]:
    """The names in ``known`` that a person may have meant, best first (Ratcliff-Obershelp, as in difflib)."""
    folded = {item.casefold(): item for item in known}
    return [folded[hit] for hit in get_close_matches(name.casefold(), list(folded), n=most, cutoff=0.5)]


def _either(names: Sequence[str]) -> str:
    quoted = [f'"{name}"' for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
