"""`runhome chat`: the console channel."""

import sys


def chat() -> None:
    """Talk to Runhome here as you would from your phone. /help lists the commands; Ctrl-D ends."""
    import asyncio

    asyncio.run(_chat())


async def _chat() -> None:
    from bot.channels.console import Console
    from bot.cli.client import hosted_or_running

    async with hosted_or_running() as runhome:
        if sys.stdin.isatty():
            print("Type a command as on your phone; /help lists them. Ctrl-D ends.", file=sys.stderr)
        await Console().talk(lambda text: runhome.chat(text, chat="console"))
