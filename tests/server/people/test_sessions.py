"""Sessions and tokens that are kept for a few seconds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from franchise.server.people.sessions import COOKIE
from server.in_process_site import SQLITE_ONLY, InProcessSite


class SlowReader:
    """Connections of a database whose answers wait."""

    def __init__(self, reader: Any) -> None:
        self.reader = reader
        self.asked, self.answers = asyncio.Event(), asyncio.Event()

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[Any]:
        yield self

    async def execute(self, query: Any) -> Any:
        async with self.reader.connect() as connection:
            found = await connection.execute(query)
        self.asked.set()
        await self.answers.wait()
        return found


@SQLITE_ONLY
async def test_a_session_that_ends_while_it_is_looked_up_is_not_kept(site: InProcessSite, monkeypatch: Any) -> None:
    ann, sessions = await site.member("Ann"), site.people.sessions
    secret = str(ann.cookies[COOKIE])
    slow = SlowReader(sessions.database.reader)

    class Database:
        reader, writer = slow, sessions.database.writer

    with monkeypatch.context() as patched:
        patched.setattr(sessions, "database", Database())
        looking_up = asyncio.create_task(sessions.find(secret))
        await slow.asked.wait()
        account = await site.people.accounts.named("Ann")
        assert account is not None
        await sessions.end_all(account)
        slow.answers.set()
        assert await looking_up is not None  # it was there when it was asked for
    assert await sessions.find(secret, fresh=False) is None
