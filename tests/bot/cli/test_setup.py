"""What `runhome setup` asks, refuses, writes and leaves alone."""

import tomllib
from pathlib import Path

import pytest

from tests.bot.cli.commands import Runhome

TOKEN = "123456789:AAF-abcdefghijklmnopqrstuvwxyz"


def written(home: Path) -> dict[str, object]:
    return tomllib.loads((home / "runhome.toml").read_text())


def test_it_asks_for_token_zone_and_address_and_says_what_comes_next(runhome: Runhome, home: Path) -> None:
    said = runhome("setup", typed=f"{TOKEN}\nEurope/Berlin\nhttps://runhome.example.com\n")
    assert said.code == 0
    assert written(home) == {
        "timezone": "Europe/Berlin",
        "public_url": "https://runhome.example.com",
        "telegram": {"token": TOKEN},
    }
    assert (home / "runhome.toml").stat().st_mode & 0o777 == 0o600
    assert "runhome up" in said.out
    assert "runhome pair" in said.out


def test_a_wrong_answer_is_asked_again_and_the_good_ones_are_kept(runhome: Runhome, home: Path) -> None:
    said = runhome("setup", typed=f"my bot\n{TOKEN}\nBerlin\nEurope/Berlin\nexample.com\n\n")
    assert said.code == 0
    assert "A bot token looks like 123456789:AAF-" in said.out
    assert '"Berlin" is no time zone' in said.out
    assert '"example.com" is no address' in said.out
    assert written(home) == {"timezone": "Europe/Berlin", "telegram": {"token": TOKEN}}


def test_comments_and_other_values_stay_and_enter_keeps(runhome: Runhome, home: Path) -> None:
    home.mkdir()
    before = (
        "# mine\n"
        'timezone = "Asia/Seoul"  # where I live\n'
        "\n"
        "[browser]\n"
        "autostart = true # yes\n"
        "\n"
        "[telegram]\n"
        f'token = "{TOKEN}"\n'
        'base_url = "http://127.0.0.1:1/bot"\n'
    )
    (home / "runhome.toml").write_text(before)
    said = runhome("setup", typed="\n\n\n")
    assert said.code == 0
    assert TOKEN not in said.out
    assert (home / "runhome.toml").read_text() == before
    runhome("setup", typed="-\n\n\n")
    assert written(home)["telegram"] == {"token": "", "base_url": "http://127.0.0.1:1/bot"}


def test_input_that_ends_too_early_writes_nothing(runhome: Runhome, home: Path) -> None:
    said = runhome("setup", typed=f"{TOKEN}\n")
    assert said.code == 1
    assert said.err == (
        "Nothing was written: a question was not answered. "
        "`runhome setup --yes` asks none; `runhome setup --help` lists what it takes instead.\n"
    )
    assert not (home / "runhome.toml").exists()


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--timezone", "Foo/Bar"], '"Foo/Bar" is no time zone'),
        (["--telegram-token", "hello"], "A bot token looks like"),
        (["--public-url", "ftp://x"], '"ftp://x" is no address'),
    ],
)
def test_a_wrong_option_is_one_sentence_and_writes_nothing(
    runhome: Runhome, home: Path, words: list[str], part: str
) -> None:
    said = runhome("setup", "--yes", *words)
    assert (said.code, said.out) == (1, "")
    assert part in said.err
    assert not home.exists()


def test_what_the_environment_says_is_not_written_into_the_file(runhome: Runhome, home: Path) -> None:
    runhome("setup", "--yes", "--port", "1234", env={"RUNHOME_TIMEZONE": "Asia/Seoul"})
    assert written(home) == {"relay": {"port": 1234}}
