"""Codes, keys and names; and the file that keeps them."""

import stat
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from library.errors import AskError, PairingRefused, SetupError, UnknownName
from relay.pairing import ALPHABET, CODE_LENGTH, WRONG_TRIES, Pairings
from relay.pairing_file import PairingFile
from tests.fakes_browser import NOW, MemoryStore


class Clock:
    def __init__(self) -> None:
        self.time = NOW

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pairings(clock: Clock) -> Pairings:
    return Pairings(MemoryStore(), now=clock)


def paired(pairings: Pairings, name: str = "Chrome") -> str:
    return pairings.redeem(pairings.new_code().text, name).name


def test_a_code_is_eight_characters_that_cannot_be_mistaken() -> None:
    assert len(ALPHABET) == 32
    assert not set("0O1I") & set(ALPHABET)
    codes = {Pairings(MemoryStore(), now=lambda: NOW).new_code().text for _ in range(50)}
    assert len(codes) == 50
    assert all(len(code) == CODE_LENGTH and set(code) <= set(ALPHABET) for code in codes)


def test_a_code_gives_an_id_and_a_key_of_256_bits(pairings: Pairings) -> None:
    pairing = pairings.redeem(pairings.new_code().text, "Chrome")
    assert len(pairing.key) == 32
    assert pairings.key_of(pairing.browser) == pairing.key
    assert pairings.key_of("b0") is None


@pytest.mark.parametrize("typed", ["{}", " {} ", "lower", "dashed"])
def test_a_code_may_be_typed_as_people_type(pairings: Pairings, typed: str) -> None:
    code = pairings.new_code().text
    text = {"lower": code.lower(), "dashed": f"{code[:4]}-{code[4:]}"}.get(typed, typed.format(code))
    assert pairings.redeem(text, "Chrome").name == "Chrome"


def test_a_code_works_once(pairings: Pairings) -> None:
    code = pairings.new_code().text
    pairings.redeem(code, "Chrome")
    with pytest.raises(PairingRefused):
        pairings.redeem(code, "Chrome")


def test_a_code_lives_ten_minutes(pairings: Pairings, clock: Clock) -> None:
    first, second = pairings.new_code().text, pairings.new_code().text
    clock.time += timedelta(minutes=9, seconds=59)
    pairings.redeem(first, "Chrome")
    clock.time += timedelta(seconds=1)
    with pytest.raises(PairingRefused):
        pairings.redeem(second, "Chrome")


def test_five_wrong_tries_end_every_open_code(pairings: Pairings) -> None:
    code = pairings.new_code().text
    for _ in range(WRONG_TRIES):
        with pytest.raises(PairingRefused):
            pairings.redeem("22222222" if code != "22222222" else "33333333", "Chrome")
    with pytest.raises(PairingRefused):
        pairings.redeem(code, "Chrome")


def test_four_wrong_tries_do_not(pairings: Pairings) -> None:
    code = pairings.new_code().text
    for wrong in ("", "é", "x" * 1000, "00000000"):
        with pytest.raises(PairingRefused):
            pairings.redeem(wrong, "Chrome")
    assert pairings.redeem(code, "Chrome")


def test_the_second_chrome_is_chrome_2(pairings: Pairings) -> None:
    assert [paired(pairings), paired(pairings, "chrome"), paired(pairings)] == [
        "Chrome",
        "chrome 2",
        "Chrome 3",
    ]


@pytest.mark.parametrize(
    ("wanted", "name"),
    [("", "Browser"), ("  a \n b\x00c ", "a b c"), ("x" * 99, "x" * 40), ("집 크롬", "집 크롬")],
)
def test_a_name_is_one_short_printable_line(pairings: Pairings, wanted: str, name: str) -> None:
    assert paired(pairings, wanted) == name


def test_a_browser_is_renamed(pairings: Pairings) -> None:
    paired(pairings)
    paired(pairings, "Work")
    assert pairings.rename("chrome", "Home").name == "Home"
    assert pairings.rename("Home", "home").name == "home"
    assert pairings.names() == ["home", "Work"]


@pytest.mark.parametrize("new", ["work", "", "\x00"])
def test_a_name_that_is_taken_or_empty_is_refused(pairings: Pairings, new: str) -> None:
    paired(pairings)
    paired(pairings, "Work")
    with pytest.raises(AskError):
        pairings.rename("Chrome", new)


def test_a_removed_browser_has_no_key(pairings: Pairings) -> None:
    paired(pairings)
    removed = pairings.remove("Chrome")
    assert pairings.key_of(removed.browser) is None
    with pytest.raises(UnknownName):
        pairings.remove("Chrome")


def test_no_key_and_no_code_shows_in_a_printed_form(pairings: Pairings) -> None:
    code = pairings.new_code()
    pairing = pairings.redeem(code.text, "Chrome")
    assert code.text not in repr(code)
    assert pairing.key.hex() not in repr(pairing)
    assert repr(pairing.key) not in repr(pairing)


# --- the file -------------------------------------------------------------------------------------


def test_pairings_are_there_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "data" / "pairings.json"
    before = Pairings(PairingFile(path), now=lambda: NOW)
    paired(before)
    after = Pairings(PairingFile(path), now=lambda: NOW)
    assert after.all() == before.all()


def test_the_file_is_its_owners_alone_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "pairings.json"
    pairings = Pairings(PairingFile(path), now=lambda: NOW)
    paired(pairings)
    pairings.remove("Chrome")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"browsers": [{}]}', '{"browsers": 3}'])
def test_a_broken_file_is_named_and_not_overwritten(tmp_path: Path, text: str) -> None:
    path = tmp_path / "pairings.json"
    path.write_text(text)
    with pytest.raises(SetupError, match=r"pairings\.json"):
        PairingFile(path).load()
    assert path.read_text() == text
