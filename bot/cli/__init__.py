"""The command line: words to functions. Imports nothing heavy, so that `runhome --help` answers at once."""

import os
import signal
import sys
from types import FrameType

import typer

from bot.cli import browser, chat, demo, doctor, extension, invite, library, pair, run, setup, try_page, up
from bot.terminal import harmless

app = typer.Typer(
    name="runhome",
    help="Send /run from your phone; your own browser, at home, does it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

app.command("up", short_help="Start Runhome and keep it running.")(up.up)
app.command("setup", short_help="Ask for token and time zone, write the settings.")(setup.setup)
app.command("pair", short_help="Show a code that connects your Chrome.")(pair.pair)
app.command("invite", short_help="Show a code that links your chat.")(invite.invite)
app.command("chat", short_help="Talk to Runhome here as from your phone.")(chat.chat)
app.command(
    "run",
    short_help="Run a subroutine once, show the verdict.",
    context_settings={"ignore_unknown_options": True},
)(run.run)
app.command("try", short_help="Try helpers on a page, with their trace.")(try_page.try_page)
app.command("doctor", short_help="Check everything, say how to mend it.")(doctor.doctor)
app.command("demo", short_help="See one /run go the whole way.")(demo.demo)
app.add_typer(browser.app, name="browser")
app.add_typer(library.app, name="library")
app.add_typer(extension.app, name="extension")


def main() -> None:
    """Entry point. Our own errors become one sentence and exit code 1; others show themselves."""
    from library.errors import RunhomeError

    signal.signal(signal.SIGTERM, _as_if_interrupted)
    if sys.stdin is None:  # closed by whoever started it
        sys.stdin = open(os.devnull, encoding="utf-8")
    try:
        app(prog_name="runhome")
    except RunhomeError as error:
        print(harmless(str(error)), file=sys.stderr)
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def _as_if_interrupted(_: int, __: FrameType | None) -> None:
    """A command that is told to end cleans up as after Ctrl-C."""
    signal.raise_signal(signal.SIGINT)
