"""What every working part of the scheduler needs around it, handed over as one."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from scheduler.dispatcher import Dispatcher
from scheduler.journal import Journal
from scheduler.ports import Catalog, Home
from scheduler.teller import Teller


@dataclass(frozen=True)
class Edges:
    dispatcher: Dispatcher
    journal: Journal
    catalog: Catalog
    home: Home
    teller: Teller
    now: Callable[[], datetime]
