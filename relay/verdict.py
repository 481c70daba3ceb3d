"""From evidence to a verdict (done, failed, unconfirmed or cancelled), and what it rests on. Pure.

1. Every expectation is met: done. A read without expectations is done when it returned.
2. Nothing had begun on the site and the body did not return: it surely did not happen; failed or cancelled.
3. The site plainly refused (an expected request was answered 4xx, or its answer says otherwise): failed.
4. A read that was not proven: failed, nothing is lost. A write that was not proven: unconfirmed, never done.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from pydantic import JsonValue

from library.models import Effect, Evidence, Fault, Status, Subroutine, Verdict
from relay.expectations import Expected, as_text
from relay.findings import (
    Finding,
    Kind,
    findings,
    is_refusal,
    is_token_refusal,
    may_be_of_a_second_sending,
)
from relay.messages import Ended, RunReply

_HELPERS_THAT_REQUEST = frozenset({"request", "requestJson"})
_HELPERS_THAT_LEAVE = frozenset({"goto", "waitForUrl"})
"""With these the subroutine itself sees to where the page is."""
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_LONGEST_VALUE = 120


class Waiting(StrEnum):
    NONE = "none"
    """The site has said no, or nothing had begun: nothing will come."""
    SHORT = "short"
    """Enough for an answer that is on its way."""
    LONG = "long"


@dataclass(frozen=True)
class Judgement:
    verdict: Verdict
    acted: bool
    """False only when surely nothing on the site was changed."""


def judge(
    subroutine: Subroutine, expected: Sequence[Expected], reply: RunReply, evidence: Evidence
) -> Judgement:
    """``expected`` is the manifest's, filled in; ``evidence`` is the reply's, and what ``finish`` saw."""
    acted = may_have_acted(reply) or _was_sent(expected, evidence)
    found = findings(expected, evidence)
    if reply.outcome is Ended.RETURNED:
        verdict = _judge_returned(subroutine.effect, found, evidence)
    elif not acted:
        verdict = _did_not_happen(subroutine, reply)
    else:
        verdict = _judge_broken_off(subroutine.effect, found, reply, evidence)
    return Judgement(verdict, acted)


def judge_lost(subroutine: Subroutine, why: str, *, acted: bool) -> Judgement:
    """The browser never answered. ``acted`` is what its events told; for a write, silence proves nothing."""
    if subroutine.effect is Effect.WRITE:
        return Judgement(_unconfirmed(f"{why} Whether it happened is not known."), acted=True)
    return Judgement(_failed(why), acted)


def waiting(expected: Sequence[Expected], reply: RunReply, evidence: Evidence) -> Waiting:
    """How much patience the proof deserves, by what is known when the body has ended."""
    kinds = {finding.kind for finding in findings(expected, evidence)}
    if kinds & {Kind.REFUSED, Kind.CONTRADICTED} or (
        not may_have_acted(reply) and reply.outcome is not Ended.RETURNED
    ):
        return Waiting.NONE
    if reply.outcome is not Ended.RETURNED or Kind.SERVER_FAILED in kinds:
        return Waiting.SHORT
    return Waiting.LONG


def may_have_acted(reply: RunReply) -> bool:
    """The reply's own word, doubted whenever its trace or its requests say more."""
    return (
        reply.acted
        or any(step.acted for step in reply.steps)
        or any(request.method.upper() not in _SAFE_METHODS for request in reply.requests)
    )


def _was_sent(expected: Sequence[Expected], evidence: Evidence) -> bool:
    """Whether the browser saw a write leave that the manifest expects, whatever the reply says."""
    sought = [item.request for item in expected if item.request is not None]
    writes = (request for request in evidence.requests if request.method.upper() not in _SAFE_METHODS)
    return any(one.matches(request) for request in writes for one in sought)


def _judge_returned(effect: Effect, found: Sequence[Finding], evidence: Evidence) -> Verdict:
    if not found:
        if effect is Effect.READ:
            return _verdict(Status.DONE, _returned(evidence.value))
        return _unconfirmed("The manifest has no expect, so nothing proves that it happened.")
    if all(finding.kind is Kind.MET for finding in found):
        return _verdict(Status.DONE, min(found, key=lambda finding: finding.strength).sentence)
    plain = _plainly_not(found)
    if plain is not None:
        return _failed(plain.sentence)
    open_finding = _worst(found)
    if effect is Effect.READ:
        return _failed(open_finding.sentence)
    return _unconfirmed(f"{open_finding.sentence} It may or may not have happened.")


