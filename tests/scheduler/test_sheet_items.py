"""A sheet is imported whole or not at all, while others read and write in between."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from library.errors import AskError, UnknownName
from scheduler.database import Database
from scheduler.item_book import ItemBook
from scheduler.queues import Queues
from scheduler.sheet_items import PART, SheetItems, SheetRow
from tests.fakes import FakeClock
from tests.scheduler.statements import Statements

BOUND_S = 20
ROWS = 3 * PART


@pytest.fixture
async def queues(database: Database, clock: FakeClock) -> Queues:
    made = Queues(database, now=clock)
    await made.create("news", "create-post")
    return made


class HeldRows:
    """Rows of which the last part comes only when ``free`` is set; ``held`` is set when it is waited for."""

    def __init__(self, *, error: Exception | None = None) -> None:
        self.free = threading.Event()
        self.held = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._error = error

    def __iter__(self) -> Iterator[SheetRow]:
        for line in range(1, ROWS + 1):
            if line > ROWS - PART and not self.free.is_set():
                self._loop.call_soon_threadsafe(self.held.set)
                assert self.free.wait(BOUND_S)
                if self._error is not None:
                    raise self._error
            yield SheetRow(line, '{"text": "x"}')


@asynccontextmanager
async def _half_way(queues: Queues, rows: HeldRows) -> AsyncIterator[asyncio.Task[int]]:
    """An import of which two parts of three are written."""
    task = asyncio.create_task(queues.sheets.import_rows("news", "1-a.csv", rows))
    try:
        await asyncio.wait_for(rows.held.wait(), BOUND_S)
        yield task
    finally:
        rows.free.set()
        await asyncio.gather(task, return_exceptions=True)


async def test_others_read_and_write_while_rows_come_and_see_all_of_them_at_once(queues: Queues) -> None:
    await queues.add("news", [{"text": "before"}])
    rows = HeldRows()
    async with _half_way(queues, rows) as task:
        async with asyncio.timeout(BOUND_S):
            await queues.create("other", "create-post")
            assert (await queues.get("news")).pending == 1
            assert len(await queues.items("news")) == 1
            assert await queues.sheets.names("news") == [None]
        rows.free.set()
        assert await task == ROWS
    assert (await queues.get("news")).pending == ROWS + 1
    assert await queues.sheets.names("news") == [None, "1-a.csv"]
    last = (await queues.items("news", skip=ROWS))[0]
    assert (last.line, last.sheet) == (ROWS, "1-a.csv")


async def test_no_transaction_writes_more_than_one_part(queues: Queues) -> None:
    rows = [SheetRow(line, "{}") for line in range(2 * PART + 2)]
    with Statements() as seen:
        await queues.sheets.import_rows("news", "1-a.csv", rows)
    written = [len(given) for text, given in seen.sent if text.startswith("INSERT INTO items")]
    assert written == [PART, PART, 2]
    assert seen.begun >= len(written)


async def test_rows_that_are_still_coming_are_not_worked(
    queues: Queues, database: Database, clock: FakeClock
) -> None:
    async with _half_way(queues, HeldRows()):
        assert (await ItemBook(database, now=clock).take("news", 5, by="work:1"))[1] == []
        with pytest.raises(UnknownName, match="item"):
            await queues.skip("news", 1)


async def test_what_breaks_off_leaves_nothing_and_the_queue_takes_rows_again(queues: Queues) -> None:
    rows = HeldRows(error=OSError("the disk is gone"))
    async with _half_way(queues, rows) as task:
        rows.free.set()
        with pytest.raises(OSError, match="gone"):
            await task
    assert (await queues.get("news")).counts == {}
    assert await queues.sheets.import_rows("news", "2-a.csv", [SheetRow(1, "{}")]) == 1
    assert [item.sheet for item in await queues.items("news")] == ["2-a.csv"]


async def test_an_import_that_is_called_off_leaves_nothing(queues: Queues) -> None:
    rows = HeldRows()
    async with _half_way(queues, rows) as task:
        task.cancel()
        rows.free.set()
        await asyncio.wait([task])
    assert await queues.add("news", [{"text": "a"}]) == 1
    assert (await queues.get("news")).pending == 1


async def test_what_a_crash_left_of_an_import_is_gone_after_the_next_start(
    queues: Queues, database: Database
) -> None:
    """The next start finds what is in the file, and knows nothing of the import that wrote it."""
    await queues.add("news", [{"text": "before"}])
    await queues.create("other", "create-post")
    async with _half_way(queues, HeldRows()) as task:
        await queues.add("other", [{"text": "theirs"}])
        await SheetItems(database).settle()
        task.cancel()
    assert (await queues.get("other")).pending == 1
    assert (await queues.get("news")).pending == 1
    assert await queues.add("news", [{"text": "after"}]) == 1
    assert [item.arguments["text"] for item in await queues.items("news")] == ["before", "after"]


async def test_a_large_queue_is_deleted_in_parts_and_gone_at_once(
    queues: Queues, database: Database, clock: FakeClock
) -> None:
    await queues.sheets.import_rows("news", "1-a.csv", [SheetRow(n, "{}") for n in range(ROWS)])
    await queues.create("other", "create-post")
    await queues.add("other", [{"text": "theirs"}])
    with Statements() as seen:
        deleting = asyncio.create_task(queues.delete("news"))
        await queues.all()  # stands in line behind the first transaction
        assert (await queues.get("news")).counts == {}
        await deleting
    assert sum(text.startswith("DELETE FROM items") for text, _ in seen.sent) >= ROWS / PART
    assert [queue.name for queue in await queues.all()] == ["other"]
    assert (await queues.get("other")).pending == 1


async def test_a_process_that_takes_over_the_clock_leaves_its_own_import_alone(queues: Queues) -> None:
    rows = HeldRows()
    async with _half_way(queues, rows) as task:
        await queues.sheets.settle()
        rows.free.set()
        assert await task == ROWS
    assert (await queues.get("news")).pending == ROWS


async def test_other_rows_wait_until_an_import_is_over(queues: Queues) -> None:
    async with _half_way(queues, HeldRows()):
        with pytest.raises(AskError, match="are being added to news just now"):
            await queues.add("news", [{"text": "a"}])
        with pytest.raises(AskError, match="are being added to news just now"):
            await queues.sheets.import_rows("news", "2-a.csv", [SheetRow(1, "{}")])
    assert (await queues.get("news")).pending == ROWS


async def test_a_queue_that_is_deleted_meanwhile_takes_no_more(queues: Queues) -> None:
    rows = HeldRows()
    async with _half_way(queues, rows) as task:
        await queues.delete("news")
        await queues.create("news", "create-post")
        rows.free.set()
        with pytest.raises(UnknownName, match='"news"'):
            await task
    assert (await queues.get("news")).counts == {}
