"""Tables, seats, changes and messages."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "tables",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("clock", sa.String(8), nullable=False),
        sa.Column("minutes", sa.Integer, nullable=False),
        sa.Column("increment", sa.Integer, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("to_move", sa.Integer),
        sa.Column("rematch", sa.String(16), sa.ForeignKey("tables.id", name="fk_tables_rematch")),
        sa.Column("created_at", moment, nullable=False),
        sa.Column("changed_at", moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
    )
    op.create_index("ix_tables_changed_at", "tables", ["changed_at"])
    op.create_index("ix_tables_to_move", "tables", ["to_move"])
    op.create_table(
        "seats",
        _table_id("seats"),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("level", sa.String(40)),
        sa.Column("token_hash", sa.String(64)),
        sa.Column("holder_hash", sa.String(64)),
        sa.Column("taken_at", moment),
        sa.Column("away", sa.Boolean, nullable=False),
        sa.Column("out_at", moment),
        sa.Column("back_at", moment),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_seats"),
    )
    op.create_index("ix_seats_holder_hash", "seats", ["holder_hash"])
    op.create_table(
        "changes",
        _table_id("changes"),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.String(80), nullable=False),
        sa.Column("move_id", sa.String(64)),
        sa.Column("by_bot", sa.Boolean, nullable=False),
        sa.Column("at", moment, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_changes"),
        sa.UniqueConstraint("table_id", "move_id", name="uq_changes_table_id_move_id"),
    )
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=True),
        _table_id("messages"),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("text", sa.String(500), nullable=False),
        sa.Column("at", moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
    )
    op.create_index("ix_messages_table_id", "messages", ["table_id", "id"])


def _table_id(table: str) -> "sa.Column[str]":
    link = sa.ForeignKey("tables.id", name=f"fk_{table}_table_id", ondelete="CASCADE")
    return sa.Column("table_id", sa.String(16), link, nullable=False)


def downgrade() -> None:
    for table in ("messages", "changes", "seats", "tables"):
        op.drop_table(table)
