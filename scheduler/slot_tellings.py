"""What a chat is told when slots and firings end. Pure."""

from collections.abc import Sequence

from library.models import ChatRef, Status
from scheduler.schedule_rows import Schedule, Slot, State
from scheduler.slots import Decision
from scheduler.terms import Missed
from scheduler.untold import Message

ALERT_AFTER = 2
DISABLE_AFTER = 10
"""Failures in a row."""


def of_end(slot: Slot, schedule: Schedule) -> list[Message]:
    """For a slot that has ended: its result, unless only failures are wanted, and an alert if one is due."""
    is_wanted = slot.status is not Status.DONE or not schedule.terms.quiet
    result = _result(slot, schedule) if is_wanted else []
    return result + (_alert(schedule) if slot.status is Status.FAILED else [])


def of_unrun(schedule: Schedule, ended: Sequence[Decision]) -> list[Message]:
    """One for all slots that were over before they began, newest last."""
    if not ended:
        return []
    last, many = ended[-1], len(ended)
    when = schedule.local(last.slot)
    which = f"the slot of {when} was" if many == 1 else f"{many} slots up to {when} were"
    text = f"{schedule.title}: {which} {last.status}. {last.reason}"
    if schedule.terms.missed is Missed.ASK and last.status is Status.MISSED:
        text += f" Send /trigger #{schedule.id} to run it once now."
    return [Message(schedule.chat, text)]


def of_run(chat: ChatRef | None, run_id: str) -> list[Message]:
    """The result of a run goes to the chat that asked for it, and to nobody without one."""
    return [Message(chat, run_id=run_id)] if chat is not None else []


def _result(slot: Slot, schedule: Schedule) -> list[Message]:
    if slot.run_id is not None:
        return of_run(schedule.chat, slot.run_id)
    text = f"{schedule.title}, {schedule.local(slot.slot)}: {slot.status}. {slot.reason}"
    return [Message(schedule.chat, text)]


def _alert(schedule: Schedule) -> list[Message]:
    text = f"{schedule.title} has failed {schedule.failures_in_row} times in a row"
    if schedule.state is State.DISABLED:
        text += f" and is switched off. Send /resume #{schedule.id} to switch it on."
    elif schedule.failures_in_row == ALERT_AFTER:
        text += f". After {DISABLE_AFTER} it is switched off."
    else:
        return []
    return [Message(schedule.chat, text)]
