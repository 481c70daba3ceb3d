"""Saves, lists, pauses and deletes schedules and triggers. It runs nothing and judges no rule."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Protocol

from pydantic import JsonValue

from bot import commands
from bot.handlers.asking import Answer, Asking
from bot.handlers.runs import RunDesk
from bot.messages import Reply
from bot.schedule_replies import (
    schedule_changed,
    scheduled_reply,
    schedules_reply,
    trigger_reply,
    triggers_reply,
    upcoming_reply,
    zone_reply,
)
from bot.verbs import TRIGGER_MORE, name_of
from library.arguments import parse_words
from library.errors import AskError, UnknownName
from library.models import Call, ChatRef, Effect, Proof, Subroutine
from scheduler.ports import Catalog
from scheduler.queues import Queues
from scheduler.schedule_line import Options, split
from scheduler.schedule_rows import Terms
from scheduler.schedules import Schedules
from scheduler.trigger_rows import Event, Trigger
from scheduler.triggers import Triggers
from scheduler.wall_clock import zone_named

_EVENT = re.compile(
    r"(?P<call>\S[\s\S]*?)\s+on\s+"
    r"(?:(?P<webhook>webhook)|(?P<event>done|failed|unconfirmed|change)\s+of\s+(?P<of>\S+))",
    re.IGNORECASE,
)
MOST_READS = 8
_TRIGGER = re.compile(r"t(\d+)", re.IGNORECASE)


class Zones(Protocol):
    """Each chat's own time zone."""

    async def timezone(self, chat: ChatRef) -> str | None: ...

    async def set_timezone(self, chat: ChatRef, zone: str) -> None: ...


