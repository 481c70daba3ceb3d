"""What follows ``/schedule NAME``: arguments, a WHEN, options, told apart. Pure; arguments stay text.

1. Words in quotes and ``key=value`` words are never part of a WHEN.
2. Options are read from the end of the line; what stands before the WHEN is arguments, whatever it is called.
3. The WHEN is the longest end of the rest that reads as one.
"""

import re
from collections.abc import Callable
from datetime import datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from library.errors import BadArgument, nearest
from library.models import Word
from scheduler.rules import Once, Rule, limited
from scheduler.terms import Missed, Overlap
from scheduler.wall_clock import moments_of, once_a_day, zone_named
from scheduler.when import every_week, parse
from scheduler.when_dates import read_date
from scheduler.when_days import read_near_day
from scheduler.when_leftovers import leftover
from scheduler.when_problems import WhenNotUnderstood, not_understood, past
from scheduler.when_times import LENGTH, TIME, read_length, read_time
from scheduler.when_typos import typo_hint
from scheduler.when_words import in_english

MOST_TIMES = 10_000
_TOKEN = re.compile(
    r"""(?:[^\s"'“”„]|"(?:\\.|[^"\\])*"|(?<![^\s=])'(?:\\.|[^'\\])*'|[“„][^“”]*[“”]|\S)+?(?=\s|$)"""
)


class Options(Word):
    """None means that the person did not say."""

    tz: str | None = None
    missed: Missed | None = None
    window: timedelta | None = None
    overlap: Overlap | None = None
    queue: str | None = None
    take: int | None = None
    jitter: timedelta | None = None
    until: datetime | None = None
    times: int | None = None
    browser: str | None = None
    quiet: bool | None = None


class ScheduleLine(Word):
    """``arguments`` and ``when`` as they were typed; ``until`` and ``times`` are in the rule already."""

    arguments: str
    when: str
    rule: Rule
    options: Options


def split(text: str, *, now: datetime, zone: str) -> ScheduleLine:
    """Reads a whole line; ``zone`` is the chat's, ``tz=`` in the line wins.

    Raises WhenNotUnderstood (no clear WHEN), BadArgument (an option's value), UnknownName (time zone).
    """
    spans = list(_TOKEN.finditer(text))
    tokens, said = _options([_closed(span[0]) for span in spans])
    zone = zone_named(said.get("tz", zone)).key
    start, rule = _when(tokens, now, zone)
    options = _read(said, now, zone)
    _check_once(" ".join(tokens[start:]), rule, options)
    return ScheduleLine(
        arguments=text[: spans[start].start()].strip(),
        when=text[spans[start].start() : spans[len(tokens) - 1].end()],
        rule=limited(rule, now=now, until=options.until, times=options.times),
        options=options,
    )


def read_until(text: str, *, now: datetime, zone: str) -> datetime:
    """The last moment of a day (``2026-12-31``), or a moment (``2026-12-31 18:00``), in UTC."""
    clock = ZoneInfo(zone)
    english = in_english(text)
    found = re.fullmatch(rf"(.+?) ({TIME})", english)
    local, at = now.astimezone(clock), time(23, 59)
    day = read_near_day(english, local, at) or read_date(english, local.date(), "18:00")
    if day is None and found:
        at = read_time(found[2])
        day = read_near_day(found[1], local, at) or read_date(found[1], local.date(), found[2])
    if day is None:
        raise not_understood(text, english)
    wall = datetime.combine(day, at)
    moments = moments_of(wall, clock)
    moment = moments[-1] if moments else once_a_day(wall, clock)
    if moment is None or moment <= now:
        raise past(text, f"{wall:%Y-%m-%d %H:%M}", ())
    return moment


def _closed(token: str) -> str:
    if re.match(r"""(?:[^\s"'“„]+=)?["“„][^"“”]*$""", token):
        raise BadArgument(f"A quote is opened and not closed: {token}")
    return token


def _options(tokens: list[str]) -> tuple[list[str], dict[str, str]]:
    """The tokens before the options, and the options by name as text."""
    said: dict[str, str] = {}
    while tokens:
        for take in (_key_value, _until, _from_queue):
            count, found = take(tokens)
            if count:
                twice = set(found) & set(said)
                if twice:
                    raise BadArgument(f'The option "{min(twice)}" is there twice; leave one.')
                said |= found
                tokens = tokens[:-count]
                break
        else:
            break
    return tokens, said


def _key_value(tokens: list[str]) -> tuple[int, dict[str, str]]:
    name, sign, value = tokens[-1].partition("=")
    if not sign or name.casefold() not in _VALUES or name.casefold() in ("until", "queue", "take"):
        return 0, {}
    return 1, {name.casefold(): value.strip("\"'“”„")}


def _until(tokens: list[str]) -> tuple[int, dict[str, str]]:
    for count in range(2, min(len(tokens), 6) + 1):
        if tokens[-count].casefold() in ("until", "bis") and not any(map(_is_argument, tokens[-count:])):
            return count, {"until": " ".join(tokens[-count + 1 :])}
    return 0, {}


