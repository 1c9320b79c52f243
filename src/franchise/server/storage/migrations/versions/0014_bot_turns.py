"""A bot's turn is a row of its own, with the lease on it: most moves then change no indexed column of their table."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
DUE = sa.TextClause("bot_due IS NOT NULL")


def upgrade() -> None:
    op.drop_table("jobs")  # leases of processes that have ended
    op.create_table(
        "jobs",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("worker", sa.String(40)),
        sa.Column("until", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_jobs_table_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", name="pk_jobs"),
    )
    op.create_index("ix_jobs_due_at", "jobs", ["due_at"])
    op.execute(f"INSERT INTO jobs (table_id, due_at) SELECT id, bot_due FROM tables WHERE {DUE}")
    op.drop_index("ix_tables_bot_due", "tables")
    op.drop_column("tables", "bot_due")


def downgrade() -> None:
    op.add_column("tables", sa.Column("bot_due", sa.DateTime(timezone=True)))
    op.execute("UPDATE tables SET bot_due = (SELECT due_at FROM jobs WHERE table_id = tables.id)")
    op.create_index("ix_tables_bot_due", "tables", ["bot_due"], sqlite_where=DUE, postgresql_where=DUE)
    op.drop_table("jobs")
    op.create_table(
        "jobs",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("worker", sa.String(40), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_jobs_table_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", name="pk_jobs"),
    )
    op.create_index("ix_jobs_worker", "jobs", ["worker"])
