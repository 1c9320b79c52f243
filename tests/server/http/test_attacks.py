"""Nobody acts for somebody else: every route that changes something is walked, by strangers and from other sites."""

import hashlib
import re
import resource
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import httpx
from fastapi.routing import APIRoute
from sqlalchemy import select

from franchise import Game
from franchise.server.http.limits import RULES, Limits
from franchise.server.http.middleware import SAFE
from franchise.server.storage import schema
from franchise.web.app import create_app
from server.in_process_site import PASSWORD, SQLITE_ONLY, InProcessSite, move, notice, open_table
from server.running_servers import PATIENCE, ServerProcess

# What anybody may do without a seat, a session or a token, and why that is right.
OPEN = {
    "POST /api/tables": "a new table changes nobody's",
    "POST /tables": "a new table changes nobody's",
    "POST /look": "a new table with a record on it",
    "POST /t/{table_id}/continue": "a new table that begins where another stands; that one stays as it is",
    "POST /api/tables/{table_id}/seats/{seat}": "an open seat is for anybody; a taken one is refused",
    "POST /t/{table_id}/sit": "an open seat is for anybody; a taken one is refused",
    "POST /settings": "language and colours, kept in the visitor's own cookies",
    "POST /learn/{number}/move": "a lesson is kept by nobody",
    "POST /register": "whoever comes has no account yet",
    "POST /sign-in": "the password is the credential",
    "POST /forgotten": "the answer is the same for everybody; a message goes to a confirmed address only",
    "POST /password/{token}": "the signed token is the credential",
    "POST /confirm/{token}": "the signed token is the credential",
    "POST /unsubscribe/{token}": "the signed token is the credential",
}
BODIES: dict[str, Any] = {  # by the end of the path: what a good request would send
    "moves": {"json": {"version": 1, "move": "start Raleigh", "move_id": "attack"}},
    "undo": {"data": {"version": "1"}},
    "take-back": {"data": {"version": "1", "place": "Denver"}},
    "hint": {"data": {"version": "1"}},
    "move": {"data": {"version": "1", "moves": "start Raleigh"}},
    "chat": {"json": {"text": "boo"}},
    "say": {"data": {"text": "boo"}},
    "sit": {"data": {"seat": "0", "name": "Eve"}},
    "fill": {"data": {"seat": "0"}},
    "free": {"data": {"seat": "0"}},
    "leave": {"data": {"seat": "0"}},
    "vote": {"data": {"what": "abort"}},
    "report": {"data": {"message": "1"}},
    "push": {"json": {"endpoint": "https://push.example/x", "keys": {"p256dh": "x", "auth": "x"}}},
    "password": {"data": {"old": PASSWORD, "new": "eve was here"}},
    "delete": {"data": {"password": PASSWORD}},
    "email": {"data": {"email": "eve@example.org"}},
    "webhook": {"data": {"webhook": "https://hooks.example/x"}},
    "tokens": {"data": {"name": "eve"}},
}


def routes(*, safe: bool) -> Iterator[tuple[str, str]]:
    """Every method and path of the site."""
    found = list(walk(create_app().routes))
    assert len(found) > 50
    return ((method, path) for method, path in found if (method in SAFE) == safe)


