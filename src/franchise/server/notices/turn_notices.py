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
from typing import Any

from sqlalchemy import delete, exists, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from franchise.server.notices import mail, safe_http, web_push
from franchise.server.notices.messages import NoticeText, TurnNotice, digest_subject, turn_message
from franchise.server.notices.safe_http import Gone, Unsure
from franchise.server.notices.subscriptions import Channel, Subscriptions
from franchise.server.people.accounts import Account, Accounts
from franchise.server.settings import Settings
from franchise.server.storage import schema
from franchise.server.storage.database import Database
from franchise.server.tables.errors import Damaged, NoSuchTable, Refused, Unavailable
from franchise.server.tables.interfaces import Notice
from franchise.server.tables.seat_keys import new_id
from franchise.server.tables.service import Tables

MARKDOWN = re.compile(r"[\\`*_~|<>\[\]]")  # what Discord would make links or looks of
PAUSES_S = (30.0, 120.0, 600.0, 3600.0)  # before it is tried again
POLL_S = 15.0  # between looks at what other servers have left
AT_ONCE = 20  # notices that are sent at the same time
BEAT_S = 30.0  # between notes that a table is still open in a browser
LEASE = timedelta(seconds=90)  # without such a note, after which the table counts as closed
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


class TurnNotices:
    """Notifies people that it is their turn."""

    def __init__(
        self,
        database: Database,
        tables: Tables,
        accounts: Accounts,
        subscriptions: Subscriptions,
        settings: Settings,
        now: Callable[[], datetime],
    ) -> None:
        self.database = database
        self.tables = tables
        self.accounts = accounts
        self.subscriptions = subscriptions
        self.settings = settings
        self.now = now
        self.begun_turns: asyncio.Queue[tuple[str, TurnNotice]] = asyncio.Queue()
        self.woken = asyncio.Event()
        self.tasks: set[asyncio.Task[Any]] = set()
        self.sending: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        self.tables.bus.subscribe(self.hear)
        if self.subscriptions.channels:
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
        if table is None or notice.kind == "chat" or not self.subscriptions.channels:
            return
        seat = table.to_move
        if seat is None or seat.player is not None:
            return
        if notice.kind in ("reminder", "nudge"):
            self.begun_turns.put_nowait((table.id, notice.kind))
        elif not table.made:
            self.begun_turns.put_nowait((table.id, "turn"))

    async def look(self, back: timedelta) -> None:
        """Find turns that have begun since then and were missed."""
        t, s, a, n, b = schema.tables, schema.seats, schema.accounts, schema.notices, schema.subscriptions
        notified = exists().where(n.c.account_id == a.c.id, n.c.table_id == t.c.id, n.c.created_at >= t.c.changed_at)
        wants = a.c.email.is_not(None) | a.c.webhook.is_not(None) | exists().where(b.c.account_id == a.c.id)
        query = (
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
                ~notified,
            )
        )
        async with self.database.reader.connect() as connection:
            for table in await connection.scalars(query):
                self.begun_turns.put_nowait((table, "turn"))

    async def _note(self) -> None:
        table_id, kind = await self.begun_turns.get()
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
        enabled: dict[Channel, bool] = {
            "email": account.email is not None,
            "webhook": account.webhook is not None,
            "push": bool(await self.subscriptions.browsers(account)),
        }
        for channel in self.subscriptions.channels:
            if not enabled[channel]:
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
            await asyncio.sleep(BEAT_S)
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
        query = select(func.count()).where(
            w.c.account_id == account_id, w.c.table_id == table_id, w.c.until > self.now()
        )
        async with self.database.reader.connect() as connection:
            return bool(await connection.scalar(query))

    # --- telling them ---

    async def _deliver(self) -> None:
        """Send what is due, look for missed turns, and wait until there is more to do."""
        if await self.send_due() == AT_ONCE:
            return
        if self.subscriptions.channels:
            await self.look(LATE)
        n = schema.notices
        self.woken.clear()
        async with self.database.reader.connect() as connection:
            nearest = await connection.scalar(select(func.min(n.c.due_at)).where(n.c.state == "waiting"))
        pause = POLL_S if nearest is None else min(POLL_S, max(0.05, (nearest - self.now()).total_seconds()))
        with suppress(TimeoutError):
            async with asyncio.timeout(pause):  # wait_for would lose a cancellation that comes with the event
                await self.woken.wait()

    async def send_due(self) -> int:
        """Send the next notifications that are due; returns how many."""
        n, now = schema.notices, self.now()
        query = select(n).where(n.c.state == "waiting", n.c.due_at <= now).order_by(n.c.due_at).limit(AT_ONCE)
        async with self.database.reader.connect() as connection:
            due = (await connection.execute(query)).all()
        for rows in sent_together(due):
            task = asyncio.get_running_loop().create_task(self._attempt(rows))
            self.sending.add(task)
            task.add_done_callback(self.sending.discard)
        if self.sending:
            await asyncio.wait(self.sending)
        return len(due)

    async def _attempt(self, rows: Sequence[Any]) -> None:
        """Send notifications together, except those another server sends and those no longer needed."""
        n, channel = schema.notices, rows[0].channel
        claimed = await self._claimed(rows)
        turn_of: dict[str, WaitingTurn | None] = {}
        state = "dropped"
        try:
            for row in claimed:
                turn_of[row.id] = await self._turn(row)
            turns = [turn for turn in turn_of.values() if turn is not None]
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
            for row in claimed:
                outcome = "dropped" if turn_of.get(row.id, row) is None else state
                if outcome == "waiting" and row.attempts >= len(PAUSES_S):
                    outcome = "failed"
                again = self.now() + timedelta(seconds=PAUSES_S[min(row.attempts, len(PAUSES_S) - 1)])
                await connection.execute(update(n).where(n.c.id == row.id).values(state=outcome, due_at=again))

    async def _claimed(self, rows: Sequence[Any]) -> list[Any]:
        """The notifications that no other server is sending."""
        n, w = schema.notices, schema.watchers
        now, claimed = self.now(), []
        async with self.database.writer.begin() as connection:
            for row in rows:
                claim = await connection.execute(
                    update(n)
                    .where(n.c.id == row.id, n.c.state == "waiting", n.c.attempts == row.attempts)
                    .values(attempts=row.attempts + 1, state="sending")
                )
                claimed += [row] if claim.rowcount == 1 else []
            await connection.execute(delete(n).where(n.c.created_at < now - KEPT))
            await connection.execute(delete(w).where(w.c.until < now - KEPT))
        return claimed

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
        return WaitingTurn(account, words, f"{self.subscriptions.links.site}/t/{table.id}")

    async def _send(self, channel: Channel, turns: Sequence[WaitingTurn]) -> str:
        account = turns[0].account
        leave = self.subscriptions.unsubscribe_link(account, channel)
        if channel == "email":
            return await self._email(account, turns, leave)
        send = {"webhook": self._webhook, "push": self._push}[channel]
        return await send(account, turns[0].words, turns[0].link, leave)

    async def _email(self, account: Account, turns: Sequence[WaitingTurn], leave: str) -> str:
        if account.email is None:
            return "dropped"
        first = turns[0].words
        subject = first.subject if len(turns) == 1 else digest_subject(account, len(turns))
        links = [(turn.words.to_table, turn.link) for turn in turns] + [(first.to_unsubscribe, leave)]
        lines = [turn.words.text for turn in turns]
        sender = self.settings.mail_from or ""
        message = mail.compose(sender, account.email, subject, lines, links, leave)
        await asyncio.to_thread(mail.send, message, self.settings)
        return "sent"

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
        browsers = await self.subscriptions.browsers(account)
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
                await self.subscriptions.remove_browser(account, browser.endpoint)
            except Unsure:
                sent = True
            except OSError as error:
                later = error
        if later is not None and not sent:
            raise later
        return "sent" if sent else "failed"


def sent_together(due: Sequence[Any]) -> list[list[Any]]:
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
