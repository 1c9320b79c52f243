"""Rate limits for requests and streams by address, account and table.

Requests are counted in windows of time, and the previous window counts in proportion to its overlap (a sliding window
counter): two small numbers per key, dropped when they expire. Servers that share a database share their counts too,
with a short delay, so that no request waits for it.
"""

import asyncio
import ipaddress
import logging
import math
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from starlette.requests import HTTPConnection

from franchise.server.people.sessions import program, signed_in
from franchise.server.tables.errors import TooMany, Unavailable

MOST = 50_000  # counts in a window; beyond that, the oldest are forgotten
SHARED_S = 1.0  # between looks at what other servers have counted
SAID_S = 60.0  # between lines in the log about the same limit
MINUTE, HOUR, DAY = 60, 3600, 86400
STREAMS_OF_ADDRESS = 200  # a club behind one address
STREAMS_OF_TABLE = 1000
STREAM_WAIT_S = 10
ADDRESSES = 4096  # read before
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Rate:
    """How often something may be done within some seconds."""

    amount: int
    seconds: int


@dataclass(frozen=True)
class Rule:
    """The limits for one kind of request; a missing one means no limit."""

    name: str
    method: str
    path: str  # a regular expression; the group `table` names a table
    address: tuple[Rate, ...] = ()
    account: tuple[Rate, ...] = ()
    table: tuple[Rate, ...] = ()


def per(seconds: int, amount: int, *more: Rate) -> tuple[Rate, ...]:
    return (Rate(amount, seconds), *more)


TABLE = r"/(?:api/tables|t)/(?P<table>[^/]+)"
RULES = (  # tried in order, most frequent first
    Rule(
        "move",
        "POST",
        rf"{TABLE}/(moves?|undo|take-back)",
        address=per(MINUTE, 6000),
        account=per(MINUTE, 3000),
        table=per(MINUTE, 1200),
    ),
    Rule("sign-in", "POST", r"/sign-in|/forgotten|/password/.*", address=per(5 * MINUTE, 20, Rate(100, HOUR))),
    Rule("register", "POST", r"/register", address=per(HOUR, 10, Rate(30, DAY))),
    Rule("email", "POST", r"/account/email", address=per(HOUR, 20), account=per(HOUR, 10)),
    Rule(
        "account",
        "POST",
        r"/account(/.*)?|/unsubscribe/.*|/confirm/.*",
        address=per(HOUR, 120),
        account=per(HOUR, 120),
    ),
    Rule("export", "GET", r"/account/export", address=per(HOUR, 20)),
    Rule("import", "POST", r"/look", address=per(MINUTE, 20, Rate(200, HOUR))),
    Rule(
        "create",
        "POST",
        rf"/tables|/api/tables|{TABLE}/(continue|rematch)",
        address=per(MINUTE, 60, Rate(600, HOUR)),
        account=per(MINUTE, 60),
    ),
    Rule("hint", "POST", rf"{TABLE}/hint", address=per(MINUTE, 60), account=per(MINUTE, 60), table=per(MINUTE, 30)),
    Rule(
        "chat",
        "POST",
        rf"{TABLE}/(chat|say)",
        address=per(MINUTE, 60),
        account=per(MINUTE, 30),
        table=per(MINUTE, 60),
    ),
    Rule(
        "seat",
        "POST",
        rf"{TABLE}/(seats/[^/]+|sit|fill|back)",
        address=per(MINUTE, 120),
        table=per(MINUTE, 60),
    ),
    Rule(
        "host",
        "POST",
        rf"{TABLE}/(cancel|free|begin|leave|accept|decline|resign|vote|nudge|report)",
        address=per(MINUTE, 120),
        table=per(MINUTE, 60),
    ),
    Rule("seat", "DELETE", rf"{TABLE}/seats/[^/]+", address=per(MINUTE, 120), table=per(MINUTE, 60)),
    Rule("analysis", "POST", rf"{TABLE}/analysis(/stop)?", address=per(MINUTE, 30), table=per(MINUTE, 30)),
    Rule("moment", "GET", rf"{TABLE}/analysis/moment", address=per(MINUTE, 60), table=per(MINUTE, 60)),
    Rule("setting", "POST", r"/settings", address=per(MINUTE, 120)),
    Rule("lesson", "POST", r"/learn/.*", address=per(MINUTE, 600)),
)
BY_NAME_AND_ADDRESS = per(15 * MINUTE, 10)  # attempts at one account from one address
BY_MAILBOX = per(DAY, 3)  # messages that ask an address for confirmation
BY_NAME = per(HOUR, 200)  # attempts at one account: many, so that its owner is not locked out


