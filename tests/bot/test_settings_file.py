"""A settings file is changed key by key and keeps everything else."""

import tomllib
from pathlib import Path

import pytest

from bot.settings_file import Changes, changed, write_private

FULL = """# top
timezone = "UTC" # old

[relay] # the port
# which one
port = 1

[telegram]
token = "t"
"""


@pytest.mark.parametrize(
    ("before", "changes", "after"),
    [
        ("", {"timezone": "UTC"}, 'timezone = "UTC"\n'),
        ("", {"relay.port": 5, "timezone": "UTC"}, 'timezone = "UTC"\n\n[relay]\nport = 5\n'),
        (FULL, {"relay.port": 2}, FULL.replace("port = 1", "port = 2")),
        (FULL, {"public_url": "x"}, FULL.replace("# old\n", '# old\npublic_url = "x"\n')),
        (FULL, {"relay.name": "x"}, FULL.replace("port = 1\n", 'port = 1\nname = "x"\n')),
        (FULL, {"browser.headless": True}, FULL + "\n[browser]\nheadless = true\n"),
        ("relay = {port = 1}\n", {"relay.port": 2}, "[relay]\nport = 2\n"),
        ("relay.port = 1\n", {"relay.port": 2}, "[relay]\nport = 2\n"),
        ("[relay]\nport = 1", {"timezone": "UTC"}, 'timezone = "UTC"\n[relay]\nport = 1\n'),
    ],
)
def test_only_the_key_changes(before: str, changes: Changes, after: str) -> None:
    assert changed(before, changes) == after


@pytest.mark.parametrize("text", ['"', "\\", "a\nb", "\x7f", "\x01", "집 🏠", "'''", "#", " = [x]"])
def test_every_text_comes_back_as_it_was(text: str) -> None:
    once = changed(FULL, {"telegram.token": text, "public_url": text})
    values = tomllib.loads(once)
    assert (values["telegram"]["token"], values["public_url"]) == (text, text)
    assert changed(once, {"telegram.token": "t", "timezone": "UTC"}).count("[telegram]") == 1


def test_a_broken_file_is_not_touched() -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        changed("port = ", {"timezone": "UTC"})


def test_only_its_owner_reads_it_even_if_it_was_open_before(tmp_path: Path) -> None:
    path = tmp_path / "runhome.toml"
    path.write_text("old")
    path.chmod(0o644)
    write_private(path, "new")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new", 0o600)
    assert list(tmp_path.iterdir()) == [path]