def walk(known: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """The routes of an application and of the routers it includes, whichever way the library keeps those."""
    for route in known:
        if isinstance(route, APIRoute):
            yield from ((method, route.path) for method in sorted(route.methods))
        elif hasattr(route, "original_router"):
            yield from walk(route.original_router.routes)
        else:
            assert route.path == "/openapi.json", f"what is {route}? Teach this test to walk it"


def filled(path: str, table: str) -> str:
    values = {
        "table_id": table,
        "seat": "0",
        "number": "1",
        "name": "Ann",
        "session": "x",
        "token": "x",
        "path": "page.js",
    }
    return re.sub(r"{(\w+)(?::path)?}", lambda found: values.get(found[1], "1"), path)


def body(method: str, path: str) -> dict[str, Any]:
    last = path.rstrip("/").rpartition("/")[2]
    if path.startswith("/api") and last == "undo":
        return {"json": {"version": 1, "move_id": "attack"}}
    return dict(BODIES.get(last, {})) if method != "DELETE" else {}


async def digest(site: InProcessSite) -> str:
    """Everything in the database, but when somebody was last seen, and signs of life of servers."""
    rows = hashlib.sha256()
    async with site.people.accounts.database.reader.connect() as connection:
        for table in schema.metadata.sorted_tables:
            if table is schema.servers:
                continue  # written by whoever asks whether the server is ready
            columns = [column for column in table.c if column.name != "seen_at"]
            for row in sorted(map(str, await connection.execute(select(*columns)))):
                rows.update(row.encode())
    return rows.hexdigest()


async def send(browser: httpx.AsyncClient, method: str, path: str, table: str, **more: Any) -> httpx.Response:
    headers = {"HX-Request": "true"} | more.pop("headers", {})
    return await browser.request(method, filled(path, table), headers=headers, **body(method, path), **more)


async def prepared(site: InProcessSite) -> tuple[str, httpx.AsyncClient]:
    """A table where Ann, who holds both seats, is in the middle of the set-up; and Ann."""
    ann = await site.member("Ann")
    table = await open_table(ann, "me", "guest")
    await move(ann, site, table, "start Memphis")
    return table, ann


@SQLITE_ONLY
async def test_what_changes_something_needs_its_seat_or_session(new_site: Any) -> None:
    async with new_site(limits=0) as site:
        table, _ = await prepared(site)
        stranger, eve = await site.visitor(), await site.member("Eve")
        walked = 0
        for method, path in routes(safe=False):
            for visitor, allowed in ((stranger, (401, 403)), (eve, (401, 403))):
                if f"{method} {path}" in OPEN or (visitor is eve and path.startswith("/account")):
                    continue
                before = await digest(site)
                answer = await send(visitor, method, path, table)
                assert answer.status_code in allowed, f"{method} {path} answers {answer.status_code} to a stranger"
                assert await digest(site) == before, f"{method} {path} changes something"
                walked += 1
        assert walked > 20


@SQLITE_ONLY
async def test_what_is_open_to_anybody_does_not_touch_what_is_somebodys(new_site: Any) -> None:
    async with new_site(limits=0) as site:
        table, _ = await prepared(site)
        kept = await site.tables.cached(table)
        for entry in OPEN:
            method, path = entry.split(" ")
            assert (method, path) in set(routes(safe=False)), f"{entry} is gone: take it off the list"
            visitor = await site.visitor()
            answer = await send(visitor, method, path, table)
            assert answer.status_code < 500, entry
            assert (await site.tables.cached(table)).seats == kept.seats, entry
            assert (await site.tables.get(table)).version == kept.table.version, entry


@SQLITE_ONLY
async def test_looking_changes_nothing(new_site: Any) -> None:
    async with new_site(limits=0) as site:
        table, ann = await prepared(site)
        before = await digest(site)
        for browser in (ann, await site.visitor()):
            for _, path in sorted(set(routes(safe=True))):
                if path.endswith("/events"):
                    continue  # a stream without an end
                more = "?move=end" if path.endswith("/preview") else "?place=Reno" if path.endswith("/why") else ""
                answer = await browser.get(filled(path, table) + more)
                assert answer.status_code < 500, path
        assert await digest(site) == before


@SQLITE_ONLY
async def test_forms_of_other_sites_are_refused(new_site: Any) -> None:
    async with new_site(limits=0) as site:
        table, ann = await prepared(site)
        before = await digest(site)
        for method, path in routes(safe=False):
            for headers in (
                {"Origin": "https://evil.example"},
                {"Origin": "null"},
                {"Sec-Fetch-Site": "cross-site"},
                {"Sec-Fetch-Site": "same-site", "Origin": "http://other.table"},
            ):
                answer = await send(ann, method, path, table, headers=headers)
                assert (answer.status_code, answer.json()["error"]) == (403, "cross_origin"), f"{method} {path}"
        assert await digest(site) == before
        answer = await ann.post("/settings", data={"language": "de"}, headers={"Origin": "http://table"})
        assert answer.status_code == 303
        assert all("samesite=lax" in kept.lower() for kept in answer.headers.get_list("set-cookie"))


@SQLITE_ONLY
async def test_a_password_that_browsers_send_by_themselves_does_not_excuse_another_site(site: InProcessSite) -> None:
    _, ann = await prepared(site)
    headers = {"Origin": "https://evil.example", "Authorization": "Basic YW5uOngK"}  # of a proxy that asks for one
    assert (await ann.post("/account/sign-out-everywhere", headers=headers)).status_code == 403
    assert (await ann.get("/account")).status_code == 200


def careful(answer: httpx.Response) -> None:
    """What every answer says to browsers."""
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "script-src" not in policy  # nothing beyond the default
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert "permissions-policy" in answer.headers


@SQLITE_ONLY
async def test_every_answer_forbids_what_it_does_not_need(new_site: Any) -> None:
    async with new_site(limits=0) as site:
        table, ann = await prepared(site)
        pages = 0
        for _, path in sorted(set(routes(safe=True))):
            if not path.endswith("/events"):
                answer = await ann.get(filled(path, table))
                careful(answer)
                if answer.headers.get("content-type", "").startswith("text/html"):
                    pages += 1
                    assert not re.search(r"<script(?![^>]*\ssrc=)", answer.text), path
                    assert not re.search(r"<[^>]*\s(on\w+|style)=\"", answer.text), path
        assert pages > 15
        eve = await site.visitor()
        for status, answer in (
            (404, await ann.get("/x")),
            (404, await ann.get("/api/x")),
            (404, await ann.get("/static/x.js")),
            (200, await ann.get("/static/page.js")),
            (405, await ann.put("/api/tables")),
            (401, await eve.post("/account/tokens")),
            (403, await ann.post("/look", headers={"Origin": "https://evil.example"})),
            (413, await ann.post("/settings", content=b"x" * 70_000)),
            (422, await ann.post("/api/tables", json={})),
        ):
            assert answer.status_code == status
            careful(answer)
            assert "strict-transport-security" not in answer.headers
        tls = await site.visitor("https://table")
        assert "strict-transport-security" in (await tls.get("/")).headers

        async def broken() -> Any:
            raise RuntimeError("a mistake of ours, with a secret in it")

        site.tables.open_tables = broken  # type: ignore[method-assign]
        transport = httpx.ASGITransport(site.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://table") as browser:
            for path in ("/", "/api/tables"):
                answer = await browser.get(path)
                assert answer.status_code == 500
                assert "secret" not in answer.text
                careful(answer)
                head = await browser.head(path)
                assert (head.status_code, head.content) == (500, b"")
                careful(head)


# --- limits ---


def test_whatever_changes_something_is_limited() -> None:
    limits = Limits()
    unlimited = [
        f"{method} {path}" for method, path in routes(safe=False) if limits.rule(method, filled(path, "abc")) is None
    ]
    assert not unlimited
    used = {
        limits.rule(method, filled(path, "abc"))[0]  # type: ignore[index]
        for method, path in [*routes(safe=False), *routes(safe=True)]
        if limits.rule(method, filled(path, "abc")) is not None
    }
    assert used == set(RULES)


@SQLITE_ONLY
async def test_too_much_is_answered_with_how_long_to_wait(site: InProcessSite) -> None:
    site.stop_limits_clock()
    table, ann = await prepared(site)
    answers = [await ann.post(f"/t/{table}/say", data={"text": "hello"}) for _ in range(31)]
    assert [answer.status_code for answer in answers] == [303] * 30 + [429]
    assert int(answers[-1].headers["retry-after"]) in range(1, 121)  # this minute counts for a part of the next
    assert "Too many requests" in answers[-1].text
    other = await site.visitor(address="192.0.2.9")
    opened = [await other.post("/api/tables", json={"seats": [{"kind": "human"}] * 2}) for _ in range(61)]
    assert [answer.status_code for answer in opened] == [201] * 60 + [429]
    assert opened[-1].json()["error"] == "too_many"
    assert int(opened[-1].headers["retry-after"]) in range(1, 121)
    third = await site.visitor(address="192.0.2.10")
    assert (await third.post("/api/tables", json={"seats": [{"kind": "human"}] * 2})).status_code == 201
    imported = [await third.post("/look", data={"record": "nonsense"}) for _ in range(21)]
    assert [answer.status_code for answer in imported] == [422] * 20 + [429]


@SQLITE_ONLY
async def test_moves_are_counted_by_table_also_on_the_short_way(new_site: Any) -> None:
    async with new_site(limits=0.01) as site:
        site.stop_limits_clock()
        browser = await site.visitor()
        made = (await browser.post("/api/tables", json={"seats": [{"kind": "human"}] * 2})).json()
        answers = []
        for number in range(13):
            guest = await site.visitor(address=f"192.0.2.{number}")
            legal = str((await site.tables.get(made["id"])).game.legal_actions()[0])
            seat = (await site.tables.get(made["id"])).game.current_player
            bearer = {"Authorization": f"Bearer {made['tokens'][str(seat)]}"}
            order = {"version": number, "move": legal, "move_id": f"m{number}"}
            answers.append(await guest.post(f"/api/tables/{made['id']}/moves", json=order, headers=bearer))
        assert [answer.status_code for answer in answers] == [200] * 12 + [429]
        assert (await site.tables.get(made["id"])).version == 12


@SQLITE_ONLY
async def test_whoever_tries_many_names_is_slowed_down(new_site: Any) -> None:
    async with new_site(limits=0.1) as site:
        site.stop_limits_clock()
        neighbours = [await site.visitor(address=f"2001:db8::{number}") for number in range(4)]
        tried = [
            (await browser.post("/sign-in", data={"name": f"Name {number}", "password": PASSWORD})).status_code
            for number, browser in enumerate(neighbours)
        ]
        assert tried == [403, 403, 429, 429]  # one IPv6 network is one address
        other = await site.visitor(address="2001:db8:0:1::1")
        assert (await other.post("/sign-in", data={"name": "Name 9", "password": PASSWORD})).status_code == 403


def test_a_header_that_anybody_can_write_does_not_say_where_a_request_comes_from(
    tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setenv("FRANCHISE_LIMITS", "0.1")
    monkeypatch.setenv("FRANCHISE_PASSWORD_MEMORY", "64")
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1")  # the proxy; this machine is none
    process = ServerProcess(f"sqlite:///{tmp_path / 'franchise.db'}")
    try:
        with httpx.Client(base_url=process.address, timeout=60) as browser:
            tried = [
                browser.post(
                    "/sign-in", data={"name": f"Name {number}"}, headers={"X-Forwarded-For": f"192.0.2.{number}"}
                ).status_code
                for number in range(3)
            ]
        assert tried == [403, 403, 429]
    finally:
        process.stop()


# --- inputs ---

EVIL = "<img src=x onerror=alert(1)>"


@SQLITE_ONLY
async def test_names_and_chat_are_text_wherever_they_are_shown(site: InProcessSite) -> None:
    browser = await site.visitor()
    table = await open_table(browser, "me", "open", name=EVIL, public="1")
    other = await site.visitor()
    await other.post(f"/t/{table}/sit", data={"seat": "1", "name": '"><svg/onload=x>'})
    await browser.post(f"/t/{table}/say", data={"text": EVIL})
    citizen = await site.member("<b>Eve</b>".replace("/", "|"))
    for who, path in (
        (browser, f"/t/{table}"),
        (browser, "/"),
        (citizen, "/account"),
        (citizen, "/people/%3Cb%3EEve%3C|b%3E"),
    ):
        text = (await who.get(path)).text
        assert "<img src=x" not in text
        assert "<svg/onload" not in text
        assert "<b>Eve" not in text
    assert "&lt;img src=x onerror=alert(1)&gt;" in (await browser.get(f"/t/{table}")).text
    record = await browser.get(f"/api/tables/{table}/record")
    assert record.headers["content-type"].startswith("text/plain")
    assert Game.from_text(record.text).names == (EVIL, '"><svg/onload=x>')


HOSTILE = {
    "nothing": "",
    "a flood of lines": "\n" * 190_000,
    "a flood of comments": "franchise 1\n" + "# x\n" * 40_000,
    "a flood of options": "franchise 1\nplayers 5\n" + "option boom\n" * 10_000,
    "a flood of seats": "franchise 1\nplayers 5\n" + "seat 1 x\n" * 10_000,
    "a flood of tiles": "franchise 1\nplayers 5\ntiles " + "Texas " * 30_000,
    "a flood of moves": "franchise 1\nplayers 2\nmoves\n" + "start Reno;" * 17_000,
    "a long line": "franchise 1\nplayers 2\nmoves\nstart " + "R" * 190_000,
    "a long word": "x" * 199_000,
    "control characters": "franchise 1\nplayers 2\nseat 0 \x1b[2J\nmoves\n",
    "a great number": "franchise 1\nplayers " + "9" * 100_000,
    "surrogates": "franchise 1\nplayers 2\nseat 0 \ud800\nmoves\n",
    "digits of another script": "franchise 1\nplayers ٢\nmoves\n",
}


@SQLITE_ONLY
async def test_hostile_records_are_refused_and_cost_little(new_site: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("franchise.web.app.CALM_S", PATIENCE)  # the rest of the site is not loaded meanwhile
    async with new_site(limits=0) as site:
        browser = await site.visitor()
        await browser.post("/look", data={"record": "x"})
        before, slowest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, 0.0
        for what, record in HOSTILE.items():
            began = time.process_time()
            sent = record.encode(errors="surrogatepass")
            answer = await browser.post("/look", files={"record": (None, sent, "text/plain; charset=utf-8")})
            assert answer.status_code in (400, 422), what
            if "\ud800" not in record:
                seats = [{"kind": "human"}] * 2
                answer = await browser.post("/api/tables", json={"seats": seats, "record": record})
                assert answer.status_code in (413, 422), what  # as JSON some are too long
            slowest = max(slowest, time.process_time() - began)
        assert slowest < 2.0, "a record took seconds of work"
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kB
        assert notice(await browser.post("/look", data={"record": "x"}))
        long = await browser.post("/look", data={"record": "x" * 300_000})
        assert long.status_code == 413
        assert (await browser.post("/sign-in", data={"name": "x" * 100_000})).status_code in (413, 422)
        assert (await browser.post("/settings", data={"language": "x" * 70_000})).status_code == 413
        for body in (b"[" * 60_000, b'{"seats":' * 6_000, b"9" * 60_000, b'"\\ud800"', b"\xff"):
            answer = await browser.post("/api/tables", content=body, headers={"Content-Type": "application/json"})
            assert answer.status_code in (400, 422), body[:10]