def _from_queue(tokens: list[str]) -> tuple[int, dict[str, str]]:
    words = [token.casefold() for token in tokens]
    if len(words) >= 4 and words[-4] == "from" and words[-2] == "take":
        return 4, {"queue": tokens[-3], "take": tokens[-1]}
    if len(words) >= 4 and words[-4] == "take" and words[-2] == "from":
        return 4, {"queue": tokens[-1], "take": tokens[-3]}
    if len(words) >= 2 and words[-2] == "from" and not re.match(r"\d|now$", words[-1]):
        return 2, {"queue": tokens[-1], "take": "1"}
    return 0, {}


def _is_argument(token: str) -> bool:
    return "=" in token or token[0] in "\"'“„"


def _when(tokens: list[str], now: datetime, zone: str) -> tuple[int, Rule]:
    """Where the WHEN begins, and its rule. Raises the most telling refusal of any end of the line."""
    plain = next((n for n in range(len(tokens), 0, -1) if _is_argument(tokens[n - 1])), 0)
    refusals: list[tuple[int, WhenNotUnderstood]] = []
    for start in range(max(plain, len(tokens) - 14), len(tokens)):
        when = " ".join(tokens[start:])
        try:
            rule = parse(when, now=now, zone=zone)
        except WhenNotUnderstood as error:
            refusals.append((start - plain, error))
            continue
        problem = leftover(tokens[plain:start], when, refusals)
        if problem is not None:
            raise problem
        return start, rule
    _explain_order(tokens, now, zone)
    errors = [error for _, error in refusals]
    telling = [error for error in errors if error.code != WhenNotUnderstood.code]
    problem = (telling or errors or [not_understood("", "")])[0]
    hint = typo_hint(tokens[plain:])
    raise WhenNotUnderstood(f"{problem}{hint}", code=problem.code, readings=problem.readings)


def _check_once(when: str, rule: Rule, options: Options) -> None:
    """Raises BadArgument where an option says that a single moment shall come again."""
    weekly = every_week(when)
    if isinstance(rule, Once) and ((options.times or 1) > 1 or (weekly and options.until)):
        hint = f' For every week: "{weekly}".' if weekly else ""
        raise BadArgument(f'"{when}" comes once, so that "until" and "times=" do not go with it.{hint}')


def _explain_order(tokens: list[str], now: datetime, zone: str) -> None:
    """Raises BadArgument where a WHEN is there, but something that is no option follows it."""
    for end in range(len(tokens) - 1, 0, -1):
        for start in range(max(0, end - 8), end):
            if any(map(_is_argument, tokens[start:end])):
                continue
            try:
                parse(" ".join(tokens[start:end]), now=now, zone=zone)
            except WhenNotUnderstood:
                continue
            when, after = " ".join(tokens[start:end]), tokens[end]
            near = nearest(after.partition("=")[0], list(_VALUES))
            hint = f' Did you mean "{near[0]}="?' if near else ""
            if after.casefold() in ("from", "take"):
                hint = " Did you mean: from QUEUE take N?"
            raise BadArgument(
                f'After "{when}" come options only, and "{after}" is none.{hint} Arguments come before.'
            )


def _read(said: dict[str, str], now: datetime, zone: str) -> Options:
    values: dict[str, object] = {name: _VALUES[name](text) for name, text in said.items() if name != "until"}
    if "until" in said:
        values["until"] = read_until(said["until"], now=now, zone=zone)
    return Options.model_validate(values)


def _one_of(name: str, words: type[StrEnum]) -> Callable[[str], object]:
    def read(text: str) -> object:
        try:
            return words(text.casefold())
        except ValueError:
            raise BadArgument(f'"{name}={text}" is not known; there is {", ".join(words)}.') from None

    return read


def _number(name: str) -> Callable[[str], object]:
    def read(text: str) -> object:
        if not re.fullmatch(r"[0-9]{1,6}", text) or not 1 <= int(text) <= MOST_TIMES:
            raise BadArgument(f'"{name}" needs a whole number from 1 to {MOST_TIMES}, not "{text}".')
        return int(text)

    return read


def _length(name: str, example: str, *, most_days: int) -> Callable[[str], object]:
    def read(text: str) -> object:
        if not re.fullmatch(LENGTH, text.casefold()):
            raise BadArgument(f'"{name}={text}" is not a length of time; write for example "{example}".')
        length = read_length(text.casefold())
        if not timedelta(0) < length <= timedelta(days=most_days):
            reach = "a day" if most_days == 1 else f"{most_days} days"
            raise BadArgument(f'"{name}={text}" is out of reach; it goes up to {reach}.')
        return length

    return read


def _quiet(text: str) -> bool:
    if text.casefold() not in ("on", "off"):
        raise BadArgument(f'"quiet={text}" is not known; there is on, off.')
    return text.casefold() == "on"


def _name(text: str) -> str:
    if not text:
        raise BadArgument("A name is missing after the = sign.")
    return text


_VALUES: dict[str, Callable[[str], object]] = {
    "tz": lambda text: zone_named(text).key,
    "missed": _one_of("missed", Missed),
    "overlap": _one_of("overlap", Overlap),
    "queue": _name,
    "take": _number("take"),
    "window": _length("window", "window=6h", most_days=7),
    "jitter": _length("jitter", "jitter=5m", most_days=1),
    "until": _name,
    "times": _number("times"),
    "browser": _name,
    "quiet": _quiet,
}
