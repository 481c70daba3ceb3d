"""The words of Runhome as frozen types (the table in docs/words.md). No behaviour beyond small derived facts.

A call becomes a run; a run ends in an outcome: a verdict and the evidence it rests on.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

NO_ARGUMENTS: Mapping[str, JsonValue] = MappingProxyType({})


class Word(BaseModel):
    """Base of every type here: immutable, and unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


# --- the subroutine --------------------------------------------------------------------------------------


class Effect(StrEnum):
    READ = "read"
    WRITE = "write"


class Input(StrEnum):
    """How helpers act: by DOM events, or by the debugger's trusted events (only where the manifest asks)."""

    DOM = "dom"
    TRUSTED = "trusted"


class Param(Word):
    """One parameter: a small subset of JSON Schema (draft 2020-12), plus ``required`` and ``secret``."""

    type: Literal["string", "number", "integer", "boolean", "array", "object"] = "string"
    description: str = ""
    enum: tuple[JsonValue, ...] | None = None
    min_length: int | None = Field(None, alias="minLength", ge=0)
    max_length: int | None = Field(None, alias="maxLength", ge=0)
    minimum: float | None = None
    maximum: float | None = None
    pattern: str | None = None
    format: Literal["date-time", "uri", "file"] | None = None
    """``file``: the name of one of the person's own files; the body gets ``{name, type, data}``."""
    default: JsonValue = None
    required: bool = True
    secret: bool = False


class Permissions(Word):
    """What a body may reach. ``requests`` are the manifest's "METHOD URL-pattern" lines; none means none."""

    requests: tuple[str, ...] = ()
    cookies: bool = False


class Expectation(Word):
    """One way to know that it happened. All keys of one item must hold together.

    ``{param}`` and ``{result.key}`` are filled in.
    """

    request: str | None = None
    """``METHOD path-or-URL``, ``*`` matches within a segment, ``**`` across segments."""
    status: int | tuple[int, ...] | None = None
    """Accepted HTTP statuses of that request; without it any 2xx."""
    response: Mapping[str, JsonValue] | None = None
    """Dotted keys of that request's JSON answer and the values they must have."""
    text: str | None = None
    """Visible text on the page (white space folded)."""
    gone: str | None = None
    """Text that must no longer be visible."""
    url: str | None = None
    """Glob of the page's final URL."""
    result: Mapping[str, JsonValue] | None = None
    """Dotted keys of the returned value and the values they must have."""


class Subroutine(Word):
    """A named, versioned macro. Read from text by ``library.subroutine_file.parse``."""

    name: str
    version: str
    title: str = ""
    description: str = ""
    author: str = ""
    sites: tuple[str, ...]
    start: str | None = None
    params: Mapping[str, Param] = Field(default_factory=dict)
    effect: Effect
    timeout_s: float = 30.0
    permissions: Permissions = Permissions()
    input: Input = Input.DOM
    csrf: str | None = None
    """Dotted path of a page variable that holds the CSRF token, e.g. ``wpApiSettings.nonce``."""
    expect: tuple[Expectation, ...] = ()
    body: str
    source: str = Field(repr=False)
    """The whole file, as it was read."""

    @property
    def file_params(self) -> tuple[str, ...]:
        """The parameters whose values name a file, in manifest order."""
        return tuple(name for name, param in self.params.items() if param.format == "file")


# --- asking ----------------------------------------------------------------------------------------------


class ChatRef(Word):
    """One conversation in one channel; where an answer goes."""

    channel: str
    id: str


class Proof(StrEnum):
    """When a screenshot is taken for the evidence."""

    ALWAYS = "always"
    UNLESS_DONE = "unless_done"
    NEVER = "never"


