"""Names for runs: short, typed by people, sortable by time. Not secrets."""

import secrets
from collections.abc import Callable
from datetime import datetime

CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
"""Douglas Crockford's base 32: no i, l, o, u, so that nothing is misread on a phone."""

RANDOM_BITS = 18
"""Of 60; the other 42 are milliseconds since 1970, which last until 2109."""


class RunIds:
    """Call it for the next id: ``r`` and 12 characters, later ids sort after earlier ones of this process."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._last = 0

    def __call__(self) -> str:
        milliseconds = int(self._now().timestamp() * 1000)
        fresh = (milliseconds << RANDOM_BITS) | secrets.randbits(RANDOM_BITS)
        self._last = max(fresh, self._last + 1)
        return "r" + _base32(self._last)


def _base32(number: int) -> str:
    return "".join(CROCKFORD[(number >> shift) & 31] for shift in range(55, -1, -5))
