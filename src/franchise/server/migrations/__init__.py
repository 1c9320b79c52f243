"""The steps from one schema to the next; `upgrade` makes a database current, `check` says whether it is."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection

from franchise.server.errors import DatabaseUnusable


def steps() -> Config:
    """Where Alembic finds the steps."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config


def upgrade(connection: Connection, to: str = "head") -> None:
    """Carry out the steps a database lacks; DatabaseUnusable for one that a later version made."""
    config = steps()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, to)
    except CommandError as error:
        raise DatabaseUnusable(f"the database was made by another version of Franchise ({error})") from None


def check(connection: Connection) -> None:
    """DatabaseUnusable where the schema is not the one of this version."""
    found = MigrationContext.configure(connection).get_current_revision()
    script = ScriptDirectory.from_config(steps())
    if found == script.get_current_head():
        return
    if found is None or found in {step.revision for step in script.walk_revisions()}:
        raise DatabaseUnusable("the database is not of this version of Franchise; run: franchise db upgrade")
    raise DatabaseUnusable(f"the database was made by another version of Franchise (its schema is {found})")