class Call(Word):
    """One request to run a subroutine."""

    name: str
    arguments: Mapping[str, JsonValue] = Field(default_factory=dict)
    claim: str
    """What makes this call unique, e.g. ``telegram:81231``; a second one gets the first one's run."""
    asked_by: str
    """Who asked, as access knows them: ``owner``, ``telegram:4711``, ``schedule:3`` ..."""
    chat: ChatRef | None = None
    browser: str | None = None
    proof: Proof = Proof.UNLESS_DONE
    source: str | None = Field(None, repr=False)
    """A whole subroutine file to run instead of an installed one (``runhome run FILE.js``)."""


# --- what happened ---------------------------------------------------------------------------------------


class Status(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    UNCONFIRMED = "unconfirmed"
    SKIPPED = "skipped"
    MISSED = "missed"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        return self not in (Status.QUEUED, Status.RUNNING)


class Fault(Word):
    """An error as data, the extension's or ours. ``code`` is stable; ``message`` may be shown in a chat."""

    code: str
    message: str
    details: Mapping[str, JsonValue] = Field(default_factory=dict)


class Step(Word):
    """One helper call of the trace. Secret arguments are masked before they get here."""

    n: int
    helper: str
    args: tuple[JsonValue, ...] = ()
    at_ms: float
    """Since the body started."""
    took_ms: float
    acted: bool = False
    """True when something that may change the site had begun (a click, a key, a non-GET request)."""
    value: JsonValue = None
    error: Fault | None = None


class RequestMade(Word):
    """One request that left the tab during the run."""

    source: Literal["helper", "network"]
    method: str
    url: str
    status: int | None = None
    error: str | None = None
    at_ms: float = 0.0
    took_ms: float | None = None
    request_body: str | None = None
    """Cut to 4,000 characters; secrets masked."""
    response_body: str | None = None
    """Cut to 4,000 characters; only where the helper saw it."""


class TextSeen(Word):
    """Whether one text was visible on the page when the run ended."""

    text: str
    found: bool
    excerpt: str = ""


class Evidence(Word):
    """What proves the outcome."""

    value: JsonValue = None
    fault: Fault | None = None
    steps: tuple[Step, ...] = ()
    requests: tuple[RequestMade, ...] = ()
    texts: tuple[TextSeen, ...] = ()
    notices: tuple[str, ...] = ()
    """What the page's own alerts and status lines said at the end."""
    logs: tuple[str, ...] = ()
    final_url: str | None = None
    title: str | None = None
    screenshot: bytes | None = Field(None, repr=False)
    screenshot_problem: str | None = None
    timings_ms: Mapping[str, float] = Field(default_factory=dict)


class Verdict(Word):
    """The judgement, and the piece of evidence it rests on, in one sentence."""

    status: Literal[Status.DONE, Status.FAILED, Status.UNCONFIRMED, Status.CANCELLED]
    rests_on: str


class Outcome(Word):
    """What the runner gives back."""

    verdict: Verdict
    evidence: Evidence
    browser: str | None = None
    acted: bool = True
    """False only when surely nothing on the site was changed: then, and only then, a write may be retried."""


class Run(Word):
    """One execution of a call, as the journal knows it."""

    id: str
    """``r`` and 12 characters of base32 (Crockford), sortable by time."""
    call: Call
    effect: Effect
    version: str
    status: Status
    created_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    browser: str | None = None
    verdict: Verdict | None = None
    evidence: Evidence | None = None
    acted: bool = True
    files: Mapping[str, str] = Field(default_factory=dict)
    """What is kept beside the row: ``screenshot``, ``evidence`` -> file path."""
    resolved_by: str | None = None
    """Set when a person answered for an unconfirmed run."""


class Progress(Word):
    """Something to show while a run is under way."""

    run: str
    text: str
    fraction: Annotated[float, Field(ge=0, le=1)] | None = None


class Browser(Word):
    """One paired Chrome profile, with the name the person gave it."""

    name: str
    connected: bool = False
    version: str | None = None
    tabs: tuple["Tab", ...] = ()


class Tab(Word):
    id: int
    url: str
    title: str = ""
    busy: bool = False
