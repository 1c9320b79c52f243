"""The letters of a server, as somebody with a browser reads them."""

import re
from typing import Any

from server.postman import Postman, text_of
from server.running_servers import ShiftedServer
from waiting import wait_until

OCTETS = 998  # of a line, at most: RFC 5321


def newest(postman: Postman, address: str, count: int) -> Any:
    """The last letter to somebody, once so many have come."""

    def found() -> list[int]:
        return [number for number, letter in enumerate(postman.letters) if letter["To"] == address]

    wait_until(lambda: len(found()) >= count, f"{count} letters to {address}")
    number = found()[-1]
    sent = postman.raw[number]
    assert sent.isascii()  # as any mail server takes it
    assert max(map(len, sent.splitlines())) <= OCTETS
    return postman.letters[number]


def link_in(letter: Any, site: ShiftedServer) -> str:
    """Where the first link of a letter leads to, as a path."""
    found = re.search(rf"{re.escape(site.address)}(\S+)", text_of(letter))
    assert found is not None
    return found[1]
