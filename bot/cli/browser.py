"""`runhome browser`: the paired browsers, and the managed one."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.terminal import harmless

if TYPE_CHECKING:
    from relay.managed import Started

app = typer.Typer(help="The paired browsers, and a managed one.", no_args_is_help=True)

Name = Annotated[str, typer.Option(help="The browser's name; each has a profile folder of its own.")]
Profile = Annotated[Path | None, typer.Option(help="Another profile folder.")]


@app.command("list", short_help="Show which are connected, and their tabs.")
def list_browsers(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show the paired browsers and whether they are connected."""
    import asyncio
    import json

    from bot.cli.client import hosted_or_running
    from bot.cli.run import wait_for_browser

    async def show() -> None:
        async with hosted_or_running() as runhome:
            if runhome.is_hosted:
                await wait_for_browser(runhome, 5)
            browsers = (await runhome.status())["browsers"]
        if as_json:
            print(json.dumps(browsers))
        elif not browsers:
            print(
                "No browser is paired yet: `runhome pair` (your Chrome) "
                "or `runhome browser start` (one of its own)."
            )
        for browser in [] if as_json else browsers:
            state = "connected" if browser["connected"] else "not connected"
            print(f"{browser['name']}: {state}")
            for tab in browser["tabs"]:
                print(harmless(f"    {tab['title'] or '(no title)'}  {tab['url']}"))

    asyncio.run(show())


@app.command("start", short_help="Start a Chrome of its own, paired.")
def start(
    name: Name = "Managed",
    headless: Annotated[bool, typer.Option("--headless", help="Without a window.")] = False,
    profile: Profile = None,
    url: Annotated[str | None, typer.Option(help="Open this page in Runhome's tab group.")] = None,
) -> None:
    """Start a Chrome of its own: own profile folder, extension loaded and paired."""
    import asyncio

    print(f'Starting "{name}" ...', file=sys.stderr)
    started, is_up = asyncio.run(_start(name, headless=headless, profile=profile, url=url))
    print(f'"{name}" runs (process {started.chrome_pid}){", newly paired" if started.paired else ""}.')
    if not is_up:
        print("Runhome itself is not running: start it with `runhome up`; the browser connects by itself.")
    elif not started.connected:
        print("It has not connected yet; it goes on trying. `runhome browser list` shows whether it has.")
    if not headless:
        print("Log in to your sites in it once: it keeps its profile.")
    named = "" if name == "Managed" else f" --name {shlex.quote(name)}"
    print(f"End it with: runhome browser stop{named}")


async def _start(
    name: str, *, headless: bool, profile: Path | None, url: str | None
) -> "tuple[Started, bool]":
    """What was started, and whether Runhome goes on running when this command has ended."""
    from bot.cli.client import hosted_or_running
    from bot.home import profile_folder
    from bot.settings import load_settings
    from relay.managed import ManagedBrowser

    settings = load_settings()
    managed = ManagedBrowser(profile or profile_folder(settings.data, name))
    async with hosted_or_running(settings) as runhome:

        async def new_code() -> str:
            return str((await runhome.pair_code())["code"])

        started = await managed.start(
            port=runhome.port, new_code=new_code, name=name, headless=headless, url=url
        )
        return started, not runhome.is_hosted


@app.command("stop")
def stop(name: Name = "Managed", profile: Profile = None) -> None:
    """Close a managed browser as a person would."""
    import asyncio

    from bot.home import profile_folder
    from bot.settings import load_settings
    from relay.managed import ManagedBrowser

    managed = ManagedBrowser(profile or profile_folder(load_settings().data, name))
    print(f'"{name}" is closed.' if asyncio.run(managed.stop()) else f'"{name}" was not running.')
