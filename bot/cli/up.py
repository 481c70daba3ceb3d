"""`runhome up`: the relay and the bot, in one process, until it is told to stop."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bot.app import App
    from bot.settings import Settings

CHATTY = ("httpx", "httpcore", "apscheduler", "alembic", "uvicorn")


def up(
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log more.")] = False,
) -> None:
    """Start Runhome: the relay for your browser and the bot for your phone. Ctrl-C stops it."""
    import asyncio
    import gc
    import logging

    logging.basicConfig(
        level=logging.DEBUG if verbose else logging.INFO,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
    gc.disable()  # What a start makes stays: to look through it for garbage, again and again, takes long.
    asyncio.run(_up())


async def _up() -> None:
    import asyncio
    import contextlib
    import signal

    from bot.app import open_app
    from bot.settings import load_settings

    settings = load_settings()
    await _refuse_a_second(settings)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError):  # On Windows Ctrl-C cancels this task instead.
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, stop.set)
    async with open_app(settings, on_serving=_greet):
        await stop.wait()
        print("Stopping ...", flush=True)


async def _refuse_a_second(settings: "Settings") -> None:
    """On a port of its own a second one may serve lists, and take over when the first one dies."""
    from bot.address import read_address

    if read_address(settings.data) is None:
        return  # An HTTP client, to ask, is not there at once.
    from bot.cli.client import answering
    from library.errors import SetupError

    first = await answering(settings.data)
    if first is not None and first.port == settings.relay.port:
        raise SetupError(
            f"Runhome is already running on 127.0.0.1:{first.port} (process {first.pid}). "
            "Stop that one first if you want to start it anew."
        )


def _greet(app: "App") -> None:
    import gc

    print("\n".join(greeting(app)), flush=True)
    gc.freeze()
    gc.enable()


def greeting(app: "App") -> list[str]:
    """Where it runs, what is connected, and what to do about what is not."""
    from bot.settings import settings_file

    paired = app.pairings.names()
    lines = [f"Runhome is up on 127.0.0.1:{app.port}. Ctrl-C stops it. Settings: {settings_file()}"]
    if not app.timekeeper.is_owner:
        lines.append(
            f"Process {app.timekeeper.lock.holder()} runs Runhome on this data: this one only shows lists, "
            "and takes over when that one ends."
        )
    if paired:
        lines.append(f"Browsers paired: {', '.join(paired)}.")
    else:
        lines.append(
            "No browser is paired yet. In another window: `runhome pair` (your Chrome) "
            "or `runhome browser start` (one of its own)."
        )
    if app.settings.telegram.token.get_secret_value():
        lines.append("Telegram is on: `runhome invite` links your chat.")
    else:
        lines.append("Telegram is off: `runhome setup` takes the bot's token.")
    return lines
