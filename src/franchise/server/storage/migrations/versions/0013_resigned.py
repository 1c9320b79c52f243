"""Whoever resigns among several people only watches from then on."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("seats", sa.Column("resigned_at", sa.DateTime(timezone=True)))


def downgrade() -> None:
    op.drop_column("seats", "resigned_at")
