"""`runhome demo`: the whole way once, with a site, a browser and a home that are thrown away."""

import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bot.app import App
    from bot.cli.client import Client
    from library.demo.site import DemoSite
    from library.errors import SetupError

PORT = 8765
"""The built-in demo subroutines name this port."""

LONGEST_FOLDER = 50
"""A socket's path has room for 104 characters (sun_path), and Chrome makes one in its temporary folder."""

LOGIN = """/*---
name: demo-login
version: 1.0.0
sites: ["http://127.0.0.1:8765/*"]
start: http://127.0.0.1:8765/login
params:
  user: {type: string}
  password: {type: string, secret: true}
effect: read
---*/
await tab.type({label: "Name"}, user);
await tab.type({label: "Password"}, password);
await tab.click({role: "button", name: "Log in"});
await tab.find({role: "button", name: "Post"});
"""


def demo(
    headed: Annotated[bool, typer.Option("--headed", help="Show the browser's window.")] = False,
    text: Annotated[str, typer.Option(help="What to post.")] = "Hello from the train!",
) -> None:
    """Send one /run to a demo site through a real browser, and show the chat as a phone would."""
    import asyncio
    import logging

    logging.basicConfig(level=logging.ERROR)
    _refuse_what_cannot_be()
    folder = Path(tempfile.mkdtemp(prefix="runhome-demo-"))
    if len(str(folder)) < LONGEST_FOLDER:
        os.environ["TMPDIR"] = str(folder)  # What Chrome leaves in it goes away too.
    try:
        is_posted = asyncio.run(_demo(folder, text, headless=not (headed and _has_display())))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        _throw_away(folder)
    raise typer.Exit(0 if is_posted else 1)


def _refuse_what_cannot_be() -> None:
    """No browser, or a taken port, is told before anything is begun."""
    from library.errors import SetupError
    from relay.chrome import find_chrome
    from relay.listening import bind

    find_chrome()
    try:
        bind(PORT).close()
    except SetupError as error:
        taken = str(error).partition(". ")[0]
        raise SetupError(f"{taken}; the demo's site needs it. Stop that program, then try again.") from error


def _throw_away(folder: Path) -> None:
    """Chrome's last processes may still be writing into its profile."""
    import shutil
    import time

    for _ in range(50):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.1)
    print(f"This folder could not be removed: {folder}", file=sys.stderr)


def _has_display() -> bool:
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


async def _demo(folder: Path, text: str, *, headless: bool) -> bool:
    from bot.app import open_app
    from bot.cli.client import client_of
    from bot.settings import RelaySettings, Settings
    from library.demo.server import serve
    from library.demo.site import DemoSite

    site = DemoSite()
    settings = Settings(data=folder / "data", relay=RelaySettings(port=0))
    print("Starting a demo site, Runhome and a browser with a profile of its own ...", flush=True)
    _let_nobody_interrupt_the_cleaning_up()
    async with (
        serve(site, port=PORT) as address,
        open_app(settings, only_local=True) as app,
        client_of(app.address) as runhome,
        _browser(app, folder / "profile", headless=headless),
    ):
        await _log_in(runhome)
        return await _post(runhome, site, address, text)


def _let_nobody_interrupt_the_cleaning_up() -> None:
    """The first Ctrl-C ends the demo; a second one must not leave a browser behind."""
    import asyncio
    import contextlib
    import signal

    task = asyncio.current_task()
    assert task is not None
    loop = asyncio.get_running_loop()

    def end() -> None:
        if not task.cancelling():
            print("\nCleaning up ...", file=sys.stderr)
            task.cancel()

    with contextlib.suppress(NotImplementedError):  # On Windows there is no browser to leave behind.
        loop.add_signal_handler(signal.SIGINT, end)
        loop.add_signal_handler(signal.SIGTERM, end)


@asynccontextmanager
async def _browser(app: "App", profile: Path, *, headless: bool) -> AsyncIterator[None]:
    from library.errors import SetupError
    from relay.managed import ManagedBrowser

    managed = ManagedBrowser(profile)
    try:
        try:
            await managed.start(port=app.port, new_code=app.new_code, name="Demo", headless=headless)
        except SetupError as error:
            raise _with_chromes_words(error, profile) from error
        await app.browsers.wait_connected(None, timeout_s=30)
        yield
    finally:
        await managed.stop()


def _with_chromes_words(error: "SetupError", profile: Path) -> "SetupError":
    """The log that the error names goes away with the profile: its decisive line is told instead."""
    from library.errors import SetupError
    from relay.profile import Profile

    log = Profile(profile).log
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    weighty = [line for line in lines if "No usable sandbox" in line or ":FATAL:" in line] or lines[-1:]
    if not weighty:
        return error
    said = weighty[0].partition("] ")[2] or weighty[0]
    return SetupError(f"Chrome did not start. It said: {said}")


async def _log_in(runhome: "Client") -> None:
    from library.demo.sessions import ACCOUNTS
    from library.errors import SetupError

    user, password = next(iter(ACCOUNTS.items()))
    ask = {"source": LOGIN, "arguments": {"user": user, "password": password}, "proof": "never"}
    async for event in runhome.run(ask, claim="demo-login"):
        if "run" in event and event["run"]["status"] != "done":
            raise SetupError(f"The demo could not log in: {event['run']['verdict']['rests_on']}")
    print(f'Logged in to the demo site as "{user}", as a person would.\n', flush=True)


async def _post(runhome: "Client", site: "DemoSite", address: str, text: str) -> bool:
    import shutil

    from bot.channels.console import Console
    from library.arguments import quote

    console = Console()
    command = f"/run create-post text={quote(text)}"
    console.said(command)
    async for answer in runhome.chat(command, chat="demo"):
        picture = answer.get("send", {}).get("photo")
        if picture:
            descriptor, kept = tempfile.mkstemp(prefix="runhome-demo-", suffix=Path(picture).suffix)
            os.close(descriptor)
            answer["send"]["photo"] = str(shutil.copy(picture, kept))
        console.show(answer)
    found = [post for post in site.visible if post.text == text]
    if len(found) == 1:
        print(f'The site at {address} has it: "{text}", post {found[0].id} by {found[0].author}.')
        print("The picture is the only thing that this demo leaves behind.")
        return True
    print(f"The site at {address} has {len(found)} posts with this text; there should be one.")
    return False
