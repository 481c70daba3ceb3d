"""What a person reads about queues, their items and sheets that are to be imported. Pure, plain text."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from bot.messages import Button, Reply
from bot.schedule_replies import argument_lines
from bot.values import duration_text, shortened
from bot.verbs import QUEUE_MORE
from library.models import Progress, Subroutine
from scheduler.imports import Matching, Preview
from scheduler.queue_rows import Item, ItemStatus, Queue
from scheduler.queue_work import Report
from scheduler.schedule_rows import Schedule, State

SURE = "yes"
"""What is sent after ``/queue delete NAME`` by whoever knows that there are rows left."""


def queues_reply(queues: Sequence[Queue]) -> Reply:
    if not queues:
        return Reply(f"There is no queue yet.\n\n{QUEUE_MORE}")
    return Reply("\n\n".join(_queue(queue) for queue in queues))


def created_reply(queue: Queue, subroutine: Subroutine) -> Reply:
    names = ", ".join(subroutine.params)
    return Reply(
        f"The queue {queue.name} is ready for {queue.subroutine}. Now send me its rows: a .csv, .tsv or "
        f".xlsx file whose first row names the columns ({names}), or a message with one row on each line.\n"
        f"For more rows later: /queue add {queue.name}"
    )


def queue_reply(queue: Queue, items: Sequence[Item], subroutine: Subroutine) -> Reply:
    """Its counts and what comes next."""
    secrets = [name for name, param in subroutine.params.items() if param.secret]
    lines = [f"{item.id}. {_row(item, secrets)}" for item in items]
    coming = ["", "Next:", *lines] if lines else [f"To add rows: /queue add {queue.name}"]
    return Reply("\n".join([_queue(queue), *coming]), (_run(queue.name),) if items else ())


def added_reply(queue: Queue, count: int) -> Reply:
    """With what may be done next."""
    added = f"{_rows(count)} added to {queue.name}; {_rows(queue.pending)} waiting."
    in_time = f"/schedule {queue.subroutine} daily 9:00 from {queue.name} take 1"
    return Reply(f"{added}\nTo send them in time, for example:\n{in_time}", (_run(queue.name),))


def changed_reply(what: str, is_now: str, *, run: str | None = None) -> Reply:
    """A sentence about a queue or an item; ``run`` is a queue that may now be worked."""
    return Reply(f"{what} {is_now}.", (_run(run),) if run is not None else ())


def delete_reply(queue: Queue) -> Reply:
    """The question before rows go that were not sent."""
    left, command = _rows(queue.unsent), f"/queue delete {queue.name} {SURE}"
    was = "was" if queue.unsent == 1 else "were"
    text = f"{left} of {queue.name} {was} not sent. To delete the queue with all its rows: {command}"
    return Reply(text, (Button(f"Delete with {left}", command, once=True),))


def deleted_reply(queue: Queue, takers: Sequence[Schedule]) -> Reply:
    """``takers``: schedules that took their rows from it."""
    idle = [f"{each.title} has no rows now: /unschedule #{each.id}" for each in takers]
    return Reply("\n".join([f"{queue.name} is deleted.", *idle]))


def report_reply(report: Report, state: State | None = State.ACTIVE) -> Reply:
    """How a piece of work on a queue ended; ``state`` is the queue's now, None when it is deleted."""
    lines = [f"Queue {report.queue}: {_counts(report)}", report.why]
    if report.seconds >= 1:
        lines.append(f"{_duration(report.seconds)}, {report.per_second:.1f} rows a second")
    if state not in (State.ACTIVE, None):
        lines.append(f"/queue resume {report.queue} lets it go on.")
    return Reply("\n".join(line for line in lines if line), _next_steps(report, state))


def _next_steps(report: Report, state: State | None) -> tuple[Button, ...]:
    if state is None:
        return ()
    if report.ask is not None:
        return (
            Button("Let it go out", f"/queue allow {report.queue} {report.ask}", once=True),
            Button("Skip it", f"/queue skip {report.queue} {report.ask}", once=True),
        )
    resume = (Button("Let it go on", f"/queue resume {report.queue}", once=True),)
    results = (Button("Results", f"/queue results {report.queue}"),)
    return (resume if state is not State.ACTIVE else ()) + (results if report.ended else ())


def _run(queue: str) -> Button:
    return Button("Run it now", f"/queue run {queue}", once=True)


def report_progress(report: Report) -> Progress:
    left = report.seconds_left
    ahead = f", {_duration(left)} left" if left is not None and report.ended < report.total else ""
    text = f"{_counts(report)} of {report.total}, {report.per_second:.1f} rows a second{ahead}"
    fraction = min(report.ended / report.total, 1.0) if report.total else None
    return Progress(run=report.queue, text=text, fraction=fraction)


def preview_reply(queue: Queue, preview: Preview, matching: Matching, skipped: int) -> Reply:
    """Three rows as they will be sent, and the counts; nothing is added before the person agrees."""
    rows = ["\n".join([f"Row {n}:", *argument_lines(row)]) for n, row in enumerate(preview.first, start=1)]
    notes = (
        [f"{_rows(preview.bad)} with problems: left out, they come back as a file."] if preview.bad else []
    )
    notes += [f"{_rows(skipped)} empty: left out."] if skipped else []
    notes += _offers(queue, matching)
    question = f"Add {_rows(preview.good)} to {queue.name}?"
    button = Button(f"Add {_rows(preview.good)}", f"/queue confirm {queue.name}", once=True)
    return Reply("\n\n".join([*rows, *notes, question]), (button,) if preview.good else ())


def missing_reply(queue: Queue, matching: Matching) -> Reply:
    """A required parameter has no column."""
    missing = ", ".join(matching.missing)
    return Reply("\n\n".join([f"No column is: {missing}.", *_offers(queue, matching)]))


def _offers(queue: Queue, matching: Matching) -> list[str]:
    offers = [
        f'The column "{title}" may be {" or ".join(near)}. If so:\n'
        f'/queue map {queue.name} {near[0]}="{title}"'
        for title, near in matching.offers.items()
    ]
    left_out = [f"Columns left out: {', '.join(matching.left_out)}."] if matching.left_out else []
    return offers + left_out


def _queue(queue: Queue) -> str:
    counts = ", ".join(f"{count} {status}" for status, count in queue.counts.items() if count) or "empty"
    state = "" if queue.state is State.ACTIVE else f"\n{queue.state}. {queue.note}".rstrip()
    return f"{queue.name} for {queue.subroutine}: {counts}{state}"


def _counts(report: Report) -> str:
    counts: Mapping[str, int] = {
        ItemStatus.DONE: report.done,
        ItemStatus.FAILED: report.failed,
        ItemStatus.UNCONFIRMED: report.unconfirmed,
        ItemStatus.SKIPPED: report.skipped,
    }
    return ", ".join(f"{count} {status}" for status, count in counts.items() if count) or "nothing done"


def _row(item: Item, secrets: Sequence[str]) -> str:
    return shortened(" · ".join(argument_lines(item.arguments, secrets)), 160)


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def _duration(seconds: float) -> str:
    return duration_text(timedelta(seconds=seconds))
