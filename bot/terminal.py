"""What a page or a stranger's file may put on a terminal: text that moves no cursor. It prints nothing."""

import re

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Escape sequences could rewrite what stands above them, directional marks turn a line around."""


def harmless(text: str) -> str:
    """The text without control characters; line breaks and tabs stay."""
    return _CONTROLS.sub("", text)
