"""`runhome doctor`: looks at everything a run needs, and says how to mend what is wrong."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from bot.settings import Settings, TelegramSettings

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
        return [Check("settings", "error", str(error), f"Mend it in an editor: {settings_file()}")]
    looks: list[tuple[str, Callable[[], Check]]] = [
        ("program", _program),
        ("settings", lambda: _settings_file(settings)),
        ("browser", _chrome),
        ("extension", _extension),
        ("clock", lambda: _clock(settings)),
        ("database", lambda: _database(settings)),
    ]
    return [_guarded(name, look) for name, look in looks] + asyncio.run(_running(settings))


def _guarded(name: str, look: Callable[[], Check]) -> Check:
    from library.errors import RunhomeError

    try:
        return look()
    except RunhomeError as error:
        return _as_check(name, str(error))


def _as_check(name: str, said: str) -> Check:
    """Our own errors say first what is wrong, then what to do."""
    found, _, mend = said.partition(". ")
    return Check(name, "error", found, mend)


def _program() -> Check:
    """Much is imported only when it is needed: what is not installed is told here, not then."""
    import re
    import sys
    from importlib.metadata import PackageNotFoundError, requires, version

    missing = []
    for line in requires("runhome") or []:
        name, _, marker = line.partition(";")
        name = re.split(r"[\s\[<>=!~]", name, maxsplit=1)[0]
        try:
            if "extra ==" not in marker:
                version(name)
        except PackageNotFoundError:
            missing.append(name)
    found = f"Runhome {version('runhome')}, Python {sys.version.partition(' ')[0]}"
    if not missing:
        return Check("program", "ok", found)
    mend = "Install Runhome anew: `make .venv/ok` in its folder, or `pip install .`"
    return Check("program", "error", f"{found}; not installed: {', '.join(missing)}", mend)


def _settings_file(settings: "Settings") -> Check:
    """A bot token is as good as a password."""
    import sys

    from bot.settings import settings_file

    path = settings_file()
    if not path.exists():
        return Check("settings", "ok", f"{path} (none yet, every value has its default)")
    is_open = sys.platform != "win32" and path.stat().st_mode & 0o077
    if is_open and settings.telegram.token.get_secret_value():
        return Check("settings", "warning", f"{path} is open to others", f"Close it: chmod 600 {path}")
    return Check("settings", "ok", str(path))


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
    import os
    import sqlite3

    path = settings.data / "runhome.sqlite3"
    ground = next(folder for folder in path.parents if folder.exists())
    if not ground.is_dir() or not os.access(ground, os.W_OK):
        why = "cannot be written to" if ground.is_dir() else "is no folder"
        mend = "Make it yours again (chown), or set `data` to another folder in the settings."
        return Check("database", "error", f"{ground} {why}", mend)
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
    from bot.address import read_address
    from library.errors import RunhomeError

    if read_address(settings.data) is None:
        return await _alone(settings)
    from bot.cli.client import answering, running

    try:
        if await answering(settings.data) is None:
            return await _alone(settings)
        async with running() as runhome:
            status = await runhome.status()
    except RunhomeError as error:
        return [_as_check("relay", str(error))]
    return [
        Check("relay", "ok", f"running on 127.0.0.1:{runhome.port}"),
        _paired(status["browsers"]),
        _telegram(status["telegram"]),
    ]


async def _alone(settings: "Settings") -> list[Check]:
    pairing = _guarded("pairing", lambda: _paired_offline(settings))
    return [_not_running(settings), pairing, await ask_telegram(settings.telegram)]


def _not_running(settings: "Settings") -> Check:
    """A port that another program has is told before `runhome up` runs into it."""
    from library.errors import SetupError
    from relay.listening import bind

    try:
        bind(settings.relay.port).close()
    except SetupError as error:
        return _as_check("relay", str(error))
    return Check("relay", "warning", "not running", "Start it with `runhome up`.")


async def ask_telegram(settings: "TelegramSettings") -> Check:
    """Asks Telegram whose token it is; the answer to getMe changes nothing there."""
    token = settings.token.get_secret_value()
    if not token:
        return _telegram("off")
    import httpx

    try:
        async with httpx.AsyncClient(timeout=10) as http:
            answer = (await http.get(f"{settings.base_url}{token}/getMe")).json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return Check("telegram", "warning", "Telegram was not reached", "Is this machine online?")
    if not answer.get("ok"):
        said = f"Telegram refuses the token: {answer.get('description', 'no reason given')}"
        return Check("telegram", "error", said, "Get a new one from @BotFather; `runhome setup` takes it.")
    return Check("telegram", "ok", f"the token is that of @{answer['result'].get('username')}")


def _paired_offline(settings: "Settings") -> Check:
    from relay.pairing_file import PairingFile

    names = [pairing.name for pairing in PairingFile(settings.data / "pairings.json").load()]
    return _paired([{"name": name, "connected": None} for name in names])


def _paired(browsers: list[dict[str, Any]]) -> Check:
    if not browsers:
        mend = "`runhome pair` connects your Chrome, `runhome browser start` starts one of its own."
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
        mend = "@BotFather in Telegram gives a token; `runhome setup` takes it."
        return Check("telegram", "warning", "off", mend)
    return _as_check("telegram", said)
