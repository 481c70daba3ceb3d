"""The whole way from a phone: a fake Bot API, the real app, the real browser, the site."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.address import read_address
from bot.app import DATABASE
from bot.cli.client import client_of
from bot.settings import TelegramSettings
from library.demo.behaviour import Answer, Behaviour
from library.models import Run, Status
from relay.listening import bind
from scheduler.database import Database
from scheduler.journal import Journal
from tests.extension.harness import ExtensionBrowser
from tests.fakes_telegram import TOKEN, FakeTelegram, fake_telegram
from tests.journeys.household import Household, open_household, status_of, subroutine
from tests.journeys.pictures import colour_in_the_middle
from tests.journeys.sites import Demo
from tests.telegram_contract import Contract

pytestmark = pytest.mark.browser

PATIENCE_S = 60
POST = "POST /api/posts"


@pytest.fixture
async def telegram(shared: Path) -> AsyncIterator[FakeTelegram]:
    async with fake_telegram(Contract(shared / "contracts" / "telegram-bot-api.json")) as opened:
        yield opened


@asynccontextmanager
async def at_the_phone(
    telegram: FakeTelegram, browser: ExtensionBrowser, demo: Demo, folder: Path
) -> AsyncIterator[Household]:
    """A household whose chat is linked and whose browser is paired."""
    settings = TelegramSettings(
        token=SecretStr(TOKEN), base_url=telegram.base_url, base_file_url=telegram.base_file_url
    )
    async with open_household(folder, browser, telegram=settings) as home:
        home.install("here/create-post", demo.built_in("create-post", "here"))
        home.install("here/api-post", api_post(demo))
        await home.come_home()
        told = len(telegram.called("sendMessage"))
        await telegram.says(f"/pair {home.app.access.invite().code}")
        await telegram.until_called("sendMessage", told + 1)
        yield home


def api_post(demo: Demo) -> str:
    return subroutine(
        "here/api-post",
        "return await tab.requestJson('/api/posts', { method: 'POST', json: { text } })",
        sites=[f"{demo.origin}/*"],
        start=f"{demo.origin}/",
        effect="write",
        more="params:\n  text: {type: string}\npermissions:\n"
        f'  requests: ["POST {demo.origin}/api/posts"]\n'
        "expect:\n  - request: POST /api/posts\n    status: 201",
    )


async def test_a_run_from_the_phone_with_progress_picture_and_run_again(
    telegram: FakeTelegram, browser: ExtensionBrowser, demo: Demo, tmp_path: Path
) -> None:
    demo.site.behaviour = Behaviour(delay_ms=1_500)
    async with at_the_phone(telegram, browser, demo, tmp_path) as home:
        before = len(demo.texts)
        await telegram.says("/run here/create-post —text “From the train 🚆”")
        await telegram.until_called("sendPhoto")
        assert telegram.called("sendMessage")[1]["text"].startswith("▶ here/create-post")
        assert telegram.called("editMessageText")[-1]["text"].startswith("✅ here/create-post: done")
        photo = telegram.called("sendPhoto")[0]
        caption = "✅ here/create-post: done\nThe site answered 201 to POST /api/posts.\n/p/"
        assert photo["caption"].startswith(caption)
        width, height, _ = await colour_in_the_middle(browser, photo["photo"])
        assert width > 600
        assert height > 400
        demo.site.behaviour = Behaviour()
        await telegram.presses("Run again")
        await telegram.until_called("sendPhoto", 2)
        assert demo.texts[before:] == ["From the train 🚆"] * 2
        runs = await home.runs("here/create-post")
        assert [run.status for run in runs] == [Status.DONE] * 2
        async with asyncio.timeout(30):  # written down after Telegram has answered
            while not await home.app.deliveries.of_runs([runs[0].id]):  # noqa: ASYNC110 - the row gives no event
                await asyncio.sleep(0.02)
        assert await home.app.deliveries.of_runs([runs[0].id]) == {runs[0].id: "sent"}


async def test_an_unconfirmed_run_is_settled_by_the_person(
    telegram: FakeTelegram, browser: ExtensionBrowser, demo: Demo, tmp_path: Path
) -> None:
    demo.site.behaviour = Behaviour(answer=Answer.FAIL_AFTER)
    async with at_the_phone(telegram, browser, demo, tmp_path) as home:
        before = len(demo.texts)
        await telegram.says("/run here/api-post text=Perhaps")
        await telegram.until_called("sendPhoto")
        assert telegram.called("sendPhoto")[0]["caption"].startswith("❓ here/api-post: not confirmed\n")
        told = len(telegram.called("sendMessage"))
        await telegram.presses("It worked")
        await telegram.until_called("sendMessage", told + 1)
        assert telegram.texts()[-1].endswith("Noted: it worked.")
        run = await home.newest()
        assert (run.status, run.resolved_by) == (Status.DONE, "telegram:4711")
        assert (len(demo.texts) - before, demo.log.count(POST)) == (1, 1)


async def test_an_update_that_is_delivered_again_after_a_restart_is_one_run(
    telegram: FakeTelegram, browser: ExtensionBrowser, demo: Demo, tmp_path: Path
) -> None:
    before = len(demo.texts)
    async with at_the_phone(telegram, browser, demo, tmp_path):
        update = await telegram.says("/run here/api-post text=Once")
        await telegram.until_called("sendPhoto")
    async with at_the_phone(telegram, browser, demo, tmp_path):
        await telegram.delivers_again(update)
        told = len(telegram.called("sendMessage"))
        await telegram.says("/help")
        await telegram.until_called("sendMessage", told + 1)
        await telegram.until(lambda: "/help" in telegram.texts()[-1])
    # Closed: whatever the second delivery may have begun has ended.
    assert (len(demo.texts) - before, demo.log.count(POST)) == (1, 1)
    assert len(await kept_runs(tmp_path / "data")) == 1
    assert len(telegram.called("sendPhoto")) == 1


# --- killed ---------------------------------------------------------------------------------------


async def test_killed_while_a_write_runs_it_is_unconfirmed_told_and_never_run_twice(
    telegram: FakeTelegram, browser: ExtensionBrowser, demo: Demo, tmp_path: Path
) -> None:
    environment = {
        **os.environ,
        "RUNHOME_HOME": str(tmp_path),
        "RUNHOME_RELAY__PORT": str(free_port()),
        "RUNHOME_TELEGRAM__TOKEN": TOKEN,
        "RUNHOME_TELEGRAM__BASE_URL": telegram.base_url,
        "RUNHOME_TELEGRAM__BASE_FILE_URL": telegram.base_file_url,
    }
    data = tmp_path / "data"
    (data / "subroutines").mkdir(parents=True)
    (data / "subroutines" / "api-post.js").write_text(api_post(demo))
    before = len(demo.texts)
    async with runhome_up(environment) as first:
        await link(telegram, browser, data)
        demo.site.behaviour = Behaviour(delay_ms=1_500)
        await telegram.says("/run here/api-post text=Killed")
        async with asyncio.timeout(PATIENCE_S):
            await demo.log.until(POST)
        first.kill()
        await first.wait()
    told = len(telegram.called("sendMessage"))
    async with runhome_up(environment):
        await telegram.until_called("sendMessage", told + 1)
        assert telegram.texts()[-1].startswith(
            "❓ here/api-post: not confirmed\nThe machine stopped while it ran"
        )
        await telegram.says("/status")
        await telegram.until_called("sendMessage", told + 2)
    [run] = await kept_runs(data)
    assert status_of(run) == (Status.UNCONFIRMED, True)
    assert demo.log.count(POST) == 1
    assert len(demo.texts) - before <= 1


def free_port() -> int:
    with bind(0) as socket:
        return int(socket.getsockname()[1])


@asynccontextmanager
async def runhome_up(environment: dict[str, str]) -> AsyncIterator[Process]:
    """``runhome up`` as a process of its own, until the block ends."""
    command = [sys.executable, "-u", "-m", "bot.cli", "up"]
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, env=environment)
    try:
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            assert (await process.stdout.readline()).startswith(b"Runhome is up")
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.communicate()


async def link(telegram: FakeTelegram, browser: ExtensionBrowser, data: Path) -> None:
    """Links the chat and pairs the browser with the process that runs on this data."""
    address = read_address(data)
    assert address is not None
    async with client_of(address) as client:
        code = (await client.pair_code())["code"]
        answer = await browser.command("pair", code=code, port=address.port, name="Home")
        assert answer["ok"], answer
        await telegram.says(f"/pair {(await client.invite_code())['code']}")
        await telegram.until_called("sendMessage")
        async with asyncio.timeout(PATIENCE_S):
            while not any(one["connected"] for one in (await client.status())["browsers"]):  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.05)


async def kept_runs(data: Path) -> list[Run]:
    database = await Database.open(data / DATABASE)
    try:
        return await Journal(database, data / "evidence").recent()
    finally:
        await database.close()