class Window:
    """The counts of the current and the previous window."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        self.number = 0  # of the window since 1970
        self.current: dict[str, int] = {}
        self.previous: dict[str, int] = {}
        self.unshared: dict[str, int] = {}  # the part of `current` that other servers have not been told about

    def move_on(self, now: float) -> None:
        """Drop windows that have expired."""
        number = int(now // self.seconds)
        if number != self.number:
            self.previous = self.current if number == self.number + 1 else {}
            self.current, self.unshared, self.number = {}, {}, number

    def wait(self, who: str, amount: int, now: float) -> float:
        """Seconds until one more is allowed; 0 if it is allowed now."""
        passed = now / self.seconds - self.number
        current, previous = self.current.get(who, 0), self.previous.get(who, 0)
        room = amount - 1 - current
        if previous * (1 - passed) <= room:
            return 0.0
        if room >= 0:
            return (1 - passed - room / previous) * self.seconds
        return (1 - passed + 1 - (amount - 1) / current) * self.seconds

    def add(self, who: str) -> None:
        if who not in self.current and len(self.current) >= MOST:
            first = next(iter(self.current))
            del self.current[first]
            self.unshared.pop(first, None)
        self.current[who] = self.current.get(who, 0) + 1
        self.unshared[who] = self.unshared.get(who, 0) + 1


class SharedCounts(Protocol):
    """The counts of all servers that share a database."""

    async def add(self, seconds: int, number: int, counts: Mapping[str, int]) -> Mapping[str, int]:
        """Add to the counts of a window and return the new totals."""
        ...


class Limits:
    """Counts requests and raises TooMany. `factor` scales all limits; 0 means no limits."""

    def __init__(self, factor: float = 1.0, now: Callable[[], float] = time.time) -> None:
        self.factor = factor
        self.now = now
        self.windows: dict[int, Window] = {}
        self.rules = [(rule, re.compile(rule.path)) for rule in RULES]
        self.streams: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()  # by the name of the limit
        self.said: dict[str, float] = {}

    @property
    def counted(self) -> int:
        """How many counts are kept."""
        for window in self.windows.values():
            window.move_on(self.now())
        return sum(len(window.current) + len(window.previous) for window in self.windows.values())

    def hit(self, allowed: tuple[Rate, ...], name: str, who: str) -> None:
        """Count one; raises TooMany if that exceeds the limit."""
        if not self.factor:
            return
        now, key = self.now(), f"{name} {who}"
        for rate in allowed:
            window = self.windows.get(rate.seconds)
            if window is None:
                window = self.windows[rate.seconds] = Window(rate.seconds)
            window.move_on(now)
            wait = window.wait(key, max(1, round(rate.amount * self.factor)), now)
            if wait > 0:
                raise self.refusal(name, math.ceil(wait))
        for rate in allowed:
            self.windows[rate.seconds].add(key)

    def refusal(self, name: str, seconds: int) -> TooMany:
        """The answer to a request beyond the limit."""
        self.note(name)
        return TooMany(max(1, seconds))

    def note(self, name: str) -> None:
        """Count a refusal; it is logged, but not every time."""
        self.refusals[name] += 1
        now = self.now()
        if now - self.said.get(name, -SAID_S) >= SAID_S:
            self.said[name] = now
            log.warning("a limit holds (%s): %s refused so far", name, self.refusals[name])

    def request(self, request: HTTPConnection, known: Callable[[str], bool]) -> None:
        """Count a request; TooMany. A table counts once it is `known`: made-up names leave nothing behind."""
        found = self.rule(request.scope["method"], request.scope["path"]) if self.factor else None
        if found is None:
            return
        rule, table = found
        session = signed_in(request)
        somebody = program(request) or (session.account if session is not None else None)
        self.hit(rule.address, f"{rule.name} address", address_of(request))
        if somebody is not None and rule.account:
            self.hit(rule.account, f"{rule.name} account", somebody.id)
        if table and rule.table and known(table):
            self.hit(rule.table, f"{rule.name} table", table)

    def rule(self, method: str, path: str) -> tuple[Rule, str | None] | None:
        """The rule of a request, and the table it is about."""
        for rule, pattern in self.rules:
            match = pattern.fullmatch(path) if rule.method == method else None
            if match is not None:
                return rule, match.groupdict().get("table")
        return None

    def sign_in(self, name_key: str, request: HTTPConnection) -> None:
        """Count an attempt to sign in under a name."""
        self.hit(BY_NAME_AND_ADDRESS, "sign-in name and address", f"{name_key} {address_of(request)}")
        self.hit(BY_NAME, "sign-in name", name_key)

    def letter(self, email: str) -> None:
        """Count a message to an address that has not been confirmed."""
        self.hit(BY_MAILBOX, "letter", email.casefold())

    # --- streams ---

    def check_stream(self, address: str, table: str | None) -> None:
        """Raise TooMany if the address or the table has as many streams as allowed; None: no table."""
        for name, who, most in self._stream_limits(address, table):
            if self.factor and self.streams[f"{name} {who}"] >= most:
                raise self.refusal(name, STREAM_WAIT_S)

    @contextmanager
    def stream(self, address: str, table: str | None) -> Iterator[None]:
        """Count a stream while it is open; raises TooMany."""
        self.check_stream(address, table)
        keys = [f"{name} {who}" for name, who, _ in self._stream_limits(address, table)]
        self.streams.update(keys)
        try:
            yield
        finally:
            for key in keys:
                self.streams[key] -= 1
                if not self.streams[key]:
                    del self.streams[key]

    def _stream_limits(self, address: str, table: str | None) -> Iterator[tuple[str, str, int]]:
        yield "streams of an address", address, max(1, round(STREAMS_OF_ADDRESS * self.factor))
        if table is not None:
            yield "streams of a table", table, max(1, round(STREAMS_OF_TABLE * self.factor))

    # --- with other servers ---

    @asynccontextmanager
    async def shared(self, counts: SharedCounts | None) -> AsyncIterator[None]:
        """Share counts with other servers while this context is open; None if there are no others."""
        sharing = asyncio.create_task(self._keep_sharing(counts)) if counts is not None else None
        try:
            yield
        finally:
            if sharing is not None:
                sharing.cancel()
                with suppress(asyncio.CancelledError):
                    await sharing

    async def _keep_sharing(self, counts: SharedCounts) -> None:
        while True:
            await asyncio.sleep(SHARED_S)
            try:
                await self.share(counts)
            except Unavailable:  # which is logged; until then each server counts for itself
                continue
            except Exception:
                log.exception("limits could not be shared; trying again")

    async def share(self, counts: SharedCounts) -> None:
        """Publish the counts since the last time, and read the totals of all servers."""
        for window in list(self.windows.values()):
            window.move_on(self.now())
            if not window.unshared:
                continue
            number, told, window.unshared = window.number, window.unshared, {}
            totals = await counts.add(window.seconds, number, told)
            if window.number == number:
                for who, total in totals.items():
                    if who in window.current:
                        window.current[who] = total + window.unshared.get(who, 0)


def address_of(request: HTTPConnection) -> str:
    """Where a request comes from."""
    return network_of(request.client.host if request.client else "")


@lru_cache(ADDRESSES)
def network_of(host: str) -> str:
    """What counts as one address: for IPv6 the whole network, because one client usually has all of it."""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:  # a proxy said something else: all of that is one address
        return "?"
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ipaddress.IPv6Network((found, 64), strict=False))
