"""Bots that are to move, clocks whose time is up and lists are found by columns of their own, each in a small index.

What changes with every move is in no index any more.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
INDEXES = {
    "ix_tables_bot_due": ("bot_due", "bot_due IS NOT NULL"),
    "ix_tables_deadline_at": ("deadline_at", "deadline_at IS NOT NULL"),
    "ix_tables_running": ("created_at", "over_at IS NULL"),
    "ix_tables_open": ("created_at", "public AND over_at IS NULL AND free_seats > 0"),
    "ix_tables_live": ("created_at", "public AND over_at IS NULL AND free_seats = 0"),
    "ix_tables_over_at": ("over_at", "over_at IS NOT NULL"),
    "ix_tables_unsettled": ("over_at", "over_at IS NOT NULL AND NOT settled"),
}


def upgrade() -> None:
    op.drop_index("ix_tables_changed_at", "tables")
    op.drop_index("ix_tables_to_move", "tables")
    for name in ("over_at", "bot_due", "deadline_at"):
        op.add_column("tables", sa.Column(name, sa.DateTime(timezone=True)))
    op.add_column("tables", sa.Column("free_seats", sa.Integer, nullable=False, server_default="0"))
    op.execute("UPDATE tables SET over_at = changed_at WHERE to_move IS NULL")
    op.execute(
        "UPDATE tables SET free_seats = (SELECT count(*) FROM seats WHERE table_id = tables.id AND taken_at IS NULL) "
        "WHERE to_move IS NOT NULL"
    )
    op.execute(
        "UPDATE tables SET bot_due = changed_at WHERE to_move IS NOT NULL AND EXISTS (SELECT 1 FROM seats WHERE "
        "table_id = tables.id AND number = tables.to_move AND (kind = 'bot' OR away))"
    )
    # Whoever looks whether the time is up finds that it is not, and when it will be.
    op.execute(
        "UPDATE tables SET deadline_at = changed_at WHERE to_move IS NOT NULL AND clock <> 'none' AND bot_due IS NULL"
    )
    for name, (column, where) in INDEXES.items():
        op.create_index(
            name, "tables", [column], sqlite_where=sa.TextClause(where), postgresql_where=sa.TextClause(where)
        )
    if op.get_bind().dialect.name == "postgresql":
        op.execute("ALTER TABLE tables SET (fillfactor = 70)")  # room beside a row for what a move makes of it
    op.create_index("ix_notices_created_at", "notices", ["created_at"])
    op.create_index("ix_notices_table_id", "notices", ["table_id"])


def downgrade() -> None:
    op.drop_index("ix_notices_table_id", "notices")
    op.drop_index("ix_notices_created_at", "notices")
    for name in INDEXES:
        op.drop_index(name, "tables")
    for name in ("free_seats", "deadline_at", "bot_due", "over_at"):
        op.drop_column("tables", name)
    op.create_index("ix_tables_to_move", "tables", ["to_move"])
    op.create_index("ix_tables_changed_at", "tables", ["changed_at"])
