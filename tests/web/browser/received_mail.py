"""The mail of a server, as somebody with a browser reads it."""

import re
from typing import Any

from server.mail_server import MailServer, text_of
from server.running_servers import ShiftedServer
from waiting import wait_until

OCTETS = 998  # of a line, at most: RFC 5321


def newest(mail_server: MailServer, address: str, count: int) -> Any:
    """The last message to somebody, once so many have come."""

    def found() -> list[int]:
        return [number for number, message in enumerate(mail_server.messages) if message["To"] == address]

    wait_until(lambda: len(found()) >= count, f"{count} messages to {address}")
    number = found()[-1]
    sent = mail_server.raw[number]
    assert sent.isascii()  # as any mail server takes it
    assert max(map(len, sent.splitlines())) <= OCTETS
    return mail_server.messages[number]


def link_in(message: Any, site: ShiftedServer) -> str:
    """Where the first link of a message leads to, as a path."""
    found = re.search(rf"{re.escape(site.address)}(\S+)", text_of(message))
    assert found is not None
    return found[1]
