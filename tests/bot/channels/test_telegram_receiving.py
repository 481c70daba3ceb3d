"""What arrives from Telegram: messages, presses and files, each once."""

from pathlib import Path

from bot.messages import Button, Reply
from tests.bot.channels.conftest import CHAT, Line, OpenLine
from tests.fakes_telegram import ME, FakeTelegram, buttons_of
from tests.fakes_telegram_http import Fault

STRANGER = {**ME, "id": 666}
AGAIN = Button("Run again", "/again r1", once=True)
PROOF = Button("Proof", "/proof r1")


async def test_the_menu_is_set_and_a_message_arrives(line: Line) -> None:
    update_id = await line.telegram.says("/run create-post hi")
    (message,) = await line.until_received(1)
    assert (message.chat, message.sender, message.text) == (CHAT, "4711", "/run create-post hi")
    assert message.claim == f"telegram:{update_id}"
    assert line.telegram.called("setMyCommands")[0]["commands"] == [
        {"command": "run", "description": "Do something in your browser"},
        {"command": "help", "description": "What you can send"},
    ]


async def test_an_edited_message_is_no_new_command(line: Line) -> None:
    await line.telegram.says("/status")
    await line.telegram.edits("/run create-post hi")
    await line.telegram.says("/help")
    assert [message.text for message in await line.until_received(2)] == ["/status", "/help"]
    assert line.telegram.called("getUpdates")[0]["allowed_updates"] == ["message", "callback_query"]


async def test_updates_that_are_delivered_twice_arrive_once(line: Line) -> None:
    await line.telegram.says("/status")
    await line.until_received(1)
    line.telegram.deliver_twice = True
    await line.telegram.says("/help")
    assert [message.text for message in await line.until_received(2)] == ["/status", "/help"]


async def test_after_a_restart_what_had_arrived_does_not_come_again(open_line: OpenLine) -> None:
    async with open_line() as line:
        await line.telegram.says("/status")
        await line.until_received(1)
    async with open_line() as line:
        await line.telegram.says("/help")
        assert [message.text for message in await line.until_received(1)] == ["/help"]


async def test_a_button_that_decides_is_taken_away_when_it_is_pressed(line: Line) -> None:
    await line.channel.send(CHAT, Reply("Done", (AGAIN, PROOF)))
    await line.telegram.presses("Run again")
    (press,) = await line.until_received(1)
    assert (press.text, press.is_button, press.sender) == ("/again r1", True, "4711")
    assert len(line.telegram.called("answerCallbackQuery")) == 1
    (message,) = line.telegram.shown[4711].values()
    assert [button["text"] for button in buttons_of(message)] == ["Proof"]


async def test_two_presses_of_one_button_have_the_same_claim(line: Line) -> None:
    await line.channel.send(CHAT, Reply("Done", (AGAIN, PROOF)))
    (message,) = line.telegram.shown[4711].values()
    before = {**message}
    for _ in range(2):
        await line.telegram.press_again(before, "!/again r1")
    first, second = await line.until_received(2)
    assert first.claim == second.claim
    await line.telegram.until_called("answerCallbackQuery", 2)


async def test_a_long_command_behind_a_button_works_after_a_restart(open_line: OpenLine) -> None:
    command = "/run create-post " + "long " * 30
    async with open_line() as line:
        await line.channel.send(CHAT, Reply("Shall I?", (Button("Run it", command, once=True),)))
    async with open_line() as line:
        await line.telegram.presses("Run it")
        assert (await line.until_received(1))[0].text == command


async def test_a_button_whose_command_is_not_kept_any_more_says_so(line: Line) -> None:
    await line.channel.send(CHAT, Reply("Shall I?", (PROOF,)))
    (message,) = line.telegram.shown[4711].values()
    await line.telegram.press_again(message, "!=0123456789abcdef")
    await line.telegram.until_called("answerCallbackQuery")
    assert "too old" in line.telegram.called("answerCallbackQuery")[0]["text"]
    assert line.received == []


async def test_a_stranger_s_press_changes_nothing(line: Line) -> None:
    await line.channel.send(CHAT, Reply("Done", (AGAIN,)))
    await line.telegram.presses("Run again", sender=STRANGER)
    await line.telegram.until_called("answerCallbackQuery")
    assert line.telegram.called("editMessageReplyMarkup") == []
    assert line.received == []


async def test_a_file_is_stored_under_a_harmless_name(line: Line, tmp_path: Path) -> None:
    line.telegram.files["f1"] = b"a,b\n1,2\n"
    name = "../../../etc/\u202eposts;rm -rf.CSV"
    await line.telegram.says("", document=a_document("f1", name, 8), caption="/queue add")
    (message,) = await line.until_received(1)
    (file,) = message.attachments
    assert message.text == "/queue add"
    assert (file.name, file.media_type, file.path.read_bytes()) == (name, "text/csv", b"a,b\n1,2\n")
    assert file.path.parent == tmp_path / "telegram" / "inbox"
    assert file.path.name == f"{message.claim.removeprefix('telegram:')}-0.csv"


async def test_of_a_photo_the_largest_size_is_stored(line: Line) -> None:
    line.telegram.files |= {"small": b"s", "large": b"l"}
    size = {"width": 9, "height": 9}
    sizes = [{"file_id": name, "file_unique_id": name, **size} for name in ("small", "large")]
    await line.telegram.says("", photo=sizes)
    assert (await line.until_received(1))[0].attachments[0].path.read_bytes() == b"l"


async def test_a_file_that_is_too_large_is_answered_and_not_fetched(line: Line) -> None:
    await line.telegram.says("", document=a_document("f1", "film.mp4", 31_000_000))
    await line.telegram.until_called("sendMessage")
    assert line.telegram.texts() == ["That file has 31 MB; Telegram lets me fetch at most 20 MB."]


async def test_a_file_that_cannot_be_fetched_is_answered(line: Line) -> None:
    line.telegram.fail_next("getFile", Fault.BAD_REQUEST)
    await line.telegram.says("", document=a_document("f1", "a.csv", 8))
    await line.telegram.until_called("sendMessage")
    assert "send it again" in line.telegram.texts()[0]


async def test_a_stranger_s_file_is_not_fetched(line: Line) -> None:
    await line.telegram.says("", sender=STRANGER, document=a_document("f1", "a.csv", 8))
    assert (await line.until_received(1))[0].attachments == ()
    assert line.telegram.called("getFile") == []


def a_document(file_id: str, name: str, size: int) -> dict[str, object]:
    known = {"file_id": file_id, "file_unique_id": file_id, "file_name": name}
    return {**known, "file_size": size, "mime_type": "text/csv"}


def test_the_fake_is_what_the_contract_says(telegram: FakeTelegram) -> None:
    contract = telegram.contract
    assert contract.problems_of_call("sendMessage", {"chat_id": 1, "text": "x" * 4096}) == []
    for wrong in (
        {"chat_id": 1},
        {"chat_id": 1, "text": "x", "colour": "red"},
        {"chat_id": 1, "text": 5},
        {"chat_id": 1, "text": "x" * 4097},
        {"chat_id": 1, "text": "😀" * 2049},
        {"chat_id": 1, "text": " "},
        {"chat_id": 1.5, "text": "x"},
    ):
        assert len(contract.problems_of_call("sendMessage", wrong)) == 1, wrong
