"""`runhome doctor`: for each broken thing what is wrong, and how to mend it."""

import asyncio
import json
import socket
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.cli.doctor import ask_telegram
from bot.settings import TelegramSettings
from library.errors import SetupError
from tests.bot.cli.commands import Runhome, Up

TOKEN = "123456789:AAF-abcdefghijklmnopqrstuvwxyz"
Checks = dict[str, dict[str, str]]


def checks(text: str) -> Checks:
    return {one["name"]: one for one in json.loads(text)}


def test_a_new_machine_lacks_a_browser_and_is_told_how_to_pair(runhome: Runhome, home: Path) -> None:
    said = runhome("doctor")
    assert said.code == 1
    assert "!!  pairing: no browser is paired\n      `runhome pair` connects your Chrome" in said.out
    assert "??  relay: not running\n      Start it with `runhome up`." in said.out
    assert "??  telegram: off\n      @BotFather in Telegram gives a token" in said.out
    assert not home.exists()


def settings(text: str) -> Callable[[Path], None]:
    def write(home: Path) -> None:
        (home / "runhome.toml").write_text(text)
        (home / "runhome.toml").chmod(0o644)

    return write


def data_file(name: str, content: bytes) -> Callable[[Path], None]:
    def write(home: Path) -> None:
        (home / "data").mkdir()
        (home / "data" / name).write_bytes(content)

    return write


@pytest.mark.parametrize(
    ("break_it", "name", "level", "found", "mend"),
    [
        (settings("[relay]\nprot = 1"), "settings", "error", 'unknown key "relay.prot"', "runhome.toml"),
        (
            settings(f"[telegram]\ntoken = '{TOKEN}'\nbase_url = 'http://127.0.0.1:1/bot'"),
            "settings",
            "warning",
            "open to others",
            "chmod 600",
        ),
        (settings("timezone = 'Europe/Berlin'"), "clock", "ok", "CE", ""),
        (settings(""), "clock", "warning", "UTC", "runhome setup"),
        (
            data_file("runhome.sqlite3", b"this is no database, " * 100),
            "database",
            "error",
            "not a database",
            "Put back a copy",
        ),
        (
            data_file("pairings.json", b"{"),
            "pairing",
            "error",
            "not a list of paired browsers",
            "runhome pair",
        ),
    ],
)
def test_what_is_broken_is_found_with_its_remedy(
    runhome: Runhome,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    break_it: Callable[[Path], None],
    name: str,
    level: str,
    found: str,
    mend: str,
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    home.mkdir()
    break_it(home)
    said = runhome("doctor", "--json")
    check = checks(said.out)[name]
    assert check["level"] == level
    assert found in check["found"]
    assert mend in check["mend"]
    assert TOKEN not in said.out
    assert said.err == ""


def test_what_is_not_installed_is_told_before_it_is_needed(
    runhome: Runhome, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checks(runhome("doctor", "--json").out)["program"]["level"] == "ok"
    monkeypatch.setattr(
        "importlib.metadata.requires",
        lambda name: ["yamling[fast]>=1", "pyyaml>=6", 'testing>=1; extra == "dev"'],
    )
    check = checks(runhome("doctor", "--json").out)["program"]
    assert (check["level"], check["found"].partition("; ")[2]) == ("error", "not installed: yamling")
    assert "pip install" in check["mend"]


@pytest.mark.parametrize("data", ["a-file", "a-file/below"])
def test_a_data_folder_that_cannot_be_is_told_by_doctor_and_by_those_who_need_it(
    runhome: Runhome, home: Path, data: str
) -> None:
    home.mkdir()
    (home / "a-file").touch()
    env = {"RUNHOME_DATA": str(home / data)}
    check = checks(runhome("doctor", "--json", env=env).out)["database"]
    assert (check["level"], check["found"]) == ("error", f"{home / 'a-file'} is no folder")
    said = runhome("up", env=env)
    assert (said.code, said.out, said.err.count("\n")) == (1, "", 1)
    assert said.err.startswith(f"The folder {home / data} cannot be made: ")


def test_a_sound_database_is_sound(runhome: Runhome, home: Path) -> None:
    (home / "data").mkdir(parents=True)
    with sqlite3.connect(home / "data" / "runhome.sqlite3") as connection:
        connection.execute("CREATE TABLE a (b)")
    connection.close()
    assert checks(runhome("doctor", "--json").out)["database"]["level"] == "ok"


def test_no_chrome_says_what_to_install(runhome: Runhome, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise SetupError("No Chrome or Chromium was found on this machine. Install Chromium.")

    monkeypatch.setattr("relay.chrome.find_chrome", nowhere)
    check = checks(runhome("doctor", "--json").out)["browser"]
    assert (check["level"], check["mend"]) == ("error", "Install Chromium.")


def test_a_port_that_a_stranger_has_is_told(runhome: Runhome) -> None:
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        port = str(stranger.getsockname()[1])
        check = checks(runhome("doctor", "--json", env={"RUNHOME_RELAY__PORT": port}).out)["relay"]
    assert check["level"] == "error"
    assert f"Port {port} is already taken by " in check["found"]
    assert "choose another port" in check["mend"]


async def test_all_is_well_where_it_runs_with_a_browser(up: Up) -> None:
    said = await up.runhome("doctor", "--json")
    found = checks(said.out)
    assert said.code == 0
    assert found["relay"]["found"] == f"running on 127.0.0.1:{up.app.port}"
    assert (found["pairing"]["level"], found["pairing"]["found"]) == ("ok", "Chrome")


@pytest.mark.parametrize(
    ("status", "body", "level", "found"),
    [
        ("200 OK", {"ok": True, "result": {"username": "my_bot"}}, "ok", "the token is that of @my_bot"),
        (
            "401 Unauthorized",
            {"ok": False, "description": "Unauthorized"},
            "error",
            "Telegram refuses the token: Unauthorized",
        ),
        ("200 OK", None, "warning", "Telegram was not reached"),
    ],
)
async def test_the_token_is_shown_to_telegram(status: str, body: object, level: str, found: str) -> None:
    asked: list[str] = []

    async def telegram(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).decode().splitlines()[0])
        content = b"<html>" if body is None else json.dumps(body).encode()
        head = f"HTTP/1.1 {status}\r\nContent-Length: {len(content)}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode() + content)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(telegram, "127.0.0.1", 0) as server:
        base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/bot"
        check = await ask_telegram(TelegramSettings.model_validate({"token": TOKEN, "base_url": base}))
    assert asked == [f"GET /bot{TOKEN}/getMe HTTP/1.1"]
    assert (check.level, check.found) == (level, found)
    assert TOKEN not in check.found + check.mend
