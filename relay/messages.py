"""The messages of docs/wire.md as frozen types. Knows no sockets, and no order in which they come."""

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from library.models import Fault, RequestMade, Step, Tab, TextSeen

VERSION = 1
LARGEST_FRAME = 64 * 1024 * 1024
"""Characters; the server refuses more bytes than that before a frame gets here."""


class Message(BaseModel):
    """Base of every type here: immutable; keys that this version does not know are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class CloseCode(IntEnum):
    REPLACED = 4000
    PROOF_REFUSED = 4001
    PROTOCOL_ERROR = 4002
    VERSION_NOT_SPOKEN = 4003
    TOO_SLOW = 4008
    REVOKED = 4010


# --- the handshake --------------------------------------------------------------------------------


class Hello(Message):
    type: Literal["hello"]
    version: int
    browser: str = Field(min_length=1, max_length=64, pattern=r"^[ -~]+$")


class Proof(Message):
    type: Literal["proof"]
    nonce: str = Field(pattern=r"^[0-9a-f]{64}$")
    hmac: str = Field(pattern=r"^[0-9a-f]{64}$")


# --- after it -------------------------------------------------------------------------------------


class Answer(Message):
    """What the browser answers to one of our requests: exactly one of the two is there."""

    id: int = Field(gt=0)
    result: Mapping[str, JsonValue] | None = None
    error: Fault | None = None


class Asked(Message):
    """What the browser asks of us. Version 1 has no such method: each is answered with UNKNOWN_METHOD."""

    id: int = Field(gt=0)
    method: str


class Told(Message):
    """An event of the browser."""

    event: str
    params: Mapping[str, JsonValue] = Field(default_factory=dict)


class Ended(StrEnum):
    """How a body ended."""

    RETURNED = "returned"
    THREW = "threw"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"
    REFUSED = "refused"
    """Nothing was started: site, permission, paused, no tab."""


class RunReply(Message):
    """The result of ``run``."""

    model_config = ConfigDict(strict=False)

    outcome: Ended
    value: JsonValue = None
    error: Fault | None = None
    acted: bool
    tab: int | None = None
    steps: tuple[Step, ...] = ()
    requests: tuple[RequestMade, ...] = ()
    logs: tuple[str, ...] = ()
    final_url: str | None = None
    title: str | None = None
    timings: Mapping[str, float] = Field(default_factory=dict)


class Picture(Message):
    """A screenshot; ``data`` is base64."""

    mime: str
    data: str = Field(repr=False)


class FinishReply(Message):
    """The result of ``finish``."""

    model_config = ConfigDict(strict=False)

    texts: tuple[TextSeen, ...] = ()
    notices: tuple[str, ...] = ()
    requests: tuple[RequestMade, ...] = ()
    final_url: str | None = None
    title: str | None = None
    screenshot: Picture | None = None
    screenshot_problem: str | None = None


class TabList(Message):
    """The result of ``tabs`` and the params of the event ``tabs``."""

    model_config = ConfigDict(strict=False)

    tabs: tuple[Tab, ...]


class PauseState(Message):
    """The params of the event ``state``."""

    paused: bool
