"""The steps from one schema to the next; `upgrade` makes a database current."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection

from franchise.server.errors import DatabaseUnusable


def upgrade(connection: Connection) -> None:
    """Carry out the steps a database lacks; DatabaseUnusable for one that a later version made."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise DatabaseUnusable(f"the database was made by another version of Franchise ({error})") from None
