"""One request and one form, by the page itself, by Playwright and by us, interleaved on the same page."""

import random
import time
import uuid
from collections.abc import Awaitable, Callable

from pydantic import JsonValue

from bench.stage import Stage
from bench.subroutines import FORM, FORM_AFTER_NAVIGATION, REQUEST
from bench.table import Row
from library.models import Call, Proof, Status, Subroutine
from library.subroutine_file import parse

TEXT = "forty characters of text, typed by hand."
FETCH = """async text => {
  const begin = performance.now();
  const answer = await fetch("/api/echo", {
    method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify({text}),
  });
  const echoed = await answer.json();
  return [performance.now() - begin, echoed];
}"""

Play = Callable[[], Awaitable[float | None]]
"""Does it once; gives its own milliseconds, or None to be timed from outside."""


async def measure(stage: Stage, *, rounds: int) -> list[Row]:
    """Every peer once a round, so that whatever disturbs the machine disturbs all of them.

    Each round in another order, so that nobody always comes right after a navigation."""
    request, form, navigation = (
        parse(source.format(address=stage.address)) for source in (REQUEST, FORM, FORM_AFTER_NAVIGATION)
    )
    _install(stage, request)
    plays: list[tuple[Row, Play]] = [
        (Row("request: the page's own fetch"), lambda: _fetch(stage, inside=True)),
        (Row("request: Playwright page.evaluate"), lambda: _fetch(stage, inside=False)),
        (Row("request: Runhome, runner alone"), lambda: _runner(stage, request)),
        (Row("request: Runhome, whole dispatch"), lambda: _dispatch(stage, request)),
        (Row("form: Playwright over CDP"), lambda: _form(stage, navigate=False)),
        (Row("form: Runhome"), lambda: _runner(stage, form)),
        (Row("form after navigation: Playwright"), lambda: _form(stage, navigate=True)),
        (Row("form after navigation: Runhome"), lambda: _runner(stage, navigation)),
    ]
    for _, play in plays:
        await play()
    order = random.Random(0)
    for _ in range(rounds):
        for row, play in order.sample(plays, len(plays)):
            begin = time.perf_counter()
            own = await play()
            row.samples.append(own if own is not None else (time.perf_counter() - begin) * 1000)
    return [row for row, _ in plays]


async def _fetch(stage: Stage, *, inside: bool) -> float | None:
    took, echoed = await stage.page.evaluate(FETCH, TEXT)
    assert echoed == {"text": TEXT}
    return float(took) if inside else None


def _install(stage: Stage, subroutine: Subroutine) -> None:
    folder = stage.app.settings.data / "subroutines"
    (folder / f"{subroutine.name}.js").write_text(subroutine.source, encoding="utf-8")


async def _runner(stage: Stage, subroutine: Subroutine) -> None:
    outcome = await stage.app.runner.run(
        uuid.uuid4().hex, subroutine, {"text": TEXT}, browser=None, proof=Proof.NEVER
    )
    assert outcome.verdict.status is Status.DONE, outcome
    _check(outcome.evidence.value)


async def _dispatch(stage: Stage, subroutine: Subroutine) -> None:
    call = Call(
        name=subroutine.name,
        arguments={"text": TEXT},
        claim=uuid.uuid4().hex,
        asked_by="owner",
    )
    run = await stage.app.dispatcher.dispatch(call)
    assert run.status is Status.DONE, run
    assert run.evidence is not None
    _check(run.evidence.value)


def _check(value: JsonValue) -> None:
    assert value in ({"text": TEXT}, {"url": "/p/1"}), value


async def _form(stage: Stage, *, navigate: bool) -> None:
    page = stage.page
    if navigate:
        await page.goto(stage.address)
    await page.get_by_role("textbox", name="What is happening?").fill(TEXT)
    await page.get_by_role("button", name="Post").click()
    url = await page.get_by_role("article").filter(has_text=TEXT).get_attribute("data-url")
    assert url == "/p/1"
