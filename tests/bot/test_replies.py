"""What a person reads about a run, word by word: each text is one that fits on a phone."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.replies import progress_reply, proof_reply, resolved_reply, run_reply
from library.models import (
    Call,
    Effect,
    Evidence,
    Fault,
    Progress,
    RequestMade,
    Run,
    Status,
    Step,
    TextSeen,
    Verdict,
)
from tests.fakes import A_MONDAY

RUN_ID = "r0123456789abc"


def a_run(status: Status, rests_on: str, *, took_s: float = 4.2, **more: Any) -> Run:
    facts = {"evidence": Evidence(), "browser": "home", "effect": Effect.WRITE} | more
    judged = status in (Status.DONE, Status.FAILED, Status.UNCONFIRMED, Status.CANCELLED)
    return Run(
        id=RUN_ID,
        call=Call(name="create-post", claim="telegram:1", asked_by="telegram:4711"),
        version="1.0.0",
        status=status,
        created_at=A_MONDAY,
        started_at=A_MONDAY,
        finished_at=A_MONDAY + timedelta(seconds=took_s),
        verdict=Verdict.model_validate(
            {"status": status if judged else Status.CANCELLED, "rests_on": rests_on}
        ),
        **facts,
    )


def fault(code: str, message: str, **details: Any) -> Evidence:
    return Evidence(fault=Fault(code=code, message=message, details=details))


NOT_FOUND = 'No button "Post". Buttons here: "Posts", "Cancel".'
CANDIDATES = [
    {"role": "button", "name": "Posts", "where": 'form "Write" > button', "why": "other name"},
    {"role": "link", "name": "Post", "where": "navigation > link", "why": "other role (link)"},
    {"role": "button", "name": "", "where": "button", "why": "hidden"},
]

GOLDEN = {
    "done": (
        a_run(
            Status.DONE,
            "POST /api/posts was answered 201.",
            evidence=Evidence(value={"url": "http://127.0.0.1:8765/posts/3"}),
        ),
        """\
✅ create-post: done
POST /api/posts was answered 201.
http://127.0.0.1:8765/posts/3
4.2 s in home · r0123456789abc""",
    ),
    "done, with rows": (
        a_run(
            Status.DONE,
            "It returned 12 rows.",
            effect=Effect.READ,
            took_s=83,
            evidence=Evidence(value=[{"who": "Ada", "text": f"Post\n{n}", "likes": None} for n in range(12)]),
        ),
        """\
✅ create-post: done
It returned 12 rows.
1. Ada · Post 0
2. Ada · Post 1
3. Ada · Post 2
4. Ada · Post 3
5. Ada · Post 4
6. Ada · Post 5
7. Ada · Post 6
8. Ada · Post 7
9. Ada · Post 8
10. Ada · Post 9
… and 2 more
1 min 23 s in home · r0123456789abc""",
    ),
    "done, with fields": (
        a_run(
            Status.DONE,
            "The text is on the page.",
            evidence=Evidence(value={"likes": 3, "pinned": True, "tags": ["a", "b"], "draft": None}),
        ),
        """\
✅ create-post: done
The text is on the page.
likes: 3
pinned: yes
tags: ["a", "b"]
4.2 s in home · r0123456789abc""",
    ),
    "element missing": (
        a_run(
            Status.FAILED,
            f"{NOT_FOUND} Nothing had begun on the site, so it surely did not happen.",
            acted=False,
            evidence=fault("NOT_FOUND", NOT_FOUND, candidates=CANDIDATES),
        ),
        """\
❌ create-post: failed
No button "Post". Buttons here: "Posts", "Cancel". Nothing had begun on the site, so it surely did not happen.
Closest on the page:
1. button "Posts" in form "Write": other name
2. link "Post" in navigation: other role (link)
3. button: hidden
4.2 s in home · r0123456789abc""",
    ),
    "two equal elements": (
        a_run(
            Status.FAILED,
            '2 matches for button "Post": form > button; dialog > button. Say which one.',
            acted=False,
            evidence=fault("AMBIGUOUS", "2 matches", matches=[{"role": "button"}, {"role": "button"}]),
        ),
        """\
❌ create-post: failed
2 matches for button "Post": form > button; dialog > button. Say which one.
Nothing was changed on the site.
4.2 s in home · r0123456789abc""",
    ),
    "refused": (
        a_run(
            Status.FAILED,
            "https://other.test/ is not among this subroutine's sites.",
            acted=False,
            evidence=fault("SITE_REFUSED", "https://other.test/ is not among this subroutine's sites."),
        ),
        """\
❌ create-post: refused
https://other.test/ is not among this subroutine's sites.
Nothing was changed on the site.
4.2 s in home · r0123456789abc""",
    ),
    "no browser chosen": (
        a_run(
            Status.FAILED,
            '2 browsers are connected: "home", "work". Say which one: browser=NAME',
            acted=False,
            browser=None,
            took_s=0.01,
            evidence=fault("BROWSER_NOT_CHOSEN", '2 browsers are connected: "home", "work".'),
        ),
        """\
