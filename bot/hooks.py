"""Webhooks: ``POST /hooks/TOKEN`` fires the trigger that has this token. Says nothing of what exists."""

import json
import uuid
from collections.abc import Mapping

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import JsonValue

from library.errors import UnknownName
from scheduler.triggers import Triggers

PATH = "/hooks/"
MOST_BYTES = 256 * 1024
DELIVERY_HEADERS = ("idempotency-key", "webhook-id", "x-github-delivery", "x-delivery-id")
"""Where senders put what is the same when they send an event again; the first that is there counts."""


class BadBody(ValueError):
    """The body is no JSON object of at most MOST_BYTES."""


def create_router(triggers: Triggers) -> APIRouter:
    """The answer is 202 for an event that was taken, 200 for one that was there before or is let go."""
    router = APIRouter()

    @router.post(PATH + "{token}")
    async def hook(token: str, request: Request) -> JSONResponse:
        try:
            is_taken = await triggers.receive(token, delivery_of(request.headers), await _body(request))
        except UnknownName:
            return JSONResponse({"error": "There is no such hook."}, status_code=404)
        except BadBody as error:
            return JSONResponse({"error": str(error)}, status_code=400)
        return JSONResponse({"taken": is_taken}, status_code=202 if is_taken else 200)

    return router


def delivery_of(headers: Mapping[str, str]) -> str:
    """The sender's own id of this delivery; without one every request is an event of its own."""
    return next((headers[name] for name in DELIVERY_HEADERS if headers.get(name)), uuid.uuid4().hex)[:200]


async def _body(request: Request) -> Mapping[str, JsonValue]:
    """The JSON object that becomes the arguments; an empty body is an empty one. Reads only so much."""
    raw = b""
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > MOST_BYTES:
            raise BadBody(f"The body is longer than {MOST_BYTES} bytes.")
    try:
        body = json.loads(raw, parse_constant=_refuse) if raw.strip() else {}
    except (ValueError, RecursionError) as error:
        raise BadBody("The body is not JSON.") from error
    if not isinstance(body, dict):
        raise BadBody("The body must be a JSON object: its keys become the arguments.")
    return body


def _refuse(constant: str) -> None:
    """Python reads NaN and Infinity, which are no JSON (RFC 8259, section 6)."""
    raise ValueError(constant)
