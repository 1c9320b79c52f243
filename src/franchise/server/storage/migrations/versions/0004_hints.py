"""Hints: every table says whether people may ask for them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("tables", sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.true()))
    op.execute("UPDATE tables SET hints = NOT rated")


def downgrade() -> None:
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("hints")
