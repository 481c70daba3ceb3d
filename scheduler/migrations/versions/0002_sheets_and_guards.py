"""Where an item was imported from, and guards of subroutines and sites."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("items", sa.Column("sheet", sa.String(), nullable=True))
    op.add_column("items", sa.Column("line", sa.Integer(), nullable=True))
    op.create_table(
        "guards",
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("guards", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("subject"),
    )
