"""Queues in a chat: made, filled from lines and files, worked, and their results."""

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.handlers.guard_words import read_guards
from library.errors import BadArgument
from library.models import ChatRef, Status
from scheduler.guards import Guards
from scheduler.queue_rows import ItemStatus
from scheduler.sheet_items import SheetRow
from tests.bot.house import PHONE, House, open_house
from tests.fakes import outcome

BOUND_S = 10
OTHER = ChatRef(channel="telegram", id="4712")


async def filled(house: House, *texts: str) -> None:
    await house.say("/queue new posts for create-post")
    await house.say("/queue add posts\n" + "\n".join(texts))
    await house.say("/queue confirm posts")


def a_sheet(folder: Path, text: str) -> Path:
    path = folder / "81231-0.csv"
    path.write_text(text, encoding="utf-8")
    return path


async def show_two_rows(house: House, folder: Path, kind: str) -> None:
    """So that they may be confirmed."""
    if kind == "lines":
        await house.say("one\ntwo")
    else:
        await house.say("", files=[a_sheet(folder, "text\none\ntwo\n")])


@dataclass
class HeldImport:
    """An import of one row into posts from elsewhere, which ends when ``free`` is set."""

    task: asyncio.Task[int]
    begun: asyncio.Event
    free: threading.Event


def held_import(house: House) -> HeldImport:
    begun, free, loop = asyncio.Event(), threading.Event(), asyncio.get_running_loop()

    def rows() -> Iterator[SheetRow]:
        loop.call_soon_threadsafe(begun.set)
        assert free.wait(BOUND_S)
        yield SheetRow(1, '{"text": "theirs"}')

    task = asyncio.create_task(house.timekeeper.queues.sheets.import_rows("posts", "0-a.csv", rows()))
    return HeldImport(task, begun, free)


async def waiting(house: House) -> list[object]:
    items = await house.timekeeper.queues.items("posts", status=ItemStatus.PENDING)
    return [item.arguments["text"] for item in items]


async def test_a_queue_is_made_filled_and_worked(house: House) -> None:
    assert "is ready for create-post" in await house.answer("/queue new posts for create-post")
    (shown,) = await house.say("/queue add posts\none\ntwo\n\nthree")
    assert shown.text.endswith("Row 3:\ntext: three\n\nAdd 3 rows to posts?")
    (added,) = await house.say(shown.buttons[0].command)
    assert added.text == (
        "3 rows added to posts; 3 rows waiting.\n"
        "To send them in time, for example:\n/schedule create-post daily 9:00 from posts take 1"
    )
    assert [button.command for button in added.buttons] == ["/queue run posts"]
    assert "posts for create-post: 3 pending" in await house.answer("/queue")
    assert "Next:\n1. text: one\n2. text: two" in await house.answer("/queue show posts")
    assert (await house.answer("/queue run posts 2")).startswith("Queue posts: 2 done")
    assert (await house.answer("/queue run posts")).startswith("Queue posts: 1 done")
    assert [run[2]["text"] for run in house.runner.runs] == ["one", "two", "three"]
    assert "It is empty." in await house.answer("/queue run posts")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("/queue", "There is no queue yet."),
        ("/queue shwo posts", "Did you mean /queue show? /queue help shows what there is."),
        ("/queue new posts", "/queue new NAME for SUBROUTINE"),
        ("/queue new my posts for create-post", "with a name of one word"),
        ("/queue guard", "a site.\n/queue guard NAME most=5"),
        ("/queue new posts for creat-post", 'Did you mean "create-post"'),
        ("/queue run", "Say which queue. There is: none yet."),
        ("/queue help", "/queue move NAME ITEM PLACE"),
        ("/queue new lists for list-posts", "list-posts takes no arguments"),
        ("/queue run nothing", 'There is no queue named "nothing"'),
        ("/queue confirm nothing", 'There is no queue named "nothing"'),
    ],
)
async def test_what_is_not_understood_is_explained(house: House, text: str, part: str) -> None:
    assert part in await house.answer(text)


async def test_the_name_of_a_queue_alone_shows_it_and_an_empty_one_says_how_to_fill_it(house: House) -> None:
    await house.say("/queue new Posts for create-post")
    shown = "Posts for create-post: empty\nTo add rows: /queue add Posts"
    assert await house.answer("/queue posts") == await house.answer("/queue show Posts") == shown


async def test_one_wrong_line_adds_nothing_and_is_named(house: House) -> None:
    await house.say("/queue new posts for create-post")
    text = await house.answer("/queue add posts\none\ntxt=two")
    assert text.startswith("Line 2 is no row for posts: ")
    assert "Nothing was added" in text
    assert "There is nothing to add" in await house.answer("/queue confirm posts")
    assert (await house.timekeeper.queues.get("posts")).pending == 0


