"""What the evidence says about each expectation: met, not met, or plainly contradicted by the site. Pure.

A finding holds for the whole item: all of its keys must hold together.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from library.models import Evidence, Fault, RequestMade
from relay.expectations import Expected, Text, as_text, differences
from relay.patterns import path_of

_MAYBE_LATER = frozenset({408, 425, 429})
"""4xx that say "not now" rather than "no" (RFC 9110, RFC 8470, RFC 6585)."""
_TOKEN = re.compile(r"csrf|xsrf|nonce|\btoken\b|forgery", re.IGNORECASE)
_TOKEN_STATUSES = frozenset({400, 401, 403, 419, 422})


class Kind(StrEnum):
    MET = "met"
    UNMET = "unmet"
    REFUSED = "refused"
    """The expected request was answered with a plain no."""
    CONTRADICTED = "contradicted"
    """The site answered with something else than was expected of it."""
    SERVER_FAILED = "server_failed"
    UNANSWERED = "unanswered"


@dataclass(frozen=True)
class Finding:
    kind: Kind
    sentence: str
    """For a person; ends with a full stop."""
    strength: int = 9
    """Of a met one: the lower, the stronger. A request comes before a text, a text before an address."""


def findings(expected: Sequence[Expected], evidence: Evidence) -> list[Finding]:
    """One for each expectation, in their order."""
    return [_finding(item, evidence) for item in expected]


def is_refusal(status: int | None) -> bool:
    return status is not None and 400 <= status < 500 and status not in _MAYBE_LATER


def is_token_refusal(request: RequestMade, fault: Fault | None) -> bool:
    """Whether the site refused because of its CSRF token, as far as the helper or its answer says so."""
    if fault is not None and fault.code == "TOKEN_REFUSED":
        return True
    return request.status in _TOKEN_STATUSES and _TOKEN.search(request.response_body or "") is not None


def may_be_of_a_second_sending(evidence: Evidence) -> bool:
    """Whether a token was right when it left and another one when it was refused.

    A browser by itself sends a write once more when a used connection breaks. Where the site took the first
    one, and made a new token after it, the refusal is the answer to the second. The steps tell of it also
    where the body caught the error.
    """
    faults = (evidence.fault, *(step.error for step in evidence.steps))
    return any(
        fault is not None and fault.code == "TOKEN_REFUSED" and fault.details.get("changed") is True
        for fault in faults
    )


def _finding(item: Expected, evidence: Evidence) -> Finding:
    if item.problem is not None:
        return Finding(Kind.UNMET, item.problem)
    parts = [*_parts(item, evidence)]
    if not parts:
        return Finding(Kind.UNMET, "The manifest's expect has an item that expects nothing.")
    return min(parts, key=lambda part: (_ORDER.index(part.kind), part.strength))


_ORDER = (Kind.SERVER_FAILED, Kind.UNANSWERED, Kind.REFUSED, Kind.CONTRADICTED, Kind.UNMET, Kind.MET)


def _parts(item: Expected, evidence: Evidence) -> Iterator[Finding]:
    if item.request is not None:
        yield _request(item, evidence)
    elif item.statuses is not None or item.response is not None:
        yield Finding(Kind.UNMET, "The manifest expects an answer, but does not say of which request.")
    if item.text is not None:
        yield _text(item.text, evidence)
    if item.gone is not None:
        yield _gone(item.gone, evidence)
    if item.url is not None:
        yield _url(item, evidence)
    if item.result is not None:
        yield _result(item, evidence)


# --- a request ------------------------------------------------------------------------------------


def _request(item: Expected, evidence: Evidence) -> Finding:
    assert item.request is not None
    made = _without_twins([request for request in evidence.requests if item.request.matches(request)])
    if not made:
        return Finding(Kind.UNMET, f"No request {item.shown_request} was seen.")
    answered = [_answered(item, request, evidence) for request in made]
    # Sent again after a refusal, one good answer is enough; one of unknown fate is reason to doubt a no.
    order = (
        Kind.MET,
        Kind.SERVER_FAILED,
        Kind.UNANSWERED,
        Kind.UNMET,
        Kind.CONTRADICTED,
        Kind.REFUSED,
    )
    return min(answered, key=lambda finding: order.index(finding.kind))


def _without_twins(made: Sequence[RequestMade]) -> list[RequestMade]:
    """The network sees what a helper sent once more, but not the answer's body: the helper knows more."""
    helped = {(one.method, one.url, one.status) for one in made if one.source == "helper"}
    return [one for one in made if one.source == "helper" or (one.method, one.url, one.status) not in helped]


