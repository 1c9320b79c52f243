"""Histories of changes: continued without a copy, and never changed by who continues them."""

from datetime import UTC, datetime

from franchise.server.tables.change_history import ChangeHistory
from franchise.server.tables.table import Change

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def change(version: int, name: str | None = None) -> Change:
    return Change(version, "move", 0, "done", NOW, name)


FIRST, SECOND, OTHER = change(1, "a"), change(2, "b"), change(2, "c")


def test_a_longer_history_leaves_the_shorter_one_as_it_was() -> None:
    short = ChangeHistory().followed_by([FIRST])
    longer = short.followed_by([SECOND])
    assert (list(short), list(longer)) == ([FIRST], [FIRST, SECOND])
    assert (len(short), short[-1], longer[-1], longer[0:1]) == (1, FIRST, SECOND, (FIRST,))
    assert short.named("b") is None
    assert longer.named("b") is SECOND
    assert short != longer


def test_of_two_who_continue_a_history_neither_sees_the_other() -> None:
    short = ChangeHistory([FIRST])
    one, two = short.followed_by([SECOND]), short.followed_by([OTHER])
    assert (list(one), list(two)) == ([FIRST, SECOND], [FIRST, OTHER])
    assert (one.named("c"), two.named("b"), two.named("c")) == (None, None, OTHER)
    assert two == ChangeHistory([FIRST, OTHER])


def test_changes_without_a_name_are_not_found_by_one() -> None:
    assert ChangeHistory([change(1)]).named("") is None
