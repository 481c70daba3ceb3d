"""Schedules and triggers, as a person sees them. The clock stands at Monday 2026-03-02, 9:00 in Berlin."""

import pytest

from bot.messages import Delivery, DeliveryStatus
from library.models import Param, Status
from scheduler.schedule_rows import State
from tests.bot.house import PHONE, House
from tests.fakes import outcome, subroutine


async def test_a_schedule_is_read_back_with_its_zone_and_its_next_three_slots(house: House) -> None:
    (reply,) = await house.say('/schedule create-post text="Good morning" weekdays 9:30')
    assert reply.text == (
        "⏰ #1 create-post\n"
        "Monday to Friday at 09:30 (Europe/Berlin)\n"
        "text: Good morning\n"
        "Next:\nMon 2026-03-02 09:30\nTue 2026-03-03 09:30\nWed 2026-03-04 09:30"
    )
    assert [button.command for button in reply.buttons] == ["/pause #1", "/unschedule #1"]
    (saved,) = await house.timekeeper.schedules.all()
    assert (saved.chat, saved.call.arguments) == (PHONE, {"text": "Good morning"})


async def test_a_weekday_alone_is_the_coming_one_and_the_reply_says_so(house: House) -> None:
    assert await house.answer("/schedule create-post text=hi friday 9am") == (
        "⏰ #1 create-post\n"
        "once, on Fri 2026-03-06 09:00 (Europe/Berlin)\n"
        "text: hi\n"
        "Only this once. For every week, delete it and write: every friday 09:00\n"
        "Next:\nFri 2026-03-06 09:00"
    )
    for clear in ("on friday 9am", "every friday 9am", "fridays 9am"):
        assert "Only this once" not in await house.answer(f"/schedule create-post text=hi {clear}")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("/schedule create-post text=hi sometime", "Write for example"),
        ("/schedule create-post daily 9:00", "text is missing. It is: What to say"),
        ("/schedule creat-post text=hi daily 9:00", 'Did you mean "create-post"'),
        ("/schedule create-post daily 9:00 from nowhere take 3", "There is no queue named"),
        ("/schedule", "Send it like this:\n/schedule NAME arguments WHEN"),
        ("/pause 7", 'There is no schedule named "#7"'),
        ("/tz Europe/Berlim", 'Did you mean "Europe/Berlin"'),
        ("/trigger new create-post text=hi", "Say what fires it"),
        ("/trigger new create-post text=hi on done of create-post", "in a circle"),
        ("/trigger new list-posts on change of create-post", "Reads here: list-posts."),
        ("/trigger create-post", "create-post is not scheduled. To run it now: /run create-post"),
        ("/trigger creat-post", "There is no schedule named"),
        ("/trigger new", "/trigger new CALL on change of NAME"),
        ("/schedule", "/schedule list-posts every 2h"),
        ("/pause t9", 'There is no trigger named "t9"'),
        ("/schedule daily 9:00 create-post hi", "The name comes first: /schedule create-post arguments WHEN"),
        ("/tz korea", "Write it as Europe/Berlin or Asia/Seoul."),
    ],
)
async def test_what_cannot_be_saved_is_explained_and_not_saved(house: House, text: str, part: str) -> None:
    assert part in await house.answer(text)
    assert await house.timekeeper.schedules.all() == []
    assert await house.timekeeper.triggers.all() == []


async def test_a_schedule_is_listed_paused_resumed_and_deleted(house: House) -> None:
    await house.say("/schedule create-post text=hi daily 18:00 tz=Asia/Seoul")
    assert await house.answer("/schedules") == (
        "#1 create-post: every day at 18:00 (Asia/Seoul)\ntext: hi\nnext Mon 2026-03-02 18:00"
    )
    assert await house.answer("/next") == "Mon 2026-03-02 18:00  #1 create-post"
    assert await house.answer("/pause create-post") == "#1 create-post: paused."
    assert "paused. Paused by you." in await house.answer("/schedules")
    assert (await house.answer("/next")).startswith("Nothing comes in the next 24 hours.")
    assert await house.answer("/resume #1") == "#1 create-post: resumed.\nNext: Mon 2026-03-02 18:00"
    assert await house.answer("/unschedule 1") == "#1 create-post: deleted."
    assert (await house.answer("/schedules")).startswith("Nothing is scheduled.")


async def test_a_trigger_s_secret_is_not_shown(house: House) -> None:
    secret = subroutine("log-in", params={"user": Param(), "password": Param(secret=True)})
    house.catalog.by_name["log-in"] = secret
    for text in ("/trigger new log-in me hunter2 on webhook", "/triggers"):
        answer = await house.answer(text)
        assert "user: me\npassword: •••" in answer
        assert "hunter2" not in answer
    del house.catalog.by_name["log-in"]
    assert "user: •••\npassword: •••" in await house.answer("/triggers")


