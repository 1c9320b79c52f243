"""Names: those that look the same are the same name, and one of nothing visible is none."""

import pytest
from alembic import command
from sqlalchemy import Connection, select, update

from franchise.server.storage import schema
from franchise.server.storage.migrations import steps, upgrade
from franchise.server.tables.account_names import name_key, proper
from franchise.server.tables.errors import NameTaken, Refused
from franchise.server.tables.new_table import short
from server.in_process_site import PASSWORD, InProcessSite

LIKE_ZOE = {
    "a variation selector": "Zoe\ufe0f",
    "a selector of the supplement": "Zoe\U000e0100",
    "a Hangul filler": "Zoe\u3164",
    "a half-width filler": "Zoe\uffa0",
    "a Braille blank": "Zoe\u2800",
    "a combining grapheme joiner": "Z\u034foe",
    "Cyrillic letters": "Z\u043e\u0435",
    "a Greek letter": "Z\u03bfe",
    "a Greek capital": "\u0396oe",
    "mathematical letters": "\U0001d419\U0001d428\U0001d41e",
    "full-width letters": "\uff3a\uff4f\uff45",
    "a digit": "Z0e",
    "another case": "zOE",
}
NOBODY = ["\u3164\u3164", "\u2800\u2800\u2800", "\u115f\u1160", "\uffa0\uffa0"]


@pytest.mark.parametrize("kind", LIKE_ZOE)
def test_names_that_look_the_same_have_one_key(kind: str) -> None:
    assert name_key(LIKE_ZOE[kind]) == name_key("Zoe")


def test_a_capital_of_another_script_is_the_letter_it_looks_like() -> None:
    for name, other in (("Bob", "\u0412ob"), ("Ian", "\u0406an"), ("ian", "\u0399an"), ("Anna", "\u0391nna")):
        assert name_key(name) == name_key(other), (name, other)
    assert name_key("\u0410\u041d\u041d\u0410") == name_key("\u0410\u043d\u043d\u0430")  # Anna, in Russian


def test_names_that_look_different_are_different() -> None:
    names = [
        "Zoe",
        "Zo\u00eb",
        "Zoey",
        "Zo e",
        "Elia",
        "Ella",
        "\u0410\u043d\u043d\u0430",
        "\u9648\u90d1",
        "\u90d1\u9648",
        "Ann 1",
        "Ann 2",
    ]
    assert len({name_key(name) for name in names}) == len(names)
    assert all(proper(name) == name for name in names)


@pytest.mark.parametrize("name", NOBODY)
def test_a_name_of_nothing_visible_is_none(name: str) -> None:
    with pytest.raises(Refused, match="letters or digits"):
        proper(name)
    assert short(name) == ""


async def test_nobody_registers_beside_somebody_who_looks_the_same(site: InProcessSite) -> None:
    await site.member("Zoe")
    for name in LIKE_ZOE.values():
        with pytest.raises(NameTaken):
            await site.people.accounts.register(name, PASSWORD)
    assert (await site.people.accounts.sign_in("ZOE", PASSWORD)).name == "Zoe"


def downgrade(connection: Connection) -> None:
    """To the schema before names were compared by how they look."""
    config = steps()
    config.attributes["connection"] = connection
    command.downgrade(config, "0005")


async def test_names_from_before_are_told_apart_by_a_number(site: InProcessSite) -> None:
    """What was registered while look-alikes could be: the oldest keeps the name."""
    for name in ("Zoe", "Somebody", "Another"):
        await site.member(name)
    a = schema.accounts
    async with site.people.accounts.database.writer.begin() as connection:
        for name, alike in (("Somebody", "Zoe\u3164"), ("Another", "Z0e")):
            await connection.execute(update(a).where(a.c.name == name).values(name=alike, name_key=f"old {alike}"))
        await connection.run_sync(downgrade)
        await connection.run_sync(upgrade)
        rows = (await connection.execute(select(a.c.name, a.c.name_key).order_by(a.c.created_at))).all()
    assert [tuple(row) for row in rows] == [(name, name_key(name)) for name in ("Zoe", "Zoe\u3164 2", "Z0e 3")]
