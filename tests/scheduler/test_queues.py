"""Queues as people handle them."""

import pytest
from sqlalchemy import update
from sqlmodel import col

from library.errors import AskError, UnknownName
from scheduler.database import Database
from scheduler.queue_rows import ItemStatus
from scheduler.queues import Queues
from scheduler.schedule_rows import State
from scheduler.time_tables import ItemRow
from tests.fakes import FakeClock


@pytest.fixture
async def queues(database: Database, clock: FakeClock) -> Queues:
    made = Queues(database, now=clock)
    await made.create("news", "create-post")
    await made.add("news", [{"text": text} for text in "abcde"])
    return made


async def _texts(queues: Queues) -> str:
    return "".join(str(item.arguments["text"]) for item in await queues.items("news"))


async def _id(queues: Queues, text: str) -> int:
    return next(item.id for item in await queues.items("news") if item.arguments["text"] == text)


async def test_a_name_is_taken_once_and_an_unknown_one_offers_the_nearest(queues: Queues) -> None:
    with pytest.raises(AskError, match="already"):
        await queues.create("news", "create-post")
    with pytest.raises(UnknownName, match='"news"'):
        await queues.get("nwes")


async def test_counts_tell_what_became_of_the_items(queues: Queues) -> None:
    await queues.skip("news", await _id(queues, "b"))
    queue = (await queues.all())[0]
    assert queue.counts == {ItemStatus.PENDING: 4, ItemStatus.SKIPPED: 1}
    assert queue.pending == 4


@pytest.mark.parametrize(
    ("text", "place", "order"),
    [
        ("e", 1, "eabcd"),
        ("a", 3, "bcade"),
        ("c", 99, "abdec"),
        ("c", 3, "abcde"),
        ("b", 0, "bacde"),
    ],
)
async def test_a_pending_item_moves_to_a_place(queues: Queues, text: str, place: int, order: str) -> None:
    await queues.move("news", await _id(queues, text), place)
    assert await _texts(queues) == order


async def test_an_item_moved_many_times_between_the_same_two_keeps_its_order(queues: Queues) -> None:
    for n in range(60):
        await queues.move("news", await _id(queues, "dc"[n % 2]), 2)
    assert await _texts(queues) == "acdbe"


async def test_only_pending_items_are_edited_skipped_or_removed(queues: Queues) -> None:
    item = await _id(queues, "a")
    await queues.edit("news", item, {"text": "A"})
    await queues.remove("news", await _id(queues, "b"))
    assert await _texts(queues) == "Acde"
    await queues.skip("news", item)
    for refused in (queues.skip("news", item), queues.edit("news", item, {}), queues.remove("news", item)):
        with pytest.raises(AskError, match="is skipped; only pending items"):
            await refused


async def test_an_item_is_run_again_as_a_new_attempt_only_when_it_has_ended(
    queues: Queues, database: Database
) -> None:
    item = await _id(queues, "a")
    with pytest.raises(AskError, match="is pending"):
        await queues.again("news", item)
    fail = update(ItemRow).where(col(ItemRow.id) == item).values(status="failed", run_id="r1")
    await database.run(lambda session: session.exec(fail))
    before = (await queues.items("news"))[0].claim
    await queues.again("news", item)
    after = (await queues.items("news"))[0]
    assert (after.status, after.run_id) == (ItemStatus.PENDING, None)
    assert after.claim != before


async def test_an_item_of_another_queue_is_not_found(queues: Queues) -> None:
    await queues.create("other", "create-post")
    with pytest.raises(UnknownName):
        await queues.skip("other", await _id(queues, "a"))


async def test_pages_give_everything_once(queues: Queues, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scheduler.sheet_items.PAGE", 2)
    pages = [page async for page in queues.sheets.pages("news", sheet=None)]
    assert [[item.arguments["text"] for item in page] for page in pages] == [["a", "b"], ["c", "d"], ["e"]]


async def test_a_deleted_queue_takes_its_items_with_it(queues: Queues, database: Database) -> None:
    await queues.pause("news")
    assert (await queues.get("news")).state is State.PAUSED
    await queues.delete("news")
    assert await queues.all() == []
    assert await database.read(lambda session: session.get(ItemRow, 1)) is None


async def test_leading_zeros_and_long_numbers_stay_as_they_are(queues: Queues) -> None:
    await queues.add("news", [{"text": "007", "id": "12345678901234567890", "n": 10**20}])
    assert (await queues.items("news", skip=5))[0].arguments == {
        "text": "007",
        "id": "12345678901234567890",
        "n": 10**20,
    }
