"""Commands that need no running Runhome: what they show, and how they refuse."""

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from relay.chrome import extension_folder
from tests.bot.cli.commands import Runhome, environment

COMMANDS = [
    *([], ["up"], ["setup"], ["pair"], ["invite"], ["chat"], ["run"], ["try"], ["doctor"], ["demo"]),
    *(["browser"], ["browser", "list"], ["browser", "start"], ["browser", "stop"]),
    *(["library"], ["library", "list"], ["library", "show"], ["library", "check"]),
    *(["extension"], ["extension", "path"]),
]

GOOD = """/*---
name: look
version: 1.0.0
sites: ["http://127.0.0.1:8765/*"]
start: http://127.0.0.1:8765/
effect: read
---*/
return await tab.read({role: "heading"});
"""


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_help(runhome: Runhome, command: list[str]) -> None:
    said = runhome(*command, "--help")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"Usage: runhome {' '.join(command)}".rstrip())


def test_an_error_of_ours_is_one_sentence_and_no_traceback(home: Path) -> None:
    said = subprocess.run(
        [sys.executable, "-m", "bot.cli", "invite"], capture_output=True, text=True, env=environment(home)
    )
    assert (said.returncode, said.stdout) == (1, "")
    assert said.stderr == "Runhome is not running. Start it with `runhome up`, then try again.\n"


def test_a_broken_settings_file_is_told_by_every_command(runhome: Runhome, home: Path) -> None:
    home.mkdir()
    (home / "runhome.toml").write_text("[relay]\nprot = 1\n")
    for command in (["up"], ["library", "list"], ["browser", "list"], ["setup", "--yes"]):
        said = runhome(*command)
        assert (said.code, said.out) == (1, "")
        assert 'unknown key "relay.prot". Did you mean "relay.port"?' in said.err


def test_the_extensions_folder_can_be_loaded_from(runhome: Runhome) -> None:
    said = runhome("extension", "path")
    assert said.out == f"{extension_folder()}\n"
    assert (Path(said.out.strip()) / "manifest.json").is_file()


def test_the_library_lists_what_is_built_in_and_what_is_mine(runhome: Runhome, home: Path) -> None:
    mine = home / "data" / "subroutines"
    mine.mkdir(parents=True)
    (mine / "look.js").write_text(GOOD)
    (mine / "broken.js").write_text("nothing")
    said = runhome("library", "list")
    assert "create-post text\n    Post a message\n" in said.out
    assert "look" in said.out
    assert "Not used: broken.js, line 1: The file must begin with its manifest" in said.out
    names = [one["name"] for one in json.loads(runhome("library", "list", "--json").out)]
    assert {"create-post", "look", "misago/reply"} <= set(names)


@pytest.mark.parametrize("command", ["show", "list"])
def test_a_strangers_file_cannot_rewrite_on_the_terminal_what_it_may_reach(
    runhome: Runhome, home: Path, command: str
) -> None:
    erase = "\x1b[2J\x1b[H\u202e"
    text = GOOD.replace("version:", 'title: "a\\e[8m"\nversion:') + f"// {erase} It can do nothing.\n"
    mine = home / "data" / "subroutines"
    mine.mkdir(parents=True)
    (mine / "look.js").write_text(text, encoding="utf-8")
    said = runhome("library", command, *(["look"] if command == "show" else []))
    assert "look" in said.out
    assert not {"\x1b", "\u202e"} & set(said.out + said.err)


def test_the_library_shows_what_a_subroutine_may_reach(runhome: Runhome) -> None:
    said = runhome("library", "show", "create-post")
    assert said.out.startswith("create-post 1.0.0 by runhome\n")
    assert "POST http://127.0.0.1:8765/api/posts" in said.out
    assert "await tab.type(" in said.out
    assert json.loads(runhome("library", "show", "create-post", "--json").out)["effect"] == "write"
    wrong = runhome("library", "show", "create-pots")
    assert (wrong.code, wrong.out) == (1, "")
    assert 'There is no subroutine named "create-pots". Did you mean "create-post"' in wrong.err


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        (GOOD, 0, "It would run."),
        (GOOD.replace("effect: read", "efect: read"), 1, "line 6, efect"),
        (GOOD.replace('"heading"});', '"heading"}'), 1, "error: "),
        ("no manifest", 1, "line 1: The file must begin with its manifest"),
    ],
)
def test_a_file_is_checked_by_line_and_field(
    runhome: Runhome, tmp_path: Path, text: str, code: int, part: str
) -> None:
    file = tmp_path / "look.js"
    file.write_text(text)
    said = runhome("library", "check", str(file))
    assert said.code == code
    assert part in said.out + said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize("command", [["library", "check"], ["run"]])
def test_a_file_that_is_not_there_is_said(runhome: Runhome, command: list[str]) -> None:
    said = runhome(*command, "/nowhere/x.js")
    assert (said.code, said.err) == (1, "Cannot read /nowhere/x.js: No such file or directory.\n")


def test_a_run_without_any_browser_fails_and_says_what_to_do(runhome: Runhome) -> None:
    said = runhome("run", "list-posts", "--json")
    run = json.loads(said.out)
    assert (said.code, run["status"]) == (1, "failed")
    assert "runhome browser start" in run["verdict"]["rests_on"]


def test_a_profile_folder_that_cannot_be_is_said(runhome: Runhome, tmp_path: Path) -> None:
    (tmp_path / "a-file").touch()
    said = runhome("browser", "start", "--profile", str(tmp_path / "a-file" / "below"))
    assert (said.code, said.out) == (1, "")
    assert said.err.endswith(
        f"The profile folder {tmp_path}/a-file/below cannot be made: Not a directory. "
        "Choose another one with --profile.\n"
    )


@pytest.mark.parametrize("command", [["chat"], ["setup"]], ids=" ".join)
def test_a_closed_input_is_an_empty_one(home: Path, command: list[str]) -> None:
    said = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", sys.executable, "-m", "bot.cli", *command],
        capture_output=True,
        text=True,
        env=environment(home),
    )
    assert "Traceback" not in said.stderr
    assert said.returncode == (0 if command == ["chat"] else 1)


def test_a_chat_whose_reader_has_gone_ends_quietly(home: Path) -> None:
    script = 'printf "/library\\n/help\\n" | "$@" | head -n 1'
    said = subprocess.run(
        ["sh", "-c", script, "sh", sys.executable, "-m", "bot.cli", "chat"],
        capture_output=True,
        text=True,
        env=environment(home),
    )
    assert said.stderr == ""


def test_stopping_a_browser_that_does_not_run_says_so(runhome: Runhome) -> None:
    said = runhome("browser", "stop", "--name", "Other")
    assert (said.code, said.out) == (0, '"Other" was not running.\n')


def test_a_taken_port_is_told_with_its_holder(runhome: Runhome) -> None:
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        port = str(stranger.getsockname()[1])
        said = runhome("up", env={"RUNHOME_RELAY__PORT": port})
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith(f"Port {port} is already taken by ")
    assert said.err.count("\n") == 1
