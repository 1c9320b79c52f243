"""Who sits where is drawn when a game begins, and people keep their colours."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("tables", sa.Column("seating", sa.String(8), nullable=False, server_default="given"))
    op.add_column("seats", sa.Column("colour", sa.String(8)))


def downgrade() -> None:
    op.drop_column("seats", "colour")
    op.drop_column("tables", "seating")
