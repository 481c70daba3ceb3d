"""The loopback API of a running Runhome: the way in for the command line and for scripts.

Every request carries ``Authorization: Bearer TOKEN``; the token lies in the data folder, for its owner only.
Long answers are streams of JSON lines (NDJSON); an error in one is ``{"error": {code, message, details}}``.
"""

import asyncio
import hmac
import json
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Protocol

from fastapi import APIRouter, Depends, Header, HTTPException
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from bot.access import OWNER, ChatAccess
from bot.messages import Channel, Delivery, DeliveryStatus, Incoming, Reply
from bot.ports import Browsers, Dispatcher, Journal
from bot.shell_words import as_chat_line
from library.arguments import parse_words
from library.errors import AskError, RunhomeError
from library.models import NO_ARGUMENTS, Call, ChatRef, Progress, Proof, Run
from library.subroutine_file import parse
from scheduler.ports import Catalog

CHANNEL = "console"
END = None


class Ask(BaseModel):
    model_config = ConfigDict(extra="forbid")


class RunAsk(Ask):
    """A ``name``, or a file's ``source``; ``words`` as from a shell, or typed ``arguments``."""

    name: str | None = None
    source: str | None = Field(None, max_length=1_000_000)
    words: list[str] | None = None
    arguments: dict[str, JsonValue] | None = None
    browser: str | None = None
    proof: Proof = Proof.ALWAYS


class ChatAsk(Ask):
    text: str
    chat: str = "console"
    button: bool = False


class OpenAsk(Ask):
    url: str
    browser: str | None = None


class Pairing(Protocol):
    """Gives a one-use code for a browser, and how many minutes it is good for."""

    def __call__(self) -> tuple[str, int]: ...


class Owner(Protocol):
    """What only the owner at the machine may ask of a browser."""

    async def open(self, url: str, *, browser: str | None) -> Mapping[str, Any]: ...


@dataclass(frozen=True)
class Services:
    """What the API hands on to."""

    catalog: Catalog
    dispatcher: Dispatcher
    journal: Journal
    handle: Callable[[Incoming, Channel], Awaitable[None]]
    """Takes a chat's message, and answers through the channel."""
    access: ChatAccess
    browsers: Browsers
    pairing: Pairing
    owner: Owner
    now: Callable[[], datetime]
    version: str
    telegram: Callable[[], str]
    """One sentence on the Telegram channel: off, on, or what is wrong."""


def create_router(services: Services, token: str) -> APIRouter:
    """Everything below ``/api``."""
    router = APIRouter(prefix="/api", dependencies=[Depends(_only_with(token))])
    _add_lists(router, services)
    _add_codes(router, services)
    _add_runs(router, services)
    _add_chat(router, services)
    _add_owner(router, services)
    return router


def _only_with(token: str) -> Callable[[str], None]:
    expected = f"Bearer {token}".encode()

    def check(authorization: Annotated[str, Header()] = "") -> None:
        if not hmac.compare_digest(authorization.encode(), expected):
            raise HTTPException(401, "The token of this Runhome is needed; it lies in its data folder.")

    return check


def _add_lists(router: APIRouter, services: Services) -> None:
    @router.get("/status")
    async def status() -> dict[str, JsonValue]:
        return {
            "version": services.version,
            "browsers": [browser.model_dump(mode="json") for browser in services.browsers.all()],
            "running": [run.id for run in await services.journal.unfinished()],
            "telegram": services.telegram(),
        }

    @router.get("/runs/{run_id}")
    async def run(run_id: str) -> dict[str, JsonValue]:
        return await _answer(_get(services.journal, run_id))


def _add_codes(router: APIRouter, services: Services) -> None:
    @router.post("/codes/pair")
    async def pair() -> dict[str, JsonValue]:
        code, minutes = services.pairing()
        return {"code": code, "minutes": minutes}

    @router.post("/codes/invite")
    async def invite() -> dict[str, JsonValue]:
        opened = services.access.invite()
        return {
            "code": opened.code,
            "minutes": round((opened.expires_at - services.now()).total_seconds() / 60),
        }


def _add_runs(router: APIRouter, services: Services) -> None:
    @router.post("/runs")
    async def start(
        ask: RunAsk, idempotency_key: Annotated[str | None, Header(max_length=200)] = None
    ) -> StreamingResponse:
        claim = f"api:{idempotency_key or uuid.uuid4().hex}"

        async def work(tell: Callable[[Mapping[str, Any]], None]) -> None:
            def on_progress(progress: Progress) -> None:
                tell({"progress": progress.model_dump(mode="json")})

            run = await services.dispatcher.dispatch(_call(ask, services.catalog, claim), on_progress)
            tell({"run": run_as_json(run)})

        return _stream(work)

    @router.post("/runs/cancel")
    async def cancel(idempotency_key: Annotated[str, Header(max_length=200)]) -> dict[str, JsonValue]:
        """By the key, which whoever asked knows from the beginning."""
        unfinished = await services.journal.unfinished()
        ids = [run.id for run in unfinished if run.call.claim == f"api:{idempotency_key}"]
        return {"cancelled": any([await services.dispatcher.cancel(run_id) for run_id in ids])}