async def test_triggers_and_schedules_are_told_apart(house: House) -> None:
    await house.say("/trigger new create-post text=hi on done of list-posts")
    assert await house.answer("/pause 1") == ('There is no schedule named "#1". The trigger is t1, with a t.')
    assert await house.answer("/trigger t1") == (
        "t1 runs create-post on its event. To run it now: /run create-post"
    )


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("Seoul", "Asia/Seoul"),
        ("new york", "America/New_York"),
        ("“Berlin”", "Europe/Berlin"),
        ("utc", "UTC"),
    ],
)
async def test_a_time_zone_is_found_by_its_city(house: House, said: str, zone: str) -> None:
    assert (await house.answer(f"/tz {said}")).startswith(f"Times here are in {zone}, where it is ")


async def test_what_comes_often_does_not_hide_what_comes_once(house: House) -> None:
    await house.say("/schedule list-posts every 1h")
    await house.say("/schedule create-post text=hi daily 20:30")
    assert await house.answer("/next") == (
        "Mon 2026-03-02 10:00  #1 list-posts\n"
        "Mon 2026-03-02 11:00  #1 list-posts\n"
        "Mon 2026-03-02 12:00  #1 list-posts\n"
        "Mon 2026-03-02 20:30  #2 create-post\n"
        "#1 list-posts: 21 more"
    )


@pytest.mark.parametrize("since", ["yesterday", "since yesterday", "today", "gestern", "24h", "어제"])
async def test_results_are_asked_for_since_a_time_without_a_name(house: House, since: str) -> None:
    await house.say("/schedule create-post text=hi daily 20:30")
    assert (await house.answer(f"/check_schedule_results {since}")).startswith("#1 create-post: every day")


async def test_the_same_update_twice_saves_one_schedule(house: House) -> None:
    for _ in range(2):
        await house.say("/schedule create-post text=hi daily 18:00", claim="telegram:1")
    assert len(await house.timekeeper.schedules.all()) == 1


async def test_a_chat_has_its_own_time_zone(house: House) -> None:
    assert "Europe/Berlin, where it is 09:00" in await house.answer("/tz")
    assert "Asia/Seoul, where it is 17:00" in await house.answer("/tz asia/seoul")
    assert "(Asia/Seoul)" in await house.answer("/schedule create-post text=hi daily 18:00")


async def test_a_schedule_s_secret_is_not_shown(house: House) -> None:
    house.catalog.by_name["create-post"] = house.catalog.by_name["create-post"].model_copy(
        update={
            "params": {
                "text": house.catalog.by_name["create-post"]
                .params["text"]
                .model_copy(update={"secret": True})
            }
        }
    )
    for text in ("/schedule create-post text=hunter2 daily 18:00", "/schedules"):
        assert "hunter2" not in await house.answer(text)


async def test_a_trigger_runs_a_schedule_now_and_leaves_its_slots_alone(house: House) -> None:
    await house.say("/schedule create-post text=hi daily 18:00")
    before = await house.timekeeper.schedules.all()
    assert (await house.answer("/trigger #1")).startswith("✅ create-post: done")
    assert (await house.answer("/trigger create-post text=bye")).startswith("✅ create-post: done")
    assert [run[2] for run in house.runner.runs] == [{"text": "hi"}, {"text": "bye"}]
    assert await house.timekeeper.schedules.all() == before


async def test_a_webhook_s_address_is_shown_once(house: House) -> None:
    text = await house.answer("/trigger new create-post on webhook")
    assert text.startswith("t1 create-post: when its address is called\n")
    token = text.split("/hooks/")[1].split()[0]
    assert await house.timekeeper.triggers.receive(token, "1", {"text": "hi"})
    assert token not in await house.answer("/triggers")


@pytest.mark.parametrize(
    ("event", "shown"),
    [
        ("done of list-posts", "when list-posts ends done"),
        ("unconfirmed of list-posts", "when list-posts ends unconfirmed"),
        ("change of list-posts", "when the result of list-posts changes"),
    ],
)
async def test_a_trigger_on_a_run_is_saved_listed_paused_and_deleted(
    house: House, event: str, shown: str
) -> None:
    line = f"t1 create-post: {shown}"
    assert (await house.answer(f"/trigger new create-post text=hi on {event}")).startswith(line)
    assert await house.answer("/pause t1") == "t1 create-post: paused."
    assert f"{line} (paused)" in await house.answer("/triggers")
    assert (await house.timekeeper.triggers.all())[0].state is State.PAUSED
    assert await house.answer("/resume t1") == "t1 create-post: resumed."
    assert await house.answer("/unschedule t1") == "t1 create-post: deleted."
    assert (await house.answer("/triggers")).startswith("There is no trigger.")


# --- results ---


