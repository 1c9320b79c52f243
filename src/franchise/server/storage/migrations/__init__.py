"""Schema migrations; `make_current` and `upgrade` run them, `check` says whether all have run."""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Column, Connection, MetaData, PrimaryKeyConstraint, String, Table, insert, inspect, select

from franchise.server.storage import schema
from franchise.server.tables.errors import DatabaseUnusable

if TYPE_CHECKING:
    from alembic.config import Config  # loaded where it is needed: that takes as long as opening a database

FOLDER = Path(__file__).parent
# What Alembic keeps of itself in a database: the step it is at.
VERSION = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
NEWEST = max(step.stem.partition("_")[0] for step in FOLDER.glob("versions/[0-9]*.py"))


def steps() -> "Config":
    """Where Alembic finds the steps."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return config


def found(connection: Connection) -> str | None:
    """The migration that a database is at; None for an empty one."""
    if not inspect(connection).has_table(VERSION.name):
        return None
    step: str | None = connection.scalar(select(VERSION.c.version_num))
    return step


def make_current(connection: Connection) -> None:
    """Upgrade a database; an empty one gets the newest schema at once, without waiting for Alembic to load."""
    if inspect(connection).get_table_names():
        upgrade(connection)
        return
    schema.metadata.create_all(connection, checkfirst=False)
    VERSION.create(connection)
    connection.execute(insert(VERSION).values(version_num=NEWEST))


def upgrade(connection: Connection, to: str = "head") -> None:
    """Run the missing migrations; DatabaseUnusable if the database was made by a later version."""
    if to == "head" and found(connection) == NEWEST:
        return
    from alembic import command
    from alembic.util import CommandError

    config = steps()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, to)
    except CommandError as error:
        raise DatabaseUnusable(f"the database was made by another version of Franchise ({error})") from None


def check(connection: Connection) -> None:
    """DatabaseUnusable if the schema is not that of this version."""
    at = found(connection)
    if at == NEWEST:
        return
    if at is None or at < NEWEST:
        raise DatabaseUnusable("the database is not of this version of Franchise; run: franchise db upgrade")
    raise DatabaseUnusable(f"the database was made by another version of Franchise (its schema is {at})")
