"""A shell's words as the line that a chat would have: what the shell took out of its quotes is quoted again.

Pure. ``runhome run NAME key=value ...`` is read by the one grammar of library/arguments.py in this way.
"""

import re
from collections.abc import Sequence

from library.arguments import quote
from library.errors import nearest
from library.models import Subroutine

_NAMED = re.compile(r"(--)?([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_DASHED = re.compile(r"--([A-Za-z_][A-Za-z0-9_]*)")
_NEEDS_QUOTES = re.compile(r"""\s|^["'“”„‟«»‘’\[{]|^$""")


def as_chat_line(words: Sequence[str], subroutine: Subroutine) -> str:
    """``["text=a b"]`` is ``text="a b"`` and ``["--text", "a b"]`` is ``--text "a b"``.

    More bare words than there are parameters for them are one text, as for ``echo``.
    """
    line: list[str] = []
    bare: list[str] = []
    names = {name.casefold() for name in subroutine.params}
    value_follows = False
    for word in words:
        named, dashed = _NAMED.fullmatch(word), _DASHED.fullmatch(word)
        if value_follows:
            line[-1] += f" {quote(word)}"
            value_follows = False
        elif named and (named[2].casefold() in names or nearest(named[2], list(names))):
            line.append(f"{named[2]}={quote(named[3])}")
        elif dashed and dashed[1].casefold() in names:
            line.append(word)
            value_follows = True
        else:
            bare.append(word)
    given = {part.lstrip("-").partition("=")[0].partition(" ")[0].casefold() for part in line}
    return " ".join([*_bare(bare, subroutine, given), *line])


def _bare(words: list[str], subroutine: Subroutine, given: set[str]) -> list[str]:
    """Each for its parameter, in manifest order; the last text takes the rest."""
    order = [
        name for name, param in subroutine.params.items() if param.required and name.casefold() not in given
    ]
    if order and len(words) > len(order) and subroutine.params[order[-1]].type == "string":
        last = len(order) - 1
        words = [*words[:last], " ".join(words[last:])]
    return [quote(word) if _NEEDS_QUOTES.search(word) else word for word in words]