async def test_lines_after_a_new_queue_are_its_rows_once_they_are_agreed_to(house: House) -> None:
    await house.say("/queue new posts for create-post")
    (shown,) = await house.say("one\ntwo = 2\n\nthree\nfour")
    assert shown.text == (
        "Row 1:\ntext: one\n\nRow 2:\ntext: two = 2\n\nRow 3:\ntext: three\n\nAdd 4 rows to posts?"
    )
    assert await waiting(house) == []
    assert (await house.answer(shown.buttons[0].command)).startswith("4 rows added to posts; 4 rows waiting.")
    assert await waiting(house) == ["one", "two = 2", "three", "four"]


async def test_lines_are_for_the_newest_queue_of_their_own_chat(house: House) -> None:
    await house.say(f"/pair {house.access.invite().code}", chat=OTHER)
    await house.say("/queue new posts for create-post")
    await house.say("/queue new others for create-post", chat=OTHER)
    assert (await house.answer("one")).endswith("Add 1 row to posts?")
    (other,) = await house.say("two", chat=OTHER)
    assert other.text.endswith("Add 1 row to others?")


@pytest.mark.parametrize(
    "before",
    [
        ["/queue add posts\none", "/queue confirm posts"],
        ["one"],
        ["/queue delete posts"],
    ],
    ids=["rows were added", "others await an answer", "the queue is gone"],
)
async def test_other_plain_text_is_answered_as_ever(house: House, before: list[str]) -> None:
    await house.say("/queue new posts for create-post")
    for text in before:
        await house.say(text)
    assert (await house.answer("thanks")).startswith("I act on commands")


async def test_plain_text_long_after_a_queue_was_made_is_answered_as_ever(house: House) -> None:
    await house.say("/queue new posts for create-post")
    house.clock.pass_(minutes=31)
    assert (await house.answer("one")).startswith("I act on commands")


async def test_a_call_without_its_slash_is_no_row(house: House) -> None:
    await house.say("/queue new posts for create-post")
    assert (await house.answer("create-post hello")).startswith("Shall I run this?")


async def test_a_forgotten_preview_does_not_stand_in_the_way_of_the_next_queue(
    house: House, tmp_path: Path
) -> None:
    await house.say("/queue new old for create-post")
    await house.say("", files=[a_sheet(tmp_path, "text\nforgotten\n")])
    house.clock.pass_(minutes=1)
    await house.say("/queue new posts for create-post")
    assert (await house.answer("one")).endswith("Add 1 row to posts?")


async def test_lines_that_are_no_rows_are_explained_and_may_be_sent_again(house: House) -> None:
    await house.say("/queue new posts for create-post")
    assert (await house.answer("one\ntxt=two")).startswith("Line 2 is no row for posts: ")
    assert (await house.answer("one\ntwo")).endswith("Add 2 rows to posts?")


async def test_a_file_is_shown_before_it_is_added(house: House, tmp_path: Path) -> None:
    await house.say("/queue new posts for create-post")
    sheet = a_sheet(tmp_path, "Text\n007\ntwo\n\nthree\nfour\n")
    (reply,) = await house.say("", files=[sheet])
    assert reply.text == (
        "Row 1:\ntext: 007\n\nRow 2:\ntext: two\n\nRow 3:\ntext: three\n\n"
        "1 row empty: left out.\n\nAdd 4 rows to posts?"
    )
    assert await waiting(house) == []
    (button,) = reply.buttons
    assert (await house.answer(button.command)).startswith("4 rows added to posts; 4 rows waiting.")
    assert await waiting(house) == ["007", "two", "three", "four"]
    assert "There is nothing to add to posts." in await house.answer(button.command)


async def test_rows_with_problems_come_back_as_a_file(house: House, tmp_path: Path) -> None:
    text = house.catalog.by_name["create-post"].params["text"].model_copy(update={"max_length": 5})
    changed = house.catalog.by_name["create-post"].model_copy(update={"params": {"text": text}})
    house.catalog.by_name["create-post"] = changed
    await house.say("/queue new posts for create-post")
    problems, shown = await house.say("", files=[a_sheet(tmp_path, "text\nshort\nmuch too long\n")])
    assert problems.file is not None
    assert "much too long,3," in problems.file.read_text("utf-8-sig")
    assert "1 row with problems" in shown.text
    await house.say(shown.buttons[0].command)
    assert await waiting(house) == ["short"]


