"""Who may ask, and how a chat is linked."""

from collections.abc import Mapping
from datetime import datetime

import pytest

from bot.access import ALPHABET, CODE_LIFE, MOST_TRIES, ChatAccess
from library.errors import NotAllowed
from library.models import Call, ChatRef
from tests.fakes import FakeClock

PHONE = ChatRef(channel="telegram", id="4711")
GROUP = ChatRef(channel="telegram", id="-100")
CONSOLE = ChatRef(channel="console", id="console")
ME = "telegram:4711"


class FakeChats:
    def __init__(self, linked: Mapping[ChatRef, str]) -> None:
        self.kept = dict(linked)

    async def linked(self) -> Mapping[ChatRef, str]:
        return self.kept

    async def link(self, chat: ChatRef, owner: str, *, at: datetime) -> None:
        self.kept[chat] = owner

    async def unlink(self, chat: ChatRef) -> None:
        del self.kept[chat]


async def an_access(clock: FakeClock, *linked: ChatRef) -> ChatAccess:
    access = ChatAccess(FakeChats(dict.fromkeys(linked, ME)), now=clock)
    await access.load()
    return access


def call(asked_by: str, chat: ChatRef | None) -> Call:
    return Call(name="create-post", claim="c", asked_by=asked_by, chat=chat)


@pytest.mark.parametrize(
    ("asked_by", "chat"),
    [
        ("owner", None),
        ("owner", CONSOLE),
        (ME, PHONE),
        (ME, GROUP),
        ("schedule:3", None),
        ("schedule:3", PHONE),
        ("trigger:3", PHONE),
        ("queue:posts", CONSOLE),
    ],
)
async def test_the_owner_and_the_owner_s_chats_and_schedules_may_ask(
    asked_by: str, chat: ChatRef | None
) -> None:
    (await an_access(FakeClock(), PHONE, GROUP)).check(call(asked_by, chat))


@pytest.mark.parametrize(
    ("asked_by", "chat"),
    [
        (ME, None),
        ("telegram:666", GROUP),
        ("telegram:666", ChatRef(channel="telegram", id="666")),
        (ME, ChatRef(channel="whatsapp", id="4711")),
        ("schedule:3", ChatRef(channel="telegram", id="666")),
        ("", None),
        ("Owner", None),
    ],
)
async def test_nobody_else_may(asked_by: str, chat: ChatRef | None) -> None:
    access = await an_access(FakeClock(), PHONE, GROUP)
    with pytest.raises(NotAllowed):
        access.check(call(asked_by, chat))


async def test_a_chat_that_was_unlinked_loses_its_schedules_at_once() -> None:
    access = await an_access(FakeClock(), PHONE)
    await access.unlink(PHONE)
    with pytest.raises(NotAllowed, match="no longer linked"):
        access.check(call("schedule:3", PHONE))


async def test_a_code_links_one_chat_and_is_used_up() -> None:
    access = await an_access(FakeClock())
    code = access.invite().code
    assert await access.pair(PHONE, ME, f" {code[:4].lower()}-{code[4:]} ")
    assert access.may_ask(PHONE, "4711")
    assert not access.is_pairing
    assert not await access.pair(GROUP, ME, code)


async def test_a_linked_chat_is_still_linked_after_a_restart() -> None:
    chats = FakeChats({})
    first = ChatAccess(chats, now=FakeClock())
    await first.pair(PHONE, ME, first.invite().code)
    second = ChatAccess(chats, now=FakeClock())
    await second.load()
    assert second.may_ask(PHONE, "4711")


async def test_a_code_dies_after_ten_minutes() -> None:
    clock = FakeClock()
    access = await an_access(clock)
    code = access.invite().code
    clock.pass_(seconds=CODE_LIFE.total_seconds())
    assert not access.is_pairing
    assert not await access.pair(PHONE, ME, code)


async def test_a_new_code_closes_the_one_before() -> None:
    access = await an_access(FakeClock())
    old = access.invite().code
    access.invite()
    assert not await access.pair(PHONE, ME, old)


async def test_five_wrong_codes_close_the_open_one() -> None:
    access = await an_access(FakeClock())
    code = access.invite().code
    for number in range(MOST_TRIES):
        assert not await access.pair(PHONE, f"telegram:{number}", "WRONG")
    assert not await access.pair(PHONE, ME, code)


async def test_a_guesser_gets_no_new_tries_from_a_new_code_until_time_has_passed() -> None:
    clock = FakeClock()
    access = await an_access(clock)
    access.invite()
    for _ in range(MOST_TRIES):
        await access.pair(PHONE, ME, "WRONG")
    assert not await access.pair(PHONE, ME, access.invite().code)
    clock.pass_(seconds=CODE_LIFE.total_seconds())
    assert await access.pair(PHONE, ME, access.invite().code)


async def test_codes_have_no_letters_that_look_alike() -> None:
    access = await an_access(FakeClock())
    assert not set("0O1I") & set(ALPHABET)
    assert set(access.invite().code) <= set(ALPHABET)


async def test_messages_are_signed_by_their_sender_and_local_ones_by_the_owner() -> None:
    access = await an_access(FakeClock())
    assert access.asked_by(GROUP, "4711") == ME
    assert access.asked_by(CONSOLE, "me") == "owner"
