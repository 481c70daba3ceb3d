"""Buttons under a message: our commands as Telegram's callback data and back. Sends nothing.

Callback data holds at most 64 bytes. It is ``!`` for a button that decides something, then the command
itself; a command that is too long is kept here, and the data is ``=`` and its key.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.messages import Button

MOST_BYTES = 64
MOST_KEPT = 500
_ONCE, _KEPT = "!", "="
_PER_ROW = 2


class KeptCommands:
    """The newest long commands, in one JSON file, so that a button works after a restart too."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._by_key: dict[str, str] = {}
        try:
            self._by_key = json.loads(file.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            pass  # none yet, or not readable any more: then its buttons say that they are too old

    def keep(self, command: str) -> str:
        """A short key; the same command has the same one."""
        key = hashlib.sha256(command.encode()).hexdigest()[:32]
        self._by_key.pop(key, None)
        self._by_key[key] = command
        for oldest in list(self._by_key)[:-MOST_KEPT]:
            del self._by_key[oldest]
        draft = self._file.with_suffix(".new")
        draft.write_text(json.dumps(self._by_key), encoding="utf-8")
        draft.replace(self._file)
        return key

    def get(self, key: str) -> str | None:
        return self._by_key.get(key)


def data_of(button: Button, kept: KeptCommands) -> str:
    data = (_ONCE if button.once else "") + button.command
    if len(data.encode()) <= MOST_BYTES:
        return data
    return (_ONCE if button.once else "") + _KEPT + kept.keep(button.command)


def command_of(data: str, kept: KeptCommands) -> str | None:
    """The command behind callback data; None when it was a long one that is not kept any more."""
    plain = data.removeprefix(_ONCE)
    return kept.get(plain.removeprefix(_KEPT)) if plain.startswith(_KEPT) else plain


def is_once(data: str) -> bool:
    return data.startswith(_ONCE)


def keyboard(buttons: Sequence[Button], kept: KeptCommands) -> InlineKeyboardMarkup | None:
    """Two to a row; None for no buttons."""
    return _rows([InlineKeyboardButton(item.label, callback_data=data_of(item, kept)) for item in buttons])


def without_once(shown: InlineKeyboardMarkup | None) -> InlineKeyboardMarkup | None:
    """What is left under a message after one of its deciding buttons was pressed."""
    rows = shown.inline_keyboard if shown else ()
    return _rows([item for row in rows for item in row if not is_once(str(item.callback_data))])


def _rows(buttons: Sequence[InlineKeyboardButton]) -> InlineKeyboardMarkup | None:
    if not buttons:
        return None
    return InlineKeyboardMarkup(
        [buttons[start : start + _PER_ROW] for start in range(0, len(buttons), _PER_ROW)]
    )
