"""`runhome try URL`: a prompt at a page of the paired browser, where helpers are typed and traced."""

from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

if TYPE_CHECKING:
    from bot.cli.client import Client
    from library.models import Subroutine

HINT = """Type helpers as a subroutine would, each line is a run of its own:
    find({role: "button", name: "Post"})      click({text: "Post"})      extract({row: {role: "article"}})
    const box = await find({role: "textbox"}); await type(box, "Hi"); return await read(box)
Ctrl-D ends."""


def try_page(
    url: Annotated[str, typer.Argument(help="The page to open, in Runhome's tab group.")],
    browser: Annotated[str | None, typer.Option(help="Which paired browser, if there are several.")] = None,
) -> None:
    """Open a page in the paired browser and try helpers on it, with the trace and the candidates shown."""
    import asyncio

    asyncio.run(_try(url, browser))


async def _try(url: str, browser: str | None) -> None:
    import asyncio
    import contextlib
    import sys

    from bot.cli.client import hosted_or_running
    from bot.cli.run import wait_for_browser

    async with hosted_or_running() as runhome:
        await wait_for_browser(runhome, 20)
        tab = (await runhome.open({"url": url, "browser": browser}))["tab"]
        print(f"{tab['title'] or url}\n{HINT}")
        with contextlib.suppress(EOFError):
            while True:
                line = await asyncio.to_thread(input, "> " if sys.stdin.isatty() else "")
                if line.strip():
                    await _play(runhome, line, url, browser)


async def _play(runhome: "Client", line: str, url: str, browser: str | None) -> None:
    import uuid

    from library.errors import RunhomeError
    from library.subroutine_file import render

    ask = {"source": render(line_subroutine(line, url)), "browser": browser, "proof": "never"}
    try:
        async for event in runhome.run(ask, claim=uuid.uuid4().hex):
            if "run" in event:
                print("\n".join(shown(event["run"])))
    except RunhomeError as error:
        print(error)


def line_subroutine(line: str, url: str) -> "Subroutine":
    """What was typed as a subroutine of this one site; its owner types it, so all of the site is allowed."""
    from library.body_names import HELPERS
    from library.models import Effect, Permissions, Subroutine

    parts = urlsplit(url)
    origin = f"{parts.scheme}://{parts.netloc}"
    is_expression = not any(word in line for word in ("return ", ";", "const ", "let "))
    body = f"return await {line}" if is_expression else line
    return Subroutine(
        name="try",
        version="0",
        sites=(f"{origin}/*",),
        effect=Effect.READ,
        permissions=Permissions(requests=(f"* {origin}/**",), cookies=True),
        body=f"const {{ {', '.join(sorted(HELPERS))} }} = tab;\n{body}\n",
        source="",
    )


def shown(run: dict[str, Any]) -> list[str]:
    """The trace, then the value or the error with its candidates."""
    import json

    evidence = run["evidence"] or {}
    lines = [
        f"  {step['n']}. {step['helper']} {step['took_ms']:.1f} ms" + _ended(step["error"])
        for step in evidence.get("steps", [])
    ]
    fault = evidence.get("fault")
    if fault is None:
        return [*lines, json.dumps(evidence.get("value"), ensure_ascii=False, indent=2)]
    lines.append(f"{fault['code']}: {fault['message']}")
    for candidate in fault["details"].get("candidates") or fault["details"].get("matches") or []:
        where = f" in {candidate['where']}" if candidate.get("where") else ""
        why = f": {candidate['why']}" if candidate.get("why") else ""
        lines.append(f'    {candidate["role"]} "{candidate["name"]}"{where}{why}')
    return lines


def _ended(error: dict[str, Any] | None) -> str:
    return f" {error['code']}" if error else ""
