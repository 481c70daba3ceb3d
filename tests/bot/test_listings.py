"""What a person reads when they ask what there is."""

from datetime import timedelta

import pytest

from bot.listings import browsers_reply, example, library_reply, status_reply, subroutine_reply
from bot.values import ago_text, duration_text
from library.models import Browser, Effect, Param, Status, Subroutine, Tab
from tests.bot.test_replies import a_run
from tests.fakes import A_MONDAY, subroutine

PUBLISH = subroutine(
    params={
        "title": Param(description="The headline", max_length=80),
        "pin": Param(type="boolean", required=False, description="Keep it on top"),
        "as": Param(enum=("draft", "post"), default="draft"),
    }
).model_copy(update={"description": "Publishes a post.", "title": "Post a message"})


def test_a_subroutine_reads() -> None:
    assert (
        subroutine_reply(PUBLISH).text
        == """\
create-post 1.0.0
Publishes a post.
Changes something on the site.
Site: http://127.0.0.1/*

Arguments:
title: The headline (at most 80 characters)
pin: Keep it on top (boolean, optional)
as (draft or post, draft if you say nothing)

Send:
/run create-post title="The headline\""""
    )


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ([], "No subroutine is installed yet. At home: runhome library list"),
        (
            [PUBLISH, subroutine("list-posts", Effect.READ)],
            "What you can run:\n\ncreate-post: Post a message\nlist-posts\n\n"
            "More about one: /library create-post",
        ),
    ],
)
def test_the_library_reads(given: list[Subroutine], text: str) -> None:
    assert library_reply(given).text == text


def test_an_example_has_the_required_arguments_only() -> None:
    assert example(PUBLISH) == '/run create-post title="The headline"'


def test_browsers_read() -> None:
    tabs = tuple(Tab(id=n, url="http://127.0.0.1/", title=f"Tab {n}") for n in range(7))
    browsers = [Browser(name="home", connected=True, tabs=tabs), Browser(name="work")]
    assert browsers_reply(browsers).text == (
        "home: connected, 7 tabs\n  Tab 0\n  Tab 1\n  Tab 2\n  Tab 3\n  Tab 4\n  … and 2 more\n\n"
        "work: not connected"
    )
    assert "runhome pair" in browsers_reply([]).text


def test_status_reads() -> None:
    running = a_run(Status.RUNNING, "").model_copy(update={"id": "r1", "finished_at": None})
    now = A_MONDAY + timedelta(minutes=3, seconds=20)
    recent = [running, a_run(Status.DONE, "…"), a_run(Status.FAILED, "…")]
    assert status_reply([running], recent, now).text == (
        "Running:\n▶ create-post (r1), for 3 min 20 s\n/stop stops it.\n\n"
        "Lately:\n✅ create-post (r0123456789abc), 3 min ago\n"
        "❌ create-post failed (r0123456789abc), 3 min ago"
    )


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-1, "0.0 s"),
        (0.04, "0.0 s"),
        (9.94, "9.9 s"),
        (59.4, "59 s"),
        (200, "3 min 20 s"),
        (600, "10 min"),
        (7200, "2 h"),
        (7500, "2 h 5 min"),
    ],
)
def test_lengths_of_time_read(seconds: float, text: str) -> None:
    assert duration_text(timedelta(seconds=seconds)) == text


@pytest.mark.parametrize(
    ("minutes", "text"),
    [(0.5, "just now"), (59, "59 min ago"), (61, "1 h ago"), (47 * 60, "47 h ago"), (49 * 60, "2 days ago")],
)
def test_times_past_read(minutes: float, text: str) -> None:
    assert ago_text(A_MONDAY, A_MONDAY + timedelta(minutes=minutes)) == text
