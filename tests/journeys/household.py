"""A whole Runhome as a person has it: the app, one real browser paired with it, and a chat to type into."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.app import App, open_app
from bot.cli.client import Client, client_of
from bot.settings import BrowserSettings, RelaySettings, Settings, TelegramSettings
from library.models import Run, Status
from tests.extension.harness import ExtensionBrowser

PATIENCE_S = 60
CHAT = "phone"

Json = dict[str, Any]


@dataclass
class Conversation:
    """What came back for one message: every line of the stream, and at the end the answer."""

    lines: list[Json] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def sent(self) -> list[Json]:
        return [line["send"] for line in self.lines if "send" in line]

    @property
    def answer(self) -> Json:
        """The last message: what the person reads when all is over."""
        return self.sent[-1]

    @property
    def text(self) -> str:
        return str(self.answer["text"])

    @property
    def shown(self) -> list[str]:
        """All texts, the states of edited messages too."""
        return [next(iter(line.values()))["text"] for line in self.lines]

    def command(self, label: str) -> str:
        """What a button of the answer stands for."""
        [command] = [one["command"] for one in self.answer["buttons"] if one["label"] == label]
        return str(command)

    async def until_shown(self, part: str) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not any(part in text for text in self.shown):
                self.changed.clear()
                await self.changed.wait()


class Household:
    """``app`` runs, ``client`` speaks with it as the command line does, ``folder`` keeps its data."""

    def __init__(self, app: App, client: Client, browser: ExtensionBrowser, folder: Path) -> None:
        self.app = app
        self.client = client
        self.browser = browser
        self.folder = folder

    async def pair(self, browser: ExtensionBrowser | None = None, name: str = "Home") -> None:
        """Pairs as ``runhome browser start`` does; waits until it is connected."""
        browser = browser or self.browser
        answer = await browser.command("pair", code=await self.app.new_code(), port=self.app.port, name=name)
        assert answer["ok"], answer
        await self.app.browsers.wait_connected(name, timeout_s=PATIENCE_S)

    async def come_home(self) -> None:
        """The browser may have been away with another household."""
        if self.app.browsers.connected_names():
            return
        for paired in self.app.pairings.names():
            await self.app.browsers.unpair(paired)
        await self.pair()

    def install(self, name: str, text: str) -> None:
        """Puts a subroutine's file where a person puts them."""
        path = self.folder / "data" / "subroutines" / f"{name}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    async def say(self, text: str, *, chat: str = CHAT) -> Conversation:
        """One message of the person, answered to the end."""
        conversation = Conversation()
        await self._listen(conversation, text, chat)
        return conversation

    async def press(self, conversation: Conversation, label: str) -> Conversation:
        return await self.say(conversation.command(label))

    @asynccontextmanager
    async def saying(self, text: str, *, chat: str = CHAT) -> AsyncIterator[Conversation]:
        """The same, while the block does something else; the end waits for the answer."""
        conversation = Conversation()
        task = asyncio.create_task(self._listen(conversation, text, chat))
        try:
            yield conversation
            await task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _listen(self, conversation: Conversation, text: str, chat: str) -> None:
        async with asyncio.timeout(PATIENCE_S):
            async for line in self.client.chat(text, chat=chat):
                conversation.lines.append(line)
                conversation.changed.set()

    async def newest(self) -> Run:
        """The row of the last run."""
        [run] = await self.app.journal.recent(limit=1)
        return run

    async def runs(self, name: str) -> list[Run]:
        return await self.app.journal.recent(name=name, limit=50)

    async def tabs(self) -> list[Json]:
        """The tabs of the group, as Chrome has them."""
        found: list[Json] = await self.browser.page.evaluate(
            """async () => {
              const groups = await chrome.tabGroups.query({ title: "Runhome" });
              return (await Promise.all(groups.map(({ id }) => chrome.tabs.query({ groupId: id })))).flat();
            }"""
        )
        return found


@asynccontextmanager
async def open_household(
    folder: Path, browser: ExtensionBrowser, *, port: int = 0, telegram: TelegramSettings | None = None
) -> AsyncIterator[Household]:
    """Runs until the block ends. The same folder and port again are a restart."""
    settings = Settings(
        data=folder / "data",
        timezone="UTC",
        public_url="",
        relay=RelaySettings(port=port),
        telegram=telegram or TelegramSettings(),
        browser=BrowserSettings(),
    )
    async with open_app(settings) as app, client_of(app.address) as client:
        yield Household(app, client, browser, folder)


def subroutine(
    name: str,
    body: str,
    *,
    sites: Sequence[str],
    start: str,
    effect: str = "read",
    timeout: str = "30s",
    more: str = "",
) -> str:
    """The text of a subroutine file; ``more`` are further lines of its manifest."""
    listed = ", ".join(f'"{site}"' for site in sites)
    return (
        f"/*---\nname: {name}\nversion: 1.0.0\nsites: [{listed}]\nstart: {start}\neffect: {effect}\n"
        f"timeout: {timeout}\n{more}\n---*/\n{body}\n"
    )


def status_of(run: Run) -> tuple[Status, bool]:
    """How a run ended, and whether it may have acted."""
    return run.status, run.acted
