"""What leaves for Telegram: texts, pictures, files, edits; and what happens when it will not have them."""

from pathlib import Path

import pytest

from bot.messages import Button, DeliveryStatus, Reply
from tests.bot.channels.conftest import CHAT, Line
from tests.fakes_telegram import buttons_of
from tests.fakes_telegram_http import Fault

PROOF = Button("Proof", "/proof r1")
PICTURE = b"\x89PNG\r\n\x1a\n picture"


async def test_a_text_is_sent_as_it_is_written(line: Line) -> None:
    text = "<b>*not*</b> _markup_ [a](b) & “quotes” 한글 😀"
    delivery = await line.channel.send(CHAT, Reply(text))
    assert delivery.status is DeliveryStatus.SENT
    assert line.telegram.shown[4711][int(delivery.message_id or 0)]["text"] == text


async def test_a_long_text_comes_in_parts_with_the_buttons_under_the_last(line: Line) -> None:
    text = "\n\n".join("😀 paragraph " * 40 for _ in range(20))
    delivery = await line.channel.send(CHAT, Reply(text, (PROOF,)))
    messages = list(line.telegram.shown[4711].values())
    assert len(messages) == 3
    assert [len(buttons_of(message)) for message in messages] == [0, 0, 1]
    assert delivery.message_id == str(messages[-1]["message_id"])


async def test_halves_of_characters_and_empty_texts_do_not_stop_a_message(line: Line) -> None:
    for text in ("half \ud83d", "nul \x00", "", " \n"):
        assert (await line.channel.send(CHAT, Reply(text))).status is DeliveryStatus.SENT
    assert line.telegram.texts() == ["half \ufffd", "nul", "(empty)", "(empty)"]


async def test_a_picture_comes_with_the_text_as_its_caption(line: Line, tmp_path: Path) -> None:
    await line.channel.send(CHAT, Reply("Done", (PROOF,), photo=a_file(tmp_path, "s.png")))
    (message,) = line.telegram.shown[4711].values()
    assert (message["caption"], len(buttons_of(message))) == ("Done", 1)
    assert line.telegram.called("sendPhoto")[0]["photo"] == PICTURE


async def test_what_does_not_fit_under_a_picture_follows_it(line: Line, tmp_path: Path) -> None:
    text = "a" * 1000 + "\n\n" + "b" * 5000
    await line.channel.send(CHAT, Reply(text, (PROOF,), photo=a_file(tmp_path, "s.png")))
    first, *others = line.telegram.shown[4711].values()
    assert first["caption"] == "a" * 1000
    assert "".join(message["text"] for message in others) == "b" * 5000
    assert [len(buttons_of(message)) for message in (first, *others)] == [0, 0, 1]


async def test_a_file_keeps_its_name(line: Line, tmp_path: Path) -> None:
    await line.channel.send(CHAT, Reply("Results", file=a_file(tmp_path, "results.csv")))
    (sent,) = line.telegram.called("sendDocument")
    assert (sent["caption"], sent["document"]) == ("Results", PICTURE)


@pytest.mark.parametrize("reason", ["refused", "gone"])
async def test_a_picture_that_cannot_be_sent_does_not_hold_back_the_answer(
    line: Line, tmp_path: Path, reason: str
) -> None:
    photo = a_file(tmp_path, "s.png")
    if reason == "gone":
        photo.unlink()
    line.telegram.fail_next("sendPhoto", Fault.BAD_REQUEST)
    delivery = await line.channel.send(CHAT, Reply("Done", (PROOF,), photo=photo))
    assert delivery.status is DeliveryStatus.SENT
    assert line.telegram.texts() == ["Done\n(The picture or file could not be sent. It lies at home.)"]


async def test_a_message_is_edited_in_place(line: Line) -> None:
    sent = await line.channel.send(CHAT, Reply("one"))
    assert sent.message_id is not None
    for text in ("two", "two", "x" * 5000):
        edited = await line.channel.edit(CHAT, sent.message_id, Reply(text))
        assert edited.status is DeliveryStatus.SENT
    assert line.telegram.texts() == ["x" * 4096]


async def test_an_edit_of_a_message_that_is_gone_fails_in_words(line: Line) -> None:
    delivery = await line.channel.edit(CHAT, "999", Reply("x"))
    assert delivery.status is DeliveryStatus.FAILED
    assert "Message to edit not found" in delivery.reason


async def test_a_chat_waits_as_long_as_it_is_told_and_then_gets_its_message(line: Line) -> None:
    line.telegram.fail_next("sendMessage", Fault.FLOOD, Fault.FLOOD)
    delivery = await line.channel.send(CHAT, Reply("hi"))
    assert delivery.status is DeliveryStatus.SENT
    assert line.waits == [pytest.approx(7.1), pytest.approx(7.1)]
    assert line.telegram.texts() == ["hi"]


async def test_a_chat_that_must_wait_for_ever_fails_in_words(line: Line) -> None:
    line.telegram.fail_next("sendMessage", *[Fault.FLOOD] * 20)
    delivery = await line.channel.send(CHAT, Reply("hi"))
    assert delivery.status is DeliveryStatus.FAILED
    assert "Retry in" in delivery.reason


async def test_a_message_is_sent_again_when_the_connection_breaks(line: Line) -> None:
    line.telegram.fail_next("sendMessage", Fault.DROP, Fault.BAD_GATEWAY)
    assert (await line.channel.send(CHAT, Reply("hi"))).status is DeliveryStatus.SENT
    assert line.telegram.texts() == ["hi"]


async def test_a_person_who_blocked_the_bot_is_said_in_words(line: Line) -> None:
    line.telegram.fail_next("sendMessage", Fault.BLOCKED)
    delivery = await line.channel.send(CHAT, Reply("hi"))
    assert delivery.status is DeliveryStatus.FAILED
    assert delivery.reason.startswith("The person has blocked the bot")


def a_file(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_bytes(PICTURE)
    return path