class ScheduleDesk:
    """``zone`` is for chats that set none (IANA name). ``hook_url``: the address of a webhook's token."""

    def __init__(
        self,
        *,
        catalog: Catalog,
        schedules: Schedules,
        triggers: Triggers,
        queues: Queues,
        zones: Zones,
        runs: RunDesk,
        zone: str,
        hook_url: Callable[[str], str],
        now: Callable[[], datetime],
    ) -> None:
        self._catalog = catalog
        self._schedules = schedules
        self._triggers = triggers
        self._queues = queues
        self._zones = zones
        self._runs = runs
        self._zone = zone
        self._hook_url = hook_url
        self._now = now

    @property
    def answers(self) -> Mapping[type, Answer]:
        return {
            commands.Schedule: self._schedule,
            commands.Schedules: self._list,
            commands.Pause: self._pause,
            commands.Resume: self._resume,
            commands.Unschedule: self._delete,
            commands.Next: self._next,
            commands.Trigger: self._run_now,
            commands.NewTrigger: self._new_trigger,
            commands.Triggers: self._list_triggers,
            commands.TimeZone: self._time_zone,
        }

    @property
    def claimed(self) -> frozenset[type]:
        return frozenset(
            {
                commands.Schedule,
                commands.NewTrigger,
                commands.Pause,
                commands.Resume,
                commands.Unschedule,
                commands.TimeZone,
            }
        )

    # --- schedules ---

    async def _schedule(self, asking: Asking, command: commands.Schedule) -> None:
        subroutine = self._catalog.get(command.name)
        line = split(command.words, now=self._now(), zone=await self._zone_of(asking.chat))
        options = line.options
        arguments = await self._arguments(subroutine, line.arguments, options)
        call = self._call(asking, subroutine, arguments).model_copy(update={"browser": options.browser})
        terms = _terms(options, subroutine)
        saved = await self._schedules.save(call, line.rule, line.when, terms)
        await asking.answer(scheduled_reply(saved, self._now()))

    async def _arguments(self, subroutine: Subroutine, words: str, options: Options) -> dict[str, JsonValue]:
        if options.queue is None:
            return parse_words(words, subroutine)
        queue = await self._queues.get(options.queue)
        if queue.subroutine != subroutine.name:
            raise AskError(f"The queue {queue.name} is for {queue.subroutine}, not for {subroutine.name}.")
        if words:
            raise AskError(f"The arguments come from the queue {queue.name}; leave out: {words}")
        return {}

    def _call(self, asking: Asking, subroutine: Subroutine, arguments: Mapping[str, JsonValue]) -> Call:
        """A call to be kept; each of its runs gets its own claim."""
        return Call(
            name=subroutine.name,
            arguments=arguments,
            claim="",
            asked_by=asking.asked_by,
            chat=asking.chat,
            proof=Proof.ALWAYS if subroutine.effect is Effect.WRITE else Proof.UNLESS_DONE,
        )

    async def _list(self, asking: Asking, command: commands.Schedules) -> None:
        await asking.answer(schedules_reply(await self._schedules.all()))

    async def _next(self, asking: Asking, command: commands.Next) -> None:
        await asking.answer(upcoming_reply(await self._schedules.upcoming()))

    async def _pause(self, asking: Asking, command: commands.Pause) -> None:
        if number := _trigger_number(command.what):
            await asking.answer(_trigger_changed(await self._triggers.pause(number), "paused"))
            return
        changed = await self._schedules.pause(command.what)
        await asking.answer(schedule_changed(changed, "paused", self._now()))

    async def _resume(self, asking: Asking, command: commands.Resume) -> None:
        if number := _trigger_number(command.what):
            await asking.answer(_trigger_changed(await self._triggers.resume(number), "resumed"))
            return
        changed = await self._schedules.resume(command.what)
        await asking.answer(schedule_changed(changed, "resumed", self._now()))

    async def _delete(self, asking: Asking, command: commands.Unschedule) -> None:
        if number := _trigger_number(command.what):
            await asking.answer(_trigger_changed(await self._triggers.delete(number), "deleted"))
            return
        changed = await self._schedules.delete(command.what)
        await asking.answer(schedule_changed(changed, "deleted", self._now()))

    # --- triggers ---

    async def _run_now(self, asking: Asking, command: commands.Trigger) -> None:
        """Without disturbing the schedule's slots; given arguments win over the saved ones."""
        try:
            call = await self._schedules.call_now(
                command.what, claim=asking.incoming.claim, asked_by=asking.asked_by, chat=asking.chat
            )
        except UnknownName as error:
            if command.what not in self._catalog.names():
                raise
            raise AskError(f"{command.what} is not scheduled. To run it now: /run {command.what}") from error
        if command.words:
            given = parse_words(command.words, with_all_optional(self._catalog.get(call.name)))
            call = call.model_copy(update={"arguments": {**call.arguments, **given}})
        await self._runs.carry_out(asking, call)

    async def _new_trigger(self, asking: Asking, command: commands.NewTrigger) -> None:
        found = _EVENT.fullmatch(command.words.strip())
        if found is None:
            raise AskError(f"Say what fires it:\n{TRIGGER_MORE}")
        name, _, words = found["call"].partition(" ")
        subroutine = self._catalog.get(name)
        # What is missing may come with the event.
        arguments = parse_words(words, with_all_optional(subroutine))
        call = self._call(asking, subroutine, arguments)
        if found["webhook"]:
            trigger, token = await self._triggers.on_webhook(call)
            await asking.answer(trigger_reply(trigger, hook=self._hook_url(token)))
            return
        event, watched = Event(found["event"].casefold()), self._catalog.get(name_of(found["of"]))
        if event is Event.CHANGE and watched.effect is not Effect.READ:
            raise AskError(self._no_read(watched))
        trigger = await self._triggers.on_run(call, event, watched.name)
        await asking.answer(trigger_reply(trigger))

    def _no_read(self, watched: Subroutine) -> str:
        reads = [name for name in self._catalog.names() if self._catalog.get(name).effect is Effect.READ]
        return (
            f"{watched.name} writes, and a change can only be seen in what a read returns. "
            f"Nothing was saved. Reads here: {', '.join(reads[:MOST_READS]) or 'none'}. "
            f'To fire each time {watched.name} has run, write "on done of {watched.name}".'
        )

    async def _list_triggers(self, asking: Asking, command: commands.Triggers) -> None:
        await asking.answer(triggers_reply(await self._triggers.all()))

    # --- the chat's clock ---

    async def _time_zone(self, asking: Asking, command: commands.TimeZone) -> None:
        if command.name is not None:
            await self._zones.set_timezone(asking.chat, zone_named(command.name).key)
        await asking.answer(zone_reply(await self._zone_of(asking.chat), self._now()))

    async def _zone_of(self, chat: ChatRef) -> str:
        return await self._zones.timezone(chat) or self._zone


def _terms(options: Options, subroutine: Subroutine) -> Terms:
    said = {
        "missed": options.missed,
        "window": options.window,
        "overlap": options.overlap,
        "jitter": options.jitter,
        "quiet": options.quiet,
        "queue": options.queue,
        "take": options.take,
        "secrets": tuple(name for name, param in subroutine.params.items() if param.secret),
    }
    return Terms.model_validate({name: value for name, value in said.items() if value is not None})


def _trigger_number(what: str) -> str | None:
    """``t3`` is a trigger; ``3`` and ``#3`` are schedules."""
    found = _TRIGGER.fullmatch(what)
    return found[1] if found else None


def _trigger_changed(trigger: Trigger, what: str) -> Reply:
    return Reply(f"t{trigger.id} {trigger.call.name}: {what}.")


def with_all_optional(subroutine: Subroutine) -> Subroutine:
    """For arguments that change some of those that are there already."""
    params = {name: param.model_copy(update={"required": False}) for name, param in subroutine.params.items()}
    return subroutine.model_copy(update={"params": params})
