"""What was said belongs to who said it, names are compared by how they look, limits are shared.

A message goes to whoever holds its seat since before it was said. Of accounts whose names look the same the oldest
keeps the name, and the others get a number behind theirs.
"""

import logging

import sqlalchemy as sa
from alembic import op

from franchise.server.tables.account_names import LONGEST, name_key

revision = "0006"
down_revision = "0005"
log = logging.getLogger(__name__)


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
    compare_names()


def compare_names() -> None:
    accounts = sa.table("accounts", sa.column("id"), sa.column("name"), sa.column("name_key"), sa.column("created_at"))
    connection = op.get_bind()
    rows = connection.execute(sa.select(accounts).order_by(accounts.c.created_at, accounts.c.id)).all()
    given: set[str] = set()
    for row in rows:  # free every key first: they are unique, and one account's new one may be another's old one
        connection.execute(accounts.update().where(accounts.c.id == row.id).values(name_key=f"\x7f{row.id}"))
    for row in rows:
        name, number = row.name, 1
        while name_key(name) in given:
            number += 1
            name = f"{row.name[: LONGEST - 1 - len(str(number))]} {number}"
        if name != row.name:
            log.warning("the account %s is called %r now: its name looked like another one's", row.id, name)
        given.add(name_key(name))
        connection.execute(accounts.update().where(accounts.c.id == row.id).values(name=name, name_key=name_key(name)))


def downgrade() -> None:
    op.drop_table("limit_counts")
    op.drop_index("ix_messages_holder_hash", "messages")
    op.drop_column("messages", "holder_hash")
