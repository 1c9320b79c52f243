"""What was said belongs to who said it, names are compared by how they look, limits are shared.

A message goes to whoever holds its seat since before it was said. Of accounts whose names look the same the oldest
keeps the name, and the others get a number behind theirs.
"""

import sqlalchemy as sa
from alembic import op

from franchise.server.storage.migrations.names import compare_names

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("messages", sa.Column("holder_hash", sa.String(64)))
    op.create_index("ix_messages_holder_hash", "messages", ["holder_hash"])
    op.execute(
        "UPDATE messages SET holder_hash = (SELECT seats.holder_hash FROM seats WHERE seats.table_id = "
        "messages.table_id AND seats.number = messages.seat AND seats.taken_at <= messages.at)"
    )
    op.create_table(
        "limit_counts",
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("seconds", sa.Integer, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", "seconds", "number", name="pk_limit_counts"),
    )
    op.create_index("ix_limit_counts_until", "limit_counts", ["until"])
    compare_names(op.get_bind())


def downgrade() -> None:
    op.drop_table("limit_counts")
    op.drop_index("ix_messages_holder_hash", "messages")
    op.drop_column("messages", "holder_hash")
