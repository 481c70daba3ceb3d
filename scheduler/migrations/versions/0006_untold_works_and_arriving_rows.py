"""Work on a queue is told of also after a crash; rows of an import are hidden until all are there; a look
at firings that finds nothing goes through no row."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("untold", sa.Column("work", sa.String(), nullable=True))
    op.add_column("untold", sa.Column("queue_id", sa.Integer(), nullable=True))
    op.add_column("queues", sa.Column("arriving_from", sa.Integer(), nullable=True))
    op.drop_index("ix_firings_open", table_name="firings")
    op.create_index("ix_firings_open", "firings", ["status", "try_at"])
