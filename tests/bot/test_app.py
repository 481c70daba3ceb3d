"""A whole Runhome over starts of several kinds on the same data."""

from datetime import UTC, datetime
from pathlib import Path

from bot.app import DATABASE, App, open_app
from bot.settings import RelaySettings, Settings
from library.models import Call, ChatRef, Effect, Run, Status
from scheduler.database import Database
from scheduler.journal import Journal
from tests.fakes_channel import FakeChannel

PHONE = ChatRef(channel="telegram", id="4711")


async def killed_while_it_wrote(data: Path) -> Run:
    """What a start finds that was killed in the middle of a chat's write."""
    database = await Database.open(data / DATABASE)
    at = datetime.now(UTC)
    call = Call(
        name="create-post", arguments={"text": "Hi"}, claim="telegram:1", asked_by="telegram:4711", chat=PHONE
    )
    run = Run(
        id="r0123456789ab",
        call=call,
        effect=Effect.WRITE,
        version="1.0.0",
        status=Status.RUNNING,
        created_at=at,
        started_at=at,
    )
    await Journal(database, data / "evidence").claim(run)
    await database.close()
    return run


async def told(app: App) -> list[str]:
    """What is sent when the channels are up: here a channel that keeps it."""
    channel = FakeChannel()
    app.channels[channel.name] = channel
    await app.timekeeper.recovery.resume()
    return channel.texts


async def test_a_run_that_a_start_without_channels_settled_is_told_by_the_next_one_and_once(
    tmp_path: Path,
) -> None:
    run = await killed_while_it_wrote(tmp_path)
    settings = Settings(data=tmp_path, relay=RelaySettings(port=0))
    async with open_app(settings, only_local=True) as app:
        assert (await app.journal.get(run.id)).status is Status.UNCONFIRMED
    texts = []
    for _ in range(2):
        async with open_app(settings, only_local=True) as app:
            texts.append(await told(app))
    ((text,), nothing) = texts
    assert text.startswith("❓ create-post: not confirmed")
    assert nothing == []
