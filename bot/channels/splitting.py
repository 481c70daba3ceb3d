"""Long texts into parts that a provider takes. Pure; knows no provider, only its limit in UTF-16 units."""

import re

_PLACES = (re.compile(r"\n\n+"), re.compile(r"\n"), re.compile(r"(?<=[.!?。]) "), re.compile(r"\s"))
"""Where to cut, best first: between paragraphs, lines, sentences, words."""
_JOINED = re.compile(r"[\u0300-\u036f\u200d\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff]")
"""Marks and joiners that belong to the character before them."""


def utf16_length(text: str) -> int:
    """How Telegram and WhatsApp count: a character outside the basic plane counts twice."""
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)


def clean(text: str) -> str:
    """What can be sent: halves of surrogate pairs joined or replaced by U+FFFD, no NUL."""
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.replace("\x00", "")


def split(text: str, most: int, *, first: int | None = None) -> list[str]:
    """Parts of at most ``most`` UTF-16 units, the first of at most ``first``; no white space at the cuts.

    A cut falls between paragraphs if that leaves a part at least half full, else lines, sentences, words;
    inside a word only when there is no other place, and never inside what shows as one character.
    """
    parts: list[str] = []
    rest = text.strip()
    room = most if first is None else first
    while utf16_length(rest) > room:
        cut = _cut(rest, _fitting(rest, room))
        parts.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
        room = most
    return [*parts, rest] if rest else parts


def _fitting(text: str, room: int) -> int:
    """How many characters of ``text`` fit into ``room`` units."""
    used = 0
    for index, character in enumerate(text):
        used += 2 if ord(character) > 0xFFFF else 1
        if used > room:
            return index
    return len(text)


def _cut(text: str, fitting: int) -> int:
    for place in _PLACES:
        ends = [found.start() for found in place.finditer(text, 0, fitting + 1)]
        if ends and ends[-1] >= fitting // 2:
            return ends[-1]
    cut = fitting
    while cut > 1 and (_JOINED.match(text[cut]) or text[cut - 1] == "\u200d"):
        cut -= 1
    return cut if cut > 1 else fitting
