"""Your turn: e-mail, webhook and Web Push, once a turn, not while the table is open, with a way out of each."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from sqlalchemy import select

from franchise.server.notices import web_push as push
from franchise.server.notices.messages import NoticeText, turn_message
from franchise.server.notices.turn_notices import KEPT, webhook_body
from franchise.server.settings import Settings
from franchise.server.storage import schema
from franchise.server.tables.hosting import GIVEN_UP, PATIENCE
from franchise.server.tables.interfaces import Notice
from franchise.server.wiring import tables_at
from server.in_process_site import SQLITE_ONLY, InProcessSite, move, open_table
from server.mail_server import MailServer, text_of
from server.running_servers import until
from server.webhook_server import SILENT, WebhookServer
from waiting import eventually

URL = "https://table.example"


async def states(site: InProcessSite) -> list[str]:
    n = schema.notices
    async with site.people.accounts.database.reader.connect() as connection:
        return [row.state for row in await connection.execute(select(n.c.state).order_by(n.c.created_at))]


async def in_state(site: InProcessSite, *wanted: str) -> None:
    async def there() -> bool:
        return await states(site) == list(wanted)

    await eventually(there)


async def seated(site: InProcessSite) -> tuple[str, httpx.AsyncClient, httpx.AsyncClient]:
    """A table where Ann (seat 0) waits for a guest (seat 1), who moves first."""
    ann, guest = await site.member("Ann"), await site.visitor()
    table = await open_table(ann, "me", "open")
    await guest.post(f"/t/{table}/sit", data={"seat": "1", "name": "<script>alert(1)</script>"})
    return table, ann, guest


@pytest.fixture
def told_site(new_site: Any) -> Callable[..., Any]:
    """Sites that may tell a web server of the test, which answers with these statuses: sites, hook, address."""

    @asynccontextmanager
    async def run(*statuses: int, **settings: Any) -> AsyncIterator[Any]:
        hook = WebhookServer(*statuses)
        address = await hook.start()
        try:
            async with new_site(url=URL, private_webhooks=True, **settings) as sites:
                yield *(sites if isinstance(sites, list) else [sites]), hook, address
        finally:
            hook.server.close()

    return run


async def test_a_webhook_hears_of_each_turn_once(told_site: Any) -> None:
    async with told_site() as (site, hook, address):
        table, ann, guest = await seated(site)
        assert (await ann.post("/account/webhook", data={"webhook": address})).status_code == 200
        await move(guest, site, table, "start Memphis")
        await eventually(lambda: hook.got)
        headers, body = hook.got[0]
        payload = json.loads(body)
        assert headers["host"] == address.split("/")[2]
        assert f"{URL}/t/{table}" in payload["content"]
        assert f"{URL}/unsubscribe/" in payload["text"]
        assert "<script>" not in payload["text"]
        assert payload["allowed_mentions"] == {"parse": []}
        await move(ann, site, table, "start Raleigh")
        version = (await site.tables.get(table)).version
        await ann.post(f"/t/{table}/undo", data={"version": str(version)})
        site.people.notices.hear(Notice(table, "move", None, await site.tables.get(table)))
        await in_state(site, "sent")
        assert len(hook.got) == 1
        leave = re.search(rf"{URL}(/unsubscribe/[\w.-]+)", payload["content"])[1]  # type: ignore[index]
        stranger = await site.visitor()
        assert (await stranger.get(leave)).status_code == 200
        owner = await site.people.accounts.named("Ann")
        assert owner is not None
        assert owner.webhook == address  # a look changes nothing
        assert (await stranger.post(leave)).status_code == 200
        owner = await site.people.accounts.named("Ann")
        assert owner is not None
        assert owner.webhook is None
        assert (await stranger.post(leave[:-3] + "abc")).status_code == 404


def test_a_name_in_a_webhook_is_neither_link_nor_mention() -> None:
    body = webhook_body(
        NoticeText("", "the table of [x](https://evil.example) <!here> **", "go", "stop"), "https://a", "https://b"
    )
    assert body["content"].startswith("the table of \\[x\\](https://evil.example) \\<!here\\> \\*\\*\n")
    assert body["text"].startswith("the table of [x](https://evil.example) &lt;!here&gt; **\n")


async def test_nobody_is_told_while_the_table_is_open_before_them(told_site: Any) -> None:
    async with told_site() as (site, hook, address):
        table, ann, guest = await seated(site)
        await ann.post("/account/webhook", data={"webhook": address})
        owner = await site.people.accounts.named("Ann")
        assert owner is not None
        elsewhere = asyncio.ensure_future(ann.get(f"/api/tables/{table}/events?hidden=1"))  # in a tab behind others
        await eventually(lambda: site.app.state.broadcast.followers)
        assert not await site.people.notices.watching(owner.id, table)
        following = asyncio.ensure_future(ann.get(f"/api/tables/{table}/events"))
        await eventually(lambda: site.people.notices.watching(owner.id, table))
        await move(guest, site, table, "start Memphis")
        await in_state(site, "dropped")
        for stream in (following, elsewhere):
            stream.cancel()

        async def left() -> bool:
            return not await site.people.notices.watching(owner.id, table)

        await eventually(left)
        assert not hook.got


async def test_a_webhook_that_fails_is_tried_again_and_never_delays_a_move(told_site: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("franchise.server.notices.turn_notices.PAUSES_S", (0.05, 0.05, 0.05))

    async with told_site(503, 500) as (site, hook, address):
        table, ann, guest = await seated(site)
        await ann.post("/account/webhook", data={"webhook": address})
        await move(guest, site, table, "start Memphis")
        await in_state(site, "sent")
        assert len(hook.got) == 3


@pytest.mark.parametrize("status", [302, 404])
@SQLITE_ONLY
async def test_redirects_are_not_followed_and_what_is_gone_is_left(told_site: Any, status: int) -> None:
    async with told_site(status) as (site, hook, address):
        table, ann, guest = await seated(site)
        await ann.post("/account/webhook", data={"webhook": address})
        await move(guest, site, table, "start Memphis")
        await in_state(site, "failed")
        assert len(hook.got) == 1


@SQLITE_ONLY
async def test_a_message_that_may_have_arrived_is_not_sent_again(told_site: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("franchise.server.notices.turn_notices.PAUSES_S", (0.01,) * 3)
    limits: list[asyncio.Timeout] = []

    def limit(seconds: float) -> asyncio.Timeout:
        limits.append(asyncio.timeout(seconds))
        return limits[-1]

    clock = SimpleNamespace(timeout=limit, get_running_loop=asyncio.get_running_loop)
    monkeypatch.setattr("franchise.server.notices.safe_http.asyncio", clock)

    async with told_site(SILENT) as (site, hook, address):
        table, ann, guest = await seated(site)
        await ann.post("/account/webhook", data={"webhook": address})
        await move(guest, site, table, "start Memphis")
        await eventually(lambda: hook.got)
        limits[0].reschedule(0)  # now the time for an answer is over
        await in_state(site, "failed")
        assert len(hook.got) == 1


async def test_a_message_that_was_being_sent_when_the_server_died_is_not_sent_again(told_site: Any) -> None:
    async with told_site(SILENT) as (site, hook, address):
        table, ann, guest = await seated(site)
        await ann.post("/account/webhook", data={"webhook": address})
        await move(guest, site, table, "start Memphis")
        await eventually(lambda: hook.got)
        for task in site.people.notices.sending:
            task.cancel()  # as if the server had died at that moment
        await in_state(site, "sending")

    async with told_site() as (site, hook, address):
        owner = await site.people.accounts.named("Ann")
        assert owner is not None
        await site.people.accounts.change(owner, webhook=address)
        await site.people.notices.look(KEPT)
        await eventually(site.people.notices.begun_turns.empty)
        assert await site.people.notices.send_due() == 0
        assert not hook.got
        assert await states(site) == ["sending"]


async def test_a_turn_that_nobody_noted_before_the_server_died_is_told_after_it(new_site: Any) -> None:
    async with new_site(url=URL, private_webhooks=True, notice_delay=3600) as site:
        table, ann, guest = await seated(site)
        await ann.post("/account/webhook", data={"webhook": "http://127.0.0.1:9/"})
        site.tables.bus.everywhere.remove(site.people.notices.hear)  # type: ignore[attr-defined]
        await move(guest, site, table, "start Memphis")

    async with new_site(url=URL, private_webhooks=True, notice_delay=3600) as site:
        await in_state(site, "waiting")
        owner = await site.people.accounts.named("Ann")
        assert owner is not None
        data = await site.people.account_data.export(owner)
        assert [(notice["table_id"], notice["kind"], notice["channel"]) for notice in data["notices"]] == [
            (table, "turn", "webhook")
        ]


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
async def test_several_servers_tell_once_remind_once_and_hand_over_once(told_site: Any) -> None:
    async with told_site(servers=2) as (here, there, hook, address):
        ann, guest = await here.member("Ann"), await there.visitor()
        await ann.post("/account/webhook", data={"webhook": address})
        tables = []
        for time_out in ("remind", "bot"):
            table = await open_table(ann, "me", "open", clock="daily 1+0", time_out=time_out)
            await guest.post(f"/t/{table}/sit", data={"seat": "1", "name": "Gus"})
            await move(guest, there, table, "start Memphis")
            tables.append(table)
        for site in (here, there):  # each of them believes that it has heard of the turns first
            for table in tables:
                site.people.notices.hear(Notice(table, "move", None, await site.tables.get(table)))
        await in_state(here, "sent", "sent")
        for site in (here, there):
            site.tables.now = lambda: datetime.now(UTC) + timedelta(hours=2)
            await site.tables.clocks.look()
        await in_state(here, "sent", "sent", "sent")
        assert len([body for _, body in hook.got if b"still your turn" in body]) == 1
        await until(there.tables, tables[1], lambda table: table.version == 2)
        for site in (here, there):
            found = await site.tables.get(tables[1])
            assert (found.seats[0].away, found.changes[1].by_bot) == (True, True)
            assert (await site.tables.get(tables[0])).version == 1
        assert len(hook.got) == 3


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
async def test_whoever_follows_a_bot_of_a_worker_is_told(told_site: Any, database: str, monkeypatch: Any) -> None:
    monkeypatch.setattr("franchise.server.notices.turn_notices.POLL_S", 0.05)

    async with told_site(bot_threads=0) as (site, hook, address):
        ann = await site.member("Ann")
        await ann.post("/account/webhook", data={"webhook": address})
        await open_table(ann, "me", "newcomer")  # the last seat places first
        # Whichever of the two sends the notice, it may: all machines of a site have the same settings.
        async with tables_at(Settings(database=database, bot_threads=1, url=URL, private_webhooks=True)):
            await eventually(lambda: hook.got)


@SQLITE_ONLY
async def test_one_letter_tells_of_all_tables_that_wait_with_opponents_and_deadline(
    new_site: Any, mail_server: MailServer
) -> None:
    async with new_site(url=URL, notice_delay=3600, **mail_server.settings) as site:
        ann, guest = await site.member("Ann"), await site.visitor()
        account = await site.people.accounts.named("Ann")
        await site.people.accounts.change(account, email="ann@example.org")
        await ann.post("/settings", data={"language": "de"})  # the language chosen last
        tables = []
        for name, clock in (("Bob", "daily 24+3"), ("Cara", "none")):
            table = await open_table(ann, "me", "open", clock=clock)
            await guest.post(f"/t/{table}/sit", data={"seat": "1", "name": name})
            await move(guest, site, table, "start Memphis")
            tables.append(table)
        await in_state(site, "waiting", "waiting")
        site.people.notices.now = lambda: datetime.now(UTC) + timedelta(hours=2)
        assert await site.people.notices.send_due() == 2
        await in_state(site, "sent", "sent")
        (message,) = mail_server.messages
        assert message["Subject"] == "Franchise: Du bist an 2 Tischen am Zug"
        assert all(f"{URL}/t/{table}" in text_of(message) for table in tables)
        assert (await ann.post("/account/email/test")).status_code == 200
        await eventually(lambda: len(mail_server.messages) == 2)
        assert mail_server.messages[1]["Subject"] == "Franchise: ein Test"
        found = await site.tables.get(tables[0])
        subject = turn_message(await site.people.accounts.named("Ann"), found, "turn", site.tables.now()).subject
        assert re.fullmatch(r"Franchise: dein Zug gegen Bob, bis \d\d\.\d\d\.\d{4} \d\d:\d\d UTC", subject)


@SQLITE_ONLY
async def test_a_nudge_is_a_letter_of_its_own_while_the_turn_lasts(new_site: Any, mail_server: MailServer) -> None:
    async with new_site(url=URL, notice_delay=0, **mail_server.settings) as site:
        ann, guest = await site.member("Ann"), await site.visitor()
        account = await site.people.accounts.named("Ann")
        await site.people.accounts.change(account, email="ann@example.org")
        await ann.post("/settings", data={"language": "fr"})
        table = await open_table(ann, "me", "open")
        await guest.post(f"/t/{table}/sit", data={"seat": "1", "name": "Zoë"})
        await move(guest, site, table, "start Memphis")
        await eventually(lambda: len(mail_server.messages) == 1)  # it is her turn
        nudge = f"/t/{table}/nudge"
        assert f'action="{nudge}"' not in (await guest.get(f"/t/{table}")).text
        site.tables.now = lambda: datetime.now(UTC) + PATIENCE + timedelta(seconds=5)
        assert f'action="{nudge}"' in (await guest.get(f"/t/{table}")).text
        assert (await guest.post(nudge)).status_code == 303
        await eventually(lambda: len(mail_server.messages) == 2)
        assert mail_server.messages[1]["Subject"] == "Franchise\u00a0: c’est toujours à vous contre Zoë"
        assert mail_server.raw[1].isascii()  # nothing that a mail server of seven bits would spoil
        assert all(len(line) <= 998 for line in mail_server.raw[1].split(b"\r\n"))
        assert "Zoë" in text_of(mail_server.messages[1])
        assert (await guest.post(nudge)).status_code == 422  # once in a turn
        site.tables.now = lambda: datetime.now(UTC) + PATIENCE + GIVEN_UP + timedelta(seconds=9)
        assert (await guest.post(f"/t/{table}/vote", data={"what": "bot"})).status_code == 303
        assert any(seat.away for seat in (await site.tables.get(table)).seats)


async def test_an_address_is_told_by_mail_once_its_owner_has_confirmed_it(
    new_site: Any, mail_server: MailServer
) -> None:
    async with new_site(url=URL, **mail_server.settings) as site:
        table, ann, guest = await seated(site)
        answer = await ann.post("/account/email", data={"email": "ann@example.org"})
        assert answer.status_code == 200
        await eventually(lambda: mail_server.messages)
        text = mail_server.messages[0].get_body(("plain",)).get_content()
        link = re.search(rf"{URL}(/confirm/[\w.-]+)", text)[1]  # type: ignore[index]
        not_me = mail_server.messages[0]["List-Unsubscribe"].strip("<>").removeprefix(URL)
        assert not_me in text
        assert (await guest.post(not_me)).status_code == 200
        assert (await guest.post(link)).status_code == 404  # nobody asks any more
        await ann.post("/account/email", data={"email": "ann@example.org"})
        await eventually(lambda: len(mail_server.messages) == 2)
        mail_server.messages.pop()
        assert (await guest.get(link)).status_code == 200
        owner = await site.people.accounts.named("Ann")
        assert owner is not None
        assert owner.email is None
        assert (await guest.post(link)).status_code == 200
        await move(guest, site, table, "start Memphis")
        await eventually(lambda: len(mail_server.messages) == 2)
        message = mail_server.messages[1]
        assert message["To"] == "ann@example.org"
        assert message["Subject"] == "Franchise: your turn against <script>alert(1)</script>"
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        leave = message["List-Unsubscribe"].strip("<>").removeprefix(URL)
        html = message.get_body(("html",)).get_content()
        assert "&lt;script&gt;" in html
        assert "<script>" not in html
        assert f"{URL}/t/{table}" in message.get_body(("plain",)).get_content()
        mailer = await site.visitor()
        assert (await mailer.post(leave, data={"List-Unsubscribe": "One-Click"})).status_code == 200
        owner = await site.people.accounts.named("Ann")
        assert owner is not None
        assert owner.email is None
        for wrong in ("x", "a@b", "a b@example.org", "a@example.org\nBcc: c@d.org", "a@b@c.org"):
            assert (await ann.post("/account/email", data={"email": wrong})).status_code == 422, wrong
        await ann.post("/account/email", data={"email": "ann@example.org"})
        bob = await site.member("Bob")  # nobody's mailbox is flooded, by whomever
        assert (await bob.post("/account/email", data={"email": "Ann@example.org"})).status_code == 429


async def test_a_browser_gets_a_push_only_it_can_read(new_site: Any) -> None:
    import http_ece

    private = ec.generate_private_key(ec.SECP256R1())
    point = private.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    auth = b"0123456789abcdef"
    key = push.new_key()

    async with new_site(url=URL, private_webhooks=True, vapid_key=key, vapid_contact="mailto:host@example.org") as site:
        hook = WebhookServer(201, 410)
        address = await hook.start()
        table, ann, guest = await seated(site)
        assert push.public_key(key) in (await ann.get("/account")).text
        browser = {"endpoint": address, "keys": {"p256dh": push.encoded(point), "auth": push.encoded(auth)}}
        assert (await guest.post("/account/push", json=browser)).status_code == 401
        wrong = browser | {"keys": {"p256dh": "abc", "auth": "abc"}}
        assert (await ann.post("/account/push", json=wrong)).status_code == 422
        assert (await ann.post("/account/push", json=browser)).status_code == 200
        await move(guest, site, table, "start Memphis")
        await eventually(lambda: hook.got)
        headers, body = hook.got[0]
        assert headers["authorization"].startswith("vapid ")
        assert headers["ttl"]
        message = json.loads(http_ece.decrypt(body, private_key=private, auth_secret=auth, version="aes128gcm"))
        assert message["url"] == f"{URL}/t/{table}"
        assert message["leave"].startswith(f"{URL}/unsubscribe/")
        await move(ann, site, table, "start Raleigh", "done", "end")
        legal = str((await site.tables.get(table)).game.legal_actions()[0])
        await move(guest, site, table, legal, "done", "end")
        await in_state(site, "sent", "failed")
        assert "browsers are notified" not in (await ann.get("/account")).text  # 410: it does not want to any more
        hook.server.close()


@SQLITE_ONLY
async def test_without_an_address_of_the_server_nobody_is_told(site: InProcessSite) -> None:
    _, ann, _ = await seated(site)
    assert site.people.subscriptions.channels == ()
    assert "not set up to send messages" in (await ann.get("/account")).text
