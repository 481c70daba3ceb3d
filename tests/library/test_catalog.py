"""Installed subroutines: found by name, read again when changed, good ones never hidden by bad ones."""

import os
from pathlib import Path

import pytest

from library.catalog import BUILT_IN, Catalog
from library.errors import SubroutineError, UnknownName


def write(path: Path, name: str, version: str = "1.0.0") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    manifest = f'name: {name}\nversion: {version}\nsites: ["https://a.test/*"]\neffect: read\n'
    path.write_text(f"/*---\n{manifest}---*/\nreturn 1;\n")
    return path


def test_subroutines_are_found_by_the_name_in_their_manifest(tmp_path: Path) -> None:
    write(tmp_path / "x.js", "one")
    path = write(tmp_path / "site" / "two.js", "site/two")
    catalog = Catalog([tmp_path])
    assert catalog.names() == ["one", "site/two"]
    assert [subroutine.name for subroutine in catalog.all()] == ["one", "site/two"]
    assert catalog.path("site/two") == path


def test_an_unknown_name_is_answered_with_the_nearest(tmp_path: Path) -> None:
    write(tmp_path / "x.js", "create-post")
    with pytest.raises(UnknownName, match='Did you mean "create-post"'):
        Catalog([tmp_path]).get("craete-post")


def test_a_bad_file_does_not_hide_the_good_ones(tmp_path: Path) -> None:
    write(tmp_path / "good.js", "good")
    (tmp_path / "bad.js").write_text("return 1;")
    (tmp_path / "latin.js").write_bytes(b"/*---\n\xff")
    catalog = Catalog([tmp_path])
    assert catalog.names() == ["good"]
    assert [problem.path.name for problem in catalog.problems()] == ["bad.js", "latin.js"]
    assert "line 2" in catalog.problems()[1].message


def test_asking_for_a_broken_file_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    path = write(tmp_path / "x.js", "one")
    catalog = Catalog([tmp_path])
    assert catalog.get("one").version == "1.0.0"
    path.write_text("broken")
    with pytest.raises(SubroutineError, match=r"x\.js"):
        catalog.get("one")


def test_files_that_change_appear_or_go_are_noticed(tmp_path: Path) -> None:
    path = write(tmp_path / "x.js", "one")
    catalog = Catalog([tmp_path])
    first = catalog.get("one")
    assert catalog.get("one") is first
    write(path, "one", version="1.0.1")
    os.utime(path, ns=(1, 1))
    assert catalog.get("one").version == "1.0.1"
    other = write(tmp_path / "y.js", "two")
    assert catalog.names() == ["one", "two"]
    other.unlink()
    assert catalog.names() == ["one"]


def test_the_first_folder_wins_and_the_other_file_is_named(tmp_path: Path) -> None:
    write(tmp_path / "built-in" / "x.js", "one", version="1.0.0")
    write(tmp_path / "own" / "x.js", "one", version="6.6.6")
    catalog = Catalog([tmp_path / "built-in", tmp_path / "own"])
    assert catalog.get("one").version == "1.0.0"
    (problem,) = catalog.problems()
    assert problem.path == tmp_path / "own" / "x.js"
    assert 'the name "one" is already taken' in problem.message


def test_a_folder_that_does_not_exist_is_empty(tmp_path: Path) -> None:
    assert Catalog([tmp_path / "nowhere"]).names() == []


def test_every_built_in_subroutine_is_usable() -> None:
    assert Catalog([BUILT_IN]).problems() == []