async def after_three_days(house: House) -> None:
    await house.say("/schedule create-post text=hi daily 18:00")
    for hours in (9, 24, 24):
        house.clock.pass_(hours=hours)
        await house.timekeeper.tick()
        await house.timekeeper.slot_work.idle()


async def test_the_results_of_a_schedule_are_listed_newest_first(house: House) -> None:
    unconfirmed = outcome(Status.UNCONFIRMED, "Nothing proves it.")
    house.runner.script = [outcome(), outcome(Status.FAILED, "No button."), unconfirmed]
    await after_three_days(house)
    (reply,) = await house.say("/check_schedule_results create-post")
    head, *lines = reply.text.splitlines()
    assert head == "#1 create-post: every day at 18:00 (Europe/Berlin)"
    assert lines == [
        "❓ Wed 2026-03-04 18:00 unconfirmed, 0.0 s: Nothing proves it.",
        "❌ Tue 2026-03-03 18:00, 0.0 s: No button.",
        "✅ Mon 2026-03-02 18:00, 0.0 s: POST /api/posts was answered 201.",
    ]
    assert [button.label for button in reply.buttons] == ["It worked", "It did not", "Proof", "Run again"]


async def test_every_unconfirmed_slot_can_be_answered_and_the_delivery_is_told(house: House) -> None:
    unconfirmed = outcome(Status.UNCONFIRMED, "Nothing proves it.")
    house.runner.script = [unconfirmed, outcome(), unconfirmed]
    await after_three_days(house)
    (first, *_) = reversed(await house.timekeeper.schedules.slots())
    assert first.run_id is not None
    await house.deliveries.record(first.run_id, PHONE, Delivery(DeliveryStatus.FAILED, reason="blocked"))
    (reply,) = await house.say("/check_schedule_results")
    assert [button.label for button in reply.buttons][-2:] == [
        "It worked (Mon 2026-03-02 18:00)",
        "It did not (Mon 2026-03-02 18:00)",
    ]
    assert reply.text.endswith("Nothing proves it. (the answer did not reach the chat)")
    await house.say(reply.buttons[-2].command)
    assert (await house.timekeeper.schedules.slots())[-1].status is Status.DONE


async def test_a_single_moment_that_has_come_is_still_listed(house: House) -> None:
    await house.say("/schedule create-post text=hi in 20 minutes")
    house.clock.pass_(minutes=20)
    await house.timekeeper.tick()
    await house.timekeeper.slot_work.idle()
    assert "✅" in await house.answer("/check_schedule_results")
    assert "✅" in await house.answer("/check_schedule_results create-post")
    house.clock.pass_(days=30)
    assert (await house.answer("/check_schedule_results")).startswith("Nothing is scheduled")
    assert "✅" in await house.answer("/check_schedule_results #1")


async def test_many_schedules_do_not_flood_the_chat(house: House) -> None:
    for _ in range(33):
        await house.say("/schedule create-post text=hi daily 18:00")
    assert "… and 3 more" in await house.answer("/schedules")
    replies = await house.say("/check_schedule_results")
    assert len(replies) == 11
    assert replies[-1].text.startswith("23 more schedules are not shown.")


async def test_missed_slots_are_listed_with_the_reason(house: House) -> None:
    await house.say("/schedule create-post text=hi daily 18:00 missed=skip")
    house.clock.pass_(days=3)
    await house.timekeeper.tick()
    await house.timekeeper.slot_work.idle()
    text = await house.answer("/check_schedule_results")
    assert text.count("⏰") + text.count("⏭") >= 2
    assert len(text.splitlines()) == 4


@pytest.mark.parametrize(
    ("since", "count"),
    [("23h", 1), ("2 days", 3), ("yesterday", 2), ("2026-03-03", 2), ("tuesday", 2), ("", 3)],
)
async def test_results_are_asked_for_since_a_day(house: House, since: str, count: int) -> None:
    await after_three_days(house)
    text = await house.answer(f"/check_schedule_results #1 {since}")
    assert len(text.splitlines()) == 1 + count


async def test_results_come_as_a_file(house: House) -> None:
    await after_three_days(house)
    (reply,) = await house.say("/check_schedule_results —csv")
    assert reply.file is not None
    lines = reply.file.read_text("utf-8-sig").splitlines()
    assert lines[0] == "schedule,slot,status,reason,run,seconds,delivery"
    assert lines[1].startswith("#1 create-post,2026-03-04T18:00:00+01:00,done,")
    assert len(lines) == 4


async def test_asking_for_results_changes_nothing_and_can_be_asked_of_nothing(house: House) -> None:
    assert (await house.answer("/check_schedule_results")).startswith("Nothing is scheduled")
    await after_three_days(house)
    before = await house.timekeeper.schedules.slots()
    await house.say("/check_schedule_results")
    assert await house.timekeeper.schedules.slots() == before
    assert "is no time to look back to" in await house.answer("/check_schedule_results #1 someday")
