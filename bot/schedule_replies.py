"""What a person reads about schedules, triggers and due times. Pure, plain text, short enough for a phone."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from bot.messages import Button, Reply
from bot.replies import MARKS
from bot.values import duration_text, shortened
from library.models import Call, Run, Status
from scheduler.rule_words import in_words, moment_in_words
from scheduler.rules import next_slots
from scheduler.run_rows import MASK
from scheduler.schedule_rows import Schedule, Slot, State
from scheduler.schedules import Upcoming
from scheduler.trigger_rows import Event, Trigger
from scheduler.when import every_week

SHOWN_SLOTS = 3
MOST_UPCOMING = 20
MOST_LISTED = 30
MOST_OPEN = 3
"""Older unconfirmed slots that get buttons too."""
SecretsOf = Callable[[Call], Collection[str]]
"""Which of a call's arguments are never shown."""
_DELIVERED = {"sent": "told", "failed": "the answer did not reach the chat"}


def scheduled_reply(schedule: Schedule, now: datetime) -> Reply:
    """A schedule that was saved: its rule in words and the next three slots, so that a mistake is seen."""
    slots = next_slots(schedule.rule, now, SHOWN_SLOTS)
    lines = [
        f"⏰ #{schedule.id} {schedule.call.name}",
        in_words(schedule.rule),
        *_arguments(schedule),
        *_only_once(schedule),
        "Next:",
        *(moment_in_words(slot, schedule.rule.zone) for slot in slots),
    ]
    return Reply("\n".join(lines), _buttons(schedule))


def _only_once(schedule: Schedule) -> list[str]:
    """Where a weekday was named that others may mean for every week."""
    weekly = every_week(schedule.words)
    return [f"Only this once. For every week, delete it and write: {weekly}"] if weekly else []


def schedule_changed(schedule: Schedule, what: str, now: datetime) -> Reply:
    """``what`` in one word: paused, resumed, deleted."""
    ahead = ""
    if schedule.state is State.ACTIVE and what != "deleted":
        slots = next_slots(schedule.rule, now, 1)
        ahead = f"\nNext: {moment_in_words(slots[0], schedule.rule.zone)}" if slots else ""
    return Reply(f"#{schedule.id} {schedule.call.name}: {what}.{ahead}")


def schedules_reply(schedules: Sequence[Schedule]) -> Reply:
    if not schedules:
        return Reply(
            'Nothing is scheduled. For example:\n/schedule create-post text="Good morning" weekdays 8:30'
        )
    more = len(schedules) - MOST_LISTED
    left_out = [f"… and {more} more; /next shows what comes."] if more > 0 else []
    return Reply("\n\n".join([*(_schedule(item) for item in schedules[:MOST_LISTED]), *left_out]))


def upcoming_reply(coming: Sequence[Upcoming]) -> Reply:
    if not coming:
        return Reply("Nothing comes in the next 24 hours. /schedules shows what there is.")
    titles: Counter[str] = Counter()
    lines = []
    for item in coming:
        titles[item.schedule.title] += 1
        if titles[item.schedule.title] <= SHOWN_SLOTS:
            lines.append(f"{moment_in_words(item.at, item.schedule.rule.zone)}  {item.schedule.title}")
    more = [f"{title}: {count - SHOWN_SLOTS} more" for title, count in titles.items() if count > SHOWN_SLOTS]
    left_out = len(lines) - MOST_UPCOMING
    rest = [f"… and {left_out} more"] if left_out > 0 else []
    return Reply("\n".join([*lines[:MOST_UPCOMING], *rest, *more[:MOST_UPCOMING]]))


def zone_reply(zone: str, now: datetime) -> Reply:
    local = f"{now.astimezone(ZoneInfo(zone)):%H:%M}"
    other = "Asia/Seoul" if zone == "Europe/Berlin" else "Europe/Berlin"
    return Reply(f"Times here are in {zone}, where it is {local} now. For another: /tz {other}")


def triggers_reply(triggers: Sequence[Trigger], secrets_of: SecretsOf) -> Reply:
    if not triggers:
        return Reply("There is no trigger. For example:\n/trigger new list-posts on done of create-post")
    return Reply("\n\n".join(_trigger(item, secrets_of(item.call)) for item in triggers))


def trigger_reply(trigger: Trigger, secrets_of: SecretsOf, *, hook: str | None = None) -> Reply:
    """A trigger that was saved; ``hook`` is its secret address, which is shown this once."""
    lines = [_trigger(trigger, secrets_of(trigger.call))]
    if hook is not None:
        lines += [
            "Whoever knows this address can fire it; it is not shown again:",
            hook,
            "POST JSON to it: its keys become arguments.",
        ]
    return Reply(
        "\n".join(lines),
        (
            Button("Pause", f"/pause t{trigger.id}"),
            Button("Delete", f"/unschedule t{trigger.id}", once=True),
        ),
    )


