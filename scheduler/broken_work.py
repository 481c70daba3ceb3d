"""What a chat is told of work on a queue that the machine's end cut short. It settles no item."""

from collections import Counter

from sqlmodel import Session, col, select

from scheduler.queue_lookup import counts_of
from scheduler.queue_rows import ItemStatus, Queue, queue_of
from scheduler.schedule_rows import State
from scheduler.tables import UntoldRow
from scheduler.time_tables import ItemRow, QueueRow


def tell_of_broken_work(session: Session) -> None:
    """Gives its words to each work that was written down and never told of. For the start, when the items
    are settled."""
    for row in session.exec(select(UntoldRow).where(col(UntoldRow.work).is_not(None))):
        queue = session.get(QueueRow, row.queue_id)
        if queue is None or row.work is None:
            session.delete(row)
            continue
        ended = select(ItemRow.status).where(ItemRow.claimed_by == row.work)
        counts = Counter(ItemStatus(status) for status in session.exec(ended))
        row.text, row.work = _words(queue_of(queue, counts_of(session, queue)), counts), None
        session.add(row)


def _words(queue: Queue, counts: Counter[ItemStatus]) -> str:
    """``counts``: of the items that the work ended."""
    ended = ", ".join(f"{counts[status]} {status}" for status in ItemStatus if counts[status])
    return (
        f"The machine stopped while the queue {queue.name} was worked: {ended or 'nothing had been sent'}. "
        f"{_next_step(queue)}"
    )


def _next_step(queue: Queue) -> str:
    if queue.state is not State.ACTIVE:
        return f"{queue.note} To go on, send /queue resume {queue.name} and then /queue run {queue.name}."
    if queue.pending:
        return f"{queue.pending:,} waiting. Send /queue run {queue.name} to go on."
    return f"Nothing is waiting any more. /queue results {queue.name} shows what became of the rows."