def _answered(item: Expected, request: RequestMade, evidence: Evidence) -> Finding:
    name = f"{request.method.upper()} {path_of(request.url)}"
    status = request.status
    if status is None:
        why = f" ({request.error[:80]})" if request.error else ""
        return Finding(Kind.UNANSWERED, f"{name} was sent and got no answer{why}.")
    if _is_accepted(item.statuses, status):
        return _response(item, request, name)
    if status >= 500:
        return Finding(Kind.SERVER_FAILED, f"The site answered {status} to {name}.")
    if is_refusal(status) and may_be_of_a_second_sending(evidence):
        return Finding(
            Kind.UNANSWERED, f"The site answered {status} to {name}, perhaps to a second sending of it."
        )
    if is_refusal(status):
        token = is_token_refusal(request, evidence.fault)
        start = "Refused: token. " if token else "Refused: "
        return Finding(Kind.REFUSED, f"{start}{'T' if token else 't'}he site answered {status} to {name}.")
    wanted = " or ".join(map(str, item.statuses or ())) or "2xx"
    return Finding(Kind.UNMET, f"The site answered {status} to {name}, not {wanted}.")


def _is_accepted(statuses: tuple[int, ...] | None, status: int) -> bool:
    return status in statuses if statuses is not None else 200 <= status < 300


def _response(item: Expected, request: RequestMade, name: str) -> Finding:
    met = Finding(Kind.MET, f"The site answered {request.status} to {name}.", strength=0)
    if item.response is None:
        return met
    try:
        answer = json.loads(request.response_body or "")
    except ValueError:
        return Finding(Kind.UNMET, f"The answer to {name} could not be read as JSON.")
    different = next(differences(item.response, answer), None)
    if different is None:
        return met
    sentence = f"The site answered {request.status} to {name}, but its answer {different}."
    return Finding(Kind.CONTRADICTED, sentence)


# --- the page and the value -----------------------------------------------------------------------


def _text(text: Text, evidence: Evidence) -> Finding:
    seen = [one.found for one in evidence.texts if one.text == text.shown]
    if seen and all(seen):
        return Finding(Kind.MET, f'The page shows "{_short(text.shown)}".', strength=1)
    return Finding(Kind.UNMET, f'The page does not show "{_short(text.shown)}".{_notices(evidence)}')


def _gone(text: Text, evidence: Evidence) -> Finding:
    seen = [one.found for one in evidence.texts if one.text == text.shown]
    if seen and not any(seen):
        return Finding(Kind.MET, f'The page no longer shows "{_short(text.shown)}".', strength=2)
    return Finding(Kind.UNMET, f'The page still shows "{_short(text.shown)}".{_notices(evidence)}')


def _url(item: Expected, evidence: Evidence) -> Finding:
    assert item.url is not None
    where = evidence.final_url
    if where is not None and item.url.matches(where):
        return Finding(Kind.MET, f"The page's address is {item.shown_url}.", strength=3)
    return Finding(Kind.UNMET, f"The page's address is {where}, not {item.shown_url}.")


def _result(item: Expected, evidence: Evidence) -> Finding:
    assert item.result is not None
    different = next(differences(item.result, evidence.value), None)
    if different is None:
        said = ", ".join(f"{key}: {as_text(value)[:40]}" for key, value in item.result.items())
        return Finding(Kind.MET, f"It returned {said}.", strength=4)
    return Finding(Kind.UNMET, f"What was returned {different}.")


def _notices(evidence: Evidence) -> str:
    """What the page itself says is often the reason."""
    return f' It says: "{_short(evidence.notices[0])}".' if evidence.notices else ""


def _short(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= 80 else f"{folded[:79]}…"