❌ create-post: failed
2 browsers are connected: "home", "work". Say which one: browser=NAME
To send it again there: /again r0123456789abc NAME
0.0 s · r0123456789abc""",
    ),
    "unconfirmed": (
        a_run(
            Status.UNCONFIRMED,
            "The text is not on the page. It may or may not have happened.",
            evidence=Evidence(notices=("Saving failed, try later",)),
        ),
        """\
❓ create-post: not confirmed
The text is not on the page. It may or may not have happened.
The page says: Saving failed, try later
It is not tried again by itself. Please look at the page, then tell me.
4.2 s in home · r0123456789abc""",
    ),
    "cancelled": (
        a_run(Status.CANCELLED, "Stopped as you asked, before anything was sent.", acted=False),
        """\
⏹ create-post: stopped
Stopped as you asked, before anything was sent.
Nothing was changed on the site.
4.2 s in home · r0123456789abc""",
    ),
    "missed": (
        a_run(Status.MISSED, "Home was off at 9:00.", acted=False, browser=None, evidence=None),
        """\
⏰ create-post: missed
Home was off at 9:00.
Nothing was changed on the site.
4.2 s · r0123456789abc""",
    ),
}


@pytest.mark.parametrize(("run", "text"), GOLDEN.values(), ids=GOLDEN)
def test_a_run_reads(run: Run, text: str) -> None:
    assert run_reply(run).text == text


@pytest.mark.parametrize(
    ("status", "evidence", "labels"),
    [
        (Status.DONE, Evidence(), ["Run again", "Proof"]),
        (Status.FAILED, Evidence(), ["Run again", "Proof"]),
        (Status.UNCONFIRMED, Evidence(), ["It worked", "It did not", "Run again", "Proof"]),
        (Status.MISSED, None, ["Run again"]),
    ],
)
def test_the_buttons_fit_the_outcome(status: Status, evidence: Evidence | None, labels: list[str]) -> None:
    buttons = run_reply(a_run(status, "…", evidence=evidence)).buttons
    assert [button.label for button in buttons] == labels
    assert [button.label for button in buttons if not button.once] == ["Proof"] * ("Proof" in labels)


def test_a_run_under_way_has_no_buttons_but_says_that_it_runs() -> None:
    run = a_run(Status.RUNNING, "").model_copy(
        update={"verdict": None, "finished_at": None, "evidence": None}
    )
    assert (run_reply(run).text, run_reply(run).buttons) == (
        f"▶ create-post: running\nin home · {RUN_ID}",
        (),
    )


def test_the_screenshot_is_the_photo() -> None:
    run = a_run(Status.DONE, "…", files={"screenshot": "/data/s.png", "evidence": "/data/evidence.json"})
    assert run_reply(run).photo == Path("/data/s.png")


def test_proof_shows_what_the_verdict_rests_on_and_everything_else_that_was_seen() -> None:
    evidence = Evidence(
        steps=(
            Step(n=1, helper="type", at_ms=0, took_ms=1),
            Step(n=2, helper="click", at_ms=1, took_ms=1, error=Fault(code="TIMEOUT", message="…")),
        ),
        requests=(
            RequestMade(source="network", method="POST", url="http://127.0.0.1/api/posts", status=201),
            RequestMade(source="helper", method="GET", url="http://127.0.0.1/x", error="aborted"),
        ),
        texts=(TextSeen(text="Hello", found=True), TextSeen(text="Error", found=False)),
        final_url="http://127.0.0.1/posts/3",
        title="Demo",
        screenshot_problem="The tab was closed.",
    )
    assert proof_reply(a_run(Status.DONE, "POST /api/posts was answered 201.", evidence=evidence)).text == (
        """\
✅ create-post: done
POST /api/posts was answered 201.

Page: Demo · http://127.0.0.1/posts/3

Requests:
POST http://127.0.0.1/api/posts → 201
GET http://127.0.0.1/x → aborted

Texts:
seen: Hello
not seen: Error

Steps:
1. type
2. click: TIMEOUT

No screenshot: The tab was closed.
4.2 s in home · r0123456789abc"""
    )


def test_a_run_that_did_not_get_to_the_page_says_that_there_is_no_proof() -> None:
    run = a_run(Status.MISSED, "Home was off.", evidence=None)
    assert "did not get as far as the page" in proof_reply(run).text


def test_what_a_person_said_is_part_of_the_verdict() -> None:
    run = a_run(Status.FAILED, "You said that it did not.", resolved_by="telegram:4711")
    reply = resolved_reply(run)
    assert reply.text == "❌ create-post: failed, as you said\nNoted: it did not work."
    assert [button.label for button in reply.buttons] == ["Run again"]


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        (None, "▶ create-post"),
        (Progress(run=RUN_ID, text="Typing"), "▶ create-post\nTyping"),
        (Progress(run=RUN_ID, text="Row 2 of 5", fraction=0.4), "▶ create-post\nRow 2 of 5 (40%)"),
    ],
)
def test_progress_reads(progress: Progress | None, text: str) -> None:
    assert progress_reply("create-post", progress).text == text


def test_a_value_of_any_size_stays_readable() -> None:
    run = a_run(Status.DONE, "…", evidence=Evidence(value=["x" * 5_000] * 100))
    assert len(run_reply(run).text) < 2_500
