"""`runhome run`: one run from the command line."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.terminal import harmless

if TYPE_CHECKING:
    from bot.cli.client import Client

EXIT_CODES = {"done": 0, "failed": 1, "cancelled": 1, "unconfirmed": 3}


def run(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE.js", help="An installed subroutine, or a file.")],
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[key=value]...", help="Its arguments.")
    ] = None,
    browser: Annotated[
        str | None, typer.Option(help="Which paired browser; needed when there are several.")
    ] = None,
    claim: Annotated[str | None, typer.Option(help="Idempotency key: the same key never runs twice.")] = None,
    wait: Annotated[float, typer.Option(help="Seconds to wait for a browser to connect.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print the run as JSON.")] = False,
) -> None:
    """Run a subroutine once and show the verdict. Exit code: 0 done, 1 failed, 3 unconfirmed.

    For example: runhome run create-post text="Hello from home"
    """
    import asyncio

    ask: dict[str, Any] = {"words": words or [], "browser": browser}
    if name.endswith(".js"):
        ask["source"] = read_file(Path(name))
    else:
        ask["name"] = name
    found = asyncio.run(_run(ask, claim=claim, wait_s=wait, quiet=as_json))
    _show(found, as_json=as_json)
    raise typer.Exit(EXIT_CODES.get(found["status"], 1))


def read_file(path: Path) -> str:
    """Raises SetupError where it is not there or not text."""
    from library.errors import SetupError

    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise SetupError(f"Cannot read {path}: {why}.") from error


async def _run(ask: dict[str, Any], *, claim: str | None, wait_s: float, quiet: bool) -> dict[str, Any]:
    import uuid

    from bot.cli.client import hosted_or_running

    async with hosted_or_running() as runhome:
        if runhome.is_hosted:
            await wait_for_browser(runhome, wait_s, quiet=quiet)
        return await _until_done(runhome, ask, claim or uuid.uuid4().hex, quiet=quiet)


async def _until_done(runhome: "Client", ask: dict[str, Any], claim: str, *, quiet: bool) -> dict[str, Any]:
    """The run. Ctrl-C stops it, also where another process carries it out."""
    import asyncio

    from library.errors import HomeError

    try:
        async for event in runhome.run(ask, claim=claim):
            if "run" in event:
                found: dict[str, Any] = event["run"]
                return found
            if not quiet and sys.stderr.isatty():
                print(harmless(f"  {event['progress']['text']}"), file=sys.stderr)
    except asyncio.CancelledError:
        await runhome.cancel(claim=claim)
        raise
    raise HomeError("Runhome ended its answer without a result. Its log says why.")


async def wait_for_browser(runhome: "Client", wait_s: float, *, quiet: bool = False) -> None:
    """A relay that has just started gives the paired browsers time to come back; then the run will say."""
    import asyncio

    is_told = quiet
    try:
        async with asyncio.timeout(wait_s):
            while True:
                browsers = (await runhome.status())["browsers"]
                if not browsers or any(browser["connected"] for browser in browsers):
                    return
                if not is_told:
                    names = ", ".join(browser["name"] for browser in browsers)
                    print(f"Waiting up to {wait_s:.0f} s for a browser ({names}) ...", file=sys.stderr)
                    is_told = True
                await asyncio.sleep(0.1)
    except TimeoutError:
        return


def _show(found: dict[str, Any], *, as_json: bool) -> None:
    import json

    if as_json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
        return
    from bot.replies import run_reply
    from library.models import Run

    print(harmless(run_reply(Run.model_validate(found)).text))
    for kind, path in found["files"].items():
        print(f"{kind}: {path}")
