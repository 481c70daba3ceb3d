"""Between a Run and its row. Pure; masks what is secret on the way in."""

import json
from collections.abc import Collection, Mapping
from datetime import datetime

from pydantic import TypeAdapter

from library.models import Call, Effect, Evidence, Outcome, Run, Status, Verdict
from scheduler.tables import RunRow

MASK = "•••"

_files = TypeAdapter(dict[str, str])


def masked(call: Call, secrets: Collection[str]) -> Call:
    """The call with ``•••`` in place of its secret arguments."""
    if not secrets:
        return call
    shown = {key: MASK if key in secrets else value for key, value in call.arguments.items()}
    return call.model_copy(update={"arguments": shown})


def new_values(run: Run, secrets: Collection[str]) -> dict[str, object]:
    """The columns of a new row."""
    call, chat = masked(run.call, secrets), run.call.chat
    return dict(
        id=run.id,
        claim=call.claim,
        name=call.name,
        version=run.version,
        effect=run.effect,
        status=run.status,
        asked_by=call.asked_by,
        channel=chat.channel if chat else None,
        chat_id=chat.id if chat else None,
        browser=run.browser,
        call=call.model_dump_json(),
        has_secrets=any(key in secrets for key in call.arguments),
        created_at=run.created_at,
        started_at=run.started_at,
    )


def ended(run: Run, outcome: Outcome, at: datetime, files: Mapping[str, str]) -> Run:
    """The run with this outcome; its picture is in the files only."""
    return run.model_copy(
        update={
            "status": outcome.verdict.status,
            "verdict": outcome.verdict,
            "evidence": outcome.evidence.model_copy(update={"screenshot": None}),
            "browser": outcome.browser or run.browser,
            "acted": outcome.acted,
            "finished_at": at,
            "files": files,
        }
    )


def end_values(run: Run) -> dict[str, object]:
    """The columns that change when a run ends."""
    return {
        "run_id": run.id,
        "status": run.status,
        "rests_on": run.verdict.rests_on if run.verdict else None,
        "evidence": run.evidence.model_dump_json() if run.evidence else None,
        "browser": run.browser,
        "acted": run.acted,
        "finished_at": run.finished_at,
        "files": json.dumps(dict(run.files)),
    }


def run_of(row: RunRow) -> Run:
    status = Status(row.status)
    return Run(
        id=row.id,
        call=Call.model_validate_json(row.call),
        effect=Effect(row.effect),
        version=row.version,
        status=status,
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        browser=row.browser,
        verdict=_verdict(status, row.rests_on),
        evidence=Evidence.model_validate_json(row.evidence) if row.evidence else None,
        acted=row.acted,
        files=_files.validate_json(row.files),
        resolved_by=row.resolved_by,
    )


def _verdict(status: Status, rests_on: str | None) -> Verdict | None:
    if rests_on is None:
        return None
    judged = status if status in _JUDGED else Status.CANCELLED
    return Verdict.model_validate({"status": judged, "rests_on": rests_on})


_JUDGED = (Status.DONE, Status.FAILED, Status.UNCONFIRMED, Status.CANCELLED)
