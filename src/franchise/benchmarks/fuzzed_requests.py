"""Fuzzed requests: for every route some with odd text, headers, fields and bodies."""

import random
import re
from collections.abc import Sequence
from typing import Any

from franchise.server.http.middleware import SAFE

TEXTS = (  # text that people do not write
    "",
    " ",
    "0",
    "-1",
    "9" * 5000,
    "x" * 2000,
    "\0",
    "a\0b",
    "\x1b[31m",
    "\u202egnp",
    "\u3164",
    "Zo\u0435\ufe0f",
    "\U0001f469\u200d\U0001f469",
    "<script>alert(1)</script>",
    "{{ 7 * 7 }}",
    "' OR 1=1 --",
    "../../etc/passwd",
    "%2e%2e%2f",
    "http://[",
    "javascript:alert(1)",
    "true",
    "null",
    "1e999",
    "\u0661\u0662",
)
HEADERS: tuple[dict[str, str], ...] = (  # headers that browsers do not send
    {},
    {"Origin": "http://["},
    {"Referer": "http://["},
    {"X-Forwarded-For": "foo:bar"},
    {"Accept-Language": "x" * 3000},
    {"Authorization": "Bearer " + "x" * 3000},
    {"Authorization": "Basic Og=="},
    {"Cookie": 'franchise_session="; franchise_key=%00; lang=../../x'},
    {"Content-Type": "multipart/form-data; boundary=x; charset=punycode"},
    {"Content-Type": "application/json; charset=utf-7"},
    {"HX-Request": "true"},
    {"Last-Event-ID": "9" * 40},
)
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE")


def fuzzed_request(
    chance: random.Random, method: str, path: str, tables: Sequence[str]
) -> tuple[str, str, dict[str, Any]]:
    """A request with some valid and some invalid parts."""

    def value(name: str) -> str:
        if chance.random() < 0.5:
            sound = {"table_id": chance.choice(tables), "version": "0", "move": "done", "seat": "1", "number": "1"}
            return sound.get(name, "x")
        return chance.choice(TEXTS)

    where = re.sub(r"{(\w+)}", lambda parameter: quoted(value(parameter[1])[:200]), path)
    more: dict[str, Any] = {"headers": dict(chance.choice(HEADERS))}
    if method in SAFE:
        if chance.random() < 0.5:
            names = ("move", "after", "place", "next", "first", "second", "version", "hidden")
            more["params"] = {name: value(name) for name in chance.sample(names, 2)}
        return method, where, more
    fillable = (
        "version",
        "move",
        "moves",
        "move_id",
        "text",
        "name",
        "seat",
        "password",
        "old",
        "new",
        "record",
        "email",
    )
    fields = {
        name: value(name) for name in chance.sample((*fillable, "webhook", "players", "seed", "clock", "turn"), 5)
    }
    shape = chance.random()
    if shape < 0.5:
        more["data"] = fields
    elif shape < 0.8:
        odd: list[Any] = [None, True, [], {}, 1.5, 2**80, [[["x"]]], *fields.values()]
        more["json"] = {name: chance.choice(odd) for name in (*fields, "seats", "options")}
    elif shape < 0.9:
        more["files"] = {name: (None, text) for name, text in fields.items()}
        more["headers"].pop("Content-Type", None)
    else:
        more["content"] = bytes(chance.randrange(256) for _ in range(chance.choice((0, 7, 900))))
    return method, where, more


def quoted(text: str) -> str:
    return "".join(f"%{byte:02x}" if not chr(byte).isalnum() else chr(byte) for byte in text.encode()) or "%20"
