"""A person's line taken apart into words and named words, with the quotes that phones type. Pure, untyped.

1. A word ends at white space. ``key=value``, ``--key value`` and ``—key value`` (phones turn two hyphens into
   a dash) are named words when ``key`` is one of the names the caller knows; case does not matter.
2. A value that begins with a quote ends at the closing quote that is followed by white space or the end:
   ``"`` ``'`` “ ” „ ‟ ‘ ’ « ». Within it a backslash makes a closing quote or a backslash itself.
3. A value that begins with ``[`` or ``{`` ends where its brackets do.
4. What is not a named word stays available verbatim by its place in the line.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_CLOSERS = {
    '"': '"”',
    "“": '”"“',
    "”": '”"',
    "„": '“”‟"',
    "‟": '”"',
    "«": "»",
    "»": "«»",
    "'": "'’",
    "‘": "’'",
    "’": "’'",
}
_NAMED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=")
_DASHED = re.compile(r"(?:--|[—–])([A-Za-z_][A-Za-z0-9_]*)(?:=|(?=\s|$))")
_BRACKETS = {"[": "]", "{": "}"}


class UnclosedQuote(ValueError):
    """A quote was opened and never closed."""

    def __init__(self, text: str, start: int) -> None:
        shown = text[start : start + 20].splitlines()[0]
        super().__init__(f"The quote that opens at {shown}… is never closed.")


@dataclass(frozen=True)
class Word:
    """One word of the line; ``name`` is None for a bare one. ``start`` and ``end`` count in the line.

    ``value`` is None for ``--key`` with nothing after it. ``known`` is False for what looks like a named word
    with a name that nobody knows.
    """

    value: str | None
    start: int
    end: int
    name: str | None = None
    quoted: bool = False
    known: bool = True


def split(text: str, names: Sequence[str]) -> list[Word]:
    """All words of ``text``. Raises UnclosedQuote for a named word only; a stray quote elsewhere is text."""
    words: list[Word] = []
    at = _skip_space(text, 0)
    while at < len(text):
        word = _named(text, at, names) or _bare(text, at)
        words.append(word)
        at = _skip_space(text, word.end)
    return words


def quote(value: str) -> str:
    """A value as one word that reads back as the same value, whatever is in it."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("”", "\\”")
    return f'"{escaped}"'


def _named(text: str, at: int, names: Sequence[str]) -> Word | None:
    folded = {name.casefold(): name for name in names}
    found = _DASHED.match(text, at) or _NAMED.match(text, at)
    if found is None:
        return None
    name = folded.get(found[1].casefold())
    if name is None:
        return Word(None, at, _word_end(text, at), found[1], known=False)
    start = found.end()
    if not found[0].endswith("="):
        start = _skip_blanks(text, start)
        if start == len(text) or text[start] == "\n" or _DASHED.match(text, start):
            return Word(None, at, found.end(), name)
    value, end, quoted = _value(text, start)
    return Word(value, at, end, name, quoted)


def _bare(text: str, at: int) -> Word:
    try:
        value, end, quoted = _value(text, at)
    except UnclosedQuote:
        end = _word_end(text, at)
        return Word(text[at:end], at, end)
    return Word(value, at, end, quoted=quoted)


def _value(text: str, start: int) -> tuple[str, int, bool]:
    """The value at ``start``, where it ends, and whether it was quoted."""
    if start < len(text) and text[start] in _CLOSERS:
        return _quoted(text, start)
    end = _bracket_end(text, start) or _word_end(text, start)
    return text[start:end], end, False


def _quoted(text: str, start: int) -> tuple[str, int, bool]:
    closers = _CLOSERS[text[start]]
    value: list[str] = []
    at = start + 1
    while at < len(text):
        char, following = text[at], text[at + 1 : at + 2]
        if char == "\\" and following and following in closers + "\\":
            value.append(following)
            at += 2
        elif char in closers and (not following or following.isspace()):
            return "".join(value), at + 1, True
        else:
            value.append(char)
            at += 1
    raise UnclosedQuote(text, start)


def _bracket_end(text: str, start: int) -> int | None:
    """Where a JSON value that opens at ``start`` ends; None when it does not open or never closes."""
    if start >= len(text) or text[start] not in _BRACKETS:
        return None
    depth, in_text = 0, False
    at = start
    while at < len(text):
        char = text[at]
        if in_text and char == "\\":
            at += 1
        elif char in '"“”':
            in_text = not in_text
        elif not in_text and char in "[{":
            depth += 1
        elif not in_text and char in "]}":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return None


def _word_end(text: str, at: int) -> int:
    while at < len(text) and not text[at].isspace():
        at += 1
    return at


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace() and text[at] != "\n":
        at += 1
    return at
