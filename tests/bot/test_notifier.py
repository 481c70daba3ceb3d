"""Results that nobody waits for."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.notifier import ChatNotifier
from library.models import Call, ChatRef, Effect, Run, Status, Verdict
from scheduler.chats import Chats, Deliveries
from scheduler.database import Database
from tests.fakes import A_MONDAY, FakeClock
from tests.fakes_channel import FakeChannel

PHONE = ChatRef(channel="telegram", id="4711")
CONSOLE = ChatRef(channel="console", id="console")


def a_run(chat: ChatRef | None) -> Run:
    return Run(
        id="r0123456789abc",
        call=Call(name="create-post", claim="schedule:3:1", asked_by="schedule:3", chat=chat),
        effect=Effect.WRITE,
        version="1.0.0",
        status=Status.DONE,
        created_at=A_MONDAY,
        started_at=A_MONDAY,
        finished_at=A_MONDAY + timedelta(seconds=2),
        verdict=Verdict(status=Status.DONE, rests_on="The post is on the page."),
    )


@pytest.mark.parametrize(
    ("chat", "fails", "texts", "deliveries"),
    [
        (PHONE, False, 1, {"r0123456789abc": "sent"}),
        (PHONE, True, 0, {"r0123456789abc": "failed"}),
        (CONSOLE, False, 0, {"r0123456789abc": "failed"}),
        (None, False, 0, {}),
    ],
)
async def test_a_result_goes_to_its_chat_and_its_delivery_is_kept(
    tmp_path: Path, chat: ChatRef | None, fails: bool, texts: int, deliveries: dict[str, str]
) -> None:
    database = await Database.open(tmp_path / "runhome.db")
    channel, kept = FakeChannel(fails=fails), Deliveries(database, now=FakeClock())
    notifier = ChatNotifier({"telegram": channel}, chats=Chats(database), deliveries=kept)
    await notifier.run_finished(a_run(chat))
    assert len(channel.replies) == texts
    assert await kept.of_runs(["r0123456789abc"]) == deliveries
    await database.close()


async def test_a_note_without_a_chat_goes_to_every_linked_one(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "runhome.db")
    chats, channel = Chats(database), FakeChannel()
    others = [PHONE, ChatRef(channel="telegram", id="-100")]
    for chat in others:
        await chats.link(chat, "telegram:4711", at=A_MONDAY)
    deliveries = Deliveries(database, now=FakeClock())
    notifier = ChatNotifier({"telegram": channel}, chats=chats, deliveries=deliveries)
    await notifier.note(None, "Schedule 3 is off after ten failures.")
    await notifier.note(PHONE, "The queue is paused.")
    assert sorted(chat.id for chat in channel.chats) == ["-100", "4711", "4711"]
    assert channel.last.text == "The queue is paused."
    await database.close()
