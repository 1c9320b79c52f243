"""Turn notifications: who gets them, by which channels, at most once per turn, and never while looking at the table.

A notification is a row; any server that finds it due sends it. Moves never wait for this. A turn that was missed (a
worker's bot moved, a server died) is found by the next scan of the tables. A notification is marked before it is sent
and never sent again if it may have arrived, so nobody is notified twice, whatever crashes.
"""

import asyncio
import json
import logging
import re
import smtplib
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from itsdangerous import BadSignature, URLSafeTimedSerializer
from sqlalchemy import delete, exists, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from franchise.server.notices import mail, safe_http, web_push
from franchise.server.notices.messages import NoticeText, TurnNotice, digest_subject, turn_message
from franchise.server.notices.safe_http import Gone, Unsure
from franchise.server.people.accounts import Account, Accounts
from franchise.server.settings import Settings
from franchise.server.storage import schema
from franchise.server.storage.database import Database
from franchise.server.tables.errors import Damaged, NoSuchTable, Refused, Unavailable
from franchise.server.tables.interfaces import Notice
from franchise.server.tables.seat_keys import hashed, new_id, new_key
from franchise.server.tables.service import Tables

Channel = Literal["email", "webhook", "push"]
MARKDOWN = re.compile(r"[\\`*_~|<>\[\]]")  # what Discord would make links or looks of
CHANNELS: tuple[Channel, ...] = ("email", "webhook", "push")
PAUSES = (30.0, 120.0, 600.0, 3600.0)  # seconds before it is tried again
POLL = 15.0  # seconds between looks at what other servers have left
AT_ONCE = 20  # notices that are sent at the same time
BEAT = 30.0  # seconds between notes that a table is still open in a browser
LEASE = timedelta(seconds=90)  # without such a note, after which the table counts as closed
CONFIRM_S = 3 * 24 * 3600  # for confirming an e-mail address
MOST_BROWSERS = 10  # of an account that get Web Push
KEPT = timedelta(days=60)  # notices of turns long past
LATE = timedelta(minutes=5)  # how old a turn may be that nobody has noted
CLOSING_S = 10.0  # for messages that are on their way when the server stops
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class WaitingTurn:
    """A turn to notify somebody of."""

    account: Account
    words: NoticeText
    link: str


