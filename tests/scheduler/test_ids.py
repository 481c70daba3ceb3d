"""Run ids: short, readable, in order."""

import re

from scheduler.ids import RunIds
from tests.fakes import FakeClock


def test_ids_are_an_r_and_twelve_unmistakable_characters() -> None:
    assert re.fullmatch(r"r[0-9a-hjkmnp-tv-z]{12}", RunIds(FakeClock())())


def test_later_ids_sort_after_earlier_ones_within_and_across_milliseconds() -> None:
    clock = FakeClock()
    new_id = RunIds(clock)
    ids = [new_id() for _ in range(500)]
    clock.pass_(seconds=1)
    ids += [new_id() for _ in range(500)]
    clock.pass_(seconds=-30)
    ids += [new_id() for _ in range(500)]
    assert ids == sorted(set(ids))
