"""Daily clocks, accounts, ratings and notices."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    for column in (
        sa.Column("hours", sa.Integer, nullable=False, server_default="0"),
        sa.Column("vacation", sa.Integer, nullable=False, server_default="0"),
        sa.Column("time_out", sa.String(8), nullable=False, server_default="bot"),
        sa.Column("stand_in", sa.String(40), nullable=False, server_default="regular"),
        sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("ended_at", MOMENT),
        sa.Column("settled", sa.Boolean, nullable=False, server_default=sa.false()),
    ):
        op.add_column("tables", column)
    op.execute("UPDATE tables SET settled = (to_move IS NULL)")  # there were no accounts to settle with
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("name_key", sa.String(160), nullable=False),
        sa.Column("password", sa.String(200), nullable=False),
        sa.Column("holder_hash", sa.String(64), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("email", sa.String(254)),
        sa.Column("email_wanted", sa.String(254)),
        sa.Column("webhook", sa.String(500)),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("rated_games", sa.Integer, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("name_key", name="uq_accounts_name_key"),
        sa.UniqueConstraint("holder_hash", name="uq_accounts_holder_hash"),
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("id", sa.String(16), nullable=False),
        _account("sessions"),
        sa.Column("agent", sa.String(120), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("seen_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_sessions"),
        sa.UniqueConstraint("id", name="uq_sessions_id"),
    )
    op.create_table(
        "api_tokens",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("id", sa.String(16), nullable=False),
        _account("api_tokens"),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_api_tokens"),
        sa.UniqueConstraint("id", name="uq_api_tokens_id"),
    )
    op.create_table(
        "results",
        _table_id("results"),
        _account("results"),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("opponents", sa.JSON, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "account_id", name="pk_results"),
    )
    op.create_index("ix_results_account_id", "results", ["account_id", "at"])
    op.create_table(
        "subscriptions",
        sa.Column("endpoint_hash", sa.String(64), nullable=False),
        _account("subscriptions"),
        sa.Column("endpoint", sa.String(1000), nullable=False),
        sa.Column("p256dh", sa.String(200), nullable=False),
        sa.Column("auth", sa.String(100), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("endpoint_hash", name="pk_subscriptions"),
    )
    op.create_table(
        "notices",
        sa.Column("id", sa.String(16), nullable=False),
        _account("notices"),
        _table_id("notices"),
        sa.Column("begun", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("channel", sa.String(8), nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("due_at", MOMENT, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_notices"),
        sa.UniqueConstraint(
            *("account_id", "table_id", "begun", "kind", "channel"),
            name="uq_notices_account_id_table_id_begun_kind_channel",
        ),
    )
    op.create_index("ix_notices_state", "notices", ["state", "due_at"])
    op.create_table(
        "watchers",
        sa.Column("stream", sa.String(16), nullable=False),
        _account("watchers"),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("until", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("stream", name="pk_watchers"),
    )
    op.create_index("ix_watchers_until", "watchers", ["until"])
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("value", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_secrets"),
    )
    for table in ("sessions", "api_tokens", "subscriptions", "notices", "watchers"):
        op.create_index(f"ix_{table}_account_id", table, ["account_id"])


def _table_id(table: str) -> "sa.Column[str]":
    link = sa.ForeignKey("tables.id", name=f"fk_{table}_table_id", ondelete="CASCADE")
    return sa.Column("table_id", sa.String(16), link, nullable=False)


def _account(table: str) -> "sa.Column[str]":
    link = sa.ForeignKey("accounts.id", name=f"fk_{table}_account_id", ondelete="CASCADE")
    return sa.Column("account_id", sa.String(16), link, nullable=False)


def downgrade() -> None:
    for table in ("secrets", "watchers", "notices", "subscriptions", "results", "api_tokens", "sessions", "accounts"):
        op.drop_table(table)
    with op.batch_alter_table("tables") as tables:
        for column in ("hours", "vacation", "time_out", "stand_in", "rated", "ended_at", "settled"):
            tables.drop_column(column)
