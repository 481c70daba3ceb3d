"""Rows of a sheet -> arguments of one subroutine: headers matched, every row checked, a preview. Pure.

1. ``match_headers``: a header that is a parameter's name (case, spaces, - and _ aside) is sure; for others
   the nearest parameters are offered, and count only when the person has confirmed them.
2. ``typed_rows``: each row becomes a GoodRow or a BadRow with the reason; no row stops the others.
3. ``preview``: the first three as they will be sent, and the counts; for the person to agree to.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from library.arguments import parse_named
from library.errors import BadArgument, nearest
from library.models import Param, Subroutine
from scheduler.run_rows import MASK
from scheduler.sheets import Row
from scheduler.wall_clock import moments_of
from scheduler.when_dates import read_date
from scheduler.when_problems import WhenNotUnderstood
from scheduler.when_times import TIME, read_time

SHOWN_ROWS = 3
_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt].*(?:[Zz]|[+-]\d\d:\d\d)")
_DATE_AND_TIME = re.compile(rf"(.+?)(?:[T ]+({TIME}|\d{{1,2}}:\d\d:\d\d))?", re.IGNORECASE)


@dataclass(frozen=True)
class Matching:
    """Which column of a sheet is which parameter. Import only when ``missing`` is empty."""

    columns: Mapping[int, str]
    """Column number from 0 -> parameter."""
    offers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Header that is no parameter -> nearest free parameters, best first; to be confirmed or left out."""
    left_out: tuple[str, ...] = ()
    """Headers that are like no parameter."""
    missing: tuple[str, ...] = ()
    """Required parameters without a column."""


@dataclass(frozen=True)
class GoodRow:
    line: int
    arguments: Mapping[str, JsonValue]
    """A value for every parameter, checked, with its default where the cell is empty."""


@dataclass(frozen=True)
class BadRow:
    line: int
    cells: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Preview:
    first: tuple[Mapping[str, JsonValue], ...]
    """At most three rows as they will be sent; secret values are masked."""
    good: int
    bad: int


def match_headers(header: Sequence[str], subroutine: Subroutine) -> Matching:
    """Raises BadArgument where two columns are the same parameter."""
    params = {_folded(name): name for name in subroutine.params}
    columns: dict[int, str] = {}
    for number, title in enumerate(header):
        name = title if title in subroutine.params else params.get(_folded(title))
        if name is None:
            continue
        if name in columns.values():
            raise BadArgument(f'Two columns are "{name}"; leave one, or rename the other.')
        columns[number] = name
    free = [name for name in subroutine.params if name not in columns.values()]
    others = [title for number, title in enumerate(header) if title and number not in columns]
    offers = {title: near for title in others if (near := nearest(title, free))}
    return Matching(
        columns=columns,
        offers=offers,
        left_out=tuple(title for title in others if title not in offers),
        missing=_missing(columns, subroutine),
    )


def confirm(
    matching: Matching, header: Sequence[str], chosen: Mapping[str, str], subroutine: Subroutine
) -> Matching:
    """The matching with the offers that the person took: header -> parameter. Raises BadArgument."""
    columns = dict(matching.columns)
    for title, name in chosen.items():
        if title not in header:
            raise BadArgument(f'There is no column "{title}". Columns: {", ".join(header)}.')
        if name not in subroutine.params:
            raise BadArgument(f'"{name}" is no parameter. There is: {", ".join(subroutine.params)}.')
        if name in columns.values():
            raise BadArgument(f'"{name}" has a column already.')
        columns[header.index(title)] = name
    offers = {title: near for title, near in matching.offers.items() if title not in chosen}
    left_out = tuple(title for title in matching.left_out if title not in chosen)
    missing = _missing(columns, subroutine)
    return replace(matching, columns=columns, offers=offers, left_out=left_out, missing=missing)


def typed_rows(
    rows: Iterable[Row], matching: Matching, subroutine: Subroutine, *, zone: str
) -> Iterator[GoodRow | BadRow]:
    """Reads lazily. ``zone`` is for dates without an offset. An empty cell means the parameter's default."""
    clock = ZoneInfo(zone)
    dates = {name for name, param in subroutine.params.items() if _is_date(param)}
    for row in rows:
        words = {name: row.cells[number] for number, name in matching.columns.items() if row.cells[number]}
        try:
            yield GoodRow(row.line, _arguments(words, dates, clock, subroutine))
        except BadArgument as error:
            yield BadRow(row.line, row.cells, str(error))


