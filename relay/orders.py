"""What a run asks of the browser: the params of ``run`` and ``finish`` (docs/wire.md). Pure."""

from collections.abc import Mapping

from pydantic import JsonValue

from library.models import Subroutine
from relay.expectations import Watch

NOTHING = Watch()


def run_params(run: str, subroutine: Subroutine, arguments: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {
        "run": run,
        "subroutine": {
            "name": subroutine.name,
            "version": subroutine.version,
            "effect": subroutine.effect.value,
            "sites": list(subroutine.sites),
            "start": subroutine.start,
            "input": subroutine.input.value,
            "csrf": subroutine.csrf,
            "permissions": {
                "requests": list(subroutine.permissions.requests),
                "cookies": subroutine.permissions.cookies,
            },
            "params": list(subroutine.params),
            "body": subroutine.body,
        },
        "arguments": {name: arguments.get(name) for name in subroutine.params},
        "secrets": [name for name, param in subroutine.params.items() if param.secret],
        "timeout_ms": round(subroutine.timeout_s * 1000),
        "tab": None,
    }


def finish_params(
    run: str, wanted: Watch = NOTHING, *, page: str | None = None, wait_s: float = 0, hold: bool = False
) -> dict[str, JsonValue]:
    """Without anything but ``run``: lets go of the tab at once. ``page`` is where the tab is."""
    return {
        "run": run,
        "texts": [text.sought for text in wanted.texts],
        "gone": [text.sought for text in wanted.gone],
        "requests": [dict(sought.on_wire(page)) for sought in wanted.requests],
        "timeout_ms": round(wait_s * 1000),
        "screenshot": False,
        "hold": hold,
    }
