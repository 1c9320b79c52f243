"""The database: tables, their seats, every change made to them, and what was said at them."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)


class Moment(TypeDecorator[datetime]):
    """A time with its zone, kept in UTC where the database knows no zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value if value is None else value.astimezone(UTC)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        moment: datetime | None = value
        return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("record", Text, nullable=False),  # the game the table began with, in the text of docs/record.md
    Column("version", Integer, nullable=False),  # number of the last change
    Column("revision", Integer, nullable=False),  # counts changes of any kind: moves, seats, clocks
    Column("public", Boolean, nullable=False),
    Column("options", JSON, nullable=False),  # of the set-up, for lists
    Column("seed", BigInteger, nullable=False),  # bots draw from it
    Column("clock", String(8), nullable=False),
    Column("minutes", Integer, nullable=False),
    Column("increment", Integer, nullable=False),
    Column("turn", Integer, nullable=False),  # of the game now, for lists
    Column("to_move", Integer),  # the seat to move now; NULL when the game is over
    Column("rematch", ForeignKey("tables.id")),
    Column("created_at", Moment, nullable=False),
    Column("changed_at", Moment, nullable=False),
    Index("ix_tables_changed_at", "changed_at"),
    Index("ix_tables_to_move", "to_move"),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),  # human or bot
    Column("name", String(40), nullable=False),
    Column("level", String(40)),  # of a bot
    Column("token_hash", String(64)),  # SHA-256 of the seat's own secret
    Column("holder_hash", String(64)),  # SHA-256 of the secret of a person who may hold many seats
    Column("taken_at", Moment),  # NULL: a human seat that waits for somebody
    Column("away", Boolean, nullable=False),  # the time ran out: a bot plays on
    Column("out_at", Moment),  # when it last did
    Column("back_at", Moment),  # when the person last came back
    Index("ix_seats_holder_hash", "holder_hash"),
)

changes = Table(
    "changes",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),  # the version of the table after it
    Column("kind", String(8), nullable=False),  # move or undo
    Column("seat", Integer, nullable=False),
    Column("text", String(80), nullable=False),  # the move; how many moves were taken back
    Column("move_id", String(64)),  # the client's name for it; NULL for bots
    Column("by_bot", Boolean, nullable=False),
    Column("at", Moment, nullable=False),
    UniqueConstraint("table_id", "move_id"),
)

messages = Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("name", String(40), nullable=False),
    Column("text", String(500), nullable=False),
    Column("at", Moment, nullable=False),
    Index("ix_messages_table_id", "table_id", "id"),
)

jobs = Table(
    "jobs",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),  # whose bots are thought for
    Column("worker", String(40), nullable=False),  # the process that thinks
    Column("until", Moment, nullable=False),  # when another one may take over, if it has not said more
    Index("ix_jobs_worker", "worker"),
)
