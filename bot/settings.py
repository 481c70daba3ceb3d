"""The settings: one TOML file, the environment over it, and the folders of the program. Holds no state."""

import os
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from platformdirs import user_config_path, user_data_path
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_core import ErrorDetails
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


class Settings(Section):
    """Read with :func:`load_settings`. Every value has a default: Runhome works without a file."""

    model_config = ConfigDict(validate_default=True)

    timezone: str = ""
    """IANA name, e.g. Europe/Berlin; empty: the machine's own."""
    public_url: str = ""
    """Where a tunnel or proxy reaches this relay from outside, for webhooks; empty: this machine only."""
    relay: RelaySettings = RelaySettings()
    telegram: TelegramSettings = TelegramSettings()
    browser: BrowserSettings = BrowserSettings()
    data: Path = Field(default_factory=lambda: data_folder())
    """Where everything but these settings lies; ``~`` is the home folder."""

    @field_validator("timezone")
    @classmethod
    def _is_a_zone(cls, name: str) -> str:
        if name and not is_zone(name):
            raise ValueError(f'"{name}" is no time zone; write it like "Europe/Berlin"')
        return name

    @field_validator("public_url")
    @classmethod
    def _is_an_address(cls, url: str) -> str:
        parts = urlsplit(url)
        if url and (parts.scheme not in ("http", "https") or not parts.hostname):
            raise ValueError(f'"{url}" is no address; write it like "https://runhome.example.com"')
        return url

    @field_validator("data")
    @classmethod
    def _is_absolute(cls, folder: Path) -> Path:
        return folder.expanduser().absolute()

    @property
    def zone(self) -> str:
        """IANA name of the zone for those who set none."""
        return self.timezone or _zone_of_machine()


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


class _Kept(Settings, BaseSettings):
    """Those of the file and, over them, of the environment: ``RUNHOME_TIMEZONE``, ``RUNHOME_RELAY__PORT``."""

    model_config = SettingsConfigDict(env_prefix="RUNHOME_", env_nested_delimiter="__")

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


def load_settings() -> Settings:
    """Reads the file and the environment. Raises SetupError, which names the key and where it is."""
    path = settings_file()
    try:
        return _Kept()
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"{path} is not valid TOML: {error}.") from error
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise SetupError(f"{path} cannot be read: {why}.") from error
    except ValidationError as error:
        raise SetupError(" ".join(_problem(item) for item in error.errors())) from error


def _problem(item: ErrorDetails) -> str:
    key = ".".join(str(part) for part in item["loc"])
    where = _where(item["loc"])
    if item["type"] == "model_type":
        return f'{where} has a value at "{key}", which is a section. Write [{key}], and its keys below.'
    if item["type"] != "extra_forbidden":
        return f"{where} has a wrong value at {key}: {item['msg'].removeprefix('Value error, ')}."
    near = nearest(key, known_keys(), most=1)
    hint = f'Did you mean "{near[0]}"?' if near else f"The keys are: {', '.join(known_keys())}."
    return f'{where} has an unknown key "{key}". {hint}'


def _where(loc: tuple[int | str, ...]) -> str:
    """The environment wins over the file, so a value that is in both is the environment's."""
    variable = f"RUNHOME_{'__'.join(str(part) for part in loc)}".upper()
    return f"The environment variable {variable}" if variable in os.environ else str(settings_file())


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
    """Makes a folder that only its owner can read, and returns it. Raises SetupError."""
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SetupError(
            f"The folder {path} cannot be made: {error.strerror}. "
            f"Make room for it, or set {HOME_VARIABLE} to another folder for all that Runhome keeps."
        ) from error
    return path
