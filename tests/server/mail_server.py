"""A mail server of the test's own."""

import email
from email import policy
from typing import Any

from aiosmtpd.controller import Controller

from server.reserved_port import ReservedPort
from waiting import PATIENCE


class MailServer:
    """A mail server that keeps what it gets, as it came over the wire."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.raw: list[bytes] = []
        self.port = ReservedPort()
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port.number, ready_timeout=PATIENCE)

    def start(self) -> None:
        self.controller.start()

    def stop(self) -> None:
        self.controller.stop()
        self.port.close()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        self.raw.append(envelope.content)
        self.messages.append(email.message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"

    @property
    def settings(self) -> dict[str, Any]:
        """Of a server that sends its mail here."""
        return {
            "mail_from": "Franchise <table@example.org>",
            "smtp_host": "127.0.0.1",
            "smtp_port": self.port.number,
            "smtp_security": "none",
        }


def text_of(message: Any) -> str:
    """The plain text of a message."""
    return str(message.get_body(("plain",)).get_content())
