"""Which process thinks for the bots of which table."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    link = sa.ForeignKey("tables.id", name="fk_jobs_table_id", ondelete="CASCADE")
    op.create_table(
        "jobs",
        sa.Column("table_id", sa.String(16), link, nullable=False),
        sa.Column("worker", sa.String(40), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_jobs"),
    )
    op.create_index("ix_jobs_worker", "jobs", ["worker"])


def downgrade() -> None:
    op.drop_table("jobs")
