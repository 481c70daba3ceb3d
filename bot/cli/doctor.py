"""`runhome doctor`: looks at everything a run needs, and says how to mend what is wrong."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from bot.settings import Settings

Level = Literal["ok", "warning", "error"]
MARKS: dict[Level, str] = {"ok": "ok ", "warning": "?? ", "error": "!! "}


@dataclass(frozen=True)
class Check:
    """``mend`` is what to do; empty when nothing is wrong."""

    name: str
    level: Level
    found: str
    mend: str = ""


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Check browser, extension, pairing, clock, database and bot token; say how to mend each."""
    import json
    from dataclasses import asdict

    checks = _examine()
    if as_json:
        print(json.dumps([asdict(check) for check in checks]))
    for check in [] if as_json else checks:
        print(f"{MARKS[check.level]} {check.name}: {check.found}")
        if check.mend:
            print(f"      {check.mend}")
    raise typer.Exit(1 if any(check.level == "error" for check in checks) else 0)


def _examine() -> list[Check]:
    import asyncio

    from bot.settings import load_settings, settings_file
    from library.errors import SetupError

    try:
        settings = load_settings()
    except SetupError as error:
        return [Check("settings", "error", str(error), f"Edit {settings_file()} or run `runhome setup`.")]
    there = "read" if settings_file().exists() else "none yet, every value has its default"
    checks = [Check("settings", "ok", f"{settings_file()} ({there})")]
    checks += [_guarded(name, look) for name, look in (("browser", _chrome), ("extension", _extension))]
    checks += [_clock(settings), _database(settings)]
    return checks + asyncio.run(_running(settings))


def _guarded(name: str, look: Callable[[], Check]) -> Check:
    from library.errors import SetupError

    try:
        return look()
    except SetupError as error:
        found, _, mend = str(error).partition(". ")
        return Check(name, "error", found, mend)


def _chrome() -> Check:
    from relay.chrome import find_chrome

    return Check("browser", "ok", str(find_chrome()))


def _extension() -> Check:
    from relay.chrome import extension_folder, extension_id

    return Check("extension", "ok", f"{extension_folder()} (id {extension_id()})")


def _clock(settings: "Settings") -> Check:
    """A clock that is years off makes every schedule wrong; a time zone must be known to tell local days."""
    from datetime import UTC, datetime
    from zoneinfo import ZoneInfo

    zone = ZoneInfo(settings.timezone) if settings.timezone else None
    local = datetime.now(zone) if zone else datetime.now(UTC).astimezone()
    found = f"{local:%Y-%m-%d %H:%M} {local.tzname()}"
    if local.year < 2025:
        return Check(
            "clock", "error", found, "The machine's clock is wrong. Set it, or switch network time on."
        )
    mend = (
        ""
        if zone
        else "Set your time zone with `runhome setup`, so that it does not change with the machine's."
    )
    return Check("clock", "ok" if zone else "warning", found, mend)


def _database(settings: "Settings") -> Check:
    import sqlite3

    path = settings.data / "runhome.sqlite3"
    if not path.exists():
        return Check("database", "ok", f"{path} (made at the first start)")
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5) as connection:
            said = connection.execute("PRAGMA quick_check").fetchone()[0]
    except sqlite3.Error as error:
        said = str(error)
    if said == "ok":
        return Check("database", "ok", str(path))
    return Check(
        "database", "error", f"{path}: {said}", "Put back a copy of it, or move it away: a new one is made."
    )


async def _running(settings: "Settings") -> list[Check]:
    from bot.cli.client import running
    from library.errors import SetupError

    token = bool(settings.telegram.token.get_secret_value())
    try:
        async with running() as runhome:
            status = await runhome.status()
    except SetupError:
        return [
            Check("relay", "warning", "not running", "Start it with `runhome up`."),
            _paired_offline(settings),
            Check(
                "telegram", "ok" if token else "warning", "token is set" if token else "off", _no_token(token)
            ),
        ]
    return [
        Check("relay", "ok", f"running on 127.0.0.1:{runhome.port}"),
        _paired(status["browsers"]),
        _telegram(status["telegram"]),
    ]


def _no_token(token: bool) -> str:
    return "" if token else "@BotFather in Telegram gives a token; `runhome setup` takes it."


def _paired_offline(settings: "Settings") -> Check:
    from relay.pairing_file import PairingFile

    names = [pairing.name for pairing in PairingFile(settings.data / "pairings.json").load()]
    return _paired([{"name": name, "connected": None} for name in names])


def _paired(browsers: list[dict[str, Any]]) -> Check:
    if not browsers:
        mend = "`runhome pair` connects your Chrome, `runhome browser start` starts a managed one."
        return Check("pairing", "error", "no browser is paired", mend)
    off = [browser["name"] for browser in browsers if browser["connected"] is False]
    found = ", ".join(browser["name"] for browser in browsers)
    if len(off) == len(browsers):
        return Check(
            "pairing", "error", f"{found}: not connected", "Start Chrome; the popup shows what is wrong."
        )
    return Check("pairing", "ok", found + (f" (not connected: {', '.join(off)})" if off else ""))


def _telegram(said: str) -> Check:
    if said == "on":
        return Check("telegram", "ok", "receiving")
    if said == "off":
        return Check("telegram", "warning", "off", _no_token(False))
    found, _, mend = said.partition(". ")
    return Check("telegram", "error", found, mend)
