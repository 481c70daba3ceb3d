"""What a person reads when they ask what there is: help, library, browsers, status. Pure, plain text."""

from collections.abc import Sequence
from datetime import datetime

from bot.messages import Button, Reply
from bot.replies import MARKS
from bot.values import ago_text, duration_text, shortened
from bot.verbs import Verb
from library.models import Browser, Param, Run, Status, Subroutine

MOST_TABS = 5


def help_reply(verbs: Sequence[Verb], names: Sequence[str]) -> Reply:
    """Every command that can be answered, one line each."""
    lines = [f"{verb.usage}: {verb.summary}" for verb in verbs]
    more = f"\n\nMore about one: /help run, or /help {names[0]}" if names else "\n\nMore about one: /help run"
    return Reply("Send me what your browser at home should do.\n\n" + "\n".join(lines) + more)


def verb_reply(verb: Verb) -> Reply:
    about = f"{verb.usage}\n{verb.summary or 'Sent by a button.'}"
    return Reply(f"{about}\n\n{verb.more.strip()}" if verb.more else about)


def plain_reply(text: str, call: Subroutine | None) -> Reply:
    """A friendly hint for text without a command; ``call`` is the subroutine that its first word names."""
    if call is not None:
        command = f"/run {text}"
        return Reply(f"Shall I run this?\n{shortened(command, 500)}", (Button("Run it", command, once=True),))
    return Reply(
        "I act on commands, which begin with a slash. /library shows what can be run, /help the rest."
    )


def unknown_reply(word: str, nearest: str | None) -> Reply:
    hint = f"Did you mean /{nearest}? " if nearest else ""
    return Reply(f"I do not know /{shortened(word, 40)}. {hint}/help lists every command.")


def incomplete_reply(usage: str) -> Reply:
    return Reply(f"Something is missing. Send it like this:\n{usage}")


def library_reply(subroutines: Sequence[Subroutine]) -> Reply:
    if not subroutines:
        return Reply("No subroutine is installed yet. At home: runhome library list")
    lines = [f"{item.name}: {_title(item)}" if _title(item) else item.name for item in subroutines]
    return Reply(
        "What you can run:\n\n" + "\n".join(lines) + f"\n\nMore about one: /library {subroutines[0].name}"
    )


def subroutine_reply(subroutine: Subroutine) -> Reply:
    """One subroutine: what it does, where, with which arguments, and a line to copy."""
    params = [_param_line(name, param) for name, param in subroutine.params.items()]
    does = "Changes something on the site." if subroutine.effect == "write" else "Only reads."
    parts = [
        f"{subroutine.name} {subroutine.version}",
        subroutine.description or subroutine.title,
        does,
        f"Site: {', '.join(subroutine.sites)}",
        "\n".join(["", "Arguments:", *params]) if params else "",
        f"\nSend:\n{example(subroutine)}",
    ]
    return Reply("\n".join(part for part in parts if part))


def example(subroutine: Subroutine) -> str:
    """A command to copy: every required argument with its own description as the value."""
    words = [
        f'{name}="{param.description or name}"'
        for name, param in subroutine.params.items()
        if param.required and param.default is None
    ]
    return " ".join(["/run", subroutine.name, *words])


def browsers_reply(browsers: Sequence[Browser]) -> Reply:
    if not browsers:
        return Reply(
            "No browser is paired yet. At home, `runhome pair` shows a code: type it into the extension."
        )
    return Reply("\n\n".join(_browser(item) for item in browsers))


def status_reply(unfinished: Sequence[Run], recent: Sequence[Run], now: datetime) -> Reply:
    """What is under way, each with how to stop it, then what ended lately."""
    running = [f"{_line(run)}, for {duration_text(now - run.created_at)}" for run in unfinished]
    ended = [
        f"{_line(run)}, {ago_text(run.finished_at or run.created_at, now)}"
        for run in recent
        if run.status.is_final
    ]
    if not running and not ended:
        return Reply("Nothing has run yet. /library shows what can be run.")
    sections = ["\n".join(["Running:", *running, "/stop stops it."])] if running else ["Nothing is running."]
    if ended:
        sections.append("\n".join(["Lately:", *ended]))
    return Reply("\n\n".join(sections))


def saved_reply(names: Sequence[str]) -> Reply:
    return Reply(f"Saved at home: {', '.join(names)}.")


def _title(subroutine: Subroutine) -> str:
    return shortened(subroutine.title or subroutine.description, 80)


def _param_line(name: str, param: Param) -> str:
    facts: list[str] = [] if param.type == "string" else [param.type]
    if param.enum is not None:
        facts.append(" or ".join(str(item) for item in param.enum))
    if param.default is not None:
        facts.append(f"{param.default} if you say nothing")
    elif not param.required:
        facts.append("optional")
    if param.max_length is not None:
        facts.append(f"at most {param.max_length} characters")
    noted = f" ({', '.join(facts)})" if facts else ""
    return f"{name}: {param.description}{noted}" if param.description else f"{name}{noted}"


def _browser(browser: Browser) -> str:
    if not browser.connected:
        return f"{browser.name}: not connected"
    tabs = [f"  {shortened(tab.title or tab.url, 60)}" for tab in browser.tabs[:MOST_TABS]]
    count = len(browser.tabs)
    shown = f"{count} tab" if count == 1 else f"{count} tabs"
    more = [f"  … and {count - MOST_TABS} more"] if count > MOST_TABS else []
    return "\n".join([f"{browser.name}: connected, {shown}", *tabs, *more])


def _line(run: Run) -> str:
    asked = "" if run.status in (Status.DONE, Status.RUNNING) else f" {run.status}"
    return f"{MARKS[run.status]} {run.call.name}{asked} ({run.id})"
