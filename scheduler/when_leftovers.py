"""Words of a time that stand before a WHEN and are no part of it: "every 2 weeks | on friday 9am". Pure.

They are hardly meant as arguments: whoever reads a line must refuse it, or the rule would be another one than
was said.
"""

import re
from collections.abc import Sequence

from scheduler.when_days import DAY
from scheduler.when_problems import EXAMPLES, WhenNotUnderstood, impossible, is_known
from scheduler.when_words import in_english

_LEADS = re.compile(
    r"every|each|next|last|other|first|second|third|fourth|fifth|\d+(?:st|nd|rd|th)"
    r"|(?:bi|fortnight)?(?:daily|weekly|monthly|ly)|(?:erst|zweit|dritt|viert|letzt)e[nrs]?"
    r"|격주로?|첫째|둘째|셋째|넷째|지난"
)
"""They say which of the days that follow; no text ends with them."""
_DAYS = re.compile(rf"{DAY}|today|tomorrow|\d{{4}}-\d\d-\d\d|\d{{1,2}}(?::\d\d)?(?:am|pm)|\d{{1,2}}:\d\d")
"""Arguments that are nothing else are another time."""
_BETWEEN = re.compile(r"or|oder|and|this|week|weeks?|months?|days?|hours?|minutes?|주|\d+[.]?")


def leftover(
    before: Sequence[str], when: str, refusals: Sequence[tuple[int, WhenNotUnderstood]]
) -> WhenNotUnderstood | None:
    """``before``: the words before a WHEN. ``refusals``: of longer ends of the line, each with the number of
    the word at which it begins."""
    tail = len(before)
    while tail and all(_is_of_time(word) for word in in_english(before[tail - 1]).split()):
        tail -= 1
    for began, refusal in refusals:
        if began >= tail and refusal.code != WhenNotUnderstood.code:
            return refusal
    said = " ".join(before[tail:])
    # Weekdays of two letters ("do", "so") are words of other languages too.
    words = in_english(
        " ".join(word for word in before[tail:] if not re.fullmatch(r"[a-z]{2}", word))
    ).split()
    if not any(_LEADS.fullmatch(word) or (not tail and _DAYS.fullmatch(word)) for word in words):
        return None
    return impossible(
        f'I understood "{when}", but not "{said}" before it. Where that is the text, put it in quotes.',
        (*EXAMPLES[:1], "every friday 09:00"),
    )


def _is_of_time(word: str) -> bool:
    return is_known(word) or any(known.fullmatch(word) for known in (_LEADS, _DAYS, _BETWEEN))
