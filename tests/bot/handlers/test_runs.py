"""Running, repeating, stopping and settling, as a person sees it; whichever channel."""

import asyncio
import json
from pathlib import Path

import pytest
from pydantic import JsonValue

from library.errors import NoBrowser
from library.models import Effect, Param, Status
from tests.bot.house import PHONE, House, open_house
from tests.fakes import FakeCatalog, FakeRunner, outcome, subroutine

BOUND_S = 10


async def test_a_run_is_answered_with_its_verdict_and_its_evidence(house: House) -> None:
    text = await house.answer('/run create-post text="Hello"')
    assert text.splitlines()[:2] == ["✅ create-post: done", "POST /api/posts was answered 201."]
    assert house.runner.runs[0][1:] == ("create-post", {"text": "Hello"})


async def test_a_wrong_name_is_answered_with_the_nearest(house: House) -> None:
    assert 'Did you mean "create-post"' in await house.answer("/run creat-post hi")


async def test_a_missing_argument_is_answered_with_its_description_and_a_line_to_copy(house: House) -> None:
    text = await house.answer("/run create-post")
    assert "text is missing. It is: What to say" in text
    assert text.endswith('/run create-post text="What to say"')
    assert not house.runner.runs


async def test_a_browser_is_chosen_in_the_command(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        for words in ("browser=work Hello", "Hello —browser work", "—browser “work” text=Hello"):
            await house.say(f"/run create-post {words}")
        runs = await house.journal.recent()
        assert [run.call.browser for run in runs] == ["work"] * 3
        assert [run.call.arguments["text"] for run in runs] == ["Hello"] * 3


async def test_a_parameter_named_browser_and_a_text_about_browsers_stay_what_they_are(tmp_path: Path) -> None:
    catalog = FakeCatalog(subroutine(), subroutine("open", params={"browser": Param()}))
    async with open_house(tmp_path, catalog=catalog) as house:
        await house.say("/run open browser=work")
        await house.say('/run create-post "my browser=work idea"\n')
        assert [run[2] for run in house.runner.runs] == [
            {"browser": "work"},
            {"text": "my browser=work idea"},
        ]


async def test_a_refusal_before_the_browser_says_that_nothing_was_changed(tmp_path: Path) -> None:
    runner = FakeRunner(NoBrowser("No browser is connected. Open Chrome at home."))
    async with open_house(tmp_path, runner=runner) as house:
        text = await house.answer("/run create-post hi")
    assert "No browser is connected. Open Chrome at home." in text
    assert "Nothing was changed on the site." in text


async def test_whether_the_answer_arrived_is_kept_apart_from_the_run(house: House) -> None:
    house.channel.fails = True
    await house.say("/run create-post hi")
    run = (await house.journal.recent())[0]
    assert run.status is Status.DONE
    assert await house.deliveries.of_runs([run.id]) == {run.id: "failed"}


async def test_the_same_update_twice_runs_once_and_answers_once(house: House) -> None:
    await house.say("/run create-post hi", claim="telegram:1")
    assert await house.say("/run create-post hi", claim="telegram:1") == []
    assert len(house.runner.runs) == 1


async def test_the_same_update_twice_at_once_answers_once(house: House) -> None:
    update = house.incoming("/run create-post hi")
    both = [house.handlers.handle(update, house.channel) for _ in range(2)]
    await asyncio.wait_for(asyncio.gather(*both), BOUND_S)
    assert (len(house.runner.runs), len(house.channel.replies)) == (1, 1)


async def test_run_again_pressed_twice_runs_once_more(house: House) -> None:
    (reply,) = await house.say("/run create-post hi")
    again = next(button for button in reply.buttons if button.label == "Run again")
    await house.say(again.command, claim="telegram:press:1:again")
    await house.say(again.command, claim="telegram:press:1:again")
    assert [run[2] for run in house.runner.runs] == [{"text": "hi"}] * 2


async def test_the_same_answer_pressed_twice_is_noted_once(tmp_path: Path) -> None:
    runner = FakeRunner(outcome(Status.UNCONFIRMED, "Nothing proves it."))
    async with open_house(tmp_path, runner=runner) as house:
        (reply,) = await house.say("/run create-post hi")
        worked = reply.buttons[0].command
        assert await house.say(worked, claim="telegram:press:1:worked")
        assert await house.say(worked, claim="telegram:press:1:worked") == []


@pytest.mark.parametrize(
    ("label", "status", "said"),
    [("It worked", Status.DONE, "it worked."), ("It did not", Status.FAILED, "it did not work.")],
)
async def test_a_person_settles_what_is_not_confirmed(
    tmp_path: Path, label: str, status: Status, said: str
) -> None:
    runner = FakeRunner(outcome(Status.UNCONFIRMED, "Nothing proves it."))
    async with open_house(tmp_path, runner=runner) as house:
        (reply,) = await house.say("/run create-post hi")
        command = next(button.command for button in reply.buttons if button.label == label)
        assert (await house.answer(command)).endswith(f"Noted: {said}")
        run = (await house.journal.recent())[0]
        assert (run.status, run.resolved_by) == (status, f"telegram:{PHONE.id}")
        assert "nothing to answer" in await house.answer(command)


@pytest.mark.parametrize("named", [True, False])
async def test_stop_ends_what_runs(tmp_path: Path, named: bool) -> None:
    async with open_house(tmp_path) as house:
        house.runner.hold()
        running = asyncio.create_task(house.say("/run create-post hi"))
        await asyncio.wait_for(house.runner.started.wait(), BOUND_S)
        run_id = house.runner.runs[0][0]
        assert run_id in await house.answer("/status")
        (reply,) = await house.say(f"/stop {run_id}" if named else "/stop")
        assert reply.text == f"Stopping create-post ({run_id}) …"
        await asyncio.wait_for(running, BOUND_S)
        assert house.channel.last.text.startswith("⏹ create-post: stopped")


async def test_stop_says_when_there_is_nothing_to_stop(house: House) -> None:
    assert await house.answer("/stop") == "Nothing is running."
    (reply,) = await house.say("/run create-post hi")
    run_id = reply.buttons[0].command.split()[1]
    assert (await house.answer(f"/stop {run_id}")).startswith("create-post had already ended.")


async def test_a_slow_run_shows_its_progress_in_one_message_and_its_last_state_stays(tmp_path: Path) -> None:
    async with open_house(tmp_path, after_s=0) as house:
        house.runner.hold()
        running = asyncio.create_task(house.say("/run create-post hi"))
        while "half way (50%)" not in (house.channel.shown["1"].text if house.channel.shown else ""):
            house.channel.arrived.clear()
            await asyncio.wait_for(house.channel.arrived.wait(), BOUND_S)
        house.runner.let_go()
        await asyncio.wait_for(running, BOUND_S)
        assert [reply.text.splitlines()[0] for reply in house.channel.shown.values()] == [
            "✅ create-post: done",
            "✅ create-post: done",
        ]
        assert house.channel.shown["1"].text == "✅ create-post: done\nhalf way"


async def test_a_quick_run_is_answered_with_one_message(house: House) -> None:
    await house.say("/run create-post hi")
    assert (len(house.channel.replies), house.channel.edits) == (1, [])


async def test_a_secret_is_never_repeated(tmp_path: Path) -> None:
    catalog = FakeCatalog(subroutine("login", Effect.READ, params={"password": Param(secret=True)}))
    async with open_house(tmp_path, catalog=catalog) as house:
        (reply,) = await house.say("/run login password=hunter2")
        again = next(button.command for button in reply.buttons if button.label == "Run again")
        assert "Send the whole command again" in await house.answer(again)
        assert "hunter2" not in "".join(house.channel.texts)


async def test_more_rows_than_a_message_shows_are_sent_as_files(tmp_path: Path) -> None:
    rows: list[JsonValue] = [{"title": f"Post {n}", "votes": n} for n in range(11)]
    rows.append({"title": "=1+1", "tags": ["a", "é"]})
    runner = FakeRunner(outcome(value={"posts": rows}))
    async with open_house(tmp_path, runner=runner) as house:
        said, sheet, document = await house.say('/run create-post text="Hello"')
    assert "1. Post 0 · 0\n" in said.text
    assert "… and 2 more" in said.text
    assert sheet.file is not None
    assert (sheet.text, sheet.file.suffix) == ("All 12 rows of create-post.", ".csv")
    lines = sheet.file.read_text(encoding="utf-8-sig").splitlines()
    assert (lines[0], lines[1], lines[-1]) == ("title,votes,tags", "Post 0,0,", '\'=1+1,,"[""a"", ""é""]"')
    assert document.file is not None
    assert json.loads(document.file.read_text(encoding="utf-8")) == rows


async def test_few_rows_come_without_files(tmp_path: Path) -> None:
    runner = FakeRunner(outcome(value=[{"title": "One"}] * 10))
    async with open_house(tmp_path, runner=runner) as house:
        assert len(await house.say('/run create-post text="Hello"')) == 1


async def test_a_heading_from_a_page_is_no_formula(tmp_path: Path) -> None:
    runner = FakeRunner(outcome(value=[{'=HYPERLINK("x")': n} for n in range(11)]))
    async with open_house(tmp_path, runner=runner) as house:
        _, sheet, _ = await house.say('/run create-post text="Hello"')
    assert sheet.file is not None
    assert sheet.file.read_text(encoding="utf-8-sig").startswith("\"'=HYPERLINK")