async def test_a_column_of_another_name_is_offered_and_chosen(house: House, tmp_path: Path) -> None:
    await house.say("/queue new posts for create-post")
    (offer,) = await house.say("/queue add posts", files=[a_sheet(tmp_path, "Texts,Mood\nhi,good\n")])
    assert "No column is: text." in offer.text
    assert '/queue map posts text="Texts"' in offer.text
    (shown,) = await house.say('/queue map posts text="Texts"')
    assert "Columns left out: Mood." in shown.text
    await house.say(shown.buttons[0].command)
    assert await waiting(house) == ["hi"]


async def test_a_file_without_a_queue_is_kept_and_explained(house: House, tmp_path: Path) -> None:
    assert "To post its rows: /queue new" in (await house.say("", files=[a_sheet(tmp_path, "a\n")]))[0].text


async def test_items_are_changed_one_by_one(house: House) -> None:
    await filled(house, "one", "two", "three", "four")
    for text, said in (
        ("/queue skip posts 1", "Item 1 is skipped."),
        ("/queue remove posts 2", "Item 2 is removed."),
        ("/queue move posts 4 1", "Item 4 is at place 1."),
        ("/queue edit posts 3 text=drei", "Item 3 is changed."),
        ("/queue allow posts 3", "Item 3 may go out."),
        ("/queue again posts 1", "Item 1 is waiting again."),
        ("/queue skip posts 77", 'There is no item named "77".'),
        (
            "/queue skip posts",
            "at the end. Send it like this:\n/queue skip posts 3 (/queue show posts lists them)",
        ),
        ("/queue delete posts three", "/queue remove posts 3"),
        ("/queue move posts 3", "/queue move posts 3 1 (item 3 to place 1)"),
        ("/queue run posts many", "Send it like this:\n/queue run posts 5"),
        ("/queue run posts 0", "At least one row is to be sent."),
        ("/queue edit posts 3 txt=drei", "Did you mean"),
        ("/queue edit posts 3", "for example:\n/queue edit posts 3 text=..."),
        ("/queue run", "Say which queue. There is: posts."),
    ):
        assert said in await house.answer(text)
    assert set(await waiting(house)) == {"four", "drei", "one"}


async def test_a_queue_is_paused_resumed_and_deleted(house: House) -> None:
    await filled(house, "one")
    assert await house.answer("/queue pause posts") == "posts is paused."
    assert "Paused by you." in await house.answer("/queue run posts")
    assert await house.answer("/queue resume posts") == "posts may go on."
    assert await house.answer("/queue delete posts yes") == "posts is deleted."
    assert not house.runner.runs


async def test_an_unconfirmed_row_stops_the_queue_and_the_results_say_so(house: House) -> None:
    await filled(house, "=one", "two")
    house.runner.script = [outcome(Status.UNCONFIRMED, "Nothing proves it.")]
    (stopped,) = await house.say("/queue run posts")
    assert stopped.text.startswith("Queue posts: 1 unconfirmed\n")
    assert stopped.text.endswith("\n/queue resume posts lets it go on.")
    assert [button.label for button in stopped.buttons] == ["Let it go on", "Results"]
    (resumed,) = await house.say(stopped.buttons[0].command)
    assert [button.command for button in resumed.buttons] == ["/queue run posts"]
    (reply,) = await house.say("/queue results posts")
    assert reply.file is not None
    header, first, second = reply.file.read_text("utf-8-sig").splitlines()
    assert header == "text,(item),(status),(reason),(run),(result)"
    assert first.startswith("'=one,1,unconfirmed,")
    assert second.startswith("two,2,pending,")


async def test_the_sheet_that_was_sent_comes_back_with_results_beside_its_rows(
    house: House, tmp_path: Path
) -> None:
    await house.say("/queue new posts for create-post")
    sheet = a_sheet(tmp_path, "Note;Text\nmine;one\n\nyours;two\n")
    (shown,) = await house.say("", files=[sheet])
    await house.say(shown.buttons[0].command)
    sheet.unlink()
    await house.say("/queue add posts\nthree")
    await house.say("/queue confirm posts")
    house.runner.script = [outcome(value={"url": "/p/1"})]
    await house.say("/queue run posts 1")
    sent, fresh = await house.say("/queue results posts")
    assert sent.file is not None
    assert fresh.file is not None
    header, first, _, second = sent.file.read_text("utf-8-sig").splitlines()
    assert header == "Note;Text;(item);(status);(reason);(run);(result)"
    assert first.startswith("mine;one;1;done;POST /api/posts was answered 201.;r")
    assert first.endswith(';"{""url"": ""/p/1""}"')
    assert second.startswith("yours;two;2;pending;")
    assert fresh.file.read_text("utf-8-sig").splitlines()[1].startswith("three,3,pending,")


