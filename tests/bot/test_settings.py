"""Settings come from the file and the environment; what is wrong is told with its place."""

from pathlib import Path

import pytest

from bot.settings import DEFAULT_PORT, Settings, load_settings, prepare_folder, settings_file
from library.errors import SetupError


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RUNHOME_HOME", str(tmp_path))
    return tmp_path


def test_without_a_file_everything_has_its_default(home: Path) -> None:
    settings = load_settings()
    assert (settings.relay.port, settings.data, settings.telegram.token.get_secret_value()) == (
        18792,
        home / "data",
        "",
    )


def test_the_environment_wins_over_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    settings_file().write_text("[relay]\nport = 1\n[browser]\nheadless = true\n")
    monkeypatch.setenv("RUNHOME_RELAY__PORT", "2")
    settings = load_settings()
    assert (settings.relay.port, settings.browser.headless) == (2, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[relay]\nprot = 1\n", 'has an unknown key "relay.prot". Did you mean "relay.port"?'),
        ("timezon = 'UTC'\n", 'has an unknown key "timezon". Did you mean "timezone"?'),
        ("qqq = 1\n", 'has an unknown key "qqq". The keys are: timezone, public_url, relay.port'),
        ("timezone = 'Berlin'\n", 'has a wrong value at timezone: "Berlin" is no time zone'),
        ("[relay]\nport = 70000\n", "has a wrong value at relay.port: "),
        ("public_url = 'home.example'\n", 'has a wrong value at public_url: "home.example" is no address'),
        ("relay = \n", "is not valid TOML: "),
        ("relay = 3\n", 'has a value at "relay", which is a section. Write [relay], and its keys below.'),
    ],
)
def test_what_is_wrong_is_named_with_its_file(text: str, said: str) -> None:
    settings_file().write_text(text)
    with pytest.raises(SetupError) as error:
        load_settings()
    assert str(error.value).startswith(f"{settings_file()} {said}")


def test_a_wrong_variable_is_not_blamed_on_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNHOME_TIMEZONE", "Berlin")
    with pytest.raises(SetupError, match=r"^The environment variable RUNHOME_TIMEZONE has a wrong value"):
        load_settings()


def test_a_mistyped_variable_of_a_section_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNHOME_RELAY__PROT", "2")
    with pytest.raises(SetupError, match=r"^The environment variable RUNHOME_RELAY__PROT has an unknown key"):
        load_settings()


def test_the_data_folder_is_absolute_also_where_its_home_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNHOME_HOME", "here")
    assert load_settings().data == Path.cwd() / "here" / "data"


def test_settings_that_are_handed_in_are_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    settings_file().write_text("qqq = 1\n")
    monkeypatch.setenv("RUNHOME_RELAY__PORT", "2")
    assert Settings().relay.port == DEFAULT_PORT


def test_a_file_that_is_no_text_is_said() -> None:
    settings_file().write_bytes(b"\xff\xfe")
    with pytest.raises(SetupError, match="cannot be read"):
        load_settings()


def test_a_token_is_not_shown_when_settings_are() -> None:
    settings_file().write_text("[telegram]\ntoken = '123:secret'\n")
    assert "secret" not in repr(load_settings())


def test_the_data_folder_may_lie_in_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    settings_file().write_text("data = '~/runhome'\n")
    assert load_settings().data == Path("/home/somebody/runhome")


def test_the_zone_is_the_machines_where_none_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Seoul")
    assert load_settings().zone == "Asia/Seoul"
    settings_file().write_text("timezone = 'Europe/Berlin'\n")
    assert load_settings().zone == "Europe/Berlin"


def test_a_folder_of_ours_is_for_its_owner_only(home: Path) -> None:
    assert prepare_folder(home / "a" / "b").stat().st_mode & 0o777 == 0o700