def preview(
    rows: Iterable[GoodRow | BadRow],
    subroutine: Subroutine,
    *,
    on_good: Callable[[GoodRow], None] | None = None,
    on_bad: Callable[[BadRow], None] | None = None,
) -> Preview:
    """Goes through all rows in bounded memory, and hands each on: to be kept, or to be sent back."""
    first: list[Mapping[str, JsonValue]] = []
    good = bad = 0
    for row in rows:
        if isinstance(row, BadRow):
            bad += 1
            if on_bad is not None:
                on_bad(row)
            continue
        good += 1
        if on_good is not None:
            on_good(row)
        if len(first) < SHOWN_ROWS:
            first.append(_masked(row.arguments, subroutine))
    return Preview(first=tuple(first), good=good, bad=bad)


def _arguments(
    words: dict[str, str], dates: Collection[str], clock: ZoneInfo, subroutine: Subroutine
) -> Mapping[str, JsonValue]:
    """Raises BadArgument with every problem of the row."""
    problems: list[str] = []
    for name in [name for name in words if name in dates]:
        try:
            words[name] = read_date_time(words[name], clock)
        except (BadArgument, WhenNotUnderstood) as error:
            is_secret = subroutine.params[name].secret
            problems.append(f"{name}: {'is no date (it is secret)' if is_secret else error}")
            del words[name]
            subroutine = _without_need(subroutine, name)
    try:
        typed = parse_named(words, subroutine)
    except BadArgument as error:
        problems.append(str(error))
    if problems:
        raise BadArgument("\n".join(problems))
    return {name: typed.get(name, param.default) for name, param in subroutine.params.items()}


def _without_need(subroutine: Subroutine, name: str) -> Subroutine:
    """So that a value whose problem is known is not called missing too."""
    free = subroutine.params[name].model_copy(update={"required": False})
    return subroutine.model_copy(update={"params": {**subroutine.params, name: free}})


def read_date_time(text: str, zone: ZoneInfo) -> str:
    """RFC 3339 text as it is; other whole dates on the clock of the zone, at 00:00 where no time is said.

    Raises WhenNotUnderstood or BadArgument: no date, no year, two readings.
    """
    text = text.strip()
    if _RFC_3339.fullmatch(text):
        return text
    found = _DATE_AND_TIME.fullmatch(text)
    day = read_date(found[1].casefold(), date(2000, 1, 1), found[2] or "") if found else None
    if found is None or day is None or not re.search(r"\d{4}", found[1]):
        raise BadArgument(f'"{text}" is no date with a year, such as 2026-12-24 or 2026-12-24 18:00.')
    at = _time_of_day(found[2]) if found[2] else time()
    moments = moments_of(datetime.combine(day, at), zone)
    if len(moments) != 1:
        often = "twice" if moments else "never"
        raise BadArgument(
            f'"{text}" comes {often} in {zone.key}; write it with its offset, +01:00 for example.'
        )
    return moments[0].astimezone(UTC if zone.key == "UTC" else zone).isoformat()


def _time_of_day(text: str) -> time:
    if text.count(":") == 2:
        hour, minute, second = map(int, text.split(":"))
        if hour > 23 or minute > 59 or second > 59:
            raise BadArgument(f'"{text}" is no time of day.')
        return time(hour, minute, second)
    return read_time(text.casefold())


def _is_date(param: Param) -> bool:
    return param.type == "string" and param.format == "date-time"


def _missing(columns: Mapping[int, str], subroutine: Subroutine) -> tuple[str, ...]:
    taken = set(columns.values())
    return tuple(
        name
        for name, param in subroutine.params.items()
        if param.required and param.default is None and name not in taken
    )


def _masked(arguments: Mapping[str, JsonValue], subroutine: Subroutine) -> Mapping[str, JsonValue]:
    return {
        name: MASK if subroutine.params[name].secret and value is not None else value
        for name, value in arguments.items()
    }


def _folded(title: str) -> str:
    return re.sub(r"[\s_-]+", "", unicodedata.normalize("NFKC", title).casefold())