def _judge_broken_off(
    effect: Effect, found: Sequence[Finding], reply: RunReply, evidence: Evidence
) -> Verdict:
    """The body did not return, and something had begun on the site."""
    how = _how_it_ended(reply)
    plain = _plainly_not(found)
    if plain is not None:
        return _failed(plain.sentence)
    if effect is Effect.READ:
        return _verdict(Status.CANCELLED, how) if reply.outcome is Ended.CANCELLED else _failed(how)
    refusal = _everything_was_refused(reply, evidence)
    if refusal is not None:
        return _failed(refusal)
    return _unconfirmed(f"{how} Something had already begun on the site, so it may or may not have happened.")


def _did_not_happen(subroutine: Subroutine, reply: RunReply) -> Verdict:
    surely = "Nothing had begun on the site, so it surely did not happen."
    sentence = " ".join(filter(None, (_how_it_ended(reply), _led_elsewhere(subroutine, reply), surely)))
    return _verdict(Status.CANCELLED if reply.outcome is Ended.CANCELLED else Status.FAILED, sentence)


def _led_elsewhere(subroutine: Subroutine, reply: RunReply) -> str:
    """A start page that sends whoever is logged out elsewhere is the commonest reason to find nothing."""
    start, now = subroutine.start, reply.final_url
    if start is None or now is None or reply.outcome is not Ended.THREW or not _is_of_page(reply.error):
        return ""
    if _place(start) == _place(now) or any(step.helper in _HELPERS_THAT_LEAVE for step in reply.steps):
        return ""
    return f"{start} led to {now}. If that is a login page, log in there in this browser and run again."


def _place(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.netloc.lower(), parts.path.rstrip("/")


def _is_of_page(fault: Fault | None) -> bool:
    return fault is not None and fault.code in ("NOT_FOUND", "TIMEOUT", "HTTP_STATUS", "NOT_JSON")


def _plainly_not(found: Sequence[Finding]) -> Finding | None:
    """What the site itself said against it. One request of unknown fate is enough to doubt that."""
    if any(finding.kind in (Kind.SERVER_FAILED, Kind.UNANSWERED) for finding in found):
        return None
    return next((finding for finding in found if finding.kind in (Kind.REFUSED, Kind.CONTRADICTED)), None)


def _worst(found: Sequence[Finding]) -> Finding:
    order = (Kind.SERVER_FAILED, Kind.UNANSWERED, Kind.UNMET)
    return min(
        (finding for finding in found if finding.kind in order), key=lambda finding: order.index(finding.kind)
    )


def _everything_was_refused(reply: RunReply, evidence: Evidence) -> str | None:
    """The site's refusal, when all that acted were requests of helpers and each was plainly refused."""
    if may_be_of_a_second_sending(evidence):
        return None
    if any(step.acted and step.helper not in _HELPERS_THAT_REQUEST for step in reply.steps):
        return None
    acting = [request for request in evidence.requests if request.method.upper() not in _SAFE_METHODS]
    if not acting or not all(is_refusal(request.status) for request in acting):
        return None
    last = acting[-1]
    what = "token" if is_token_refusal(last, reply.error) else f"the site answered {last.status}"
    return f"Refused: {what}. {_how_it_ended(reply)}"


def _how_it_ended(reply: RunReply) -> str:
    said = _sentence(reply.error)
    return {
        Ended.THREW: said or "The subroutine stopped with an error.",
        Ended.TIMED_OUT: said or "The subroutine did not end in time.",
        Ended.CANCELLED: "It was cancelled.",
        Ended.REFUSED: said or "The browser refused to start it.",
        Ended.RETURNED: "It returned.",
    }[reply.outcome]


def _sentence(fault: Fault | None) -> str:
    message = fault.message.strip() if fault else ""
    return message if not message or message[-1] in ".!?…" else f"{message}."


def _returned(value: JsonValue) -> str:
    if isinstance(value, list):
        return f"It returned {len(value)} {'row' if len(value) == 1 else 'rows'}."
    if value is None:
        return "It returned, without a value."
    if isinstance(value, Mapping) and len(as_text(value)) > _LONGEST_VALUE:
        return f"It returned {', '.join(list(value)[:8])}."
    return f"It returned {as_text(value)[:_LONGEST_VALUE]}."


def _verdict(status: Status, rests_on: str) -> Verdict:
    return Verdict.model_validate({"status": status, "rests_on": rests_on})


def _failed(rests_on: str) -> Verdict:
    return Verdict(status=Status.FAILED, rests_on=rests_on)


def _unconfirmed(rests_on: str) -> Verdict:
    return Verdict(status=Status.UNCONFIRMED, rests_on=rests_on)
