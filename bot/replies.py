"""What a person reads about a run: Run to Reply. Pure, plain text, short enough for a phone."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from bot.messages import Button, Reply
from bot.values import duration_text, shortened, value_text
from library.models import Effect, Fault, Progress, Run, Status

MARKS = {
    Status.QUEUED: "⏳",
    Status.RUNNING: "▶",
    Status.DONE: "✅",
    Status.FAILED: "❌",
    Status.UNCONFIRMED: "❓",
    Status.SKIPPED: "⏭",
    Status.MISSED: "⏰",
    Status.CANCELLED: "⏹",
}

_WORDS = {Status.UNCONFIRMED: "not confirmed", Status.CANCELLED: "stopped"}

SURELY_NOT = "did not happen"
"""Where the verdict says so itself, it is not said again."""

REFUSALS = frozenset(
    {
        "PERMISSION_REFUSED",
        "SITE_REFUSED",
        "REQUEST_REFUSED",
        "COOKIES_REFUSED",
        "INPUT_REFUSED",
        "PAUSED",
        "NO_TAB",
    }
)
"""Faults of a run that was held back, rather than one that went wrong."""


def run_reply(run: Run) -> Reply:
    """The answer when a run has ended: what happened, what that rests on, how long it took, what next."""
    parts = [_headline(run), *_explanation(run), _result(run), _next_step(run), _footer(run)]
    return Reply("\n".join(part for part in parts if part), _buttons(run), photo=_screenshot(run))


def proof_reply(run: Run) -> Reply:
    """Everything that is kept about a run, newest evidence first to read: for the Proof button."""
    evidence = run.evidence
    if evidence is None:
        return Reply(f"{_headline(run)}\nThere is no evidence: the run did not get as far as the page.")
    page = " · ".join(part for part in (evidence.title, evidence.final_url) if part)
    requests = [
        f"{made.method} {shortened(made.url, 120)} → {made.status or made.error or 'no answer'}"
        for made in evidence.requests
    ]
    steps = [
        f"{step.n}. {step.helper}" + (f": {step.error.code}" if step.error else "") for step in evidence.steps
    ]
    sections = [
        _headline(run),
        *_explanation(run),
        f"\nPage: {page}" if page else "",
        _section("Requests", requests),
        _section("Texts", [f"{_seen(text.found)}: {shortened(text.text, 120)}" for text in evidence.texts]),
        _section("Steps", steps),
        f"\nNo screenshot: {evidence.screenshot_problem}" if evidence.screenshot_problem else "",
        _footer(run),
    ]
    return Reply("\n".join(part for part in sections if part), photo=_screenshot(run))


def progress_reply(name: str, progress: Progress | None) -> Reply:
    """The one message that is edited while a run is under way."""
    lines = [f"{MARKS[Status.RUNNING]} {name}"]
    if progress is not None:
        share = f" ({progress.fraction:.0%})" if progress.fraction is not None else ""
        lines.append(f"{shortened(progress.text, 500)}{share}")
    return Reply("\n".join(lines))


def progress_end(name: str, run: Run | None, last: Progress | None) -> Reply:
    """The last state of that message: it stays in the chat above the answer."""
    headline = _headline(run) if run is not None else f"{MARKS[Status.SKIPPED]} {name}: not started"
    return Reply(f"{headline}\n{shortened(last.text, 500)}" if last is not None else headline)


def resolved_reply(run: Run) -> Reply:
    """After *It worked* or *It did not*."""
    if run.status is Status.DONE:
        return Reply(f"{_headline(run)}\nNoted: it worked.")
    return Reply(f"{_headline(run)}\nNoted: it did not work.", (_again(run),))


def stopped_reply(runs: Sequence[Run], queues: Sequence[str] = ()) -> Reply:
    """``runs`` and ``queues`` are those that were told to stop."""
    stopping = [f"{run.call.name} ({run.id})" for run in runs] + [f"the queue {name}" for name in queues]
    return Reply(f"Stopping {', '.join(stopping)} …" if stopping else "Nothing is running.")


def too_late_reply(run: Run) -> Reply:
    return Reply(f"{run.call.name} had already ended.\n{_headline(run)}")


def error_reply(message: str) -> Reply:
    """An error of ours: its message is written for the person."""
    return Reply(message)


def fault_reply(reference: str) -> Reply:
    """Anything else: the log at home explains it under this reference; nothing of it may reach a chat."""
    return Reply(
        f"Something went wrong inside Runhome. Its log at home explains it under {reference}. "
        "If you asked for a run, /status says what became of it."
    )


def _headline(run: Run) -> str:
    said = _WORDS.get(run.status, run.status.value)
    if run.status is Status.FAILED and _fault_code(run) in REFUSALS:
        said = "refused"
    by_hand = ", as you said" if run.resolved_by else ""
    return f"{MARKS[run.status]} {run.call.name}: {said}{by_hand}"


def _explanation(run: Run) -> list[str]:
    """The evidence that the verdict rests on; for a missing or doubled element, also what was there."""
    fault = run.evidence.fault if run.evidence else None
    rests_on = run.verdict.rests_on if run.verdict else ""
    lines = [rests_on or (fault.message if fault else "")]
    if fault is not None and run.status is not Status.DONE:
        if fault.message not in lines[0] and lines[0] not in fault.message:
            lines.append(fault.message)
        lines += _nearby(fault)
    if run.status in (Status.FAILED, Status.UNCONFIRMED) and run.evidence:
        lines += [f"The page says: {shortened(notice, 200)}" for notice in run.evidence.notices[:2]]
    return lines


def _nearby(fault: Fault) -> list[str]:
    """For a missing element, the three that come closest; the extension's message has everything else."""
    candidates = fault.details.get("candidates")
    if fault.code != "NOT_FOUND" or not isinstance(candidates, Sequence) or not candidates:
        return []
    elements = [_element(item) for item in candidates[:3] if isinstance(item, Mapping)]
    return ["Closest on the page:", *(f"{number}. {item}" for number, item in enumerate(elements, start=1))]


