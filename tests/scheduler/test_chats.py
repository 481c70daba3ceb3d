"""What is kept about chats."""

from dataclasses import dataclass

from library.models import ChatRef
from scheduler.chats import Chats, Claims, Deliveries
from scheduler.database import Database
from tests.fakes import FakeClock
from tests.scheduler.conftest import CHAT


@dataclass(frozen=True)
class Said:
    status: str
    message_id: str | None = None
    reason: str = ""


async def test_a_linked_chat_is_known_until_it_is_unlinked(database: Database, clock: FakeClock) -> None:
    chats = Chats(database)
    await chats.link(CHAT, "telegram:1", at=clock())
    await chats.link(CHAT, "telegram:2", at=clock())
    assert await chats.linked() == {CHAT: "telegram:2"}
    await chats.unlink(CHAT)
    await chats.unlink(CHAT)
    assert await chats.linked() == {}


async def test_a_chat_has_its_own_time_zone_linked_or_not(database: Database) -> None:
    chats = Chats(database)
    assert await chats.timezone(CHAT) is None
    await chats.set_timezone(CHAT, "Asia/Seoul")
    await chats.set_timezone(CHAT, "Europe/Berlin")
    assert await chats.timezone(CHAT) == "Europe/Berlin"
    assert await chats.timezone(ChatRef(channel="console", id="owner")) is None


async def test_an_update_is_taken_once_and_forgotten_after_thirty_days(
    database: Database, clock: FakeClock
) -> None:
    claims = Claims(database, now=clock)
    assert [await claims.take("telegram:1") for _ in range(3)] == [True, False, False]
    clock.pass_(days=31)
    assert await claims.take("telegram:2")
    assert await claims.take("telegram:1")


async def test_the_newest_delivery_of_a_run_is_told(database: Database, clock: FakeClock) -> None:
    deliveries = Deliveries(database, now=clock)
    await deliveries.record("r1", CHAT, Said("failed", reason="blocked"))
    await deliveries.record("r1", CHAT, Said("sent", "77"))
    await deliveries.record("r2", CHAT, Said("sent", "78"))
    assert await deliveries.of_runs(["r1", "r2", "r3"]) == {"r1": "sent", "r2": "sent"}
    await deliveries.update("78", "failed", "63016")
    assert await deliveries.of_runs(["r2"]) == {"r2": "failed"}