async def test_a_number_after_delete_means_that_item_and_not_the_queue(house: House) -> None:
    await filled(house, "one", "two")
    assert await house.answer("/queue delete posts 1") == "Item 1 is removed."
    assert await waiting(house) == ["two"]


async def test_a_queue_with_rows_that_were_not_sent_is_deleted_only_when_that_was_said(house: House) -> None:
    await filled(house, "one", "two", "three")
    await house.say("/queue run posts 1")
    (asked,) = await house.say("/queue delete posts")
    assert asked.text == (
        "2 rows of posts were not sent. To delete the queue with all its rows: /queue delete posts yes"
    )
    assert await waiting(house) == ["two", "three"]
    (button,) = asked.buttons
    assert (button.label, button.once) == ("Delete with 2 rows", True)
    assert await house.answer(button.command) == "posts is deleted."
    assert "There is no queue yet." in await house.answer("/queue")


async def test_schedules_that_took_from_a_deleted_queue_are_named(house: House) -> None:
    await house.say("/queue new posts for create-post")
    await house.say("/schedule create-post daily 9:00 from posts take 1")
    await house.say("/schedule create-post text=hi daily 9:00")
    assert await house.answer("/queue delete posts") == (
        "posts is deleted.\n#1 create-post has no rows now: /unschedule #1"
    )


@pytest.mark.parametrize("rows", [[], ["one", "two"]])
async def test_a_queue_that_is_empty_or_finished_is_deleted_at_once(house: House, rows: list[str]) -> None:
    await house.say("/queue new posts for create-post")
    if rows:
        await house.say("/queue add posts\n" + "\n".join(rows))
        await house.say("/queue confirm posts")
        await house.say("/queue run posts")
    assert await house.answer("/queue delete posts") == "posts is deleted."


async def test_deleting_a_queue_that_is_worked_ends_the_work(house: House) -> None:
    await filled(house, "one", "two")
    house.runner.hold()
    working = asyncio.create_task(house.say("/queue run posts"))
    await asyncio.wait_for(house.runner.started.wait(), BOUND_S)
    assert "2 rows of posts were not sent." in await house.answer("/queue delete posts")
    assert await house.answer("/queue delete posts YES") == "posts is deleted."
    house.runner.let_go()
    await asyncio.wait_for(working, BOUND_S)
    assert len(house.runner.runs) == 1
    assert house.channel.last.text.startswith("Queue posts: 1 done")


@pytest.mark.parametrize("kind", ["lines", "file"])
async def test_rows_that_could_not_be_added_may_be_confirmed_again(
    house: House, tmp_path: Path, kind: str
) -> None:
    await house.say("/queue new posts for create-post")
    await show_two_rows(house, tmp_path, kind)
    other = held_import(house)
    await asyncio.wait_for(other.begun.wait(), BOUND_S)
    assert "Try again in a minute." in await house.answer("/queue confirm posts")
    other.free.set()
    await other.task
    assert (await house.answer("/queue confirm posts")).startswith("2 rows added to posts; 3 rows waiting.")
    assert "There is nothing to add to posts" in await house.answer("/queue confirm posts")
    assert await waiting(house) == ["theirs", "one", "two"]


@pytest.mark.parametrize("kind", ["lines", "file"])
async def test_a_confirmation_that_is_sent_twice_at_once_adds_once(
    house: House, tmp_path: Path, kind: str
) -> None:
    await house.say("/queue new posts for create-post")
    await show_two_rows(house, tmp_path, kind)
    await asyncio.gather(house.say("/queue confirm posts"), house.say("/queue confirm posts"))
    assert await waiting(house) == ["one", "two"]


async def test_an_import_that_breaks_off_adds_nothing(house: House, tmp_path: Path) -> None:
    await house.say("/queue new posts for create-post")

    def broken() -> Iterator[SheetRow]:
        for line in range(1_500):
            yield SheetRow(line, '{"text": "x"}')
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="gone"):
        await house.timekeeper.queues.sheets.import_rows("posts", "1-a.csv", broken())
    assert await waiting(house) == []


async def test_the_work_shows_its_progress_in_one_message_and_can_be_stopped(tmp_path: Path) -> None:
    async with open_house(tmp_path, after_s=0) as house:
        await filled(house, "one", "two", "three")
        house.runner.hold()
        working = asyncio.create_task(house.say("/queue run posts"))
        await asyncio.wait_for(house.runner.started.wait(), BOUND_S)
        assert "already" in (await house.say("/queue run posts"))[-1].text
        await house.say("/queue stop posts")
        house.runner.let_go()
        await asyncio.wait_for(working, BOUND_S)
        assert house.channel.last.text.startswith("Queue posts: 1 done\nStopped as you asked.")
        assert await waiting(house) == ["two", "three"]


