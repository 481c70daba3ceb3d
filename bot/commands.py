"""What a person can ask for, as frozen types. It neither reads text (``bot.verbs``) nor answers.

Arguments of a call stay text here (``words``): only ``library.arguments`` knows the parameters they are for.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    name: str
    words: str = ""


@dataclass(frozen=True)
class Again:
    """The same call once more; ``browser`` when it was not said the first time which one."""

    run: str
    browser: str | None = None


@dataclass(frozen=True)
class Stop:
    run: str | None = None


@dataclass(frozen=True)
class Worked:
    run: str


@dataclass(frozen=True)
class Didnt:
    run: str


@dataclass(frozen=True)
class Proof:
    run: str


@dataclass(frozen=True)
class Status:
    run: str | None = None


@dataclass(frozen=True)
class Library:
    name: str | None = None


@dataclass(frozen=True)
class Browsers:
    pass


@dataclass(frozen=True)
class Help:
    topic: str | None = None


@dataclass(frozen=True)
class Start:
    """The first message Telegram sends; a link ``t.me/BOT?start=CODE`` brings the invite code along."""

    code: str | None = None


@dataclass(frozen=True)
class Pair:
    code: str


@dataclass(frozen=True)
class Schedule:
    name: str
    words: str = ""


@dataclass(frozen=True)
class Schedules:
    pass


@dataclass(frozen=True)
class Pause:
    what: str


@dataclass(frozen=True)
class Resume:
    what: str


@dataclass(frozen=True)
class Unschedule:
    what: str


@dataclass(frozen=True)
class Next:
    pass


@dataclass(frozen=True)
class Trigger:
    """Run a schedule's call now."""

    what: str
    words: str = ""


@dataclass(frozen=True)
class NewTrigger:
    """``/trigger new CALL on EVENT``; ``words`` is everything after ``new``."""

    words: str


@dataclass(frozen=True)
class Triggers:
    pass


@dataclass(frozen=True)
class CheckResults:
    what: str | None = None
    since: str = ""
    csv: bool = False


@dataclass(frozen=True)
class Queue:
    """``/queue VERB WORDS``; the verbs are known where queues are."""

    verb: str | None = None
    words: str = ""


@dataclass(frozen=True)
class TimeZone:
    name: str | None = None


@dataclass(frozen=True)
class Files:
    """Files without a command; ``text`` is what was written with them."""

    text: str


@dataclass(frozen=True)
class Plain:
    """Text without a command."""

    text: str


@dataclass(frozen=True)
class Incomplete:
    """A known command without what it needs; ``usage`` shows how it is meant."""

    usage: str


@dataclass(frozen=True)
class Unknown:
    verb: str
    nearest: str | None


Command = (
    Run
    | Again
    | Stop
    | Worked
    | Didnt
    | Proof
    | Status
    | Library
    | Browsers
    | Help
    | Start
    | Pair
    | Schedule
    | Schedules
    | Pause
    | Resume
    | Unschedule
    | Next
    | Trigger
    | NewTrigger
    | Triggers
    | CheckResults
    | Queue
    | TimeZone
    | Files
    | Plain
    | Incomplete
    | Unknown
)
