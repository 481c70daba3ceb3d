"""`runhome setup`: asks for what is needed and writes the settings file."""

from typing import Annotated

import typer


def setup(
    telegram_token: Annotated[
        str | None, typer.Option(help="The token that @BotFather gave you; empty for no Telegram.")
    ] = None,
    timezone: Annotated[str | None, typer.Option(help="Your time zone, e.g. Europe/Berlin.")] = None,
    port: Annotated[int | None, typer.Option(help="The relay's port on this machine.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing; keep what is not given.")] = False,
) -> None:
    """Ask for what is needed and write the settings file (readable by you only)."""
    from bot.settings import Settings, load_settings, write_settings_file

    now = load_settings()
    if telegram_token is None:
        telegram_token = now.telegram.token.get_secret_value()
        if not yes:
            telegram_token = _ask(
                "Telegram bot token (from @BotFather; empty for none)", telegram_token, hide=True
            )
    if timezone is None:
        timezone = now.timezone if yes else _ask("Time zone (empty: this machine's)", now.timezone)
    values: dict[str, dict[str, str | bool | int] | str] = {
        "timezone": timezone,
        "relay": {"port": now.relay.port if port is None else port},
        "telegram": {
            "token": telegram_token.strip(),
            "base_url": now.telegram.base_url,
            "base_file_url": now.telegram.base_file_url,
        },
        "browser": {"autostart": now.browser.autostart, "headless": now.browser.headless},
    }
    _check(Settings, values)
    path = write_settings_file(values)
    print(f"Written: {path}")
    print(
        "Next: `runhome up` starts Runhome, `runhome pair` connects your Chrome, `runhome invite` your chat."
    )


def _ask(question: str, default: str, *, hide: bool = False) -> str:
    shown = "keep" if hide and default else default
    answer: str = typer.prompt(question, default=shown, show_default=bool(shown), hide_input=hide)
    return default if hide and answer == shown else answer


def _check(settings: type, values: dict[str, dict[str, str | bool | int] | str]) -> None:
    """Validates before anything is written, so that a bad answer loses nothing."""
    from pydantic import ValidationError

    from library.errors import SetupError

    try:
        settings(**values)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise SetupError(
            f"{key}: {first['msg'].removeprefix('Value error, ')}. Nothing was written."
        ) from error
