"""Where an account gets its notices: at a confirmed e-mail address, a webhook, or browsers."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import delete, insert, select

from franchise.server.notices import mail, safe_http, web_push
from franchise.server.notices.messages import NoticeText
from franchise.server.notices.outbox import Outbox
from franchise.server.notices.signed_links import SignedLinks
from franchise.server.people.accounts import Account, Accounts
from franchise.server.settings import Settings
from franchise.server.storage import schema
from franchise.server.storage.database import Database
from franchise.server.tables.errors import Refused
from franchise.server.tables.seat_keys import hashed

Channel = Literal["email", "webhook", "push"]
CHANNELS: tuple[Channel, ...] = ("email", "webhook", "push")
CONFIRM_S = 3 * 24 * 3600  # for confirming an e-mail address
MOST_BROWSERS = 10  # of an account that get Web Push


class Subscriptions:
    """The channels that accounts have chosen."""

    def __init__(
        self,
        database: Database,
        accounts: Accounts,
        settings: Settings,
        links: SignedLinks,
        outbox: Outbox,
        now: Callable[[], datetime],
    ) -> None:
        self.database = database
        self.accounts = accounts
        self.settings = settings
        self.links = links
        self.outbox = outbox
        self.now = now

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

    async def browsers(self, account: Account) -> list[Any]:
        """The browsers of an account that get Web Push."""
        s = schema.subscriptions
        async with self.database.reader.connect() as connection:
            query = select(s).where(s.c.account_id == account.id).order_by(s.c.created_at.desc()).limit(MOST_BROWSERS)
            return list((await connection.execute(query)).all())

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
            subscription = (s.c.endpoint_hash == hashed(endpoint)) & (s.c.account_id == account.id)
            await connection.execute(delete(s).where(subscription))

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
        link = self.links.link("confirm", [account.id, address])
        leave = self.unsubscribe_link(account, "email_wanted")
        links = [(words.to_table, link), (words.to_unsubscribe, leave)]
        message = mail.compose(self.settings.mail_from or "", address, words.subject, [words.text], links, leave)
        self.outbox.put(message)

    async def try_email(self, account: Account, words: NoticeText) -> None:
        """Send a test message; Refused without a confirmed address."""
        if account.email is None:
            raise Refused("There is no confirmed address to write to.", "no_address")
        leave = self.unsubscribe_link(account, "email")
        links = [(words.to_table, f"{self.links.site}/account"), (words.to_unsubscribe, leave)]
        sender = self.settings.mail_from or ""
        self.outbox.put(mail.compose(sender, account.email, words.subject, [words.text], links, leave))

    async def confirm(self, token: str) -> bool:
        """The owner of an address has confirmed it."""
        parts = self.links.read("confirm", token, CONFIRM_S)
        account = await self.accounts.get(parts[0]) if parts else None
        if account is None or account.email_wanted != parts[1]:
            return False
        await self.accounts.change(account, email=parts[1], email_wanted=None)
        return True

    def unsubscribe_link(self, account: Account, channel: str) -> str:
        """The link in a message that ends messages on this channel."""
        return self.links.link("unsubscribe", [account.id, channel])

    async def unsubscribe(self, token: str) -> bool:
        """Stop messages on one channel, for the holder of an unsubscribe link."""
        parts = self.links.read("unsubscribe", token)
        account = await self.accounts.get(parts[0]) if parts else None
        if account is None:
            return bool(parts)
        if parts[1] == "push":
            s = schema.subscriptions
            async with self.database.writer.begin() as connection:
                await connection.execute(delete(s).where(s.c.account_id == account.id))
        else:
            await self.accounts.change(account, **{parts[1]: None})
        return True
