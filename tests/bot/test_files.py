"""The person's own files: found by plain name, kept under a safe one, and never outside of their folder."""

import os
import unicodedata
from base64 import b64decode
from pathlib import Path

import pytest

from bot.files import MOST_BYTES, Files
from library.errors import BadArgument, UnknownName


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "files"
    folder.mkdir(parents=True)
    (folder / "report.pdf").write_bytes(b"%PDF\x00\xff")
    (folder.parent / "secret.txt").write_text("secret")
    return folder


@pytest.fixture
def files(folder: Path) -> Files:
    return Files(folder)


def test_a_file_is_given_as_upload_takes_it(files: Files) -> None:
    opened = files.open("report.pdf")
    assert {**opened, "data": b64decode(str(opened["data"]))} == {
        "name": "report.pdf",
        "type": "application/pdf",
        "data": b"%PDF\x00\xff",
    }


def test_a_kind_that_nobody_knows_is_bytes(files: Files, folder: Path) -> None:
    (folder / "thing").write_bytes(b"")
    assert files.open("thing") == {"name": "thing", "type": "application/octet-stream", "data": ""}


def test_a_name_that_is_not_there_is_answered_with_the_nearest_and_where_files_lie(files: Files) -> None:
    with pytest.raises(UnknownName, match=r'no file named "reprot.pdf". Did you mean "report.pdf"\? Put it '):
        files.check(["reprot.pdf"])


@pytest.mark.parametrize("kind", ["up", "absolute", "link", "link to a folder", "folder", "hidden", "dot"])
def test_nothing_but_a_file_in_the_folder_is_found(files: Files, folder: Path, kind: str) -> None:
    outside = folder.parent / "secret.txt"
    (folder / "link.txt").symlink_to(outside)
    (folder / "linked").symlink_to(folder.parent)
    (folder / "inner").mkdir()
    (folder / ".hidden").write_text("hidden")
    name = {
        "up": "../secret.txt",
        "absolute": str(outside),
        "link": "link.txt",
        "link to a folder": "linked/secret.txt",
        "folder": "inner",
        "hidden": ".hidden",
        "dot": ".",
    }[kind]
    with pytest.raises(UnknownName) as caught:
        files.open(name)
    assert "link" not in str(caught.value.details)


def test_a_file_that_cannot_be_read_says_so(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", denied)
    with pytest.raises(BadArgument, match=r'"report\.pdf" cannot be read: Permission denied\.'):
        files.open("report.pdf")


def test_files_are_too_large_together(files: Files, folder: Path) -> None:
    for name, size in (("half.bin", MOST_BYTES // 2), ("rest.bin", MOST_BYTES // 2 + 1)):
        (folder / name).touch()
        os.truncate(folder / name, size)
    files.check(["half.bin", "half.bin"])
    with pytest.raises(BadArgument, match=r"half.bin, rest.bin: .* at most 20 MiB"):
        files.check(["half.bin", "rest.bin"])


def test_a_name_typed_on_another_system_is_the_same(files: Files, folder: Path) -> None:
    """macOS lists names decomposed."""
    (folder / unicodedata.normalize("NFD", "보고서.txt")).write_text("x")
    assert files.open("보고서.txt")["name"] == "보고서.txt"


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("bill.pdf", "bill.pdf"),
        ("보고서 2.pdf", "보고서 2.pdf"),
        ("../../etc/passwd", "_.._etc_passwd"),
        (".bashrc", "bashrc"),
        ("...", "file"),
        ("a\u202efdp.exe", "a_fdp.exe"),
        ("a\x00b\n.txt", "a_b_.txt"),
        ("x" * 300 + ".pdf", "x" * 80 + ".pdf"),
    ],
)
def test_a_file_that_was_sent_is_kept_under_a_harmless_name_and_found_by_it(
    files: Files, folder: Path, tmp_path: Path, name: str, kept: str
) -> None:
    sent = tmp_path / "4711-0.bin"
    sent.write_bytes(b"sent")
    assert files.keep(sent, name) == kept
    assert (folder / kept).read_bytes() == b"sent"
    assert b64decode(str(files.open(kept)["data"])) == b"sent"


def test_another_file_of_the_same_name_gets_a_number_and_the_same_one_does_not(
    files: Files, folder: Path, tmp_path: Path
) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    first.write_bytes(b"first")
    second.write_bytes(b"second")
    names = [files.keep(path, "report.pdf") for path in (first, second, first)]
    assert names == ["report-2.pdf", "report-3.pdf", "report-2.pdf"]
    assert (folder / "report.pdf").read_bytes() == b"%PDF\x00\xff"


def test_a_link_is_not_written_through(files: Files, folder: Path, tmp_path: Path) -> None:
    target = folder.parent / "secret.txt"
    (folder / "note.txt").symlink_to(target)
    (tmp_path / "sent").write_bytes(b"secret")
    assert files.keep(tmp_path / "sent", "note.txt") == "note-2.txt"
    assert target.read_text() == "secret"


def test_a_file_that_is_too_large_is_not_kept(files: Files, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "film").touch()
    os.truncate(tmp_path / "film", MOST_BYTES + 1)
    with pytest.raises(BadArgument, match=r"film\.mp4: 20\.0 MiB is too large"):
        files.keep(tmp_path / "film", "film.mp4")
    assert [path.name for path in folder.iterdir()] == ["report.pdf"]
