"""Forgotten passwords: a message to the confirmed address of an account, with a link that works once, for an hour."""

from franchise.server.notices import mail
from franchise.server.notices.messages import NoticeText
from franchise.server.notices.subscriptions import Subscriptions
from franchise.server.people import passwords
from franchise.server.people.accounts import Account, Accounts
from franchise.server.tables.seat_keys import hashed

VALID_S = 3600
PURPOSE = "password"


class PasswordReset:
    """Password reset by e-mail."""

    def __init__(self, subscriptions: Subscriptions, accounts: Accounts) -> None:
        self.subscriptions = subscriptions
        self.accounts = accounts

    async def accounts_of(self, name_or_address: str) -> tuple[Account, ...]:
        """The accounts with a confirmed address; the visitor is not told whether there are any."""
        name = name_or_address.strip()
        if "email" not in self.subscriptions.channels:
            return ()
        if "@" in name:
            return await self.accounts.at_address(name)
        account = await self.accounts.named(name)
        return (account,) if account is not None and account.email is not None else ()

    async def write(self, account: Account, words: NoticeText) -> None:
        """Send the message later, so that the response time does not reveal whether there is an account."""
        mark = await self._mark(account.id)
        if mark is None or account.email is None:
            return
        link = self.subscriptions.links.link(PURPOSE, [account.id, mark])
        sender = self.subscriptions.settings.mail_from or ""
        message = mail.compose(sender, account.email, words.subject, [words.text], [(words.to_table, link)])
        self.subscriptions.outbox.put(message)

    async def account(self, token: str) -> Account | None:
        """The account of a link; None if it has expired or the password was changed since."""
        parts = self.subscriptions.links.read(PURPOSE, token, VALID_S)
        if len(parts) != 2 or await self._mark(parts[0]) != parts[1]:
            return None
        return await self.accounts.get(parts[0])

    async def change(self, account: Account, password: str) -> None:
        """Set a new password; Refused."""
        passwords.check(password, account.name)
        await self.accounts.change(account, password=await self.accounts.passwords.hash(password))

    async def _mark(self, account_id: str) -> str | None:
        """A mark that changes with the password, so that a link works once."""
        password_hash = await self.accounts.password_hash(account_id)
        return None if password_hash is None else hashed(password_hash)[:16]
