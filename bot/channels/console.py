"""The console channel: shows answers as a phone would, and reads what is typed or pasted."""

import asyncio
import errno
import sys
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, TextIO

from rich.align import Align
from rich.console import Console as Screen
from rich.console import Group
from rich.panel import Panel
from rich.text import Text

from bot.terminal import harmless

PHONE_WIDTH = 64
PASTE_S = 0.05
"""Lines that arrive within this time of each other were pasted together."""

Json = Mapping[str, Any]
Ask = Callable[[str], AsyncIterator[Json]]
"""One message to its answers: ``{"send" | "edit": {id, text, buttons, photo, file}}``."""


class Console:
    """``source`` and ``screen`` are the terminal unless given."""

    def __init__(self, source: TextIO | None = None, screen: Screen | None = None) -> None:
        self._source = source or sys.stdin
        self._screen = screen or _Screen()

    async def talk(self, ask: Ask) -> None:
        """Until the end of the input.

        At a terminal the next message (``/stop``) may be sent before an answer is complete; lines of a file
        or a pipe are answered one after another.
        """
        is_terminal = self._source.isatty()
        answers: set[asyncio.Task[None]] = set()
        async for message in _messages(self._source):
            if not is_terminal:
                self.said(message)
            answer = asyncio.create_task(self._answer(ask, message))
            answers.add(answer)
            answer.add_done_callback(answers.discard)
            if not is_terminal:
                await answer
        await asyncio.gather(*answers)

    def said(self, text: str) -> None:
        """What the person sent, at the right, as in a chat."""
        self._screen.print(Align.right(Panel.fit(_plain(text), border_style="blue"), width=self._width))

    def show(self, answer: Json) -> None:
        """One message, or the new state of one."""
        if "send" in answer:
            self._screen.print(_bubble(answer["send"], self._width))
        else:
            last_line = answer["edit"]["text"].splitlines()[-1]
            self._screen.print(Text("  … ", style="dim") + _plain(last_line))

    async def _answer(self, ask: Ask, message: str) -> None:
        async for answer in ask(message):
            self.show(answer)

    @property
    def _width(self) -> int:
        return min(PHONE_WIDTH, self._screen.width)


class _Screen(Screen):
    """Whoever read it has gone: that is told to the caller, who may have a server to close."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError(errno.EPIPE, "whoever read this has gone")


def _bubble(message: Json, width: int) -> Panel:
    lines: list[Text] = [_plain(message["text"])]
    for kind in ("photo", "file"):
        if message.get(kind):
            lines.insert(0, Text(f"[{kind}] ") + _plain(message[kind]))
    for button in message.get("buttons", ()):
        lines.append(Text("▸ ") + Text(button["label"], style="bold") + Text(f"  {button['command']}", "dim"))
    return Panel(Group(*lines), width=width, border_style="green")


def _plain(text: str) -> Text:
    """Never markup, never a control sequence."""
    return Text(harmless(text), overflow="fold")


async def _messages(source: TextIO) -> AsyncIterator[str]:
    """A line, and the lines pasted with it that are no commands of their own."""
    lines = _lines(source)
    line = await lines.get()
    while line is not None:
        message = [line]
        line = await _pasted(lines)
        while line is not None and line != _NOTHING and not line.startswith("/"):
            message.append(line)
            line = await _pasted(lines)
        text = "\n".join(message).strip()
        if text:
            yield text
        if line == _NOTHING:
            line = await lines.get()


_NOTHING = "\x00"


async def _pasted(lines: "asyncio.Queue[str | None]") -> str | None:
    try:
        async with asyncio.timeout(PASTE_S):
            return await lines.get()
    except TimeoutError:
        return _NOTHING


def _lines(source: TextIO) -> "asyncio.Queue[str | None]":
    """Lines as they come, then None. A thread reads: no event loop can wait for every kind of input."""
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def tell(line: str | None) -> None:
        try:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        except RuntimeError:
            pass  # the loop has ended while a line was being typed

    def read() -> None:
        for line in source:
            tell(line.rstrip("\r\n"))
        tell(None)

    threading.Thread(target=read, name="console input", daemon=True).start()
    return lines
