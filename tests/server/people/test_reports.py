"""Reported messages: whoever runs the server reads them, and closes the reports."""

import asyncio
import json
from typing import Any

from server.in_process_site import open_table, running_site


async def report_two_messages(database: str) -> None:
    async with running_site(database) as site:
        ann, bob, guest = await site.member("Ann"), await site.member("Bob"), await site.visitor()
        table = await open_table(ann, "me", "open", "open")
        await bob.post(f"/t/{table}/sit", data={"seat": "1"})
        await guest.post(f"/t/{table}/sit", data={"seat": "2", "name": "Gus"})
        for who, text in ((bob, "rude words"), (guest, "rude, too"), (ann, "kind words")):
            await who.post(f"/t/{table}/say", data={"text": text})
        for who, message in ((ann, "1"), (guest, "1"), (guest, "1"), (ann, "2")):
            assert (await who.post(f"/t/{table}/report", data={"message": message})).status_code == 303


async def said(database: str) -> list[str]:
    async with running_site(database) as site:
        [table] = await site.tables.tables_of((await site.people.accounts.named("Ann")).holder)
        return [message.text for message in await site.tables.messages(table.id)]


def test_reports_are_listed_and_closed_and_a_message_is_deleted(run: Any, database: str) -> None:
    asyncio.run(report_two_messages(database))
    done = run("db", "reports", "--database", database)
    assert done.code == 0
    assert "reported by 2 people\n    Bob (account Bob): rude words\n" in done.out
    assert "reported by 1 person\n    Gus (guest): rude, too\n" in done.out
    assert done.out.endswith("2 reported messages.\n")
    listed = json.loads(run("db", "reports", "--json", "--database", database).out)
    assert [(report["message"], report["reporters"], report["account"]) for report in listed] == [
        (1, 2, "Bob"),
        (2, 1, None),
    ]
    assert run("db", "reports", "--delete", "1", "--database", database).out.endswith("1 reported message.\n")
    assert run("db", "reports", "--dismiss", "2", "--database", database).out == "0 reported messages.\n"
    again = run("db", "reports", "--dismiss", "2", "--database", database)
    assert (again.code, again.err) == (1, "franchise db reports: there is no reported message 2\n")
    assert asyncio.run(said(database)) == ["rude, too", "kind words"]