@dataclass(frozen=True)
class SlotStory:
    """A slot that has come, with what became of it."""

    slot: Slot
    run: Run | None
    delivery: str | None


def results_reply(schedule: Schedule, stories: Sequence[SlotStory]) -> Reply:
    """The last slots of one schedule, newest first; buttons for the newest run, and for what is open."""
    head = f"#{schedule.id} {schedule.call.name}: {in_words(schedule.rule)}"
    if not stories:
        return Reply(f"{head}\nNo slot has come yet.")
    lines = [_story(story, schedule.rule.zone) for story in stories]
    newest = next((story for story in stories if story.run is not None), None)
    buttons = _result_buttons(newest.run) if newest is not None else ()
    older = [story for story in stories if story is not newest and story.slot.status is Status.UNCONFIRMED]
    for story in older[:MOST_OPEN]:
        buttons += _answers(story.run, f" ({moment_in_words(story.slot.slot, schedule.rule.zone)})")
    return Reply("\n".join([head, *lines]), buttons)


def _schedule(schedule: Schedule) -> str:
    ahead = "no more slots"
    if schedule.state is not State.ACTIVE:
        ahead = f"{schedule.state}. {schedule.note}".strip()
    elif schedule.next_at is not None:
        ahead = f"next {moment_in_words(schedule.next_at, schedule.rule.zone)}"
    head = f"#{schedule.id} {schedule.call.name}: {in_words(schedule.rule)}"
    return "\n".join([head, *_arguments(schedule), ahead])


def _arguments(schedule: Schedule) -> list[str]:
    if schedule.terms.queue is not None:
        return [f"{schedule.terms.take} at a time from the queue {schedule.terms.queue}"]
    return argument_lines(schedule.call.arguments, schedule.terms.secrets)


def argument_lines(arguments: Mapping[str, JsonValue], secrets: Collection[str] = ()) -> list[str]:
    """``name: value``, each on one line; what is secret is masked."""
    return [
        f"{name}: {MASK if name in secrets else shortened(' '.join(str(value).split()), 100)}"
        for name, value in arguments.items()
        if value is not None
    ]


def _trigger(trigger: Trigger, secrets: Collection[str]) -> str:
    fires = {
        Event.WEBHOOK: "when its address is called",
        Event.CHANGE: f"when the result of {trigger.of_name} changes",
    }.get(trigger.event, f"when {trigger.of_name} ends {trigger.event}")
    paused = "" if trigger.state is State.ACTIVE else f" ({trigger.state})"
    head = f"t{trigger.id} {trigger.call.name}: {fires}{paused}"
    return "\n".join([head, *argument_lines(trigger.call.arguments, secrets)])


def _story(story: SlotStory, zone: str) -> str:
    """``✅ Mon 2026-03-02 09:00, 4.2 s: The post is on the page.``"""
    slot, run = story.slot, story.run
    took = ""
    if run is not None and run.started_at and run.finished_at:
        took = f", {duration_text(run.finished_at - run.started_at)}"
    why = slot.reason or (run.verdict.rests_on if run is not None and run.verdict else "")
    told = f" ({_DELIVERED.get(story.delivery, story.delivery)})" if story.delivery else ""
    named = "" if slot.status in (Status.DONE, Status.FAILED) else f" {slot.status}"
    said = f": {shortened(why, 160)}" if why else ""
    return f"{MARKS[slot.status]} {moment_in_words(slot.slot, zone)}{named}{took}{said}{told}"


def _buttons(schedule: Schedule) -> tuple[Button, ...]:
    return (
        Button("Pause", f"/pause #{schedule.id}"),
        Button("Delete", f"/unschedule #{schedule.id}", once=True),
    )


def _result_buttons(run: Run | None) -> tuple[Button, ...]:
    if run is None:
        return ()
    proof, again = Button("Proof", f"/proof {run.id}"), Button("Run again", f"/again {run.id}", once=True)
    answers = _answers(run) if run.status is Status.UNCONFIRMED else ()
    return (*answers, proof, again)


def _answers(run: Run | None, which: str = "") -> tuple[Button, ...]:
    """For a run that is unconfirmed; ``which`` tells it from others in the same message."""
    if run is None:
        return ()
    return (
        Button(f"It worked{which}", f"/worked {run.id}", once=True),
        Button(f"It did not{which}", f"/didnt {run.id}", once=True),
    )