def _element(item: Mapping[str, JsonValue]) -> str:
    """``button "Post" in form "Write": other name``. The last step of ``where`` is the element's own role."""
    role, name, where, why = (str(item.get(key) or "") for key in ("role", "name", "where", "why"))
    shown = f'{role} "{shortened(name, 60)}"' if name else role
    places, _, own = where.rpartition(" > ")
    place = places if own == role else where
    return (
        shown
        + (f" in {shortened(place, 60)}" if place and place != role else "")
        + (f": {why}" if why else "")
    )


def _result(run: Run) -> str:
    if run.evidence is None or run.status is not Status.DONE:
        return ""
    return value_text(run.evidence.value)


def _next_step(run: Run) -> str:
    if _fault_code(run) == "BROWSER_NOT_CHOSEN":
        return f"To send it again there: /again {run.id} NAME"
    if run.status is Status.UNCONFIRMED:
        return "It is not tried again by itself. Please look at the page, then tell me."
    is_said = run.verdict is not None and SURELY_NOT in run.verdict.rests_on
    if run.effect is Effect.WRITE and not run.acted and not is_said:
        return "Nothing was changed on the site."
    return ""


def _footer(run: Run) -> str:
    took = duration_text(run.finished_at - run.started_at) if run.started_at and run.finished_at else ""
    where = f"in {run.browser}" if run.browser else ""
    return " · ".join([part for part in (f"{took} {where}".strip(),) if part] + [run.id])


def _buttons(run: Run) -> tuple[Button, ...]:
    proof = (Button("Proof", f"/proof {run.id}"),) if run.evidence is not None else ()
    if run.status is Status.UNCONFIRMED:
        answers = (
            Button("It worked", f"/worked {run.id}", once=True),
            Button("It did not", f"/didnt {run.id}", once=True),
        )
        return (*answers, _again(run), *proof)
    return (_again(run), *proof) if run.status.is_final else ()


def _again(run: Run) -> Button:
    return Button("Run again", f"/again {run.id}", once=True)


def _screenshot(run: Run) -> Path | None:
    kept = run.files.get("screenshot")
    return Path(kept) if kept else None


def _fault_code(run: Run) -> str:
    return run.evidence.fault.code if run.evidence and run.evidence.fault else ""


def _section(title: str, lines: Iterable[str]) -> str:
    shown = list(lines)
    if not shown:
        return ""
    more = [f"… and {len(shown) - 12} more"] if len(shown) > 12 else []
    return "\n".join([f"\n{title}:", *shown[:12], *more])


def _seen(found: bool) -> str:
    return "seen" if found else "not seen"
