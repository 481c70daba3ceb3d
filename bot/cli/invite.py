"""`runhome invite`: a one-use code that links a chat to the owner."""

import sys
from typing import Annotated

import typer


def invite(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show a one-use code; send `/pair CODE` to the bot to link that chat to you."""
    import asyncio
    import json

    from bot.cli.client import running

    async def show() -> None:
        async with running() as runhome:
            code = await runhome.invite_code()
            has_bot = (await runhome.status())["telegram"] != "off"
        if as_json:
            print(json.dumps(code))
        else:
            print(f"Send this to your bot within {code['minutes']} minutes:\n\n    /pair {code['code']}\n")
        if not has_bot:
            print(
                "But there is no bot yet, Telegram is off: `runhome setup` takes the bot's token. "
                "Then start `runhome up` anew, and ask for a new code.",
                file=sys.stderr,
            )

    asyncio.run(show())
