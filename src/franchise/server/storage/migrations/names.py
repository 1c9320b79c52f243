"""For steps that change how names of accounts are compared."""

import logging

import sqlalchemy as sa

from franchise.server.tables.account_names import LONGEST, name_key

log = logging.getLogger(__name__)


def compare_names(connection: sa.Connection) -> None:
    """Write down by what names are compared; the oldest of those that look the same keeps it."""
    accounts = sa.table("accounts", sa.column("id"), sa.column("name"), sa.column("name_key"), sa.column("created_at"))
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
