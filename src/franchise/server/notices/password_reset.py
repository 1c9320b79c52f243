"""Forgotten passwords: a message to the confirmed address of an account, with a link that works once, for an hour."""

from franchise.server.notices import mail
from franchise.server.notices.messages import NoticeText
from franchise.server.notices.turn_notices import Notices
from franchise.server.people import passwords
from franchise.server.people.accounts import Account, Accounts
from franchise.server.tables.seat_keys import hashed

VALID_S = 3600
PURPOSE = "password"


class PasswordReset:
    """Password reset by e-mail."""

    def __init__(self, notices: Notices, accounts: Accounts) -> None:
        self.notices = notices
        self.accounts = accounts

    async def accounts_of(self, name_or_address: str) -> tuple[Account, ...]:
        """The accounts with a confirmed address; the visitor is not told whether there are any."""
        wanted = name_or_address.strip()
        if "email" not in self.notices.channels:
            return ()
        if "@" in wanted:
            return await self.accounts.at_address(wanted)
        account = await self.accounts.named(wanted)
        return (account,) if account is not None and account.email is not None else ()

    async def write(self, account: Account, words: NoticeText) -> None:
        """Send the message later, so that the response time does not reveal whether there is an account."""
        mark = await self._mark(account.id)
        if mark is None or account.email is None:
            return
        link = f"{self.notices.site}/password/{self.notices.sign(PURPOSE, [account.id, mark])}"
        sender = self.notices.settings.mail_from or ""
        letter = mail.letter(sender, account.email, words.subject, [words.text], [(words.to_table, link)])
        self.notices.run(self.notices.send_later(letter))

    async def account(self, token: str) -> Account | None:
        """The account of a link; None if it has expired or the password was changed since."""
        found = self.notices.read(PURPOSE, token, VALID_S)
        if len(found) != 2 or await self._mark(found[0]) != found[1]:
            return None
        return await self.accounts.get(found[0])

    async def change(self, account: Account, password: str) -> None:
        """Set a new password; Refused."""
        passwords.check(password, account.name)
        await self.accounts.change(account, password=await self.accounts.passwords.hash(password))

    async def _mark(self, account_id: str) -> str | None:
        """A mark that changes with the password, so that a link works once."""
        kept = await self.accounts.password_hash(account_id)
        return None if kept is None else hashed(kept)[:16]
