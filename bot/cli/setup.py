"""`runhome setup`: asks for what is needed and writes the settings file. Starts nothing."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from bot.settings import Settings

TOKEN, TIMEZONE, PUBLIC_URL, PORT = "telegram.token", "timezone", "public_url", "relay.port"
NOTHING = "-"
"""What is typed to empty a value: Enter keeps it."""

QUESTIONS = {
    TOKEN: "Telegram bot token (@BotFather gives one)",
    TIMEZONE: "Time zone, like Europe/Berlin",
    PUBLIC_URL: "Address for webhooks from outside, like https://runhome.example.com",
}


def setup(
    telegram_token: Annotated[
        str | None, typer.Option(help="The token that @BotFather gave you; empty for no Telegram.")
    ] = None,
    timezone: Annotated[str | None, typer.Option(help="Your time zone, e.g. Europe/Berlin.")] = None,
    public_url: Annotated[
        str | None, typer.Option(help="Where a tunnel or proxy of yours reaches this machine, for webhooks.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The relay's port on this machine.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing; keep what is not given.")] = False,
) -> None:
    """Ask for what is needed and write the settings file, readable by you only."""
    from bot.settings import load_settings, prepare_folder, settings_file
    from bot.settings_file import changed, write_private
    from library.errors import SetupError

    settings, path = load_settings(), settings_file()
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    given = {TOKEN: telegram_token, TIMEZONE: timezone, PUBLIC_URL: public_url, PORT: port}
    changes = {key: value for key, value in given.items() if value is not None}
    _check(changes)
    if not yes:
        print("Enter keeps what is in brackets. Nothing is written before the last answer.")
        try:
            changes |= _ask_for([key for key in QUESTIONS if given[key] is None], settings)
        except typer.Abort as error:
            print()
            raise SetupError(
                "Nothing was written: a question was not answered. "
                "`runhome setup --yes` asks none; `runhome setup --help` lists what it takes instead."
            ) from error
    prepare_folder(path.parent)
    write_private(path, changed(text, changes))
    print(f"Written: {path}")
    print("Next: `runhome up` starts Runhome. Then, in another window: `runhome pair` connects your Chrome,")
    print("`runhome invite` your chat. `runhome doctor` tells what is still missing.")


def _ask_for(keys: list[str], settings: "Settings") -> dict[str, Any]:
    """What was answered; what was kept is not among it."""
    now = {
        TOKEN: settings.telegram.token.get_secret_value(),
        TIMEZONE: settings.timezone or settings.zone,
        PUBLIC_URL: settings.public_url,
    }
    answers: dict[str, Any] = {}
    for key in keys:
        answer = _ask(key, now[key])
        if answer != now[key] or key == TIMEZONE:
            answers[key] = answer
    return answers


def _ask(key: str, now: str) -> str:
    """Asks until the answer fits; what does not is said and loses nothing."""
    import sys

    from library.errors import SetupError

    is_secret = key == TOKEN
    shown = ("one is set" if is_secret else now) if now else ""
    hint = f"[{shown}; {NOTHING} removes it]" if now else "(Enter: none)"
    while True:
        answer: str = typer.prompt(
            f"{QUESTIONS[key]} {hint}",
            default="",
            show_default=False,
            hide_input=is_secret and sys.stdin.isatty(),
        )
        answer = "" if answer.strip() == NOTHING else answer.strip() or now
        try:
            _check({key: answer})
        except SetupError as error:
            print(error)
        else:
            return answer


def _check(changes: dict[str, Any]) -> None:
    """Raises SetupError before anything is written."""
    import re

    from pydantic import ValidationError

    from bot.settings import Settings
    from library.errors import SetupError

    token = changes.get(TOKEN, "")
    if token and not re.fullmatch(r"\d+:[A-Za-z0-9_-]{20,}", token.strip()):
        raise SetupError("A bot token looks like 123456789:AAF-…, digits, a colon, then many letters.")
    try:
        Settings(**_nested(changes))
    except ValidationError as error:
        raise SetupError(f"{error.errors()[0]['msg'].removeprefix('Value error, ')}.") from error


def _nested(changes: dict[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in changes.items():
        section, _, name = key.rpartition(".")
        (values.setdefault(section, {}) if section else values)[name] = value
    return values
