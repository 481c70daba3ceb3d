"""What is not imported where a person waits: before the help, before an answer, before the server serves."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bot.cli.commands import ENOUGH_S, ROOT, Up, environment

FOR_LATER = {
    "telegram",
    "twilio",
    "alembic",
    "openpyxl",
    "dateparser",
    "tree_sitter",
    "tldextract",
    "requests",
}
"""What a moment needs that may never come: a token, an old database, a sheet, a date, a check of a body."""
SERVER = {"fastapi", "starlette", "uvicorn", "websockets", "sqlalchemy", "sqlmodel", "apscheduler", "bot.app"}
OURS_FOR_CHATS = {"bot.desks", "bot.handlers", "bot.commands", "scheduler.when", "scheduler.sheets"}
TYPES = {"pydantic", "yaml", "asyncio"}
ASKING = {"httpx", "rich"}
TOOLS = {"playwright", "pytest", "typer", "httpx", "rich"}

SERVE = """
import asyncio, sys
from bot.app import open_app
from bot.settings import load_settings

async def serve():
    async with open_app(load_settings(), on_serving=lambda app: print(*sys.modules)):
        print(*sys.modules)

asyncio.run(serve())
"""
MAIN = """
import sys
from bot.cli import main
try:
    main()
finally:
    print("modules:", *sys.modules)
"""


def modules(home: Path, code: str, *words: str) -> list[set[str]]:
    """Those that each line of its output names."""
    said = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, env=environment(home), cwd=ROOT
    )
    assert "Traceback" not in said.stderr, said.stderr
    return [set(line.split()) for line in said.stdout.splitlines()]


def test_the_command_line_itself_imports_nothing_heavy(home: Path) -> None:
    [found] = modules(home, "import sys, bot.cli; print(*sys.modules)")
    assert "bot.cli.up" in found
    assert not (FOR_LATER | SERVER | OURS_FOR_CHATS | TYPES | ASKING) & found


def test_a_start_serves_before_it_imports_what_only_chats_and_the_clock_need(home: Path) -> None:
    modules(home, SERVE)  # makes the database
    serving, opened = modules(home, SERVE)
    assert serving >= {"bot.app", "fastapi", "sqlalchemy"}
    assert not (FOR_LATER | OURS_FOR_CHATS | TOOLS | {"apscheduler"}) & serving
    assert opened >= OURS_FOR_CHATS | {"apscheduler"}, "else a broken install is not told at the start"
    assert not (FOR_LATER | TOOLS) & opened


@pytest.mark.parametrize(
    ("command", "also"),
    [
        (["extension", "path"], TYPES - {"pydantic"} | ASKING),
        (["doctor"], ASKING),
        (["library", "list"], ASKING),
        (["library", "show", "create-post"], ASKING),
    ],
)
def test_a_command_that_asks_nobody_imports_no_server(home: Path, command: list[str], also: set[str]) -> None:
    found = modules(home, MAIN, *command)[-1]
    assert "modules:" in found
    assert not (FOR_LATER | SERVER | OURS_FOR_CHATS | also) & found


@pytest.mark.parametrize(
    "command",
    [["invite"], ["pair", "--json"], ["browser", "list"], ["run", "look", "--json"], ["chat"], ["doctor"]],
    ids=" ".join,
)
async def test_a_command_that_asks_a_running_one_imports_no_server(up: Up, command: list[str]) -> None:
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", MAIN, *command),
        env=environment(up.home),
        cwd=ROOT,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(ENOUGH_S):
        out, _ = await child.communicate()
    found = set(out.decode().rpartition("modules:")[2].split())
    assert "httpx" in found
    assert not (FOR_LATER | SERVER | OURS_FOR_CHATS) & found
