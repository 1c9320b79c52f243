"""The database: tables, their seats, every change made to them, what was said at them; accounts and what is theirs."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Connection,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TextClause,
    TypeDecorator,
    UniqueConstraint,
    event,
    false,
    true,
)


class UtcDateTime(TypeDecorator[datetime]):
    """A time with its zone, stored in UTC if the database has no time zones."""

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

# What a query says word for word to be answered by the index of just these rows.
RUNNING = TextClause("over_at IS NULL")
OPEN_TO_JOIN = TextClause("public AND over_at IS NULL AND free_seats > 0")
OPEN_TO_WATCH = TextClause("public AND over_at IS NULL AND free_seats = 0")
OVER = TextClause("over_at IS NOT NULL")
UNSETTLED = TextClause("over_at IS NOT NULL AND NOT settled")
UNARCHIVED = TextClause("over_at IS NOT NULL AND NOT archived")
WITH_DEADLINE = TextClause("deadline_at IS NOT NULL")


def _partial(name: str, column: str, where: TextClause) -> Index:
    """A partial index of the rows that are searched for."""
    return Index(name, column, sqlite_where=where)  # in PostgreSQL too: see add_postgres_options


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
    Column("hours", Integer, nullable=False, server_default="0"),  # for each turn, of a daily clock
    Column("vacation", Integer, nullable=False, server_default="0"),  # days of each person, of a daily clock
    Column("time_out", String(8), nullable=False, server_default="bot"),  # what follows: remind, bot or end
    Column("stand_in", String(40), nullable=False, server_default="regular"),  # the level that plays on
    Column("rated", Boolean, nullable=False, server_default=false()),
    Column("hints", Boolean, nullable=False, server_default=true()),  # people may ask a bot what it would do
    Column("turn", Integer, nullable=False),  # of the game now, for lists
    Column("to_move", Integer),  # the seat to move now; NULL when the game is over
    Column("over_at", UtcDateTime),  # when it was over; NULL as long as it goes on
    Column("deadline_at", UtcDateTime),  # when a server checks whether a time is up; may be earlier than the deadline
    Column("free_seats", Integer, nullable=False, server_default="0"),  # that wait for somebody, for lists
    Column("ended_at", UtcDateTime),  # when it was ended early
    Column("ending", String(10)),  # why it was: time, resigned, agreed, cancelled or expired
    Column("ended_seat", Integer),  # whose time was up, or who resigned
    Column("settled", Boolean, nullable=False, server_default=false()),  # the results are written down
    Column("archived", Boolean, nullable=False, server_default=false()),  # the changes are in `archives`
    Column("seating", String(8), nullable=False, server_default="given"),  # given, undrawn or drawn
    Column("rematch", ForeignKey("tables.id")),
    Column("created_at", UtcDateTime, nullable=False),
    Column("changed_at", UtcDateTime, nullable=False),
    # What changes with every move is in no index: PostgreSQL then writes a move without touching any (HOT).
    _partial("ix_tables_deadline_at", "deadline_at", WITH_DEADLINE),
    _partial("ix_tables_running", "created_at", RUNNING),
    _partial("ix_tables_open", "created_at", OPEN_TO_JOIN),
    _partial("ix_tables_live", "created_at", OPEN_TO_WATCH),
    _partial("ix_tables_over_at", "over_at", OVER),
    _partial("ix_tables_unsettled", "over_at", UNSETTLED),
    _partial("ix_tables_unarchived", "over_at", UNARCHIVED),
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
    Column("taken_at", UtcDateTime),  # NULL: a human seat that waits for somebody
    Column("away", Boolean, nullable=False),  # the time ran out: a bot plays on
    Column("out_at", UtcDateTime),  # when it last did
    Column("back_at", UtcDateTime),  # when the person last came back
    Column("resigned_at", UtcDateTime),  # when the person gave the game up: a bot plays on to its end
    Column("colour", String(8)),  # where it is not the one of the seat
    Column("vote", String(8)),  # abort: for calling the game off; bot: for a bot in place of whoever is to move
    Column("vote_at", Integer),  # the turn it was said in; for a bot, the version
    Column("nudged_at", UtcDateTime),  # when the others last reminded whoever sits here
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
    Column("at", UtcDateTime, nullable=False),
    UniqueConstraint("table_id", "move_id"),
)

archives = Table(  # the changes of games that were over long ago
    "archives",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("changes", LargeBinary, nullable=False),  # as storage/archive.py writes them
)

messages = Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("name", String(40), nullable=False),
    Column("text", String(500), nullable=False),
    Column("holder_hash", String(64)),  # of who said it, who may have left the seat; NULL for the token of a seat
    Column("at", UtcDateTime, nullable=False),
    Index("ix_messages_holder_hash", "holder_hash"),
    Index("ix_messages_table_id", "table_id", "id"),
)

jobs = Table(  # turns of bots, each written with the move that it follows and gone with its last
    "jobs",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("due_at", UtcDateTime, nullable=False),  # since when a bot is to move
    Column("worker", String(40)),  # the process that thinks; NULL where none does
    Column("until", UtcDateTime),  # when another one may take over, if it has not said more
    Index("ix_jobs_due_at", "due_at"),
)

limit_counts = Table(  # how much was done under a limit, for all servers over this database
    "limit_counts",
    metadata,
    Column("name", String(64), primary_key=True),  # digest of what is limited: whose requests, of which kind
    Column("seconds", Integer, primary_key=True),  # length of the window
    Column("number", BigInteger, primary_key=True),  # of the window since 1970
    Column("count", Integer, nullable=False),
    Column("until", UtcDateTime, nullable=False),  # when it no longer matters
    Index("ix_limit_counts_until", "until"),
)

servers = Table(  # signs of life
    "servers",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("seen_at", UtcDateTime, nullable=False),
)

analyses = Table(  # what bots make of finished games
    "analyses",
    metadata,
    Column("name", String(64), primary_key=True),  # digest of the moves and of the bots
    Column("review", Text, nullable=False),  # as JSON
    Column("at", UtcDateTime, nullable=False),
    Index("ix_analyses_at", "at"),
)

# --- accounts ---

accounts = Table(
    "accounts",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("name_key", String(160), nullable=False, unique=True),  # what names have in common that look the same
    Column("password", String(200), nullable=False),  # Argon2
    Column("holder_hash", String(64), nullable=False, unique=True),  # by which it holds seats
    Column("language", String(8), nullable=False),
    Column("email", String(254)),  # confirmed
    Column("email_wanted", String(254)),  # waits to be confirmed
    Column("webhook", String(500)),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("rated_games", Integer, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
)


def _account(primary_key: bool = False) -> "Column[str]":
    link = ForeignKey("accounts.id", ondelete="CASCADE")
    return Column("account_id", link, primary_key=primary_key, nullable=False, index=not primary_key)


sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("id", String(16), nullable=False, unique=True),  # to name it in a list
    _account(),
    Column("agent", String(120), nullable=False),  # what the browser calls itself
    Column("created_at", UtcDateTime, nullable=False),
    Column("seen_at", UtcDateTime, nullable=False),
)

api_tokens = Table(
    "api_tokens",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("id", String(16), nullable=False, unique=True),
    _account(),
    Column("name", String(40), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
)

results = Table(
    "results",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    _account(primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("players", Integer, nullable=False),
    Column("place", Integer, nullable=False),  # 1 is best; equal places are ties
    Column("score", Integer, nullable=False),
    Column("opponents", JSON, nullable=False),  # names of the others, and the account where there is one
    Column("rated", Boolean, nullable=False),
    Column("mu", Float, nullable=False),  # after it
    Column("sigma", Float, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Index("ix_results_account_id", "account_id", "at"),
)

# --- notices ---

subscriptions = Table(
    "subscriptions",
    metadata,
    Column("endpoint_hash", String(64), primary_key=True),
    _account(),
    Column("endpoint", String(1000), nullable=False),
    Column("p256dh", String(200), nullable=False),
    Column("auth", String(100), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
)

notices = Table(
    "notices",
    metadata,
    Column("id", String(16), primary_key=True),
    _account(),
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("begun", Integer, nullable=False),  # moves made when the turn began: names the turn
    Column("kind", String(8), nullable=False),  # turn, or reminder when the time is up
    Column("channel", String(8), nullable=False),  # email, webhook or push
    Column("state", String(8), nullable=False),  # waiting, sent, dropped or failed
    Column("attempts", Integer, nullable=False),
    Column("due_at", UtcDateTime, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("account_id", "table_id", "begun", "kind", "channel"),
    Index("ix_notices_state", "state", "due_at"),
    Index("ix_notices_created_at", "created_at"),
    Index("ix_notices_table_id", "table_id"),
)

watchers = Table(  # who has which table open, on any server
    "watchers",
    metadata,
    Column("stream", String(16), primary_key=True),
    _account(),
    Column("table_id", String(16), nullable=False),
    Column("until", UtcDateTime, nullable=False),
    Index("ix_watchers_until", "until"),
)

reports = Table(  # messages that somebody has reported to the operator of the server
    "reports",
    metadata,
    Column("message_id", ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True),
    Column("holder_hash", String(64), primary_key=True),  # of who says so
    Column("at", UtcDateTime, nullable=False),
)

presence = Table(  # when people were last here, by the secret that holds their seats
    "presence",
    metadata,
    Column("holder_hash", String(64), primary_key=True),
    Column("seen_at", UtcDateTime, nullable=False),
)

secrets = Table(  # what all servers over this database share
    "secrets",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", String(200), nullable=False),
)


@event.listens_for(metadata, "before_create")
def add_postgres_options(_: MetaData, connection: Connection, **__: Any) -> None:
    """Add what only PostgreSQL reads; named above, it would load that dialect at every start over an SQLite file."""
    if connection.dialect.name != "postgresql":
        return
    for table in metadata.tables.values():
        for index in table.indexes:
            index.dialect_options["postgresql"]["where"] = index.dialect_options["sqlite"]["where"]
    tables.dialect_options["postgresql"]["with"] = {"fillfactor": 70}  # room beside a row for what a move makes of it
