"""Alembic's entry: hands our connection and tables to the versions. Run by
``database.bring_up_to_date`` only."""

from alembic import context
from sqlmodel import SQLModel

from scheduler import tables, time_tables  # noqa: F401  (their import fills SQLModel.metadata)

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    transaction_per_migration=False,
)
context.run_migrations()
