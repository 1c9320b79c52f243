"""How much is too much: requests by address, by account and by table. Counted in memory, by each process for itself."""

import ipaddress
import math
import re
import time
from dataclasses import dataclass

from limits import RateLimitItem, parse_many
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.requests import Request

from franchise.server.people.sessions import program, signed_in
from franchise.server.tables.errors import TooMany


@dataclass(frozen=True)
class Rule:
    """What is allowed of one kind of request; "" for no limit."""

    name: str
    method: str
    path: str  # a regular expression; the group `table` names a table
    address: str = ""
    account: str = ""
    table: str = ""


TABLE = r"/(?:api/tables|t)/(?P<table>[^/]+)"
RULES = (
    Rule("sign-in", "POST", r"/sign-in", address="20/5 minutes; 100/hour"),
    Rule("register", "POST", r"/register", address="10/hour; 30/day"),
    Rule("email", "POST", r"/account/email", address="20/hour", account="10/hour"),
    Rule("account", "POST", r"/account(/.*)?|/unsubscribe/.*|/confirm/.*", address="120/hour", account="120/hour"),
    Rule("export", "GET", r"/account/export", address="20/hour"),
    Rule("import", "POST", r"/look", address="20/minute; 200/hour"),
    Rule("create", "POST", rf"/tables|/api/tables|{TABLE}/(continue|rematch)", "60/minute; 600/hour", "60/minute"),
    Rule("move", "POST", rf"{TABLE}/(moves?|undo)", address="6000/minute", account="3000/minute", table="1200/minute"),
    Rule("hint", "POST", rf"{TABLE}/hint", address="60/minute", account="60/minute", table="30/minute"),
    Rule("chat", "POST", rf"{TABLE}/(chat|say)", address="60/minute", account="30/minute", table="60/minute"),
    Rule("seat", "POST", rf"{TABLE}/(seats/[^/]+|sit|back)", address="120/minute", table="60/minute"),
    Rule("seat", "DELETE", rf"{TABLE}/seats/[^/]+", address="120/minute", table="60/minute"),
    Rule("analysis", "POST", rf"{TABLE}/analysis(/stop)?", address="30/minute", table="30/minute"),
    Rule("moment", "GET", rf"{TABLE}/analysis/moment", address="60/minute", table="60/minute"),
    Rule("setting", "POST", r"/settings", address="120/minute"),
    Rule("lesson", "POST", r"/learn/.*", address="600/minute"),
)
BY_NAME_AND_ADDRESS = "10/15 minutes"  # attempts at one account from one address
BY_MAILBOX = "3/day"  # letters that ask an address whether it wants to be told
BY_NAME = "200/hour"  # attempts at one account: many, for its owner is not to be shut out


class Limits:
    """Counts, and refuses with TooMany."""

    def __init__(self, factor: float = 1.0) -> None:
        self.factor = factor
        self.counter = MovingWindowRateLimiter(MemoryStorage())
        self.rules = [(rule, re.compile(rule.path)) for rule in RULES]
        self.items: dict[str, list[RateLimitItem]] = {}

    def hit(self, allowed: str, *who: str) -> None:
        """Count one; TooMany where that is one more than allowed."""
        if not self.factor or not allowed:
            return
        for item in self._items(allowed):
            if not self.counter.hit(item, *who):
                reset = self.counter.get_window_stats(item, *who).reset_time
                raise TooMany(max(1, math.ceil(reset - time.time())))

    def _items(self, allowed: str) -> list[RateLimitItem]:
        if allowed not in self.items:
            self.items[allowed] = [
                type(item)(max(1, round(item.amount * self.factor)), item.multiples) for item in parse_many(allowed)
            ]
        return self.items[allowed]

    def request(self, request: Request) -> None:
        """Count a request; TooMany."""
        found = self.rule(request.method, request.scope["path"]) if self.factor else None
        if found is None:
            return
        rule, table = found
        session = signed_in(request)
        somebody = program(request) or (session.account if session is not None else None)
        self.hit(rule.address, rule.name, "address", address_of(request))
        if somebody is not None:
            self.hit(rule.account, rule.name, "account", somebody.id)
        if table:
            self.hit(rule.table, rule.name, "table", table)

    def rule(self, method: str, path: str) -> tuple[Rule, str | None] | None:
        """The rule of a request, and the table it is about."""
        for rule, pattern in self.rules:
            match = pattern.fullmatch(path) if rule.method == method else None
            if match is not None:
                return rule, match.groupdict().get("table")
        return None

    def sign_in(self, name_key: str, request: Request) -> None:
        """Count an attempt to sign in under a name."""
        self.hit(BY_NAME_AND_ADDRESS, "sign-in", "name", name_key, address_of(request))
        self.hit(BY_NAME, "sign-in", "name", name_key)

    def letter(self, email: str) -> None:
        """Count a letter to an address that has not asked for it."""
        self.hit(BY_MAILBOX, "letter", email.casefold())


def address_of(request: Request) -> str:
    """Where a request comes from. Whoever has one IPv6 address has all of its network, so that is what counts."""
    host = request.client.host if request.client else ""
    if ":" not in host:
        return host
    found = ipaddress.IPv6Address(host.partition("%")[0])
    return str(found.ipv4_mapped or ipaddress.IPv6Network((found, 64), strict=False))
