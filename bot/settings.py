"""The settings: one TOML file, the environment over it, and the folders of the program. Holds no state."""

import json
import os
import tomllib
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from platformdirs import user_config_path, user_data_path
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from library.errors import SetupError, nearest

HOME_VARIABLE = "RUNHOME_HOME"
"""When set, settings and data live in this one folder instead of the platform's own."""

DEFAULT_PORT = 18792


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RelaySettings(Section):
    port: int = Field(DEFAULT_PORT, ge=0, le=65535)
    """Loopback port for the extension and the command line; 0 lets the system choose."""


class TelegramSettings(Section):
    token: SecretStr = SecretStr("")
    """From @BotFather; empty: no Telegram."""
    base_url: str = "https://api.telegram.org/bot"
    base_file_url: str = "https://api.telegram.org/file/bot"


class BrowserSettings(Section):
    autostart: bool = False
    """Start the managed browser when a run is due and none is connected."""
    headless: bool = False


class Settings(BaseSettings):
    """Read with :func:`load_settings`. Every value has a default: Runhome works without a file."""

    model_config = SettingsConfigDict(
        env_prefix="RUNHOME_", env_nested_delimiter="__", extra="forbid", frozen=True
    )

    timezone: str = ""
    """IANA name, e.g. Europe/Berlin; empty: the machine's own."""
    public_url: str = ""
    """Where a tunnel or proxy reaches this relay from outside, for webhooks; empty: this machine only."""
    relay: RelaySettings = RelaySettings()
    telegram: TelegramSettings = TelegramSettings()
    browser: BrowserSettings = BrowserSettings()
    data: Path = Field(default_factory=lambda: data_folder())

    @field_validator("timezone")
    @classmethod
    def _is_a_zone(cls, name: str) -> str:
        if name and not is_zone(name):
            raise ValueError(f'"{name}" is no time zone; write it like "Europe/Berlin"')
        return name

    @property
    def zone(self) -> str:
        """IANA name of the zone for those who set none."""
        return self.timezone or _zone_of_machine()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, settings_file())


def _zone_of_machine() -> str:
    """From TZ or /etc/localtime, where they name a zone; else UTC."""
    named = os.environ.get("TZ", "").lstrip(":")
    place = Path("/etc/localtime").resolve().as_posix()
    for name in (named, place.partition("/zoneinfo/")[2]):
        if name and is_zone(name):
            return name
    return "UTC"


def is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return False
    return True


def settings_file() -> Path:
    """Where the one TOML file lies; it need not exist."""
    home = os.environ.get(HOME_VARIABLE)
    folder = Path(home) if home else user_config_path("runhome", appauthor=False)
    return folder / "runhome.toml"


def data_folder() -> Path:
    """Where the database, the pairings, the evidence and the person's own subroutines lie."""
    home = os.environ.get(HOME_VARIABLE)
    return Path(home) / "data" if home else user_data_path("runhome", appauthor=False)


def load_settings() -> Settings:
    """Reads the file and the environment. Raises SetupError, which names the key and the file."""
    path = settings_file()
    try:
        return Settings()
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"{path} is not valid TOML: {error}.") from error
    except ValidationError as error:
        raise SetupError(f"{path} has {_problems(error)}") from error


def _problems(error: ValidationError) -> str:
    return "; ".join(_problem(item["loc"], item["type"], item["msg"]) for item in error.errors()) + "."


def _problem(loc: tuple[int | str, ...], kind: str, message: str) -> str:
    key = ".".join(str(part) for part in loc)
    if kind != "extra_forbidden":
        return f"a wrong value at {key}: {message.removeprefix('Value error, ')}"
    near = nearest(key, known_keys())
    return f'an unknown key "{key}"' + (f' (did you mean "{near[0]}"?)' if near else "")


def known_keys() -> list[str]:
    """Every dotted key that the file may hold."""
    keys = []
    for name, field in Settings.model_fields.items():
        kind: Any = field.annotation
        if isinstance(kind, type) and issubclass(kind, Section):
            keys += [f"{name}.{inner}" for inner in kind.model_fields]
        else:
            keys.append(name)
    return keys


def prepare_folder(path: Path) -> Path:
    """Makes a folder that only its owner can read, and returns it."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    return path


def write_settings_file(values: dict[str, dict[str, str | bool | int] | str]) -> Path:
    """Writes the TOML file, mode 0600, replacing the whole of it at once. Returns its path."""
    path = settings_file()
    prepare_folder(path.parent)
    text = "\n".join(_toml_lines(values)) + "\n"
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    draft.replace(path)
    return path


def _toml_lines(values: dict[str, dict[str, str | bool | int] | str]) -> list[str]:
    top = [f"{key} = {_toml(value)}" for key, value in values.items() if not isinstance(value, dict)]
    for name, section in values.items():
        if isinstance(section, dict):
            top += ["", f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in section.items())]
    return top


def _toml(value: str | bool | int) -> str:
    """A TOML basic string escapes as JSON does (TOML 1.0, section String)."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return json.dumps(value)
