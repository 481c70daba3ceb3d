"""A deleted queue's number, or an item's, is in the claims of runs that stay: no new one may get it.

SQLite promises that with AUTOINCREMENT only, for which it must write a table anew. A parent that is
written anew takes its children with it, so these are kept aside meanwhile.
"""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

FAMILIES = (("schedules", "slots"), ("triggers", "firings"), ("queues", "items"))


def upgrade() -> None:
    for parent, child in FAMILIES:
        _write_anew(child)
        op.execute(f"CREATE TEMP TABLE kept_aside AS SELECT * FROM {child}")
        _write_anew(parent)
        op.execute(f"INSERT INTO {child} SELECT * FROM kept_aside")
        op.execute("DROP TABLE kept_aside")


def _write_anew(table: str) -> None:
    with op.batch_alter_table(table, recreate="always", table_kwargs={"sqlite_autoincrement": True}):
        pass
