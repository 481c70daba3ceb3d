"""The database's only thread: does what waits, in order; what waits together is made durable together.

A piece of work that writes opens a transaction, and its error undoes it. What has come meanwhile joins it,
each piece in a savepoint of its own, so that an error undoes that piece alone. Nobody is answered before the
commit: whoever awaited a piece may rely on it, and one commit to the disk serves all of them.
"""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import OperationalError
from sqlmodel import Session

from scheduler.prepared import DRIVER, say

T = TypeVar("T")

MOST_TOGETHER = 64
"""Pieces of work in one commit: the first of them waits for the last."""


@dataclass
class _Piece:
    work: Callable[[Session], Any]
    writes: bool
    patience_s: float = 0.0
    future: Future[Any] = field(default_factory=Future)
    value: Any = None
    error: Exception | None = None

    def tell(self) -> None:
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.value)


class Commits:
    """``submit`` from any thread; ``close`` does what was submitted, then ends the thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._pieces: queue.SimpleQueue[_Piece | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="database", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[Session], T], *, writes: bool, patience_s: float = 0.0) -> Future[T]:
        """Its result, once it is durable; or its error, when nothing of it is there.

        With patience it waits so long for others to be made durable with it, as PostgreSQL's commit_delay
        does."""
        piece = _Piece(work, writes, patience_s)
        self._pieces.put(piece)
        return piece.future

    def close(self) -> None:
        self._pieces.put(None)
        self._thread.join()

    def _serve(self) -> None:
        session: Session | None = None
        while (piece := self._pieces.get()) is not None:
            if not piece.future.set_running_or_notify_cancel():
                continue
            try:
                session = session or _open(self._engine)
            except Exception as error:
                piece.future.set_exception(error)
                continue
            if not self._together(session, piece):
                # What the transaction left behind is nobody's guess: a new connection begins clean.
                _drop(session)
                session = None
        if session is not None:
            _drop(session)

    def _together(self, session: Session, first: _Piece) -> bool:
        """False when the transaction itself failed: then nothing of it is there."""
        pieces = [first]
        failed: Exception | None = None
        connection = _connection(session)
        lock = "IMMEDIATE" if first.writes else "DEFERRED"
        try:
            with connection.execution_options(runhome_lock=lock).begin() as transaction:
                _attempt(session, first, alone=True)
                if first.error is not None and transaction.is_active:
                    transaction.rollback()
                while first.writes and transaction.is_active and len(pieces) < MOST_TOGETHER:
                    piece = self._waiting(first.patience_s if len(pieces) == 1 else 0.0)
                    if piece is None:
                        break
                    pieces.append(piece)
                    _attempt(session, piece, alone=False)
        except Exception as error:
            failed = error
            for piece in pieces:
                piece.error = error
        for piece in pieces:
            piece.tell()
        return failed is None

    def _waiting(self, patience_s: float) -> _Piece | None:
        """The next piece that has come already, or comes soon, and is still wanted."""
        while True:
            try:
                piece = self._pieces.get(patience_s > 0, patience_s or None)
            except queue.Empty:
                return None
            if piece is None:
                self._pieces.put(None)
                return None
            if piece.future.set_running_or_notify_cancel():
                return piece


def _open(engine: Engine) -> Session:
    """The one session of the thread, on a connection of its own."""
    connection = engine.connect()
    session = Session(connection, expire_on_commit=False)
    session.info[DRIVER] = connection.connection.driver_connection
    return session


def _connection(session: Session) -> Connection:
    bind = session.get_bind()
    assert isinstance(bind, Connection)
    return bind


def _drop(session: Session) -> None:
    connection = _connection(session)
    session.close()
    connection.invalidate()
    connection.close()


def _attempt(session: Session, piece: _Piece, *, alone: bool) -> None:
    """Does one piece, in a savepoint unless it is alone in the transaction: a savepoint costs as much as the
    piece. Raises OperationalError, after which the transaction may be gone."""
    driver = session.info[DRIVER]
    # SQLAlchemy has a savepoint of its own, for what goes through it: its flush undoes what it cannot finish.
    session.join_transaction_mode = "rollback_only" if alone else "create_savepoint"
    if not alone:
        say(driver, "SAVEPOINT piece")
    try:
        piece.value = piece.work(session)
        if session.in_transaction():
            session.commit()
    except OperationalError:
        raise
    except Exception as error:
        piece.error = error
    finally:
        session.close()
    if not alone:
        if piece.error is not None:
            say(driver, "ROLLBACK TO piece")
        say(driver, "RELEASE piece")
