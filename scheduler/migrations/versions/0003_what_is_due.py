"""What is due is asked by ``fire_at``: with many schedules a scan would make every look slow."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_schedules_due", table_name="schedules")
    op.create_index("ix_schedules_due", "schedules", ["state", "fire_at"])
