"""Answers what people ask, whichever channel they use: one desk per kind of question, one entrance."""

from bot.handlers.asking import Answer, Asking, Desk
from bot.handlers.entrance import Handlers, MenuEntry
from bot.handlers.lists import ListDesk
from bot.handlers.plain_text import PlainTextDesk
from bot.handlers.queues import QueueDesk
from bot.handlers.results import ResultsDesk
from bot.handlers.runs import RunDesk
from bot.handlers.schedules import ScheduleDesk

__all__ = [
    "Answer",
    "Asking",
    "Desk",
    "Handlers",
    "ListDesk",
    "MenuEntry",
    "PlainTextDesk",
    "QueueDesk",
    "ResultsDesk",
    "RunDesk",
    "ScheduleDesk",
]
