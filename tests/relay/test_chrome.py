"""Where Chrome is looked for, and what is said when it is nowhere."""

from pathlib import Path

import pytest

from library.errors import SetupError
from relay.chrome import CLOSED_NETWORK, extension_folder, extension_id, find_chrome, flags
from tests.chromium import CLOSED_NETWORK as CLOSED_NETWORK_OF_TESTS


def nowhere(_: str) -> None:
    return None


@pytest.mark.parametrize(
    ("platform", "words"),
    [("linux", "apt install chromium"), ("darwin", "google.com/chrome"), ("win32", "google.com/chrome")],
)
def test_without_chrome_one_sentence_says_what_to_install(platform: str, words: str) -> None:
    with pytest.raises(SetupError, match=words):
        find_chrome(platform=platform, which=nowhere, places=[])


def test_the_path_comes_first_and_then_the_usual_places(tmp_path: Path) -> None:
    usual = tmp_path / "chrome"
    usual.touch()
    assert find_chrome(which=nowhere, places=[tmp_path / "missing", usual]) == usual
    on_path = find_chrome(which=lambda name: "/bin/chromium" if name == "chromium" else None, places=[usual])
    assert on_path == Path("/bin/chromium")


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_every_system_has_usual_places(
    platform: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PROGRAMFILES", str(tmp_path))
    monkeypatch.setattr(Path, "is_file", lambda self: "hrom" in self.name)
    assert find_chrome(platform=platform, which=nowhere)


def test_the_id_is_the_one_that_chrome_makes_of_the_key(tmp_path: Path) -> None:
    # printf key | sha256sum begins with 2c70e12b7a0646f92279f427c7b38e73; test_managed.py has the real one.
    (tmp_path / "manifest.json").write_text('{"key": "a2V5"}')
    assert extension_id(tmp_path) == "cmhaobclhkagegpjcchjpechmhldiohd"


def test_the_extension_lies_in_the_checkout() -> None:
    assert (extension_folder() / "manifest.json").is_file()
    assert len(extension_id()) == 32


@pytest.mark.parametrize("text", ["", "{}", '{"key": "?"}', "[]"])
def test_a_folder_that_is_not_the_extension_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(SetupError, match="not the manifest"):
        extension_id(tmp_path)


def test_the_flags_keep_it_off_the_network_and_in_its_sandbox() -> None:
    assert CLOSED_NETWORK == CLOSED_NETWORK_OF_TESTS
    assert "--no-sandbox" in flags(Path("/p"), headless=True, root=True)
    plain = flags(Path("/p"), headless=False, root=False)
    assert not {"--no-sandbox", "--headless=new"} & set(plain)
    assert "--user-data-dir=/p" in plain
