"""The judge's rules, one row each."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from library.models import Evidence, RequestMade, Status, Subroutine, TextSeen
from relay.expectations import fill
from relay.findings import Kind, findings
from relay.messages import RunReply
from relay.verdict import Judgement, judge, judge_lost
from tests.fakes_browser import request_made, run_reply
from tests.relay.subroutines import SITE, read, write

POSTED = {"request": "POST /api/posts", "status": 201}
SHOWN = {"text": "Hello"}


def reply(**changes: Any) -> RunReply:
    return RunReply.model_validate(run_reply(**changes))


def judged(
    subroutine: Subroutine,
    given_reply: RunReply,
    *,
    shows: tuple[str, ...] = (),
    hides: tuple[str, ...] = (),
    **more: Any,
) -> Judgement:
    """With the texts that ``finish`` saw and did not see."""
    texts = [TextSeen(text=text, found=text in shows) for text in (*shows, *hides)]
    evidence = Evidence(
        value=given_reply.value,
        fault=given_reply.error,
        steps=given_reply.steps,
        requests=(*given_reply.requests, *more.get("requests", ())),
        texts=tuple(texts),
        notices=more.get("notices", ()),
        final_url=given_reply.final_url,
    )
    expected = fill(subroutine, {"text": "Hello"}, given_reply.value)
    return judge(subroutine, expected, given_reply, evidence)


def asked(**changes: Any) -> dict[str, Any]:
    return {"requests": [request_made(**changes)]}


THREW = {"outcome": "threw", "error": {"code": "NOT_FOUND", "message": 'No button named "Post"'}}
BEFORE = {"acted": False}
TOKEN_REFUSED = {"code": "TOKEN_REFUSED", "message": "The token was refused."}
TOKEN = {"outcome": "threw", "error": TOKEN_REFUSED}
TOKEN_CHANGED = {"outcome": "threw", "error": TOKEN_REFUSED | {"details": {"changed": True}}}
CAUGHT = {
    "n": 1,
    "helper": "request",
    "at_ms": 1,
    "took_ms": 1,
    "acted": True,
    "error": TOKEN_CHANGED["error"],
}
CLICK = {"n": 1, "helper": "click", "at_ms": 1, "took_ms": 1, "acted": True}

RETURNED: list[tuple[str, Subroutine, dict[str, Any], dict[str, Any], Status, str]] = [
    ("request answered", write(POSTED), asked(), {}, Status.DONE, "answered 201 to POST /api/posts"),
    (
        "request before text",
        write(SHOWN, POSTED),
        asked(),
        {"shows": ("Hello",)},
        Status.DONE,
        "answered 201",
    ),
    ("text alone", write(SHOWN), {}, {"shows": ("Hello",)}, Status.DONE, 'shows "Hello"'),
    ("gone", write({"gone": "Old"}), {}, {"hides": ("Old",)}, Status.DONE, 'no longer shows "Old"'),
    ("url", write({"url": "/"}), {}, {}, Status.DONE, "address is /"),
    (
        "result",
        write({"result": {"ok": True}}),
        {"value": {"ok": True}},
        {},
        Status.DONE,
        "returned ok: true",
    ),
    ("any 2xx", write({"request": "POST /api/posts"}), asked(status=204), {}, Status.DONE, "204"),
    (
        "one of several",
        write({"request": "POST /api/posts", "status": (200, 302)}),
        asked(status=302),
        {},
        Status.DONE,
        "302",
    ),
    (
        "response",
        write({**POSTED, "response": {"ok": True}}),
        asked(response_body='{"ok":true}'),
        {},
        Status.DONE,
        "201",
    ),
    (
        "again after a no",
        write(POSTED),
        {"requests": [request_made(status=403), request_made()]},
        {},
        Status.DONE,
        "201",
    ),
    ("read without expect", read(), {"value": [1, 2]}, {}, Status.DONE, "returned 2 rows"),
    ("read with expect", read(SHOWN), {}, {"shows": ("Hello",)}, Status.DONE, "Hello"),
    ("write without expect", write(), asked(), {}, Status.UNCONFIRMED, "manifest has no expect"),
    ("refused", write(POSTED), asked(status=422), {}, Status.FAILED, "Refused: the site answered 422"),
    (
        "refused, token",
        write(POSTED),
        asked(status=403, response_body="CSRF failed"),
        {},
        Status.FAILED,
        "Refused: token.",
    ),
    ("not now", write(POSTED), asked(status=429), {}, Status.UNCONFIRMED, "429"),
    ("timeout of the site", write(POSTED), asked(status=408), {}, Status.UNCONFIRMED, "408"),
    ("500", write(POSTED), asked(status=500), {}, Status.UNCONFIRMED, "answered 500"),
    (
        "500, then 403",
        write(POSTED),
        {"requests": [request_made(status=500), request_made(status=403)]},
        {},
        Status.UNCONFIRMED,
        "500",
    ),
    (
        "no answer",
        write(POSTED),
        asked(status=None, error="net::ERR"),
        {},
        Status.UNCONFIRMED,
        "no answer (net::ERR)",
    ),
    ("no request", write(POSTED), {}, {}, Status.UNCONFIRMED, "No request POST /api/posts"),
    ("another 2xx", write(POSTED), asked(status=202), {}, Status.UNCONFIRMED, "202"),
    ("text missing", write(SHOWN), {}, {"hides": ("Hello",)}, Status.UNCONFIRMED, 'does not show "Hello"'),
    ("one of two", write(POSTED, SHOWN), asked(), {"hides": ("Hello",)}, Status.UNCONFIRMED, "does not show"),
    (
        "both keys of one item",
        write({**POSTED, **SHOWN}),
        asked(),
        {"hides": ("Hello",)},
        Status.UNCONFIRMED,
        "does not show",
    ),
    (
        "what the page says",
        write(SHOWN),
        {},
        {"notices": ("Too long",)},
        Status.UNCONFIRMED,
        'It says: "Too long"',
    ),
    (
        "200 with an error",
        write({**POSTED, "response": {"ok": True}}),
        asked(response_body='{"ok":false}'),
        {},
        Status.FAILED,
        'has "ok": false',
    ),
    (
        "unreadable answer",
        write({**POSTED, "response": {"ok": True}}),
        asked(response_body="<html>"),
        {},
        Status.UNCONFIRMED,
        "JSON",
    ),
    ("key missing", write({"text": "{result.url}"}), {"value": {}}, {}, Status.UNCONFIRMED, "result.url"),
    ("empty item", write({}), {}, {}, Status.UNCONFIRMED, "expects nothing"),
    ("read: 500", read(POSTED), asked(status=500), {}, Status.FAILED, "500"),
    ("read: text missing", read(SHOWN), {}, {"hides": ("Hello",)}, Status.FAILED, "does not show"),
]

BROKEN: list[tuple[str, Subroutine, dict[str, Any], Status, str, bool]] = [
    ("threw before", write(POSTED), THREW | BEFORE, Status.FAILED, "surely did not happen", False),
    (
        "timed out before",
        write(POSTED),
        {"outcome": "timed_out"} | BEFORE,
        Status.FAILED,
        "surely did not",
        False,
    ),
    ("refused", write(POSTED), {"outcome": "refused"} | BEFORE, Status.FAILED, "surely did not", False),
    (
        "cancelled before",
        write(POSTED),
        {"outcome": "cancelled"} | BEFORE,
        Status.CANCELLED,
        "cancelled",
        False,
    ),
    ("threw after", write(POSTED), THREW, Status.UNCONFIRMED, 'No button named "Post".', True),
    ("threw after, all proven", write(POSTED), THREW | asked(), Status.UNCONFIRMED, "may or may not", True),
    ("timed out after", write(POSTED), {"outcome": "timed_out"}, Status.UNCONFIRMED, "not end in time", True),
    ("cancelled after", write(POSTED), {"outcome": "cancelled"}, Status.UNCONFIRMED, "cancelled", True),
    ("threw after a no", write(POSTED), THREW | asked(status=403), Status.FAILED, "answered 403", True),
    ("token", write(POSTED), TOKEN | asked(status=403), Status.FAILED, "Refused: token.", True),
    (
        "token, no request expected",
        write(SHOWN),
        TOKEN | asked(status=403),
        Status.FAILED,
        "Refused: token.",
        True,
    ),
    (
        "token after a click",
        write(SHOWN),
        TOKEN | asked(status=403) | {"steps": [CLICK]},
        Status.UNCONFIRMED,
        "",
        True,
    ),
    (
        "token that changed on the way",
        write(POSTED),
        TOKEN_CHANGED | asked(status=403),
        Status.UNCONFIRMED,
        "The token was refused.",
        True,
    ),
    (
        "token that changed on the way, no request expected",
        write(SHOWN),
        TOKEN_CHANGED | asked(status=403),
        Status.UNCONFIRMED,
        "The token was refused.",
        True,
    ),
    (
        "token that changed on the way, caught by the body",
        write(POSTED),
        THREW | asked(status=403) | {"steps": [CAUGHT]},
        Status.UNCONFIRMED,
        "",
        True,
    ),
    ("threw after 500", write(POSTED), THREW | asked(status=500), Status.UNCONFIRMED, "", True),
    ("read threw after", read(), THREW, Status.FAILED, "No button", True),
    ("read cancelled after", read(), {"outcome": "cancelled"}, Status.CANCELLED, "cancelled", True),
    ("the trace says more", write(), THREW | BEFORE | {"steps": [CLICK]}, Status.UNCONFIRMED, "", True),
    ("the requests say more", write(), THREW | BEFORE | asked(status=None), Status.UNCONFIRMED, "", True),
]


@pytest.mark.parametrize(
    ("subroutine", "said", "seen", "status", "words"),
    [row[1:] for row in RETURNED],
    ids=[row[0] for row in RETURNED],
)
def test_a_body_that_returned(
    subroutine: Subroutine, said: dict[str, Any], seen: dict[str, Any], status: Status, words: str
) -> None:
    verdict = judged(subroutine, reply(**said), **seen).verdict
    assert verdict.status == status, verdict.rests_on
    assert words in verdict.rests_on


@pytest.mark.parametrize(
    ("subroutine", "said", "status", "words", "acted"),
    [row[1:] for row in BROKEN],
    ids=[row[0] for row in BROKEN],
)
def test_a_body_that_did_not_return(
    subroutine: Subroutine, said: dict[str, Any], status: Status, words: str, acted: bool
) -> None:
    judgement = judged(subroutine, reply(**said))
    assert judgement.verdict.status == status, judgement.verdict.rests_on
    assert words in judgement.verdict.rests_on
    assert judgement.acted is acted


def test_the_networks_twin_of_a_helpers_request_does_not_hide_what_its_answer_said() -> None:
    twin = RequestMade(source="network", method="POST", url=f"{SITE}/api/posts", status=201)
    said = asked(response_body='{"ok":false}')
    judgement = judged(write({**POSTED, "response": {"ok": True}}), reply(**said), requests=(twin,))
    assert judgement.verdict.status == Status.FAILED


def test_a_secret_is_not_in_the_sentence() -> None:
    subroutine = write({"text": "{pin}"})
    evidence = Evidence(texts=(TextSeen(text="•••", found=False),))
    judgement = judge(subroutine, fill(subroutine, {"pin": "0420"}, None), reply(), evidence)
    assert "0420" not in judgement.verdict.rests_on


def test_a_plain_no_beside_a_request_of_unknown_fate_is_not_enough() -> None:
    two = write({"request": "POST /api/a"}, {"request": "POST /api/b"})
    said = {"requests": [request_made(path="/api/a", status=403), request_made(path="/api/b", status=500)]}
    assert judged(two, reply(**said)).verdict.status is Status.UNCONFIRMED


def test_a_refusal_of_a_token_that_changed_is_doubted_also_where_the_body_returned() -> None:
    said = asked(status=403) | {"steps": [CAUGHT]}
    assert judged(write(POSTED), reply(**said)).verdict.status is Status.UNCONFIRMED


@pytest.mark.parametrize("outcome", ["threw", "cancelled", "timed_out"])
def test_an_expected_write_that_the_network_saw_is_not_surely_nothing(outcome: str) -> None:
    seen = RequestMade(source="network", method="POST", url=f"{SITE}/api/posts", status=201)
    beacon = RequestMade(source="network", method="POST", url=f"{SITE}/beacon", status=204)
    said = reply(**THREW | BEFORE | {"outcome": outcome})
    judgement = judged(write(POSTED), said, requests=(seen,))
    assert (judgement.verdict.status, judgement.acted) == (Status.UNCONFIRMED, True)
    assert judged(write(POSTED), said, requests=(beacon,)).acted is False


def test_what_nobody_looked_for_is_not_gone() -> None:
    assert judged(write({"gone": "Old"}), reply()).verdict.status is Status.UNCONFIRMED


@pytest.mark.parametrize(
    ("subroutine", "status", "acted"), [(write(), Status.UNCONFIRMED, True), (read(), Status.FAILED, False)]
)
def test_a_lost_browser(subroutine: Subroutine, status: Status, acted: bool) -> None:
    judgement = judge_lost(subroutine, "The connection ended.", acted=False)
    assert (judgement.verdict.status, judgement.acted) == (status, acted)


EXPECTATIONS = st.lists(
    st.sampled_from(
        [
            POSTED,
            SHOWN,
            {"gone": "Old"},
            {"url": "/p/*"},
            {"result": {"ok": True}},
            {},
            {"text": "{result.x}"},
        ]
    ),
    max_size=3,
)
REPLIES = st.fixed_dictionaries(
    {
        "outcome": st.sampled_from(["returned", "threw", "timed_out", "cancelled", "refused"]),
        "acted": st.booleans(),
        "value": st.sampled_from([None, {"ok": True}, {"ok": 1}, {"x": "Hello"}]),
        "final_url": st.sampled_from([f"{SITE}/", f"{SITE}/p/3", None]),
        "requests": st.lists(
            st.builds(
                lambda status: request_made(status=status),
                st.sampled_from([None, 200, 201, 302, 403, 429, 500]),
            ),
            max_size=3,
        ),
    }
)


@given(EXPECTATIONS, REPLIES, st.lists(st.sampled_from(["Hello", "Old"]), unique=True))
def test_a_write_is_done_only_if_every_expectation_is_met(
    expect: list[dict[str, Any]], said: dict[str, Any], shown: list[str]
) -> None:
    subroutine, given_reply = write(*expect), reply(**said)
    texts = tuple(TextSeen(text=text, found=text in shown) for text in ("Hello", "Old"))
    evidence = Evidence(
        value=given_reply.value, requests=given_reply.requests, texts=texts, final_url=given_reply.final_url
    )
    expected = fill(subroutine, {}, given_reply.value)
    judgement = judge(subroutine, expected, given_reply, evidence)
    kinds = [finding.kind for finding in findings(expected, evidence)]
    proven = said["outcome"] == "returned" and kinds != [] and set(kinds) == {Kind.MET}
    assert (judgement.verdict.status == Status.DONE) is proven
    assert judgement.verdict.rests_on.endswith(".")
    if not judgement.acted:
        assert not said["acted"]


LOGIN = f"{SITE}/login"


@pytest.mark.parametrize(
    ("changes", "is_said"),
    [
        ({}, True),
        ({"final_url": f"{SITE}/#top"}, False),
        ({"final_url": None}, False),
        ({"steps": [{"n": 1, "helper": "goto", "at_ms": 1, "took_ms": 1}]}, False),
        ({"error": {"code": "BODY_THREW", "message": "TypeError: no"}}, False),
    ],
)
def test_a_start_that_led_to_another_page_is_said_when_nothing_was_found_there(
    changes: dict[str, Any], is_said: bool
) -> None:
    found = judged(write(start=f"{SITE}/"), reply(**THREW | BEFORE | {"final_url": LOGIN} | changes))
    said = f"{SITE}/ led to {LOGIN}. If that is a login page, log in there in this browser and run again."
    assert (said in found.verdict.rests_on) is is_said
    assert found.verdict.rests_on.endswith("it surely did not happen.")
