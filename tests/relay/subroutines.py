"""Small subroutines for the relay's tests."""

from typing import Any

from library.models import Effect, Expectation, Param, Subroutine

SITE = "http://127.0.0.1:8765"


def subroutine(effect: Effect = Effect.WRITE, *expect: dict[str, Any], **changes: Any) -> Subroutine:
    """``create-post`` of the demo site, with these expectations."""
    return Subroutine(
        **{
            "name": "create-post",
            "version": "1.0.0",
            "sites": (f"{SITE}/*",),
            "start": f"{SITE}/",
            "params": {"text": Param(), "pin": Param(secret=True, required=False)},
            "effect": effect,
            "expect": tuple(Expectation(**item) for item in expect),
            "body": "return 1;",
            "source": "",
        }
        | changes
    )


def write(*expect: dict[str, Any], **changes: Any) -> Subroutine:
    return subroutine(Effect.WRITE, *expect, **changes)


def read(*expect: dict[str, Any], **changes: Any) -> Subroutine:
    return subroutine(Effect.READ, *expect, **changes)
