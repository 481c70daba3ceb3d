"""Samples to one table of medians and 95th percentiles. Plain text, so that it can be pasted anywhere."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles


@dataclass
class Row:
    """``samples`` in milliseconds, unless ``unit`` says otherwise."""

    what: str
    unit: str = "ms"
    samples: list[float] = field(default_factory=list)
    note: str = ""

    @property
    def median(self) -> float:
        return median(self.samples)

    @property
    def p95(self) -> float:
        return quantiles(self.samples, n=20)[-1] if len(self.samples) > 1 else self.samples[0]


def table(rows: Sequence[Row]) -> str:
    """One line a row: what, median, p95, unit, n, note."""
    width = max(len(row.what) for row in rows)
    lines = [f"{'':{width}}  {'median':>8}  {'p95':>8}        n"]
    for row in rows:
        numbers = f"{row.median:8.1f}  {row.p95:8.1f}  {row.unit:<4} {len(row.samples):4d}"
        lines.append(f"{row.what:{width}}  {numbers}  {row.note}".rstrip())
    return "\n".join(lines)