def _call(ask: RunAsk, catalog: Catalog, claim: str) -> Call:
    """Raises RunhomeError where the ask names nothing or does not fit."""
    if (ask.name is None) == (ask.source is None):
        raise AskError("Say either the name of a subroutine or a file's text, not both.")
    subroutine = parse(ask.source) if ask.source is not None else catalog.get(ask.name or "")
    arguments = ask.arguments or NO_ARGUMENTS
    if ask.words is not None:
        arguments = parse_words(as_chat_line(ask.words, subroutine), subroutine)
    return Call(
        name=subroutine.name,
        arguments=arguments,
        claim=claim,
        asked_by=OWNER,
        browser=ask.browser,
        proof=ask.proof,
        source=ask.source,
    )


def _add_chat(router: APIRouter, services: Services) -> None:
    @router.post("/chat")
    async def chat(ask: ChatAsk) -> StreamingResponse:
        async def work(tell: Callable[[Mapping[str, Any]], None]) -> None:
            incoming = Incoming(
                chat=ChatRef(channel=CHANNEL, id=ask.chat),
                sender=OWNER,
                text=ask.text,
                claim=f"{CHANNEL}:{uuid.uuid4().hex}",
                at=services.now(),
                is_button=ask.button,
            )
            await services.handle(incoming, StreamChannel(tell))

        return _stream(work)


class StreamChannel:
    """The console channel's far end: every message becomes a line of the stream."""

    name = CHANNEL

    def __init__(self, tell: Callable[[Mapping[str, Any]], None]) -> None:
        self._tell = tell
        self._sent = 0

    async def send(self, chat: ChatRef, reply: Reply) -> Delivery:
        self._sent += 1
        self._tell({"send": _reply_as_json(reply, str(self._sent))})
        return Delivery(DeliveryStatus.SENT, str(self._sent))

    async def edit(self, chat: ChatRef, message_id: str, reply: Reply) -> Delivery:
        self._tell({"edit": _reply_as_json(reply, message_id)})
        return Delivery(DeliveryStatus.SENT, message_id)


def _reply_as_json(reply: Reply, message_id: str) -> dict[str, JsonValue]:
    return {
        "id": message_id,
        "text": reply.text,
        "buttons": [{"label": button.label, "command": button.command} for button in reply.buttons],
        "photo": str(reply.photo) if reply.photo else None,
        "file": str(reply.file) if reply.file else None,
    }


def _add_owner(router: APIRouter, services: Services) -> None:
    @router.post("/open")
    async def open_page(ask: OpenAsk) -> dict[str, JsonValue]:
        async def work() -> JsonValue:
            return {"tab": dict(await services.owner.open(ask.url, browser=ask.browser))}

        return await _answer(work())


def run_as_json(run: Run) -> dict[str, JsonValue]:
    """A run as a script sees it. The screenshot is a file, named in ``files``."""
    whole: dict[str, JsonValue] = run.model_dump(mode="json", exclude={"call": {"source"}})
    return whole


async def _get(journal: Journal, run_id: str) -> JsonValue:
    return run_as_json(await journal.get(run_id))


async def _answer(work: Awaitable[JsonValue]) -> dict[str, JsonValue]:
    try:
        answer = await work
    except RunhomeError as error:
        return {"error": _fault(error)}
    assert isinstance(answer, dict)
    return answer


def _fault(error: RunhomeError) -> dict[str, Any]:
    return {"code": error.code, "message": str(error), "details": dict(error.details)}


def _stream(work: Callable[[Callable[[Mapping[str, Any]], None]], Awaitable[None]]) -> StreamingResponse:
    """Runs ``work`` beside the answer; a reader that goes away does not end it."""
    lines: asyncio.Queue[Mapping[str, Any] | None] = asyncio.Queue()

    async def carry_out() -> None:
        try:
            await work(lines.put_nowait)
        except RunhomeError as error:
            lines.put_nowait({"error": _fault(error)})
        finally:
            lines.put_nowait(END)

    task = asyncio.create_task(carry_out(), name="an answer of the API")

    async def read() -> AsyncIterator[bytes]:
        while (line := await lines.get()) is not END:
            yield json.dumps(line, ensure_ascii=False).encode() + b"\n"
        await task

    return StreamingResponse(read(), media_type="application/x-ndjson")
