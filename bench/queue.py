"""A queue of 500 rows by network and one by a form, beside a loop of the page itself and one of Playwright.

Every row of ours is claimed and its end recorded durably. The peers take turns, a part of the rows each.
"""

import time
import uuid
from collections.abc import Awaitable, Callable, Sequence

from bench.runs import FETCH, TEXT
from bench.stage import Stage
from bench.subroutines import FORM, REQUEST
from bench.table import Row
from scheduler.queue_rows import ItemStatus

PARTS = 10
ROWS = 500
FORM_ROWS = 100
UNIT = "/s"
IN_PAGE = f"""async texts => {{
  const one = {FETCH};
  for (const text of texts) await one(text);
}}"""

Play = Callable[[Sequence[str]], Awaitable[None]]


async def measure(stage: Stage, *, rows: int = ROWS, form_rows: int = FORM_ROWS) -> list[Row]:
    """Rows a second. Ratios to the page's own loop and to Playwright's are in the notes."""
    network = await _queue(stage, "bench-request", REQUEST)
    form = await _queue(stage, "bench-form", FORM)
    by_network = await _turns(
        [
            (Row("queue, network: a loop in the page", UNIT), lambda texts: _in_page(stage, texts)),
            (Row("queue, network: Playwright page.evaluate", UNIT), lambda texts: _evaluate(stage, texts)),
            (Row("queue, network: Runhome", UNIT), network),
        ],
        rows,
    )
    by_form = await _turns(
        [
            (Row("queue, form: Playwright", UNIT), lambda texts: _form(stage, texts, navigate=False)),
            (
                Row("queue, form: Playwright, goto each", UNIT),
                lambda texts: _form(stage, texts, navigate=True),
            ),
            (Row("queue, form: Runhome", UNIT), form),
        ],
        form_rows,
    )
    page, playwright, ours = by_network
    ours.note = (
        f"{ours.median / page.median:.2f} of the page, {ours.median / playwright.median:.2f} of Playwright"
    )
    typed, loaded, ours = by_form
    ours.note = (
        f"{ours.median / typed.median:.1f} times Playwright, {ours.median / loaded.median:.1f} with goto"
    )
    return [*by_network, *by_form]


async def _turns(plays: Sequence[tuple[Row, Play]], rows: int) -> list[Row]:
    count = max(1, rows // PARTS)
    for _, play in plays:
        await play(_texts(3))
    for _ in range(PARTS):
        for row, play in plays:
            texts = _texts(count)
            begin = time.perf_counter()
            await play(texts)
            row.samples.append(count / (time.perf_counter() - begin))
    return [row for row, _ in plays]


def _texts(count: int) -> list[str]:
    return [f"{TEXT} {uuid.uuid4().hex[:8]}" for _ in range(count)]


async def _queue(stage: Stage, name: str, source: str) -> Play:
    """Works a part of the rows as ``/queue run`` does; adding them is in the time too."""
    app = stage.app
    folder = app.settings.data / "subroutines"
    (folder / f"{name}.js").write_text(source.format(address=stage.address), encoding="utf-8")
    await app.timekeeper.queues.create(name, name)

    async def play(texts: Sequence[str]) -> None:
        await app.timekeeper.queues.add(name, [{"text": text} for text in texts])
        report = await app.timekeeper.queue_work.run(name, by=f"work:{uuid.uuid4().hex}")
        assert report.done == len(texts), report
        items = await app.timekeeper.queues.items(name, status=ItemStatus.PENDING)
        assert not items

    return play


async def _in_page(stage: Stage, texts: Sequence[str]) -> None:
    await stage.page.evaluate(IN_PAGE, list(texts))


async def _evaluate(stage: Stage, texts: Sequence[str]) -> None:
    for text in texts:
        _, echoed = await stage.page.evaluate(FETCH, text)
        assert echoed == {"text": text}


async def _form(stage: Stage, texts: Sequence[str], *, navigate: bool) -> None:
    page = stage.page
    for text in texts:
        if navigate:
            await page.goto(stage.address)
        await page.get_by_role("textbox", name="What is happening?").fill(text)
        await page.get_by_role("button", name="Post").click()
        await page.get_by_role("article").filter(has_text=text).get_attribute("data-url")
