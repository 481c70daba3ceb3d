"""The words after ``/queue VERB``: which queue, which item, how many, in which browser. It changes none."""

import re

from bot.verbs import name_of
from library.errors import AskError
from scheduler.queue_rows import Queue
from scheduler.queues import Queues


async def named(queues: Queues, words: str) -> tuple[Queue, str]:
    """The queue that the first word names, and the rest. Raises AskError, UnknownName."""
    first, *rest = words.split(maxsplit=1) or [""]
    if not first:
        names = ", ".join(queue.name for queue in await queues.all())
        raise AskError(f"Say which queue. There is: {names or 'none yet'}. /queue help shows how.")
    return await queues.get(name_of(first)), rest[0] if rest else ""


def number(words: str, *, how: str) -> tuple[int, str]:
    """The number that the words begin with, and the rest. Raises AskError, with ``how`` to send it."""
    found = re.match(r"#?(\d{1,9})(?:\s+|$)", words)
    if found is None:
        where = f'before "{words}"' if words else "at the end"
        raise AskError(f"A number is missing {where}. Send it like this:\n{how}")
    return int(found[1]), words[found.end() :]


def how_many(words: str, *, how: str) -> tuple[int | None, str | None]:
    """``5 browser=home``: both may be left out. Raises AskError, with ``how`` to send it."""
    most = browser = None
    for word in words.split():
        name, equals, value = word.partition("=")
        if equals and name.casefold() == "browser" and value:
            browser = name_of(value)
        else:
            most, _ = number(word, how=how)
            if most < 1:
                raise AskError(f"At least one row is to be sent. Send it like this:\n{how}")
    return most, browser
