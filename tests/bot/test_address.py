"""The file that says where Runhome answers: private, replaced whole, and never believed blindly."""

import os
from pathlib import Path

import pytest

from bot.address import Address, forget_address, read_address, write_address

HERE = Address(port=1, token="t", pid=os.getpid())


def test_what_is_written_is_read_and_only_its_owner_may(tmp_path: Path) -> None:
    write_address(tmp_path, HERE)
    assert read_address(tmp_path) == HERE
    [file] = tmp_path.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["", "{", "[]", '{"port": "x"}', '{"port": 1, "pid": 2}'])
def test_a_broken_file_is_no_address(tmp_path: Path, text: str) -> None:
    (tmp_path / "running.json").write_text(text)
    assert read_address(tmp_path) is None


def test_only_its_own_word_is_taken_back(tmp_path: Path) -> None:
    write_address(tmp_path, HERE)
    other = Address(port=2, token="u", pid=HERE.pid + 1)
    write_address(tmp_path, other)
    forget_address(tmp_path, HERE)
    assert read_address(tmp_path) == other
    forget_address(tmp_path, other)
    assert list(tmp_path.iterdir()) == []
    forget_address(tmp_path, other)