class Notices:
    """Notifies people that it is their turn."""

    def __init__(
        self, database: Database, tables: Tables, accounts: Accounts, settings: Settings, now: Callable[[], datetime]
    ) -> None:
        self.database = database
        self.tables = tables
        self.accounts = accounts
        self.settings = settings
        self.now = now
        self.heard: asyncio.Queue[tuple[str, TurnNotice]] = asyncio.Queue()
        self.woken = asyncio.Event()
        self.tasks: set[asyncio.Task[Any]] = set()
        self.sending: set[asyncio.Task[None]] = set()
        self.secret = ""

    async def start(self) -> None:
        self.secret = await self._shared_secret()
        self.tables.bus.subscribe(self.hear)
        if self.channels:
            await self.look(KEPT / 2)
        self.run(self._forever(self._note))
        self.run(self._forever(self._deliver))

    async def close(self) -> None:
        """Stop; messages being sent are given time to finish, since they are not sent again."""
        for task in self.tasks:
            task.cancel()
        if self.sending:
            await asyncio.wait(self.sending, timeout=CLOSING_S)
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def run(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something in the background."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The channels this server can use. Messages contain links, so without FRANCHISE_URL there are none."""
        there = {
            "email": bool(self.settings.smtp_host and self.settings.mail_from),
            "webhook": True,
            "push": bool(self.settings.vapid_key and self.settings.vapid_contact),
        }
        return tuple(channel for channel in CHANNELS if self.settings.url and there[channel])

    @property
    def push_key(self) -> str | None:
        """The public key that browsers need for Web Push."""
        if "push" not in self.channels or self.settings.vapid_key is None:
            return None
        return web_push.public_key(self.settings.vapid_key.get_secret_value())

    async def _forever(self, step: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while True:
            try:
                await step()
            except Exception as error:
                log.warning("a notice went wrong; going on", exc_info=not isinstance(error, Unavailable))
                await asyncio.sleep(1.0)

    # --- who is to be told ---

    def hear(self, notice: Notice) -> None:
        """Note whose turn it is at a table; only the start of a turn, and a reminder, are notified."""
        table = notice.table
        if table is None or notice.kind == "chat" or not self.channels:
            return
        seat = table.to_move
        if seat is None or seat.player is not None:
            return
        if notice.kind in ("reminder", "nudge"):
            self.heard.put_nowait((table.id, notice.kind))
        elif not table.made:
            self.heard.put_nowait((table.id, "turn"))

    async def look(self, back: timedelta) -> None:
        """Find turns that have begun since then and were missed."""
        t, s, a, n, b = schema.tables, schema.seats, schema.accounts, schema.notices, schema.subscriptions
        told = exists().where(n.c.account_id == a.c.id, n.c.table_id == t.c.id, n.c.created_at >= t.c.changed_at)
        wants = a.c.email.is_not(None) | a.c.webhook.is_not(None) | exists().where(b.c.account_id == a.c.id)
        wanted = (
            select(t.c.id)
            .join(s, (s.c.table_id == t.c.id) & (s.c.number == t.c.to_move))
            .join(a, a.c.holder_hash == s.c.holder_hash)
            .where(
                schema.RUNNING,
                t.c.changed_at > self.now() - back,
                t.c.seating != "undrawn",
                ~s.c.away,
                s.c.resigned_at.is_(None),
                wants,
                ~told,
            )
        )
        async with self.database.reader.connect() as connection:
            for table in await connection.scalars(wanted):
                self.heard.put_nowait((table, "turn"))

    async def _note(self) -> None:
        table_id, kind = await self.heard.get()
        live = await self.tables.cached(table_id)
        seat = live.table.to_move
        if seat is None or seat.player is not None or (kind == "turn" and live.table.made):
            return
        account = await self.accounts.holding(live.seats[seat.number].holder_hash)
        if account is None:
            return
        before = live.table.changes[-1].seat if live.table.changes else None
        if kind == "turn" and before is not None and live.seats[before].holder_hash == account.holder_hash:
            return  # they have just moved there themselves
        at = self.now()
        wanted: dict[Channel, bool] = {
            "email": account.email is not None,
            "webhook": account.webhook is not None,
            "push": bool(await self.browsers(account)),
        }
        for channel in self.channels:
            if not wanted[channel]:
                continue
            values = {
                "id": new_id(),
                "account_id": account.id,
                "table_id": table_id,
                "begun": live.table.turn_start,
                "kind": kind,
                "channel": channel,
                "state": "waiting",
                "attempts": 0,
                "due_at": at + timedelta(seconds=self.settings.notice_delay),
                "created_at": at,
            }
            with suppress(IntegrityError):  # told already in this turn
                async with self.database.writer.begin() as connection:
                    await connection.execute(insert(schema.notices).values(**values))
        self.woken.set()

    # --- who has a table open ---

    @asynccontextmanager
    async def attended(self, account: Account, table_id: str) -> AsyncIterator[None]:
        """A note that somebody has a table open, for as long as they have."""
        w, name = schema.watchers, new_id()
        async with self.database.writer.begin() as connection:
            values = {"stream": name, "account_id": account.id, "table_id": table_id, "until": self.now() + LEASE}
            await connection.execute(insert(w).values(**values))

        async def sign() -> None:
            await asyncio.sleep(BEAT)
            async with self.database.writer.begin() as connection:
                await connection.execute(update(w).where(w.c.stream == name).values(until=self.now() + LEASE))

        async def leave() -> None:
            async with self.database.writer.begin() as connection:
                await connection.execute(delete(w).where(w.c.stream == name))

        beating = asyncio.get_running_loop().create_task(self._forever(sign))
        try:
            yield
        finally:
            beating.cancel()
            self.run(leave())

    async def watching(self, account_id: str, table_id: str) -> bool:
        """Whether somebody has a table open."""
        w = schema.watchers
        wanted = select(func.count()).where(
            w.c.account_id == account_id, w.c.table_id == table_id, w.c.until > self.now()
        )
        async with self.database.reader.connect() as connection:
            return bool(await connection.scalar(wanted))

    # --- telling them ---

    async def _deliver(self) -> None:
        """Send what is due, look for missed turns, and wait until there is more to do."""
        if await self.send_due() == AT_ONCE:
            return
        if self.channels:
            await self.look(LATE)
        n = schema.notices
        self.woken.clear()
        async with self.database.reader.connect() as connection:
            nearest = await connection.scalar(select(func.min(n.c.due_at)).where(n.c.state == "waiting"))
        pause = POLL if nearest is None else min(POLL, max(0.05, (nearest - self.now()).total_seconds()))
        with suppress(TimeoutError):
            async with asyncio.timeout(pause):  # wait_for would lose a cancellation that comes with the event
                await self.woken.wait()

    async def send_due(self) -> int:
        """Send the next notifications that are due; returns how many."""
        n, now = schema.notices, self.now()
        wanted = select(n).where(n.c.state == "waiting", n.c.due_at <= now).order_by(n.c.due_at).limit(AT_ONCE)
        async with self.database.reader.connect() as connection:
            due = (await connection.execute(wanted)).all()
        for rows in letters(due):
            task = asyncio.get_running_loop().create_task(self._attempt(rows))
            self.sending.add(task)
            task.add_done_callback(self.sending.discard)
        if self.sending:
            await asyncio.wait(self.sending)
        return len(due)

    async def _attempt(self, rows: Sequence[Any]) -> None:
        """Send notifications together, except those another server sends and those no longer needed."""
        n, channel = schema.notices, rows[0].channel
        mine = await self._claimed(rows)
        found: dict[str, WaitingTurn | None] = {}
        state = "dropped"
        try:
            for row in mine:
                found[row.id] = await self._turn(row)
            turns = [turn for turn in found.values() if turn is not None]
            if turns:
                state = await self._send(channel, turns)
        except (Gone, Unsure, Refused) as error:
            log.warning("a notice by %s is given up: %s", channel, error)
            state = "failed"
        except (Unavailable, OSError, smtplib.SMTPException) as error:
            log.warning("a notice by %s was not delivered: %s", channel, type(error).__name__)
            state = "waiting"
        except Exception:
            log.exception("a notice by %s went wrong", channel)
            state = "failed"
        async with self.database.writer.begin() as connection:
            for row in mine:
                outcome = "dropped" if found.get(row.id, row) is None else state
                if outcome == "waiting" and row.attempts >= len(PAUSES):
                    outcome = "failed"
                again = self.now() + timedelta(seconds=PAUSES[min(row.attempts, len(PAUSES) - 1)])
                await connection.execute(update(n).where(n.c.id == row.id).values(state=outcome, due_at=again))

    async def _claimed(self, rows: Sequence[Any]) -> list[Any]:
        """The notifications that no other server is sending."""
        n, w = schema.notices, schema.watchers
        now, mine = self.now(), []
        async with self.database.writer.begin() as connection:
            for row in rows:
                claim = await connection.execute(
                    update(n)
                    .where(n.c.id == row.id, n.c.state == "waiting", n.c.attempts == row.attempts)
                    .values(attempts=row.attempts + 1, state="sending")
                )
                mine += [row] if claim.rowcount == 1 else []
            await connection.execute(delete(n).where(n.c.created_at < now - KEPT))
            await connection.execute(delete(w).where(w.c.until < now - KEPT))
        return mine

    async def _turn(self, row: Any) -> WaitingTurn | None:
        """The turn of a notification; None if it is over, or the recipient has the table open."""
        account = await self.accounts.get(row.account_id)
        try:
            live = await self.tables.cached(row.table_id)
        except (NoSuchTable, Damaged):
            return None
        table, seat = live.table, live.table.to_move
        passed = seat is None or seat.player is not None or table.turn_start != row.begun
        if account is None or passed or seat is None or live.seats[seat.number].holder_hash != account.holder_hash:
            return None
        if await self.watching(account.id, table.id):
            return None
        words = turn_message(account, table, row.kind, self.now())
        return WaitingTurn(account, words, f"{self.site}/t/{table.id}")

    async def _send(self, channel: Channel, turns: Sequence[WaitingTurn]) -> str:
        account = turns[0].account
        leave = f"{self.site}/unsubscribe/{self.sign('unsubscribe', [account.id, channel])}"
        if channel == "email":
            return await self._email(account, turns, leave)
        send = {"webhook": self._webhook, "push": self._push}[channel]
        return await send(account, turns[0].words, turns[0].link, leave)

    @property
    def site(self) -> str:
        return (self.settings.url or "").rstrip("/")

    async def _email(self, account: Account, turns: Sequence[WaitingTurn], leave: str) -> str:
        if account.email is None:
            return "dropped"
        first = turns[0].words
        subject = first.subject if len(turns) == 1 else digest_subject(account, len(turns))
        links = [(turn.words.to_table, turn.link) for turn in turns] + [(first.to_unsubscribe, leave)]
        lines = [turn.words.text for turn in turns]
        sender = self.settings.mail_from or ""
        message = mail.letter(sender, account.email, subject, lines, links, leave)
        await asyncio.to_thread(mail.send, message, self.settings)
        return "sent"

    async def try_email(self, account: Account, words: NoticeText) -> None:
        """Send a test message; Refused without a confirmed address."""
        if account.email is None:
            raise Refused("There is no confirmed address to write to.", "no_address")
        leave = f"{self.site}/unsubscribe/{self.sign('unsubscribe', [account.id, 'email'])}"
        links = [(words.to_table, f"{self.site}/account"), (words.to_unsubscribe, leave)]
        sender = self.settings.mail_from or ""
        self.run(self.send_later(mail.letter(sender, account.email, words.subject, [words.text], links, leave)))

    async def _webhook(self, account: Account, words: NoticeText, link: str, leave: str) -> str:
        if account.webhook is None:
            return "dropped"
        body = json.dumps(webhook_body(words, link, leave)).encode()
        headers = {"Content-Type": "application/json", "User-Agent": "Franchise"}
        status = await safe_http.post(account.webhook, body, headers, self.settings.private_webhooks)
        accept(status)
        return "sent"

    async def _push(self, account: Account, words: NoticeText, link: str, leave: str) -> str:
        key = self.settings.vapid_key
        browsers = await self.browsers(account)
        if key is None or not browsers:
            return "dropped"
        sent, later = False, None
        message = {"title": words.subject, "body": words.text, "url": link, "leave": leave}
        message["leave_text"] = words.to_unsubscribe
        for browser in browsers:
            try:
                body, headers = await asyncio.to_thread(
                    web_push.sealed,
                    message,
                    browser.endpoint,
                    browser.p256dh,
                    browser.auth,
                    key.get_secret_value(),
                    self.settings.vapid_contact or "",
                )
                accept(await safe_http.post(browser.endpoint, body, headers, self.settings.private_webhooks))
                sent = True
            except (Gone, Refused, ValueError):
                await self.remove_browser(account, browser.endpoint)
            except Unsure:
                sent = True
            except OSError as error:
                later = error
        if later is not None and not sent:
            raise later
        return "sent" if sent else "failed"

    # --- what people want ---

    async def browsers(self, account: Account) -> list[Any]:
        """The browsers of an account that get Web Push."""
        s = schema.subscriptions
        async with self.database.reader.connect() as connection:
            wanted = select(s).where(s.c.account_id == account.id).order_by(s.c.created_at.desc()).limit(MOST_BROWSERS)
            return list((await connection.execute(wanted)).all())

    async def add_browser(self, account: Account, endpoint: str, p256dh: str, auth: str) -> None:
        """Notify a browser by Web Push from now on; Refused."""
        safe_http.checked(endpoint, self.settings.private_webhooks)
        try:
            if len(web_push.decoded(p256dh)) != 65 or len(web_push.decoded(auth)) != 16:
                raise ValueError
        except ValueError:
            raise Refused("These are not the keys of a browser.", "bad_keys") from None
        s = schema.subscriptions
        values = {
            "endpoint": endpoint,
            "p256dh": p256dh,
            "auth": auth,
            "account_id": account.id,
            "created_at": self.now(),
        }
        async with self.database.writer.begin() as connection:
            await connection.execute(delete(s).where(s.c.endpoint_hash == hashed(endpoint)))
            await connection.execute(insert(s).values(endpoint_hash=hashed(endpoint), **values))

    async def remove_browser(self, account: Account, endpoint: str) -> None:
        s = schema.subscriptions
        async with self.database.writer.begin() as connection:
            gone = (s.c.endpoint_hash == hashed(endpoint)) & (s.c.account_id == account.id)
            await connection.execute(delete(s).where(gone))

    async def choose_webhook(self, account: Account, url: str) -> None:
        """Notify a webhook from now on, or none; Refused."""
        if url:
            safe_http.checked(url, self.settings.private_webhooks)
        if len(url) > 500:
            raise Refused("This address is too long.", "bad_webhook")
        await self.accounts.change(account, webhook=url or None)

    async def choose_email(self, account: Account, address: str, words: NoticeText) -> None:
        """Ask an e-mail address for confirmation, or remove it; Refused."""
        if not address:
            await self.accounts.change(account, email=None, email_wanted=None)
            return
        if not mail.is_email(address):
            raise Refused("This is not an e-mail address.", "bad_email")
        if "email" not in self.channels:
            raise Refused("This server sends no e-mail.", "no_email")
        await self.accounts.change(account, email_wanted=address)
        link = f"{self.site}/confirm/{self.sign('confirm', [account.id, address])}"
        leave = f"{self.site}/unsubscribe/{self.sign('unsubscribe', [account.id, 'email_wanted'])}"
        links = [(words.to_table, link), (words.to_unsubscribe, leave)]
        message = mail.letter(self.settings.mail_from or "", address, words.subject, [words.text], links, leave)
        self.run(self.send_later(message))

    async def send_later(self, message: Any) -> None:
        """Send a message in the background, with retries."""
        for pause in (0.0, *PAUSES[:2]):
            await asyncio.sleep(pause)
            try:
                await asyncio.to_thread(mail.send, message, self.settings)
                return
            except (Gone, Unsure) as error:
                log.warning("an e-mail is given up: %s", error)
                return
            except (OSError, smtplib.SMTPException) as error:
                log.warning("an e-mail was not delivered: %s", type(error).__name__)

    async def confirm(self, token: str) -> bool:
        """The owner of an address has confirmed it."""
        found = self.read("confirm", token, CONFIRM_S)
        account = await self.accounts.get(found[0]) if found else None
        if account is None or account.email_wanted != found[1]:
            return False
        await self.accounts.change(account, email=found[1], email_wanted=None)
        return True

    async def unsubscribe(self, token: str) -> bool:
        """Stop messages on one channel, for the holder of an unsubscribe link."""
        found = self.read("unsubscribe", token)
        account = await self.accounts.get(found[0]) if found else None
        if account is None:
            return bool(found)
        if found[1] == "push":
            s = schema.subscriptions
            async with self.database.writer.begin() as connection:
                await connection.execute(delete(s).where(s.c.account_id == account.id))
        else:
            await self.accounts.change(account, **{found[1]: None})
        return True

    # --- links that show who they were made for ---

    def sign(self, purpose: str, what: list[str]) -> str:
        signed = URLSafeTimedSerializer(self.secret, salt=purpose).dumps(what)
        return signed if isinstance(signed, str) else signed.decode()

    def read(self, purpose: str, token: str, seconds: int | None = None) -> list[str]:
        """The signed content; None if the signature is invalid or has expired."""
        try:
            found: list[str] = URLSafeTimedSerializer(self.secret, salt=purpose).loads(token, max_age=seconds)
        except BadSignature:
            return []
        return found

    async def _shared_secret(self) -> str:
        """The same for every server over this database."""
        s = schema.secrets
        wanted = select(s.c.value).where(s.c.name == "signing")
        async with self.database.reader.connect() as connection:
            known = await connection.scalar(wanted)
        if known is None:
            with suppress(IntegrityError):
                async with self.database.writer.begin() as connection:
                    await connection.execute(insert(s).values(name="signing", value=new_key()))
            async with self.database.reader.connect() as connection:
                known = await connection.scalar(wanted)
        return str(known)


def letters(due: Sequence[Any]) -> list[list[Any]]:
    """Notifications that are sent together: all that are due to one mailbox; all others one by one."""
    together: dict[str, list[Any]] = {}
    for row in due:
        together.setdefault(row.account_id if row.channel == "email" else row.id, []).append(row)
    return list(together.values())


def accept(status: int) -> None:
    """Raise Gone if the recipient refuses permanently, OSError if it may work later."""
    if status < 300:
        return
    if status in (408, 425, 429) or status >= 500:
        raise OSError(f"answered with {status}")
    raise Gone(f"answered with {status}")


def webhook_body(words: NoticeText, link: str, leave: str) -> dict[str, Any]:
    """The body for Discord (`content`) and Slack (`text`), in which no name can mention anybody."""
    literal = MARKDOWN.sub(r"\\\g<0>", words.text)
    content = f"{literal}\n{link}\n{words.to_unsubscribe} <{leave}>"
    escaped = words.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = f"{escaped}\n<{link}|{words.to_table}> · <{leave}|{words.to_unsubscribe}>"
    return {"content": content, "text": text, "allowed_mentions": {"parse": []}}
