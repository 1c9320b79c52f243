"""Accounts: registering, sessions, claiming a guest's seats, tokens for programs, export and deletion."""

import importlib.util
import json
import re
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from franchise.server.people.sessions import COOKIE
from franchise.server.tables.hosting import Hosting
from server.in_process_site import PASSWORD, SQLITE_ONLY, InProcessSite, move, notice, open_table
from server.running_servers import contents, until

EXAMPLE = Path(__file__).parents[3] / "examples" / "account_bot.py"


async def test_an_account_is_made_kept_and_signed_in_with(new_site: Any, database: str) -> None:
    async with new_site() as site:
        ann = await site.member("Ann")
        assert "Ann" in (await ann.get("/account")).text
        answer = await ann.post("/account/sign-out")
        assert answer.status_code == 303
        assert (await ann.get("/account")).status_code == 303  # to the page to sign in by
        answer = await ann.post("/sign-in", data={"name": " ann ", "password": PASSWORD, "following": "/people"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/people")
        secret = str(ann.cookies[COOKIE])
    written = contents(database)
    assert "Ann" in written
    assert secret not in written
    assert PASSWORD not in written

    async with new_site() as site:
        ann = await site.visitor()
        ann.cookies.set(COOKIE, secret)
        assert (await ann.get("/account")).status_code == 200  # sessions outlive the server


WRONG = [
    ("A", PASSWORD, 422), ("x" * 41, PASSWORD, 422), ("a/b", PASSWORD, 422), ("a\x1bb", PASSWORD, 422),
    ("Bob", "short", 422), ("Bob", "x" * 201, 422), ("Bobby Bo", "bobby bo", 422), ("ａｎｎ", PASSWORD, 409),
]  # fmt: skip


async def test_what_no_account_can_be_is_refused(site: InProcessSite) -> None:
    await site.member("Ann")
    browser = await site.visitor()
    for name, password, status in WRONG:
        answer = await browser.post("/register", data={"name": name, "password": password})
        assert answer.status_code == status, (name, password)
        assert 'role="alert"' in answer.text
        assert COOKIE not in browser.cookies


@SQLITE_ONLY
async def test_signing_in_does_not_tell_whether_there_is_such_an_account(site: InProcessSite) -> None:
    await site.member("Ann")
    browser = await site.visitor()
    hashes = 0
    verify = site.people.accounts.passwords._verify

    def counted(*arguments: str) -> bool:
        nonlocal hashes
        hashes += 1
        return verify(*arguments)

    site.people.accounts.passwords._verify = counted  # type: ignore[method-assign]
    answers = [
        await browser.post("/sign-in", data={"name": name, "password": "wrong password"}) for name in ("Ann", "Nobody")
    ]
    assert [answer.status_code for answer in answers] == [403, 403]
    assert answers[0].text == answers[1].text
    assert hashes == 2  # as much work for both


@SQLITE_ONLY
async def test_every_account_has_a_profile(site: InProcessSite) -> None:
    await site.member("Ann")
    browser = await site.visitor()
    page = await browser.get("/people/ann")
    assert (page.status_code, "No rated games yet" in page.text) == (200, True)
    assert (await browser.get("/people/Nobody")).status_code == 404


@SQLITE_ONLY
async def test_passwords_are_hashed_beside_the_event_loop(site: InProcessSite) -> None:
    threads: list[str] = []
    hasher = site.people.accounts.passwords.hasher

    class Noted:
        def hash(self, password: str) -> str:
            threads.append(threading.current_thread().name)
            return hasher.hash(password)

        def verify(self, kept: str, password: str) -> bool:
            threads.append(threading.current_thread().name)
            return hasher.verify(kept, password)

    site.people.accounts.passwords.hasher = Noted()  # type: ignore[assignment]
    ann = await site.member("Ann")
    await ann.post("/sign-in", data={"name": "Ann", "password": PASSWORD})
    await ann.post("/account/password", data={"old": PASSWORD, "new": "another one"})
    assert len(threads) >= 4
    assert all(name.startswith("password") for name in threads)


@SQLITE_ONLY
async def test_the_cookie_is_out_of_reach_of_scripts_and_secure_behind_tls(new_site: Any) -> None:
    async with new_site() as site:
        for base, secure in (("http://table", False), ("https://table", True)):
            browser = await site.visitor(base)
            answer = await browser.post("/register", data={"name": f"Ann {secure}", "password": PASSWORD})
            kept = answer.headers["set-cookie"].lower()
            assert kept.startswith(COOKIE)
            assert ("httponly" in kept, "samesite=lax" in kept, "secure" in kept) == (True, True, secure)

    async with new_site(url="https://table.example") as site:
        browser = await site.visitor("http://table.example")
        answer = await browser.post("/register", data={"name": "Bob", "password": PASSWORD})
        assert "secure" in answer.headers["set-cookie"].lower()


async def test_sessions_are_listed_ended_and_signed_out_everywhere(site: InProcessSite) -> None:
    home = await site.member("Ann")
    phone, work = await site.visitor(), await site.visitor()
    for browser in (phone, work):
        answer = await browser.post("/sign-in", data={"name": "Ann", "password": PASSWORD})
        assert answer.status_code == 303
    page = (await home.get("/account")).text
    ends = re.findall(r"/account/sessions/([^/]+)/end", page)
    assert len(ends) == 3
    other = next(end for end in ends if f'"{end}"' not in page and "this one" not in page.split(end)[0][-120:])
    bob = await site.member("Bob")
    await bob.post(f"/account/sessions/{other}/end")  # not his
    assert len(re.findall("/account/sessions/", (await home.get("/account")).text)) == 3
    await home.post(f"/account/sessions/{other}/end")
    assert len(re.findall("/account/sessions/", (await home.get("/account")).text)) == 2
    answer = await home.post("/account/password", data={"old": "wrong password", "new": "another one"})
    assert answer.status_code == 403
    answer = await home.post("/account/password", data={"old": PASSWORD, "new": "another one"})
    assert answer.status_code == 200
    assert [(await browser.get("/account")).status_code for browser in (home, phone, work)] == [200, 303, 303]
    await phone.post("/sign-in", data={"name": "Ann", "password": "another one"})
    await home.post("/account/sign-out-everywhere")
    assert [(await browser.get("/account")).status_code for browser in (home, phone)] == [303, 303]
    assert (await bob.get("/account")).status_code == 200


class NoDatabase:
    """A database that is not asked."""

    @property
    def reader(self) -> Any:
        raise AssertionError("the database is asked")


@SQLITE_ONLY
async def test_moves_do_not_read_the_session_again_for_ten_seconds(site: InProcessSite, monkeypatch: Any) -> None:
    ann, sessions = await site.member("Ann"), site.people.sessions
    now = sessions.now()
    monkeypatch.setattr(sessions, "now", lambda: now)
    table = await open_table(ann, "me", "me")
    await move(ann, site, table, "start Memphis")
    with monkeypatch.context() as patched:
        patched.setattr(sessions, "database", NoDatabase())
        await move(ann, site, table, "start Raleigh")
        assert (await ann.get(f"/t/{table}/scene")).status_code == 200
        later = now + timedelta(seconds=11)
        patched.setattr(sessions, "now", lambda: later)
        with pytest.raises(AssertionError, match="is asked"):
            await ann.get(f"/t/{table}/scene")
    with monkeypatch.context() as patched:
        patched.setattr(sessions, "database", NoDatabase())
        with pytest.raises(AssertionError, match="is asked"):
            await ann.get("/account")


@SQLITE_ONLY
async def test_an_ended_session_makes_no_move_more(site: InProcessSite) -> None:
    for end, data in (
        ("/account/sign-out", {}),
        ("/account/sign-out-everywhere", {}),
        ("/account/delete", {"password": PASSWORD}),
    ):
        ann = await site.member(f"Ann of {end}".replace("/", " "))
        table = await open_table(ann, "me", "me")
        await move(ann, site, table, "start Memphis")
        secret = str(ann.cookies[COOKIE])
        assert (await ann.post(end, data=data)).status_code == 303
        thief = await site.visitor()
        thief.cookies.set(COOKIE, secret)
        await thief.post(f"/t/{table}/move", data={"version": "1", "moves": "start Raleigh"})
        assert len((await site.tables.get(table)).game.actions) == 1, end


async def test_a_guest_keeps_their_seats_and_claims_them_when_registering(site: InProcessSite) -> None:
    browser = await site.visitor()
    table = await open_table(browser, "me", "guest")
    await move(browser, site, table, "start Memphis")
    answer = await browser.post("/register", data={"name": "Ann", "password": PASSWORD, "claim": "1"})
    assert answer.status_code == 303
    elsewhere = await site.visitor()
    await elsewhere.post("/sign-in", data={"name": "Ann", "password": PASSWORD})
    assert table in (await elsewhere.get("/")).text
    await move(elsewhere, site, table, "start Raleigh")
    stranger = await site.member("Bob")
    version = (await site.tables.get(table)).version
    answer = await stranger.post(f"/t/{table}/move", data={"version": str(version), "moves": "done"})
    assert answer.status_code == 403


async def test_a_guest_who_signs_in_still_plays_the_seats_of_the_browser_and_takes_them_along_later(
    site: InProcessSite,
) -> None:
    await site.member("Ann")
    browser = await site.visitor()
    table = await open_table(browser, "me", "guest")
    await browser.post("/sign-in", data={"name": "Ann", "password": PASSWORD})
    await move(browser, site, table, "start Memphis")
    assert "/account/claim" in (await browser.get("/account")).text
    await browser.post("/account/claim")
    assert "/account/claim" not in (await browser.get("/account")).text
    browser.cookies.delete("franchise_key")
    await move(browser, site, table, "start Raleigh")


async def test_a_program_plays_the_seats_of_an_account_until_its_token_is_revoked(site: InProcessSite) -> None:
    ann = await site.member("Ann")
    page = (await ann.post("/account/tokens", data={"name": "my bot"})).text
    token = re.search(r"fa_[\w-]+", page)[0]  # type: ignore[index]
    assert token not in (await ann.get("/account")).text  # told once
    bot = await site.visitor()
    bearer = {"Authorization": f"Bearer {token}"}
    host = await site.visitor()
    table = await open_table(host, "me", "open")
    answer = await bot.post(f"/api/tables/{table}/seats/1", headers=bearer)
    assert (answer.status_code, answer.json()["token"], answer.json()["yours"]) == (200, None, [1])
    assert answer.json()["seats"][1]["name"] == "Ann"
    me = (await bot.get("/api/me", headers=bearer)).json()
    assert [(own["id"], own["your_turn"]) for own in me["tables"]] == [(table, True)]
    order = {"version": 0, "move": "start Memphis", "move_id": "a"}
    answer = await bot.post(f"/api/tables/{table}/moves", json=order, headers=bearer)
    assert answer.status_code == 200
    made = await bot.post("/api/tables", json={"seats": [{"kind": "human"}] * 2}, headers=bearer)
    assert (made.json()["tokens"], made.json()["yours"]) == ({}, [0, 1])
    token_id = re.search(r"/account/tokens/([^/]+)/revoke", (await ann.get("/account")).text)[1]  # type: ignore[index]
    await ann.post(f"/account/tokens/{token_id}/revoke")
    assert (await bot.get("/api/me", headers=bearer)).status_code == 401
    order = {"version": 1, "move": "start Raleigh", "move_id": "b"}
    answer = await bot.post(f"/api/tables/{table}/moves", json=order, headers=bearer)
    assert answer.status_code == 403
    assert (await bot.get("/api/me")).status_code == 401


@SQLITE_ONLY
async def test_a_program_counts_for_its_account_and_goes_by_its_name_where_games_are_rated(site: InProcessSite) -> None:
    ann, bob = await site.member("Ann"), await site.member("Bob")
    table = await open_table(ann, "me", "open", rated="1")
    page = (await bob.post("/account/tokens", data={"name": "my bot"})).text
    bearer = {"Authorization": f"Bearer {re.search(r'fa_[a-zA-Z0-9_-]+', page)[0]}"}  # type: ignore[index]
    bots = [await site.visitor(address=f"192.0.2.{number}") for number in (1, 2)]
    answer = await bots[0].post(f"/api/tables/{table}/seats/1", json={"name": "Ann"}, headers=bearer)
    assert [seat["name"] for seat in answer.json()["seats"]] == ["Ann", "Bob"]
    site.stop_limits_clock()
    statuses = [
        (await bots[number % 2].post(f"/api/tables/{table}/chat", json={"text": "hi"}, headers=bearer)).status_code
        for number in range(31)
    ]
    assert statuses == [201] * 30 + [429]


def test_the_example_of_a_bot_plays_for_its_account(address: str) -> None:
    spec = importlib.util.spec_from_file_location("account_bot", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    with httpx.Client(base_url=address, timeout=60) as client:
        client.post("/register", data={"name": "Ann", "password": PASSWORD})
        page = client.post("/account/tokens", data={"name": "my bot"}).text
        client.headers["Authorization"] = f"Bearer {re.search(r'fa_[a-zA-Z0-9_-]+', page)[0]}"  # type: ignore[index]
        table = client.post("/api/tables", json={"seats": [{"kind": "human"}] * 2}).json()["id"]
        assert [example.take_turns(client) for _ in range(3)] == [1, 1, 1]
        assert client.get(f"/api/tables/{table}").json()["version"] == 3


async def test_everything_about_an_account_is_exported_without_secrets(site: InProcessSite) -> None:
    ann = await site.member("Ann")
    table = await open_table(ann, "me", "open")
    await ann.post(f"/t/{table}/say", data={"text": "hello"})
    token = re.search(r"fa_[\w-]+", (await ann.post("/account/tokens", data={"name": "my bot"})).text)[0]  # type: ignore[index]
    text = (await ann.get("/account/export")).text
    data = json.loads(text)
    assert data["account"]["name"] == "Ann"
    assert [seat["table_id"] for seat in data["seats"]] == [table]
    assert [message["text"] for message in data["messages"]] == ["hello"]
    assert [row["name"] for row in data["api_tokens"]] == ["my bot"]
    assert len(data["sessions"]) == 1
    for secret in (token, ann.cookies[COOKIE], "argon2", "hash"):
        assert secret not in text


async def test_a_deleted_account_leaves_nothing_but_a_bot_in_its_seats(site: InProcessSite, database: str) -> None:
    ann, bob = await site.member("Annabel"), await site.member("Bob")
    table = await open_table(ann, "me", "open")
    await bob.post(f"/t/{table}/sit", data={"seat": "1"})
    await ann.post(f"/t/{table}/say", data={"text": "a secret of mine"})
    await move(bob, site, table, "start Memphis")
    assert (await ann.post("/account/delete", data={"password": "wrong password"})).status_code == 403
    assert (await ann.post("/account/delete", data={"password": PASSWORD})).status_code == 303
    assert (await ann.get("/account")).status_code == 303
    browser = await site.visitor()
    answer = await browser.post("/sign-in", data={"name": "Annabel", "password": PASSWORD})
    assert answer.status_code == 403
    assert (await browser.get("/people/Annabel")).status_code == 404
    await until(site.tables, table, lambda table: table.game.turn == 2)  # the bot has made its turn
    page = (await bob.get(f"/t/{table}")).text
    assert "Annabel" not in page
    assert "a secret of mine" not in page
    found = await site.tables.get(table)
    assert (found.seats[0].kind, found.seats[0].level) == ("bot", "regular")


async def test_what_was_said_belongs_to_who_said_it(site: InProcessSite) -> None:
    """Also when they have left the seat and somebody else sits there."""
    ann, bob = await site.member("Ann"), await site.member("Bob")
    table = await open_table(ann, "open", "me")
    assert (await bob.post(f"/t/{table}/sit", data={"seat": "0"})).status_code == 303
    await bob.post(f"/t/{table}/say", data={"text": "a secret of Bob's"})
    account = await site.people.accounts.named("Bob")
    assert account is not None
    await Hosting(site.tables).leave(table, 0, account.holder)
    cara = await site.member("Cara")
    assert (await cara.post(f"/t/{table}/sit", data={"seat": "0"})).status_code == 303
    await cara.post(f"/t/{table}/say", data={"text": "hello from Cara"})
    messages = {
        name: [message["text"] for message in (await who.get("/account/export")).json()["messages"]]
        for name, who in (("Bob", bob), ("Cara", cara))
    }
    assert messages == {"Bob": ["a secret of Bob's"], "Cara": ["hello from Cara"]}
    assert (await bob.post("/account/delete", data={"password": PASSWORD})).status_code == 303
    assert [message.text for message in await site.tables.messages(table)] == ["hello from Cara"]


async def test_what_a_guest_said_comes_along_with_the_seats(site: InProcessSite) -> None:
    guest = await site.visitor()
    table = await open_table(guest, "me", "open")
    await guest.post(f"/t/{table}/say", data={"text": "hello"})
    await guest.post("/register", data={"name": "Ann", "password": PASSWORD, "claim": "1"})
    assert [message["text"] for message in (await guest.get("/account/export")).json()["messages"]] == ["hello"]


async def test_a_rematch_leaves_the_seat_of_a_deleted_account_open(site: InProcessSite) -> None:
    ann, bob = await site.member("Ann"), await site.member("Bob")
    table = await open_table(ann, "me", "open", clock="daily 1+0", time_out="end")
    await bob.post(f"/t/{table}/sit", data={"seat": "1"})
    site.tables.now = lambda: datetime.now(UTC) + timedelta(hours=200)
    await site.tables.time_out(table, 0)
    assert (await site.tables.get(table)).over
    assert (await bob.post("/account/delete", data={"password": PASSWORD})).status_code == 303
    answer = await ann.post(f"/t/{table}/rematch")
    assert answer.status_code == 303, notice(answer)
    following = await site.tables.get(answer.headers["location"].removeprefix("/t/"))
    (free,) = [seat.number for seat in following.seats if seat.open]
    cara = await site.member("Cara")
    assert (await cara.post(f"/t/{following.id}/sit", data={"seat": str(free)})).status_code == 303


@SQLITE_ONLY
async def test_following_leads_only_to_this_site(site: InProcessSite) -> None:
    await site.member("Ann")
    for target in ("https://elsewhere.example", "//elsewhere.example", "/\\elsewhere.example", "javascript:x"):
        browser = await site.visitor()
        answer = await browser.post("/sign-in", data={"name": "Ann", "password": PASSWORD, "following": target})
        assert (answer.status_code, answer.headers["location"]) == (303, "/")


@SQLITE_ONLY
async def test_guesses_at_a_password_are_slowed_down(site: InProcessSite) -> None:
    site.stop_limits_clock()
    await site.member("Ann")
    browser, owner = await site.visitor(), await site.visitor(address="192.0.2.7")
    for _ in range(10):
        answer = await browser.post("/sign-in", data={"name": "Ann", "password": "wrong password"})
        assert answer.status_code == 403
    answer = await browser.post("/sign-in", data={"name": "Ann", "password": PASSWORD})
    assert answer.status_code == 429
    assert notice(answer)
    answer = await owner.post("/sign-in", data={"name": "Ann", "password": PASSWORD})
    assert answer.status_code == 303  # from elsewhere the owner gets in
