"""Calls that are kept for later, for schedules and triggers: made from what a person asks. It saves none."""

from collections.abc import Mapping

from pydantic import JsonValue

from bot.handlers.asking import Asking
from library.models import Call, Effect, Proof, Subroutine


def kept_call(asking: Asking, subroutine: Subroutine, arguments: Mapping[str, JsonValue]) -> Call:
    """Without a claim: each of its runs gets its own."""
    return Call(
        name=subroutine.name,
        arguments=arguments,
        claim="",
        asked_by=asking.asked_by,
        chat=asking.chat,
        proof=Proof.ALWAYS if subroutine.effect is Effect.WRITE else Proof.UNLESS_DONE,
    )


def secrets_of(subroutine: Subroutine) -> tuple[str, ...]:
    """The arguments that are never shown."""
    return tuple(name for name, param in subroutine.params.items() if param.secret)


def with_all_optional(subroutine: Subroutine) -> Subroutine:
    """For arguments that change some of those that are there already."""
    params = {name: param.model_copy(update={"required": False}) for name, param in subroutine.params.items()}
    return subroutine.model_copy(update={"params": params})
