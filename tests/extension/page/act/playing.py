"""Plays one case of the editor kit by our helpers: what the editor's own model holds afterwards."""

import asyncio

from tests.extension.page.act.editors import TYPED, Case, alike, as_files
from tests.extension.page.act.isolated import ActingPage, Answer


async def open_case(acting: ActingPage, url: str, case: Case) -> None:
    """The case's page, loaded once for all of its cases, with this one's old text in the model."""
    address = f"{url}/dev/{case.page}.html"
    if acting.page.url != address:
        await acting.page.goto(address)
        await acting.page.wait_for_function("window.kitReady")
    if case.kind in TYPED:
        await acting.page.evaluate("([text, field]) => setModel(text, field)", [case.before, case.field])
        await held(acting, case.field, case.before)


async def play(acting: ActingPage, case: Case) -> tuple[bool, str, Answer]:
    """Lets one helper do its work; whether the model is right then, what it holds, and the answer."""
    answer = await act(acting, case)
    got = await held(acting, case.field, case.want)
    return alike(got, case.want) and answer.ok is (case.kind != "refuse"), got, answer


async def held(acting: ActingPage, field: str | None, wanted: str) -> str:
    """What the model holds, as soon as it is what is wanted."""
    for _ in range(50):
        got = str(await acting.page.evaluate("(field) => readModel(field)", field))
        if alike(got, wanted):
            break
        await asyncio.sleep(0.02)
    return got


async def act(acting: ActingPage, case: Case) -> Answer:
    target = {"css": case.css}
    options = {"input": "trusted"} if case.trusted else {}
    match case.kind:
        case "select" | "check" | "combo":
            return await acting.call("select", target, case.value)
        case "file":
            return await acting.call("upload", target, as_files(case.value))
        case "submit":
            return await acting.call("type", target, case.value, {"submit": True})
    return await acting.call("type", target, case.value, {"clear": case.clear}, options=options)
