"""Hours as they are spoken, put into digits: "half past eight", "halb neun", "열시". Pure; decides nothing.

The 24-hour clock, as everywhere without am or pm: "halb neun" is 08:30.
"""

import re
from collections.abc import Iterator

_HOURS = (
    ("one|ein|eins", "한"),
    ("two|zwei", "두"),
    ("three|drei", "세"),
    ("four|vier", "네"),
    ("five|fünf", "다섯"),
    ("six|sechs", "여섯"),
    ("seven|sieben", "일곱"),
    ("eight|acht", "여덟"),
    ("nine|neun", "아홉"),
    ("ten|zehn", "열"),
    ("eleven|elf", "열한"),
    ("twelve|zwölf", "열두"),
)


def _pairs() -> Iterator[tuple[str, str]]:
    for hour, (words, korean) in enumerate(_HOURS, start=1):
        said, before = rf"(?:(?:{words})\b|{hour}(?![\d:]))", hour - 1 or 12
        yield rf"\b(?:half past) {said}", f"{hour}:30"
        yield rf"\bhalb {said}", f"{before}:30"
        yield rf"\b(?:(?:a )?quarter past|viertel nach) {said}", f"{hour}:15"
        yield rf"\b(?:(?:a )?quarter to|viertel vor) {said}", f"{before}:45"
        yield rf"\b(?:{words}) (?=uhr\b|[ap]m\b)", f"{hour} "
        yield rf"\b(at|um) (?:{words})\b", rf"\1 {hour}"
        yield rf"(?<![가-힣]){korean} ?시(?!간)", f"{hour}시"


SPOKEN = tuple((re.compile(pattern), replacement) for pattern, replacement in _pairs())
"""For a text in small letters."""
