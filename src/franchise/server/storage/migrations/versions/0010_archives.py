"""The changes of games that were over long ago are one small record each."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
WHERE = sa.TextClause("over_at IS NOT NULL AND NOT archived")


def upgrade() -> None:
    op.create_table(
        "archives",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("changes", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_archives_table_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", name="pk_archives"),
    )
    op.add_column("tables", sa.Column("archived", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index("ix_tables_unarchived", "tables", ["over_at"], sqlite_where=WHERE, postgresql_where=WHERE)


def downgrade() -> None:
    """Only where nothing is archived: its changes would be lost."""
    found = op.get_bind().scalar(sa.TextClause("SELECT count(*) FROM archives"))
    if found:
        raise RuntimeError(f"{found} games are archived, which older versions cannot read")
    op.drop_index("ix_tables_unarchived", "tables")
    op.drop_column("tables", "archived")
    op.drop_table("archives")
