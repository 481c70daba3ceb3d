"""A whole conversation over a fake Bot API: text in, reply out, buttons pressed; the database is real."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.channels.telegram import TelegramChannel
from library.models import Param, Status
from tests.bot.house import House, open_house
from tests.fakes import FakeCatalog, FakeRunner, outcome, subroutine
from tests.fakes_telegram import ME, TOKEN, FakeTelegram, buttons_of, fake_telegram
from tests.telegram_contract import Contract

PICTURE = b"\x89PNG\r\n\x1a\n picture"


@pytest.fixture
async def telegram(shared: Path) -> AsyncIterator[FakeTelegram]:
    async with fake_telegram(Contract(shared / "contracts" / "telegram-bot-api.json")) as opened:
        yield opened


@asynccontextmanager
async def talking(
    telegram: FakeTelegram, folder: Path, runner: FakeRunner, catalog: FakeCatalog | None = None
) -> AsyncIterator[House]:
    async with open_house(folder, runner=runner, catalog=catalog) as house:
        channel = TelegramChannel(
            TOKEN,
            receive=house.handlers.handle,
            knows=house.access.may_ask,
            folder=folder / "telegram",
            now=house.clock,
            base_url=telegram.base_url,
            base_file_url=telegram.base_file_url,
            poll_s=1,
        )
        await channel.start(house.handlers.menu)
        try:
            yield house
        finally:
            await channel.stop()


async def test_a_run_comes_back_with_its_picture_and_run_again_pressed_twice_runs_once_more(
    telegram: FakeTelegram, tmp_path: Path
) -> None:
    async with talking(telegram, tmp_path, FakeRunner(otherwise=outcome(screenshot=PICTURE))) as house:
        await telegram.says("/run create-post —text “Hello”")
        await telegram.until_called("sendPhoto")
        (message,) = telegram.shown[4711].values()
        assert message["caption"].startswith("✅ create-post: done\nPOST /api/posts was answered 201.")
        again = buttons_of(message)[0]["callback_data"]
        for _ in range(2):
            await telegram.press_again(message, again)
        await telegram.until_called("answerCallbackQuery", 2)
        await telegram.until_called("sendPhoto", 2)
    assert [run[2] for run in house.runner.runs] == [{"text": "Hello"}] * 2
    assert len(telegram.called("sendPhoto")) == 2


async def test_a_document_whose_caption_is_the_command_is_the_file_of_the_run(
    telegram: FakeTelegram, tmp_path: Path
) -> None:
    catalog = FakeCatalog(subroutine("send-report", params={"file": Param(format="file"), "text": Param()}))
    telegram.files["f1"] = b"a,b"
    document = {"file_id": "f1", "file_unique_id": "f1", "file_name": "../sums.csv", "file_size": 3}
    async with talking(telegram, tmp_path, FakeRunner(), catalog) as house:
        await telegram.says("", document=document, caption="/run send-report Hello, all")
        await telegram.until_called("sendMessage")
    file = {"name": "_sums.csv", "type": "text/csv", "data": "YSxi"}
    assert [run[2] for run in house.runner.runs] == [{"file": file, "text": "Hello, all"}]


async def test_an_unconfirmed_run_is_settled_by_a_button(telegram: FakeTelegram, tmp_path: Path) -> None:
    runner = FakeRunner(outcome(Status.UNCONFIRMED, "Nothing proves it."))
    async with talking(telegram, tmp_path, runner) as house:
        await telegram.says("/run create-post Hello")
        await telegram.until_called("sendMessage")
        await telegram.presses("It worked")
        await telegram.until_called("sendMessage", 2)
        assert telegram.texts()[1].endswith("Noted: it worked.")
        assert [button["text"] for button in buttons_of(telegram.shown[4711][2])] == ["Proof"]
        (run,) = await house.journal.recent()
        assert run.status is Status.DONE
        assert await house.deliveries.of_runs([run.id]) == {run.id: "sent"}


async def test_a_stranger_hears_nothing_until_a_code_is_open(telegram: FakeTelegram, tmp_path: Path) -> None:
    stranger = {**ME, "id": 666}
    async with talking(telegram, tmp_path, FakeRunner()) as house:
        await telegram.says("/run create-post Hello", chat=666, sender=stranger)
        await telegram.says("/help")
        await telegram.until_called("sendMessage")
        assert telegram.texts(666) == []
        await telegram.says(f"/start {house.access.invite().code}", chat=666, sender=stranger)
        await telegram.until_called("sendMessage", 2)
        assert telegram.texts(666)[0].startswith("This chat is linked")


async def test_the_menu_has_every_command_that_is_answered(telegram: FakeTelegram, tmp_path: Path) -> None:
    async with talking(telegram, tmp_path, FakeRunner()):
        await telegram.until_called("setMyCommands")
    commands = [entry["command"] for entry in telegram.called("setMyCommands")[0]["commands"]]
    assert commands[:3] == ["run", "status", "stop"]
    assert {"schedule", "queue", "trigger", "check_schedule_results", "tz", "help"} <= set(commands)
    assert not {"pair", "again", "worked", "proof"} & set(commands)


ANONYMOUS = {"id": 1_087_968_824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
"""Who Telegram says wrote what any anonymous admin of any group wrote."""


async def test_no_chat_is_linked_to_somebody_who_may_be_anybody(
    telegram: FakeTelegram, tmp_path: Path
) -> None:
    group = -100
    as_group = {"id": group, "type": "supergroup", "title": "Friends"}
    async with talking(telegram, tmp_path, FakeRunner()) as house:
        code = house.access.invite().code
        await telegram.says(f"/pair {code}", chat=group, sender=ANONYMOUS, sender_chat=as_group)
        await telegram.says("/run create-post hi", chat=group, sender=ANONYMOUS, sender_chat=as_group)
        await telegram.says("/help")
        await telegram.until_called("sendMessage")
        assert house.access.is_pairing
    assert telegram.texts(group) == []
    assert house.runner.runs == []


async def test_what_somebody_else_wrote_is_not_carried_out_when_it_is_forwarded(
    telegram: FakeTelegram, tmp_path: Path
) -> None:
    def wrote(user: dict[str, object]) -> dict[str, object]:
        return {"type": "user", "date": 1_772_438_000, "sender_user": user}

    async with talking(telegram, tmp_path, FakeRunner()) as house:
        await telegram.says("/run create-post theirs", forward_origin=wrote({**ME, "id": 666}))
        await telegram.until(lambda: any("forwarded" in text for text in telegram.texts()))
        await telegram.says("/run create-post mine", forward_origin=wrote(ME))
        await telegram.until(lambda: bool(house.runner.runs))
    assert [run[2] for run in house.runner.runs] == [{"text": "mine"}]
