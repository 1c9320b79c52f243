"""Games that end otherwise than by the rules, people asked to a rematch, votes and nudges, presence, reports."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("tables", sa.Column("ending", sa.String(10)))
    op.add_column("tables", sa.Column("ended_seat", sa.Integer))
    op.execute("UPDATE tables SET ending = 'time' WHERE ended_at IS NOT NULL")
    waiting = "over_at IS NULL AND version = 0 AND (free_seats > 0 OR seating = 'undrawn')"
    op.execute(f"UPDATE tables SET changed_at = CURRENT_TIMESTAMP WHERE {waiting}")  # tables expire from now on
    op.add_column("seats", sa.Column("vote", sa.String(8)))
    op.add_column("seats", sa.Column("vote_at", sa.Integer))
    op.add_column("seats", sa.Column("nudged_at", sa.DateTime(timezone=True)))
    op.create_table(
        "presence",
        sa.Column("holder_hash", sa.String(64), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("holder_hash", name="pk_presence"),
    )

    op.create_table(
        "reports",
        sa.Column("message_id", sa.Integer, nullable=False),
        sa.Column("holder_hash", sa.String(64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("message_id", "holder_hash", name="pk_reports"),
        sa.ForeignKeyConstraint(["message_id"], ["messages.id"], "fk_reports_message_id", ondelete="CASCADE"),
    )


def downgrade() -> None:
    op.drop_table("reports")
    op.drop_table("presence")
    op.drop_column("seats", "nudged_at")
    op.drop_column("seats", "vote_at")
    op.drop_column("seats", "vote")
    op.drop_column("tables", "ended_seat")
    op.drop_column("tables", "ending")
