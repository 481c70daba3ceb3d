"""Saves, lists, pauses and deletes schedules and triggers. It runs nothing and judges no rule."""

import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Protocol

from pydantic import JsonValue

from bot import commands
from bot.handlers.asking import Answer, Asking
from bot.handlers.kept_calls import kept_call, secrets_of, with_all_optional
from bot.handlers.kept_triggers import KeptTriggers
from bot.handlers.runs import RunDesk
from bot.messages import Reply
from bot.schedule_replies import (
    schedule_changed,
    scheduled_reply,
    schedules_reply,
    upcoming_reply,
    zone_reply,
)
from library.arguments import parse_words
from library.errors import AskError, UnknownName
from library.models import ChatRef, Subroutine
from scheduler.ports import Catalog
from scheduler.queues import Queues
from scheduler.schedule_line import Options, split
from scheduler.schedule_rows import Schedule, Terms
from scheduler.schedules import Schedules
from scheduler.trigger_rows import Trigger
from scheduler.triggers import Triggers
from scheduler.wall_clock import zone_named

_TRIGGER = re.compile(r"t\d+", re.IGNORECASE)
"""``t3`` is a trigger; ``3`` and ``#3`` are schedules."""

ChangeSchedule = Callable[[str], Awaitable[Schedule]]
ChangeTrigger = Callable[[str], Awaitable[Trigger]]


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
        self._kept_triggers = KeptTriggers(catalog, triggers, hook_url)
        self._now = now

    @property
    def answers(self) -> Mapping[type, Answer]:
        schedules, triggers = self._schedules, self._triggers
        return {
            commands.Schedule: self._schedule,
            commands.Schedules: self._list,
            commands.Pause: self._changing(schedules.pause, triggers.pause, "paused"),
            commands.Resume: self._changing(schedules.resume, triggers.resume, "resumed"),
            commands.Unschedule: self._changing(schedules.delete, triggers.delete, "deleted"),
            commands.Next: self._next,
            commands.Trigger: self._run_now,
            commands.NewTrigger: self._kept_triggers.new,
            commands.Triggers: self._kept_triggers.list,
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
        subroutine = self._named_first(command)
        line = split(command.words, now=self._now(), zone=await self._zone_of(asking.chat))
        options = line.options
        arguments = await self._arguments(subroutine, line.arguments, options)
        call = kept_call(asking, subroutine, arguments).model_copy(update={"browser": options.browser})
        terms = _terms(options, subroutine)
        saved = await self._schedules.save(call, line.rule, line.when, terms)
        await asking.answer(scheduled_reply(saved, self._now()))

    def _named_first(self, command: commands.Schedule) -> Subroutine:
        """Raises UnknownName, and AskError where the name stands further on."""
        try:
            return self._catalog.get(command.name)
        except UnknownName as error:
            later = [name for name in self._catalog.names() if name in command.words.split()]
            if not later:
                raise
            raise AskError(f"The name comes first: /schedule {later[0]} arguments WHEN") from error

    async def _arguments(self, subroutine: Subroutine, words: str, options: Options) -> dict[str, JsonValue]:
        if options.queue is None:
            return parse_words(words, subroutine)
        queue = await self._queues.get(options.queue)
        if queue.subroutine != subroutine.name:
            raise AskError(f"The queue {queue.name} is for {queue.subroutine}, not for {subroutine.name}.")
        if words:
            raise AskError(f"The arguments come from the queue {queue.name}; leave out: {words}")
        return {}

    async def _list(self, asking: Asking, command: commands.Schedules) -> None:
        await asking.answer(schedules_reply(await self._schedules.all()))

    async def _next(self, asking: Asking, command: commands.Next) -> None:
        await asking.answer(upcoming_reply(await self._schedules.upcoming()))

    def _changing(self, by_schedule: ChangeSchedule, by_trigger: ChangeTrigger, what: str) -> Answer:
        """``what`` in one word: paused, resumed, deleted."""

        async def answer(
            asking: Asking, command: commands.Pause | commands.Resume | commands.Unschedule
        ) -> None:
            if _TRIGGER.fullmatch(command.what):
                trigger = await by_trigger(command.what)
                await asking.answer(Reply(f"t{trigger.id} {trigger.call.name}: {what}."))
                return
            try:
                schedule = await by_schedule(command.what)
            except UnknownName as error:
                raise await self._no_schedule(command.what, error) from error
            await asking.answer(schedule_changed(schedule, what, self._now()))

        return answer

    async def _no_schedule(self, what: str, error: UnknownName) -> AskError:
        """With the trigger that may have been meant."""
        meant = [trigger for trigger in await self._triggers.all() if str(trigger.id) == what]
        return AskError(f"{error} The trigger is t{what}, with a t.") if meant else error

    # --- triggers ---

    async def _run_now(self, asking: Asking, command: commands.Trigger) -> None:
        """Without disturbing the schedule's slots; given arguments win over the saved ones."""
        try:
            call = await self._schedules.call_now(
                command.what, claim=asking.incoming.claim, asked_by=asking.asked_by, chat=asking.chat
            )
        except UnknownName as error:
            raise await self._not_scheduled(command.what, error) from error
        if command.words:
            given = parse_words(command.words, with_all_optional(self._catalog.get(call.name)))
            call = call.model_copy(update={"arguments": {**call.arguments, **given}})
        await self._runs.carry_out(asking, call)

    async def _not_scheduled(self, what: str, error: UnknownName) -> AskError:
        """With what may have been meant instead."""
        if what in self._catalog.names():
            return AskError(f"{what} is not scheduled. To run it now: /run {what}")
        for trigger in await self._triggers.all():
            if what.casefold() == f"t{trigger.id}":
                name = trigger.call.name
                return AskError(f"t{trigger.id} runs {name} on its event. To run it now: /run {name}")
        return error

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
        "secrets": secrets_of(subroutine),
    }
    return Terms.model_validate({name: value for name, value in said.items() if value is not None})
