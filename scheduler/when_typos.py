"""Words that were probably meant for a word of time, and mistyped: "tomorow". Pure; reads no WHEN."""

from collections.abc import Sequence
from difflib import get_close_matches

ALIKE = 0.8
"""Ratcliff-Obershelp, as in difflib: one letter in about eight."""
SHORTEST = 4

_WORDS = tuple(
    "daily every weekdays weekends weekly monthly today tomorrow tonight hours minutes weeks month between "
    "monday tuesday wednesday thursday friday saturday sunday "
    "täglich werktags heute morgen übermorgen stunden minuten "
    "montag dienstag mittwoch donnerstag freitag samstag sonntag".split()
)


def typo_hint(tokens: Sequence[str]) -> str:
    """One sentence about the last word that is nearly one of time; empty without any."""
    for token in reversed(tokens):
        word = token.casefold().strip(",.")
        if len(word) < SHORTEST or word in _WORDS:
            continue
        near = get_close_matches(word, _WORDS, n=1, cutoff=ALIKE)
        if near and near[0].rstrip("s") != word.rstrip("s"):
            return f' Or is "{token}" meant as "{near[0]}"?'
    return ""
