"""Reads the text of one message: text to Command by the table of command words. Pure and never raises."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.commands import (
    Again,
    Browsers,
    CheckResults,
    Command,
    Didnt,
    Help,
    Incomplete,
    Library,
    NewTrigger,
    Next,
    Pair,
    Pause,
    Plain,
    Proof,
    Queue,
    Resume,
    Run,
    Schedule,
    Schedules,
    Start,
    Status,
    Stop,
    TimeZone,
    Trigger,
    Triggers,
    Unknown,
    Unschedule,
    Worked,
)
from library.errors import nearest


@dataclass(frozen=True)
class Verb:
    """One command word. ``summary`` is its line in the menu; a verb without one is for buttons."""

    word: str
    usage: str
    read: Callable[[str], Command | None]
    """The rest of the text to a command; None when something is missing."""
    kind: type
    summary: str = ""
    more: str = ""
    """Lines with its other forms and examples, for /help and where something is missing."""

    @property
    def how(self) -> str:
        return f"{self.usage}\n{self.more}" if self.more else self.usage


def parse(text: str) -> Command:
    """The command in one message. ``/run@mybot``, capitals, a full-width slash, leading spaces: all fine."""
    found = _COMMAND.match(text)
    if not found:
        return Plain(text.strip())
    word, rest = found["word"].casefold().replace("-", "_"), found["rest"].strip()
    verb = VERBS.get(word)
    if verb is None:
        near = nearest(word, list(VERBS), most=1)
        return Unknown(word, near[0] if near else None)
    return verb.read(rest) or Incomplete(verb.how)


_COMMAND = re.compile(r"\s*[/／](?P<word>[^\W\d][\w-]*)(?:@\w+)?(?P<rest>(?!\S)[\s\S]*)")  # noqa: RUF001
_GAP = re.compile(r"[^\S\n]+|(?=\n)")
"""After a name come spaces, or a new line, which is kept: it says that what follows is text, not options."""
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−", "-"))  # noqa: RUF001 phones type these for hyphens
_QUOTES = "\"'“”„‟‘’‚‛«»`"  # noqa: RUF001 and these for quotes


def _head(text: str) -> tuple[str, str]:
    """The first word as a plain name, and everything after it exactly as it was typed."""
    word, rest = re.split(_GAP, text, maxsplit=1) if re.search(_GAP, text) else (text, "")
    return name_of(word), rest


def name_of(word: str) -> str:
    """A name as it was meant: without quotes and ``#``, with plain hyphens."""
    return word.translate(_DASHES).strip(_QUOTES + "#,;")


def _flag(word: str) -> str:
    """``—csv`` and ``--csv`` are both ``csv``; a word that is no option is empty."""
    plain = word.translate(_DASHES)
    return plain.lstrip("-").casefold() if plain.startswith("-") else ""


def _bare(kind: Callable[[], Command]) -> Callable[[str], Command | None]:
    return lambda rest: kind()


def _one(kind: Callable[[str], Command]) -> Callable[[str], Command | None]:
    return lambda rest: kind(_head(rest)[0]) if _head(rest)[0] else None


def _optional(kind: Callable[[str | None], Command]) -> Callable[[str], Command | None]:
    return lambda rest: kind(_head(rest)[0] or None)


def _named(kind: Callable[[str, str], Command]) -> Callable[[str], Command | None]:
    return lambda rest: kind(*_head(rest)) if _head(rest)[0] else None


def _again(rest: str) -> Command | None:
    run, browser = _head(rest)
    return Again(run, name_of(browser) or None) if run else None


def _time_zone(rest: str) -> Command:
    """All of the words: ``New York``."""
    return TimeZone(name_of(rest.strip()) or None)


def _trigger(rest: str) -> Command | None:
    what, words = _head(rest)
    if what.casefold() == "new":
        return NewTrigger(words) if words else None
    return Trigger(what, words) if what else None


def _queue(rest: str) -> Command:
    verb, words = _head(rest)
    return Queue(verb.casefold() or None, words)


