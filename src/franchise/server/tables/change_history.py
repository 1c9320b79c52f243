"""The changes of a table: a sequence that is continued without being copied."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from franchise.server.tables.table import Change


class ChangeHistory(Sequence["Change"]):
    """Changes that never change: whoever continues them gets another history, with which the list is shared.

    A list is continued once. Who continues an older history, because something else was written meanwhile, gets a copy.
    """

    __slots__ = ("_changes", "_length", "_named")

    def __init__(self, changes: Sequence["Change"] = ()) -> None:
        self._changes = list(changes)
        self._length = len(self._changes)
        self._named = {change.move_id: number for number, change in enumerate(changes) if change.move_id is not None}

    def followed_by(self, changes: Sequence["Change"]) -> "ChangeHistory":
        """A history with these changes after its own."""
        if self._length != len(self._changes):
            return ChangeHistory([*self, *changes])
        longer = ChangeHistory.__new__(ChangeHistory)
        longer._changes, longer._named = self._changes, self._named
        for number, change in enumerate(changes, self._length):
            self._changes.append(change)
            if change.move_id is not None:
                self._named[change.move_id] = number
        longer._length = len(self._changes)
        return longer

    def named(self, move_id: str) -> "Change | None":
        """The change that a client made under that name."""
        number = self._named.get(move_id, self._length)
        return self._changes[number] if number < self._length else None

    @overload
    def __getitem__(self, index: int) -> "Change": ...

    @overload
    def __getitem__(self, index: slice) -> tuple["Change", ...]: ...

    def __getitem__(self, index: int | slice) -> "Change | tuple[Change, ...]":
        if isinstance(index, slice):
            return tuple([self._changes[number] for number in range(self._length)[index]])
        return self._changes[range(self._length)[index]]

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator["Change"]:
        return islice(self._changes, self._length)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChangeHistory) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]
