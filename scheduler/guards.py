"""Whether an item may go out now: caps, gaps, quiet hours, repeated texts, the breaker. Pure; knows no store.

Times are judged on the clock of the guards' zone. The answer is one of Allow, Refuse (not before ``until``)
and AskFirst (a person must say yes).
"""

import hashlib
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from pydantic import AwareDatetime, Field, model_validator

from library.models import Status, Word
from scheduler.rules import Minute, ZoneName
from scheduler.wall_clock import once_a_day


class QuietHours(Word):
    """From ``start`` (included) to ``end`` (not included), over midnight where the end is the smaller one."""

    start: Minute
    end: Minute

    @model_validator(mode="after")
    def _not_empty(self) -> "QuietHours":
        if self.start == self.end:
            raise ValueError(f"quiet hours from {self.start:%H:%M} to {self.end:%H:%M} are none, or all day")
        return self


class Guards(Word):
    """Settings of one subroutine or account; None means no such guard."""

    zone: ZoneName = "UTC"
    most_per_day: int | None = Field(None, ge=1)
    least_gap: timedelta | None = Field(None, gt=timedelta(0))
    quiet_hours: QuietHours | None = None
    no_repeat_within_days: int | None = Field(None, ge=1)
    failures_in_a_row: int = Field(3, ge=1)
    """After so many the breaker opens; one unconfirmed run opens it at once."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is held back; the breaker is another matter."""
        return not (self.most_per_day or self.least_gap or self.quiet_hours or self.no_repeat_within_days)


class PastRun(Word):
    """One run under these guards. ``text`` is the fingerprint of what it published, if anything."""

    at: AwareDatetime
    status: Status
    text: str | None = None


class Allow(Word):
    pass


class Refuse(Word):
    """``until`` is the earliest moment (UTC) to ask again; None where a person must act first."""

    reason: str
    until: datetime | None


class AskFirst(Word):
    reason: str


Answer = Allow | Refuse | AskFirst


class Breaker(StrEnum):
    CLOSED = "closed"
    OPEN = "open"


def judge(guards: Guards, history: Sequence[PastRun], *, now: datetime, text: str | None = None) -> Answer:
    """May the next item go out now? ``history`` in any order; ``text`` is its text's fingerprint.

    Refusals come before questions: nobody is asked about what may not go out anyway.
    """
    went_out = [run for run in history if run.status not in _DID_NOT_GO_OUT]
    refusals = [
        refusal
        for refusal in (
            _quiet(guards, now),
            _too_soon(guards, went_out, now),
            _enough_today(guards, went_out, now),
        )
        if refusal is not None
    ]
    if refusals:
        return max(refusals, key=lambda refusal: refusal.until or now)
    return _said_before(guards, went_out, now, text) or Allow()


def strictest(answers: Sequence[Answer], now: datetime) -> Answer:
    """Of several guards' answers the one that holds longest; refusals come before questions."""
    refusals = [answer for answer in answers if isinstance(answer, Refuse)]
    if refusals:
        return max(refusals, key=lambda refusal: refusal.until or now)
    return next((answer for answer in answers if isinstance(answer, AskFirst)), Allow())


def breaker(guards: Guards, history: Sequence[PastRun]) -> tuple[Breaker, str]:
    """Whether a queue must pause, and why, from the runs since it was last resumed."""
    ended = sorted((run for run in history if run.status in _SAYS_SOMETHING), key=lambda run: run.at)
    if ended and ended[-1].status is Status.UNCONFIRMED:
        return Breaker.OPEN, "it is not known whether the last one happened"
    failures = 0
    for run in reversed(ended):
        if run.status is not Status.FAILED:
            break
        failures += 1
    if failures >= guards.failures_in_a_row:
        return Breaker.OPEN, f"the last {failures} failed"
    return Breaker.CLOSED, ""


def fingerprint(text: str) -> str:
    """The same for texts that a reader would call the same: case, width and white space do not count."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return hashlib.sha256(folded.encode()).hexdigest()


_DID_NOT_GO_OUT = frozenset({Status.FAILED, Status.SKIPPED, Status.MISSED, Status.CANCELLED})
_SAYS_SOMETHING = frozenset({Status.DONE, Status.FAILED, Status.UNCONFIRMED})


def _quiet(guards: Guards, now: datetime) -> Refuse | None:
    hours = guards.quiet_hours
    if hours is None:
        return None
    zone = ZoneInfo(guards.zone)
    wall = now.astimezone(zone).replace(tzinfo=None)
    over_midnight = hours.end < hours.start
    if over_midnight:
        quiet = wall.time() >= hours.start or wall.time() < hours.end
    else:
        quiet = hours.start <= wall.time() < hours.end
    if not quiet:
        return None
    days = 1 if over_midnight and wall.time() >= hours.start else 0
    until = _moment(datetime.combine(wall.date() + timedelta(days=days), hours.end), zone)
    return Refuse(
        reason=f"Quiet hours from {hours.start:%H:%M} to {hours.end:%H:%M} ({guards.zone}).", until=until
    )


def _too_soon(guards: Guards, went_out: Sequence[PastRun], now: datetime) -> Refuse | None:
    if guards.least_gap is None or not went_out:
        return None
    last = max(run.at for run in went_out).astimezone(UTC)
    until = last + guards.least_gap
    if until <= now:
        return None
    return Refuse(
        reason=f"The last one was at {last:%H:%M} UTC; the least gap is {guards.least_gap}.", until=until
    )


def _enough_today(guards: Guards, went_out: Sequence[PastRun], now: datetime) -> Refuse | None:
    if guards.most_per_day is None:
        return None
    zone = ZoneInfo(guards.zone)
    today = now.astimezone(zone).date()
    count = sum(run.at.astimezone(zone).date() == today for run in went_out)
    if count < guards.most_per_day:
        return None
    until = _moment(datetime.combine(today + timedelta(days=1), time()), zone)
    return Refuse(reason=f"{count} went out today; the most is {guards.most_per_day} a day.", until=until)


def _said_before(
    guards: Guards, went_out: Sequence[PastRun], now: datetime, text: str | None
) -> AskFirst | None:
    if guards.no_repeat_within_days is None or text is None:
        return None
    since = now - timedelta(days=guards.no_repeat_within_days)
    before = [run.at for run in went_out if run.text == text and run.at > since]
    if not before:
        return None
    zone = ZoneInfo(guards.zone)
    last = max(before).astimezone(zone)
    ago = (now.astimezone(zone).date() - last.date()).days
    when = "today" if ago <= 0 else "yesterday" if ago == 1 else f"{ago} days ago"
    return AskFirst(reason=f"The same text was already published {when} ({last:%a %Y-%m-%d %H:%M}).")


def _moment(wall: datetime, zone: ZoneInfo) -> datetime:
    """Where the whole day is left out, the next one's."""
    return once_a_day(wall, zone) or _moment(wall + timedelta(days=1), zone)