def _check_results(rest: str) -> Command:
    words = [word for word in rest.split() if _flag(word) != "csv"]
    what, since = _head(" ".join(words))
    return CheckResults(what or None, since, csv=len(words) < len(rest.split()))


SCHEDULE_MORE = """
For example:
/schedule create-post text="Good morning" weekdays 8:30
/schedule list-posts every 2h
/schedule create-post on friday at 9 from QUEUE take 1

After the time: tz=Europe/Berlin, missed=skip|once|ask, overlap=skip|wait, from QUEUE take N, jitter=5m, \
until DATE, times=N, browser=NAME, quiet=on"""

TRIGGER_MORE = """\
/trigger new CALL on webhook
/trigger new CALL on done of NAME (or failed, unconfirmed)
/trigger new CALL on change of NAME

For example:
/trigger new create-post text=Hello on done of list-posts"""

GUARD_MORE = """\
/queue guard NAME most=5 gap=10m quiet=22:00-07:00 norepeat=30
(NAME is a queue, a subroutine, or a site for one account)"""

QUEUE_MORE = f"""\
/queue new NAME for SUBROUTINE
/queue add NAME, with lines of text or a .csv, .tsv or .xlsx file
/queue show NAME
/queue run NAME [how many] [browser=NAME]
/queue stop, pause, resume or delete NAME
/queue results NAME
/queue skip, remove, allow or again NAME ITEM
/queue move NAME ITEM PLACE
/queue edit NAME ITEM key=value
{GUARD_MORE}"""


VERBS = {
    verb.word: verb
    for verb in (
        Verb("run", "/run NAME arguments", _named(Run), Run, "Do something in your browser"),
        Verb("status", "/status [RUN]", _optional(Status), Status, "What ran and what is running"),
        Verb("stop", "/stop [RUN]", _optional(Stop), Stop, "Stop what is running"),
        Verb("library", "/library [NAME]", _optional(Library), Library, "What can be run"),
        Verb("browsers", "/browsers", _bare(Browsers), Browsers, "Your browsers and their tabs"),
        Verb(
            "schedule",
            "/schedule NAME arguments WHEN",
            _named(Schedule),
            Schedule,
            "Run it at a time",
            SCHEDULE_MORE,
        ),
        Verb("schedules", "/schedules", _bare(Schedules), Schedules, "What is scheduled"),
        Verb("pause", "/pause NAME or #ID", _one(Pause), Pause, "Pause a schedule or a trigger"),
        Verb("resume", "/resume NAME or #ID", _one(Resume), Resume, "Go on with what was paused"),
        Verb("unschedule", "/unschedule NAME or #ID", _one(Unschedule), Unschedule, "Delete one of them"),
        Verb("next", "/next", _bare(Next), Next, "What comes in the next 24 hours"),
        Verb(
            "trigger",
            "/trigger NAME or #ID",
            _trigger,
            Trigger,
            "Run a schedule now, or set a trigger",
            TRIGGER_MORE,
        ),
        Verb("triggers", "/triggers", _bare(Triggers), Triggers, "What runs on an event"),
        Verb(
            "check_schedule_results",
            "/check_schedule_results [NAME or #ID] [since] [--csv]",
            _check_results,
            CheckResults,
            "What became of each due time",
        ),
        Verb("queue", "/queue VERB ...", _queue, Queue, "Rows to post one after another", QUEUE_MORE),
        Verb("tz", "/tz [ZONE]", _time_zone, TimeZone, "This chat's time zone"),
        Verb("help", "/help [COMMAND]", _optional(Help), Help, "What you can send"),
        Verb("pair", "/pair CODE", _one(Pair), Pair),
        Verb("start", "/start", _optional(Start), Start),
        Verb("again", "/again RUN [BROWSER]", _again, Again),
        Verb("worked", "/worked RUN", _one(Worked), Worked),
        Verb("didnt", "/didnt RUN", _one(Didnt), Didnt),
        Verb("proof", "/proof RUN", _one(Proof), Proof),
    )
}