async def test_work_that_dies_before_its_report_is_told_of_by_the_next_start(house: House) -> None:
    await filled(house, "one", "two")
    await house.say("/queue run posts 1")
    house.runner.hold()
    working = asyncio.create_task(house.say("/queue run posts"))
    await asyncio.wait_for(house.runner.started.wait(), BOUND_S)
    working.cancel()
    house.runner.let_go()
    await asyncio.gather(working, return_exceptions=True)
    assert await house.timekeeper.settle()
    house.timekeeper.lock.release()
    (telling,) = await house.timekeeper.untold.all()
    assert telling.message.chat == PHONE
    assert telling.message.text.startswith("The machine stopped while the queue posts was worked: ")


async def test_stop_alone_stops_queues_too(house: House) -> None:
    await filled(house, "one", "two")
    house.runner.hold()
    working = asyncio.create_task(house.say("/queue run posts"))
    await asyncio.wait_for(house.runner.started.wait(), BOUND_S)
    (reply,) = await house.say("/stop")
    assert "the queue posts" in reply.text
    await asyncio.wait_for(working, BOUND_S)
    assert len(house.runner.runs) == 1


async def test_guards_are_set_in_words_and_kept(house: House) -> None:
    await filled(house, "one", "two")
    await house.say("/queue guard posts most=1")
    assert "the most is 1 a day" in await house.answer("/queue run posts")
    assert len(house.runner.runs) == 1


async def test_a_text_that_was_posted_before_asks_with_two_buttons(house: House) -> None:
    await filled(house, "one", "One", "two")
    await house.say("/queue guard posts norepeat=30")
    (asked,) = await house.say("/queue run posts")
    assert "The same text was already published today" in asked.text
    assert [button.label for button in asked.buttons] == ["Let it go out", "Skip it"]
    assert await waiting(house) == ["One", "two"]
    await house.say(asked.buttons[0].command)
    assert (await house.answer("/queue run posts")).startswith("Queue posts: 2 done")


async def test_a_subroutine_and_a_site_are_guarded_whichever_queue_sends(house: House) -> None:
    await filled(house, "one", "two", "three")
    await house.say("/queue new others for create-post")
    await house.say("/queue add others\nfour")
    await house.say("/queue confirm others")
    assert "at most 2 a day" in await house.answer("/queue guard create-post most=2")
    assert "the most is 2 a day" in await house.answer("/queue run posts")
    assert "the most is 2 a day" in await house.answer("/queue run others")
    await house.say("/queue guard create-post most=off")
    assert "no guards" in await house.answer("/queue guard create-post")
    said = await house.answer("/queue guard 127.0.0.1 gap=30m")
    assert said.startswith("All that queues send to 127.0.0.1: at least 30 min between two")
    await house.say("/run list-posts")
    assert "least gap" in await house.answer("/queue run others")
    assert "There is no queue, subroutine or site" in await house.answer("/queue guard nothing most=2")


async def test_a_queue_is_worked_in_the_browser_that_is_named(house: House) -> None:
    await filled(house, "one", "two")
    await house.say("/queue run posts 1 browser=work")
    (run,) = await house.journal.recent()
    assert run.call.browser == "work"


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("", "Say what"),
        ("mots=5", "Did you mean most=?"),
        ("most=no", "cannot be used"),
        ("most=0", "cannot be used"),
        ("gap=5", "cannot be used"),
        ("quiet=9:00-9:00", "cannot be used"),
    ],
)
def test_a_guard_that_is_not_understood_is_explained(words: str, wrong: str) -> None:
    with pytest.raises(BadArgument, match=wrong.replace("?", r"\?")):
        read_guards(words, Guards(), zone="UTC")


def test_guards_are_changed_and_taken_away() -> None:
    words = "most=5 gap=10m quiet=22:00–07:00 norepeat=30 failures=2"
    guards = read_guards(words, Guards(), zone="Europe/Berlin")
    assert (guards.most_per_day, guards.no_repeat_within_days, guards.failures_in_a_row) == (5, 30, 2)
    assert guards.quiet_hours is not None
    assert guards.least_gap is not None
    fewer = read_guards("quiet=off gap=off", guards, zone="Europe/Berlin")
    assert (fewer.quiet_hours, fewer.least_gap, fewer.most_per_day) == (None, None, 5)
