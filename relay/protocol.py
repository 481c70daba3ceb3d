"""The relay's end of one conversation with a browser (docs/wire.md): frames in, events out. No I/O.

1. ``AWAITING_HELLO``: the browser says which one it is; we send a fresh nonce.
2. ``AWAITING_PROOF``: the browser proves the pairing key; we prove it too, with ``welcome``.
3. ``OPEN``: requests, answers and events.
4. ``CLOSED``: ``closing`` says with which code and reason the owner shall close the socket.

The owner moves bytes and watches the clock: it calls ``too_slow()`` HANDSHAKE_S after the beginning.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import JsonValue, ValidationError

from library.models import Fault
from relay.handshake import Role, is_proof, proof
from relay.messages import LARGEST_FRAME, VERSION, Answer, Asked, CloseCode, Hello, Proof, Told

HANDSHAKE_S = 10.0

KeyOf = Callable[[str], bytes | None]
"""The pairing key of a browser id; None for a browser that is not paired."""


class State(StrEnum):
    AWAITING_HELLO = "awaiting_hello"
    AWAITING_PROOF = "awaiting_proof"
    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True)
class Opened:
    """Both ends have proven the key."""

    browser: str


@dataclass(frozen=True)
class Closing:
    """The conversation is over; the owner closes the socket with this."""

    code: int
    reason: str


Event = Opened | Answer | Told | Closing


class RelayConnection:
    """``key_of`` is asked once, at ``hello``. ``nonce`` is 64 fresh random hex digits."""

    def __init__(self, key_of: KeyOf, *, nonce: str, name: str = "home") -> None:
        self._key_of = key_of
        self._nonce = nonce
        self._name = name
        self._key = b""
        self._last_id = 0
        self._frames: list[str] = []
        self.state = State.AWAITING_HELLO
        self.browser: str | None = None
        self.closing: Closing | None = None
        self._handlers: dict[State, Callable[[dict[str, Any]], list[Event]]] = {
            State.AWAITING_HELLO: self._hello,
            State.AWAITING_PROOF: self._proof,
            State.OPEN: self._message,
        }

    # --- what the owner calls ---------------------------------------------------------------------

    def receive(self, text: str) -> list[Event]:
        """One frame from the browser. What is not understood ends the conversation; nothing is raised."""
        handler = self._handlers.get(self.state)
        if handler is None:
            return []
        frame = _parse(text)
        if isinstance(frame, str):
            return self.close(CloseCode.PROTOCOL_ERROR, frame)
        try:
            return handler(frame)
        except ValidationError as error:
            return self.close(CloseCode.PROTOCOL_ERROR, _what_is_wrong(error))

    def request(self, method: str, params: Mapping[str, JsonValue]) -> int:
        """Asks the browser; the answer comes as an ``Answer`` with the id that is returned here."""
        if self.state is not State.OPEN:
            raise RuntimeError(f"cannot ask {method}: the connection is {self.state}")
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": params})
        return self._last_id

    def frames_to_send(self) -> list[str]:
        """The frames that have to leave now, in order; each is given once."""
        frames, self._frames = self._frames, []
        return frames

    def too_slow(self) -> list[Event]:
        """The handshake's time is over; without effect once it has ended."""
        if self.state in (State.OPEN, State.CLOSED):
            return []
        return self.close(CloseCode.TOO_SLOW, f"no proof within {HANDSHAKE_S:g} s")

    def close(self, code: int, reason: str) -> list[Event]:
        if self.state is State.CLOSED:
            return []
        self.state = State.CLOSED
        self.closing = Closing(code, reason)
        return [self.closing]

    # --- one handler for each state ---------------------------------------------------------------

    def _hello(self, frame: dict[str, Any]) -> list[Event]:
        hello = Hello.model_validate(frame)
        if hello.version != VERSION:
            reason = f"the extension speaks version {hello.version}, this relay speaks version {VERSION}"
            return self.close(CloseCode.VERSION_NOT_SPOKEN, reason)
        key = self._key_of(hello.browser)
        if key is None:
            return self.close(CloseCode.PROOF_REFUSED, "this browser is not paired here")
        self._key, self.browser = key, hello.browser
        self._send({"type": "challenge", "nonce": self._nonce})
        self.state = State.AWAITING_PROOF
        return []

    def _proof(self, frame: dict[str, Any]) -> list[Event]:
        given = Proof.model_validate(frame)
        if not is_proof(given.hmac, self._proof_of(Role.BROWSER, given.nonce)):
            return self.close(CloseCode.PROOF_REFUSED, "the proof does not fit the pairing key")
        welcome = self._proof_of(Role.RELAY, given.nonce)
        self._send({"type": "welcome", "version": VERSION, "hmac": welcome, "name": self._name})
        self.state = State.OPEN
        assert self.browser is not None
        return [Opened(self.browser)]

    def _message(self, frame: dict[str, Any]) -> list[Event]:
        if "event" in frame:
            return [Told.model_validate(frame)]
        if "method" in frame:
            self._answer_unknown(Asked.model_validate(frame))
            return []
        if ("result" in frame) == ("error" in frame):
            return self.close(
                CloseCode.PROTOCOL_ERROR, "a frame needs one of event, method, result and error"
            )
        return [Answer.model_validate(frame, extra="ignore")]

    # --- small things -----------------------------------------------------------------------------

    def _answer_unknown(self, asked: Asked) -> None:
        message = f'This relay does not know the method "{asked.method[:80]}". It speaks version {VERSION}.'
        fault = Fault(code="UNKNOWN_METHOD", message=message)
        self._send({"id": asked.id, "error": fault.model_dump()})

    def _proof_of(self, role: Role, browser_nonce: str) -> str:
        assert self.browser is not None
        return proof(
            self._key, role, browser=self.browser, relay_nonce=self._nonce, browser_nonce=browser_nonce
        )

    def _send(self, frame: Mapping[str, Any]) -> None:
        self._frames.append(json.dumps(frame, separators=(",", ":")))


_MAY_HOLD_LONE_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _parse(text: str) -> dict[str, Any] | str:
    """The frame, or one sentence about what is wrong with it."""
    if len(text) > LARGEST_FRAME:
        return f"a frame of {len(text)} characters is over the limit of {LARGEST_FRAME}"
    try:
        frame = json.loads(text, parse_constant=_no_constant)
        if _MAY_HOLD_LONE_SURROGATE.search(text):
            frame = _mended(frame)
    except (ValueError, RecursionError):
        return "a frame is not JSON, or nested too deeply"
    return frame if isinstance(frame, dict) else "a frame is not a JSON object"


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON (RFC 8259)")


def _mended(value: Any) -> Any:
    """Half an emoji, which a page's string may hold, has no UTF-8 form: it becomes U+FFFD."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(item) for key, item in value.items()}
    return value


def _what_is_wrong(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "frame"
    return f"{error.title}.{where}: {first['msg']}"[:120]
