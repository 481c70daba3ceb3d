"""How a schedule treats slots that passed and runs that overlap, as words. Decides nothing."""

from enum import StrEnum


class Missed(StrEnum):
    """What becomes of slots that passed while nobody could run them."""

    SKIP = "skip"
    ONCE = "once"
    ASK = "ask"


class Overlap(StrEnum):
    """What becomes of a slot while the run of the one before is under way."""

    SKIP = "skip"
    WAIT = "wait"
