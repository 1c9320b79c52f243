"""Capital letters of other scripts that look like ours are compared by how they look, too."""

from alembic import op

from franchise.server.storage.migrations.names import compare_names

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    compare_names(op.get_bind())


def downgrade() -> None:
    """Names stay as they are."""
