"""`runhome pair`: shows a code for the extension's popup and waits until a browser has used it."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bot.cli.client import Client


def pair(
    as_json: Annotated[bool, typer.Option("--json", help="Print the code as JSON and do not wait.")] = False,
) -> None:
    """Show an 8-character code to type into the extension's popup (Runhome's icon in Chrome)."""
    import asyncio

    asyncio.run(_pair(as_json=as_json))


async def _pair(*, as_json: bool) -> None:
    import asyncio
    import json

    from bot.cli.client import hosted_or_running
    from library.errors import HomeError

    async with hosted_or_running() as runhome:
        before = {browser["name"] for browser in (await runhome.status())["browsers"]}
        code = await runhome.pair_code()
        if as_json:
            print(json.dumps(code))
            if not runhome.is_hosted:
                return  # else this process is the one to pair with, and stays until that is done
        else:
            print(f"\n    {code['code']}\n")
            print(f"Click Runhome's icon in Chrome and type this code within {code['minutes']} minutes.")
            print("No icon yet? chrome://extensions, Developer mode, Load unpacked: `runhome extension path`")
        try:
            async with asyncio.timeout(float(code["minutes"]) * 60):
                while not (new := await _new_browsers(runhome, before)):  # noqa: ASYNC110 (another process)
                    await asyncio.sleep(0.5)
        except TimeoutError:
            raise HomeError("The code has expired; nothing was paired. Run `runhome pair` again.") from None
        if not as_json:
            up_first = "`runhome up`, then " if runhome.is_hosted else ""
            print(f'Paired: "{new[0]}". Try it: {up_first}`runhome chat`, then /library')


async def _new_browsers(runhome: "Client", before: set[str]) -> list[str]:
    return [
        b["name"] for b in (await runhome.status())["browsers"] if b["name"] not in before and b["connected"]
    ]
