"""What bots make of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("review", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_analyses"),
    )
    op.create_index("ix_analyses_at", "analyses", ["at"])


def downgrade() -> None:
    op.drop_table("analyses")
