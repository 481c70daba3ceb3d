"""`runhome try URL`: a prompt at a page of the paired browser, where helpers are typed and traced."""

import re
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from bot.cli import suggestions
from bot.terminal import harmless

if TYPE_CHECKING:
    from bot.cli.client import Client
    from library.models import Subroutine

HINT = """Type helpers as a subroutine would; each line is a run of its own:
    find({role: "button", name: "Post"})      click("Post")      extract({text: {role: "article"}})
    const box = await find({role: "textbox"}); await type(box, "Hi"); return await read(box)
    ?                 what can be found here now; also: ? button    ? button Post    ? any words
Ctrl-D ends."""

_LITERAL = re.compile(r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`""")
_STATEMENT = re.compile(r"[;]|^(?:const|let|var|return|if|for|while|try|throw)\b")


def try_page(
    url: Annotated[str, typer.Argument(help="The page to open, in Runhome's tab group.")],
    browser: Annotated[str | None, typer.Option(help="Which paired browser, if there are several.")] = None,
) -> None:
    """Open a page in the paired browser and try helpers on it, with the trace and the candidates shown."""
    import asyncio

    asyncio.run(_try(whole(url), browser))


def whole(url: str) -> str:
    """As a browser's address bar reads it. Raises AskError for what is no address of a page."""
    from library.errors import AskError

    if "://" not in url:
        is_here = re.match(r"(localhost|127\.0\.0\.1)(:|/|$)", url)
        return whole(f"http://{url}" if is_here else f"https://{url}")
    try:
        parts = urlsplit(url)
        is_page = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, a bracket that is not closed
        is_page = False
    if not is_page:
        raise AskError(f'"{url}" is no address of a page. Write it like https://example.com/')
    return url


async def _try(url: str, browser: str | None) -> None:
    import asyncio
    import contextlib
    import sys

    from bot.cli.client import hosted_or_running
    from bot.cli.run import wait_for_browser

    async with hosted_or_running() as runhome:
        await wait_for_browser(runhome, 20)
        print(f"Opening {url} ...", file=sys.stderr)
        tab = (await runhome.open({"url": url, "browser": browser}))["tab"]
        print(harmless(f"{tab['title'] or url}\n{HINT}"), flush=True)
        page = Page(runhome, tab["url"] or url, browser)
        with contextlib.suppress(EOFError):
            while True:
                line = await asyncio.to_thread(input, "> " if sys.stdin.isatty() else "")
                if line.strip():
                    if not sys.stdin.isatty():
                        print(f"> {line}")
                    print(harmless("\n".join(await page.answer(line.strip()))), flush=True)


class Page:
    """What is typed at one page, and what came of it. ``url`` follows the page where a line leads it."""

    def __init__(self, runhome: "Client", url: str, browser: str | None) -> None:
        self._runhome = runhome
        self._url = url
        self._browser = browser

    async def answer(self, line: str) -> list[str]:
        """Lines to show: trace, then value or error with candidates; for ``?`` what is there."""
        from library.errors import RunhomeError

        parts = urlsplit(self._url)
        site = f"{parts.scheme}://{parts.netloc}"
        try:
            if not line.startswith(suggestions.ASKED):
                return shown(await self._play(line_subroutine(line, site), {}))
            run = await self._play(suggestions.subroutine(site), {"wanted": suggestions.targets(line)})
        except RunhomeError as error:
            return [str(error)]
        evidence = run["evidence"] or {}
        return shown(run) if evidence.get("fault") else suggestions.shown(evidence["value"])

    async def _play(self, subroutine: "Subroutine", arguments: dict[str, Any]) -> dict[str, Any]:
        import uuid

        from library.errors import HomeError
        from library.subroutine_file import render

        ask = {
            "source": render(subroutine),
            "arguments": arguments,
            "browser": self._browser,
            "proof": "never",
        }
        async for event in self._runhome.run(ask, claim=uuid.uuid4().hex):
            if "run" in event:
                run: dict[str, Any] = event["run"]
                self._url = (run["evidence"] or {}).get("final_url") or self._url
                return run
        raise HomeError("Runhome ended its answer without a result. Its log says why.")


def line_subroutine(line: str, site: str) -> "Subroutine":
    """What was typed as a subroutine of this one site; its owner types it, so all of the site is allowed."""
    from library.body_names import HELPERS
    from library.models import Effect, Permissions, Subroutine

    line = line.rstrip("; ")
    is_expression = not _STATEMENT.search(_LITERAL.sub("''", line))
    body = f"return await ({line}\n)" if is_expression else line
    return Subroutine(
        name="try",
        version="0.0.0",
        sites=(f"{site}/*",),
        effect=Effect.READ,
        permissions=Permissions(requests=(f"* {site}/**",), cookies=True),
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
    lines += [f"  log: {text}" for text in evidence.get("logs", [])]
    fault = evidence.get("fault")
    if fault is None:
        value = evidence.get("value")
        if isinstance(value, dict) and "$handle" in value:
            return [*lines, f"found: {json.dumps(value.get('target'), ensure_ascii=False)}"]
        return [*lines, json.dumps(value, ensure_ascii=False, indent=2)]
    lines.append(f"{fault['code']}: {fault['message']}")
    for candidate in fault["details"].get("candidates") or fault["details"].get("matches") or []:
        where = f" in {candidate['where']}" if " > " in (candidate.get("where") or "") else ""
        why = f": {candidate['why']}" if candidate.get("why") else ""
        lines.append(f'    {candidate["role"]} "{candidate["name"]}"{where}{why}')
    return lines


def _ended(error: dict[str, Any] | None) -> str:
    return f" {error['code']}" if error else ""
