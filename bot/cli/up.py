"""`runhome up`: the relay and the bot, in one process, until it is told to stop."""

from typing import Annotated

import typer


def up(
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log more.")] = False,
) -> None:
    """Start Runhome: the relay for your browser and the bot for your phone. Ctrl-C stops it."""
    import asyncio
    import logging

    logging.basicConfig(
        level=logging.DEBUG if verbose else logging.INFO,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    for chatty in ("httpx", "httpcore", "apscheduler", "alembic"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    asyncio.run(_up())


async def _up() -> None:
    import asyncio
    import signal

    from bot.app import open_app
    from bot.settings import load_settings, settings_file

    settings = load_settings()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop.set)
    async with open_app(settings) as app:
        paired = app.pairings.names()
        print(f"Runhome is up on 127.0.0.1:{app.port}. Settings: {settings_file()}")
        print(
            f"Browsers paired: {', '.join(paired)}."
            if paired
            else "No browser is paired: `runhome pair` (yours) or `runhome browser start` (a managed one)."
        )
        print(
            "Telegram: on."
            if "telegram" in app.channels
            else "Telegram: off (`runhome setup` takes the bot's token)."
        )
        await stop.wait()
        print("Stopping ...")
