"""Introduces a freshly started Chrome to the relay: loads the extension and pairs it over the pipe."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from library.errors import PairingRefused, SetupError
from relay.pipe import Pipe

_READY_S = 15.0
_POLL_S = 0.02
_CONNECT_S = 8.0

_LIVE_STATUS = """
new Promise((resolve) => {
  const line = chrome.runtime.connect({name: "runhome-popup"});
  const end = (status) => { line.disconnect(); resolve(status); };
  const settled = ["connected", "stopped"];
  line.onMessage.addListener(({status}) => settled.includes(status) && end(status));
  setTimeout(() => end("waiting"), 300);
})
"""
"""The state of the live socket. A document that still loads does not take the line: it is tried again."""


@dataclass(frozen=True)
class Introduction:
    paired: bool
    """True when a new pairing was made, False when the profile had one that still holds."""
    connected: bool
    """False when the relay was not there; the extension goes on trying."""


def introduce(
    pipe: Pipe, extension: Path, *, port: int, name: str, new_code: Callable[[], str]
) -> Introduction:
    """Loads the extension and sees to its pairing. ``new_code`` is asked only when a pairing is needed.

    Raises SetupError when the extension cannot be loaded, PairingRefused when the relay refuses the code.
    """
    extension_id = pipe.call("Extensions.loadUnpacked", {"path": str(extension)})["id"]
    target, session = _own_page(pipe, extension_id)
    try:
        paired = False
        if _pairing_port(pipe, session) != port:
            _pair(pipe, session, port=port, name=name, code=new_code())
            paired = True
        status = _live_status(pipe, session)
        if status == "stopped" and not paired:
            # The relay no longer knows this pairing: it was revoked, or its data was lost.
            _pair(pipe, session, port=port, name=name, code=new_code())
            paired, status = True, _live_status(pipe, session)
        return Introduction(paired=paired, connected=status == "connected")
    finally:
        pipe.call("Target.closeTarget", {"targetId": target})


def _own_page(pipe: Pipe, extension_id: str) -> tuple[str, str]:
    """A page of the extension's origin that runs no script of its own, once ``chrome.runtime`` is there."""
    url = f"chrome-extension://{extension_id}/manifest.json"
    target = pipe.call("Target.createTarget", {"url": url, "background": True})["targetId"]
    session = pipe.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
    until = time.monotonic() + _READY_S
    while pipe.evaluate(session, "globalThis.chrome?.runtime?.id ?? null") != extension_id:
        if time.monotonic() > until:
            raise SetupError(
                "The extension was loaded, but its pages do not open. Is it allowed by a policy?"
            )
        time.sleep(_POLL_S)
    return target, session


def _command(pipe: Pipe, session: str, message: dict[str, Any]) -> Any:
    """What the service worker answers to ``{type, ...}``. While it is still starting, nobody listens."""
    expression = f"chrome.runtime.sendMessage({json.dumps(message)}).catch(() => null)"
    until = time.monotonic() + _READY_S
    while (answer := pipe.evaluate(session, expression)) is None:
        if time.monotonic() > until:
            raise SetupError(
                "The extension's service worker did not start. See chrome://extensions for its errors."
            )
        time.sleep(_POLL_S)
    if not answer["ok"]:
        error = answer["error"]
        refused = error["code"] == PairingRefused.code
        raise (PairingRefused if refused else SetupError)(error["message"])
    return answer.get("value")


def _pairing_port(pipe: Pipe, session: str) -> int | None:
    pairing = _command(pipe, session, {"type": "status"})["pairing"]
    port: int | None = pairing["port"] if pairing else None
    return port


def _pair(pipe: Pipe, session: str, *, port: int, name: str, code: str) -> None:
    _command(pipe, session, {"type": "pair", "code": code, "port": port, "name": name})


def _live_status(pipe: Pipe, session: str) -> str:
    until = time.monotonic() + _CONNECT_S
    while True:
        status: str = pipe.evaluate(session, _LIVE_STATUS)
        if status != "waiting" or time.monotonic() > until:
            return status
