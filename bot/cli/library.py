"""`runhome library`: the installed subroutines, and the check of a file."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.terminal import harmless

if TYPE_CHECKING:
    from library.catalog import Catalog
    from library.models import Subroutine

app = typer.Typer(help="The installed subroutines, and the check of a file.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("list")
def list_subroutines(as_json: AsJson = False) -> None:
    """List what can be run."""
    catalog = _catalog()
    if as_json:
        print(json.dumps([_summary(subroutine) for subroutine in catalog.all()], ensure_ascii=False))
        return
    for subroutine in catalog.all():
        words = " ".join(name if param.required else f"[{name}]" for name, param in subroutine.params.items())
        print(harmless(f"{subroutine.name} {words}\n    {subroutine.title or subroutine.description}"))
    for problem in catalog.problems():
        print(harmless(f"Not used: {problem.message}"))


@app.command("show", short_help="Show one: what it may reach, its text.")
def show(
    name: Annotated[str, typer.Argument(help="An installed subroutine.")], as_json: AsJson = False
) -> None:
    """Show one subroutine: what it does, what it may reach, its arguments, its text."""
    from library.permissions import describe

    subroutine = _catalog().get(name)
    if as_json:
        print(json.dumps(_summary(subroutine) | {"source": subroutine.source}, ensure_ascii=False))
        return
    print(harmless(f"{subroutine.name} {subroutine.version} by {subroutine.author or 'unknown'}"))
    print(harmless(f"{subroutine.description}\n"))
    for line in describe(subroutine):
        print(harmless(f"- {line}"))
    print(harmless(f"\n{subroutine.source}"))


@app.command("check", short_help="Check a file by line and field.")
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A subroutine's file.")],
    as_json: AsJson = False,
) -> None:
    """Check a file: its manifest, its syntax, what it may reach. Exit code 1 if it would not run."""
    from dataclasses import asdict

    from bot.cli.run import read_file
    from library.lint import lint
    from library.permissions import describe
    from library.subroutine_file import parse

    subroutine = parse(read_file(file), path=file)
    findings = lint(subroutine)
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))
    else:
        for finding in findings:
            place = f"{file}:{finding.line}:{finding.column}"
            print(harmless(f"{place}: {finding.level}: {finding.message} ({finding.code})"))
        for line in describe(subroutine):
            print(harmless(f"- {line}"))
        print("It would run." if not findings else f"{len(findings)} finding(s).")
    raise typer.Exit(1 if any(finding.level == "error" for finding in findings) else 0)


def _summary(subroutine: "Subroutine") -> dict[str, object]:
    return subroutine.model_dump(mode="json", by_alias=True, exclude={"source", "body"}, exclude_none=True)


def _catalog() -> "Catalog":
    from bot.settings import load_settings
    from library.catalog import BUILT_IN, Catalog

    return Catalog([BUILT_IN, load_settings().data / "subroutines"])
