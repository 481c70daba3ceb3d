"""When the clock on the wall of a time zone shows a time: never, once or twice. Pure; knows no rules."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from library.errors import UnknownName, nearest

_MINUTE = timedelta(minutes=1)


def zone_named(name: str) -> ZoneInfo:
    """The IANA time zone of this name, or of this city (``new york``), upper or lower case.

    Raises UnknownName with the nearest names."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        names = sorted(available_timezones())
    said = "_".join(name.casefold().split())
    cities = [known for known in names if known.rpartition("/")[2].casefold() == said]
    for known in names:
        if known.casefold() == said or cities == [known]:
            return ZoneInfo(known)
    near = nearest(name, names)
    raise UnknownName(
        "time zone", name, near, hint="" if near else "Write it as Europe/Berlin or Asia/Seoul."
    )


def moments_of(wall: datetime, zone: ZoneInfo) -> list[datetime]:
    """When (UTC) the clock in this zone shows this naive time: never, once, or twice."""
    local = wall.replace(tzinfo=zone)
    if local.utcoffset() == local.replace(fold=1).utcoffset():
        return [local.astimezone(UTC)]
    both = {wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return sorted(moment for moment in both if moment.astimezone(zone).replace(tzinfo=None) == wall)


def once_a_day(wall: datetime, zone: ZoneInfo) -> datetime | None:
    """The moment meant by a naive time in a zone; None where its whole day is left out.

    Left-out times move forward; where the gap reaches into the next day (Nuuk), back to the last minute.
    """
    for step in (_MINUTE, -_MINUTE):
        shown = wall
        while shown.date() == wall.date():
            if moments := moments_of(shown, zone):
                return moments[0]
            shown += step
    return None


def as_the_clock_goes(walls: Iterator[datetime], zone: ZoneInfo) -> Iterator[datetime]:
    """Every moment that the clock shows one of these naive times (given in order), in order."""
    waiting: list[datetime] = []
    for wall in walls:
        moments = moments_of(wall, zone)
        while moments and waiting and waiting[0] < moments[0]:
            yield heappop(waiting)
        for moment in moments:
            heappush(waiting, moment)
