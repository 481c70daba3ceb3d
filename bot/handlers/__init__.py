"""Answers what people ask, whichever channel they use: one desk per kind of question, one entrance."""

from bot.handlers.asking import Answer, Asking, Desk
from bot.handlers.entrance import Handlers, MenuEntry
from bot.handlers.lists import ListDesk
from bot.handlers.runs import RunDesk

__all__ = ["Answer", "Asking", "Desk", "Handlers", "ListDesk", "MenuEntry", "RunDesk"]
