"""Why a text is no moment or rule, said to the person: what was understood, and what to write instead."""

import re
from collections.abc import Sequence

from library.errors import AskError

EXAMPLES = ("daily 09:00", "tomorrow 9am")

_KNOWN = re.compile(
    r"""daily|every|each|weekdays?|weekends?|today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)days?
    |mon|tue|wed|thu|fri|sat|sun|noon|midnight|month|last|day|of|between|and|at|on|in|to|cron|until
    |hours?|minutes?|weeks?|days?|\d{1,2}:\d\d(?:am|pm)?|\d{1,2}(?:am|pm)|\d+[hmd]?|\d{4}-\d\d-\d\d""",
    re.VERBOSE,
)


class WhenNotUnderstood(AskError):
    """A text is not one clear time. ``readings`` are clear texts, each of which may be sent instead.

    Codes: WHEN_NOT_UNDERSTOOD, WHEN_AMBIGUOUS (more than one reading), WHEN_PAST, WHEN_IMPOSSIBLE.
    """

    code = "WHEN_NOT_UNDERSTOOD"

    def __init__(
        self, message: str, *, code: str = "WHEN_NOT_UNDERSTOOD", readings: Sequence[str] = ()
    ) -> None:
        super().__init__(message, code=code, details={"readings": list(readings)})
        self.readings = tuple(readings)


def is_known(word: str) -> bool:
    """Whether an English word is one of those that times are made of."""
    return bool(_KNOWN.fullmatch(word))


def not_understood(text: str, english: str) -> WhenNotUnderstood:
    """``text`` as it was typed, ``english`` as it was read."""
    words = english.replace(",", " ").split()
    known = [word for word in words if is_known(word)]
    strange = [word for word in words if not is_known(word)]
    if not words:
        seen = "A time is missing."
    elif known and strange:
        seen = f"I understood {_quoted(known)}, but not {_quoted(strange)}."
    elif known:
        seen = f'I know the words of "{text.strip()}", but they do not say when.'
    else:
        seen = f'I understood nothing of "{text.strip()}" as a time.'
    return WhenNotUnderstood(f"{seen} {_examples(EXAMPLES)}")


def ambiguous(
    text: str, readings: Sequence[str], why: str = "can be read in more than one way"
) -> WhenNotUnderstood:
    return WhenNotUnderstood(
        f'"{text.strip()}" {why}. Did you mean {_either(readings)}?',
        code="WHEN_AMBIGUOUS",
        readings=readings,
    )


def past(text: str, shown: str, readings: Sequence[str]) -> WhenNotUnderstood:
    """``shown`` is the moment that was understood; ``readings`` are later ones that may have been meant."""
    hint = f" Did you mean {_either(readings)}?" if readings else ""
    return WhenNotUnderstood(
        f'"{text.strip()}" is {shown}, which is past.{hint or " " + _examples(EXAMPLES)}',
        code="WHEN_PAST",
        readings=readings,
    )


def impossible(why: str, readings: Sequence[str] = EXAMPLES) -> WhenNotUnderstood:
    return WhenNotUnderstood(f"{why} {_examples(readings)}", code="WHEN_IMPOSSIBLE", readings=readings)


def _examples(texts: Sequence[str]) -> str:
    return f"Write for example {_either(texts)}."


def _either(texts: Sequence[str]) -> str:
    return " or ".join(f'"{text}"' for text in texts)


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f'"{word}"' for word in words)
