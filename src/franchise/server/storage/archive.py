"""Archived games: all changes in one small record instead of a row for each."""

import zlib
from collections.abc import Iterable
from datetime import datetime, timedelta

import orjson

from franchise.server.tables.table import Change

MILLISECOND = timedelta(milliseconds=1)


def packed(changes: Iterable[Change], created_at: datetime) -> bytes:
    """Changes as bytes. Their move_ids are left out, because nobody repeats a request after that time."""
    rows, before = [], created_at
    for change in changes:
        waited = (change.at - before) // MILLISECOND
        rows.append((change.kind[0], change.seat, change.text, int(change.by_bot), waited))
        before += waited * MILLISECOND
    return zlib.compress(orjson.dumps([list(column) for column in zip(*rows, strict=True)]), 9)


def unpacked(data: bytes, created_at: datetime) -> tuple[Change, ...]:
    """The changes from bytes; ValueError if they are invalid."""
    try:
        columns = orjson.loads(zlib.decompress(data))
    except zlib.error as error:
        raise ValueError(f"the archived changes cannot be read: {error}") from None
    changes, at = [], created_at
    for version, (kind, seat, text, by_bot, waited) in enumerate(zip(*columns, strict=True), 1):
        at += waited * MILLISECOND
        changes.append(Change(version, "undo" if kind == "u" else "move", seat, text, at, None, bool(by_bot)))
    return tuple(changes)
