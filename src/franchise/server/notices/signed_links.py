"""Links in messages that prove who they were made for, on any server over the same database."""

from contextlib import suppress

from itsdangerous import BadSignature, URLSafeTimedSerializer
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from franchise.server.storage import schema
from franchise.server.storage.database import Database
from franchise.server.tables.seat_keys import new_key


class SignedLinks:
    """Addresses of this site that end in a signed token."""

    def __init__(self, database: Database, url: str | None) -> None:
        self.database = database
        self.site = (url or "").rstrip("/")
        self.secret = ""

    async def start(self) -> None:
        """Read the secret, or make one up where there is none yet."""
        self.secret = await self._shared_secret()

    def link(self, purpose: str, content: list[str]) -> str:
        """The address /purpose/token."""
        token = URLSafeTimedSerializer(self.secret, salt=purpose).dumps(content)
        return f"{self.site}/{purpose}/{token if isinstance(token, str) else token.decode()}"

    def read(self, purpose: str, token: str, seconds: int | None = None) -> list[str]:
        """The content of a token; empty if the signature is invalid or has expired."""
        try:
            content: list[str] = URLSafeTimedSerializer(self.secret, salt=purpose).loads(token, max_age=seconds)
        except BadSignature:
            return []
        return content

    async def _shared_secret(self) -> str:
        """The same for every server over this database."""
        s = schema.secrets
        query = select(s.c.value).where(s.c.name == "signing")
        async with self.database.reader.connect() as connection:
            secret = await connection.scalar(query)
        if secret is None:
            with suppress(IntegrityError):
                async with self.database.writer.begin() as connection:
                    await connection.execute(insert(s).values(name="signing", value=new_key()))
            async with self.database.reader.connect() as connection:
                secret = await connection.scalar(query)
        return str(secret)
