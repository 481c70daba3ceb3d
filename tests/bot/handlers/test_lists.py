"""Questions: what there is, what ran, and what proves it."""

from pathlib import Path

import pytest

from bot.handlers import Handlers
from tests.bot.house import House, NoClaims, open_house
from tests.fakes import FakeCatalog, FakeRunner, outcome


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("/help", "/run NAME arguments: Do something in your browser"),
        ("/help run", "/run NAME arguments"),
        ("/help create-post", '/run create-post text="What to say"'),
        ("/help crate-post", 'Did you mean "create-post"'),
        ("/library", "list-posts"),
        ("/library create-post", "Changes something on the site."),
        ("/library nothing-like-it", "There is no subroutine named"),
        ("/browsers", "home: connected, 1 tab\n  Demo\n\nwork: not connected"),
        ("/status", "Nothing has run yet."),
        ("/status r000000000000", "There is no run named"),
        ("/rnu create-post", "I do not know /rnu. Did you mean /run?"),
        ("/run", "Send it like this:\n/run NAME arguments"),
        ("hello", "/library shows what can be run"),
        ("", "/library shows what can be run"),
        ("create-post hi", "Shall I run this?\n/run create-post hi"),
        ("/start", "This chat is linked"),
    ],
)
async def test_a_question_is_answered(house: House, text: str, part: str) -> None:
    assert part in await house.answer(text)


async def test_commands_that_no_desk_answers_are_unknown_and_not_listed(house: House) -> None:
    few = Handlers((), catalog=FakeCatalog(), access=house.access, claims=NoClaims())
    assert [entry.command for entry in few.menu] == ["help"]
    for text, said in (
        ("/help", "/help [COMMAND]"),
        ("/schedule create-post daily 9:00", "I do not know /schedule."),
        ("/schedul create-post", "I do not know /schedul. /help"),
        ("/help schedule", "There is no command or subroutine"),
    ):
        await few.handle(house.incoming(text), house.channel)
        assert said in house.channel.last.text
        assert "/schedule?" not in house.channel.last.text


async def test_asking_changes_nothing(house: House) -> None:
    (reply,) = await house.say("/run create-post hi")
    run_id = reply.buttons[0].command.split()[1]
    before = await house.journal.get(run_id)
    for text in ("/status", f"/status {run_id}", f"/proof {run_id}", "/library", "/browsers", "/help"):
        await house.say(text, claim="telegram:press:1:same")
        assert await house.say(text, claim="telegram:press:1:same")
    assert await house.journal.get(run_id) == before
    assert len(house.runner.runs) == 1


async def test_proof_has_the_trace_and_the_screenshot(tmp_path: Path) -> None:
    async with open_house(tmp_path, runner=FakeRunner(outcome(screenshot=b"\x89PNG"))) as house:
        (reply,) = await house.say("/run create-post hi")
        (proof,) = await house.say(next(b.command for b in reply.buttons if b.label == "Proof"))
        assert proof.photo == reply.photo
        assert proof.photo is not None
        assert "Steps:\n1. click" in proof.text
