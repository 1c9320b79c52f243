"""E-mails that are sent in the background, with retries, so that no response time tells whether one is sent."""

import asyncio
import logging
import smtplib
from email.message import EmailMessage

from franchise.server.notices import mail
from franchise.server.notices.safe_http import Gone, Unsure
from franchise.server.settings import Settings

PAUSES = (0.0, 30.0, 120.0)  # seconds before each attempt
log = logging.getLogger(__name__)


class Outbox:
    """E-mails of this process that are on their way."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.tasks: set[asyncio.Task[None]] = set()

    def put(self, message: EmailMessage) -> None:
        """Send a message soon."""
        task = asyncio.get_running_loop().create_task(self._send(message))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def close(self) -> None:
        """Give up what has not been sent."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _send(self, message: EmailMessage) -> None:
        for pause in PAUSES:
            await asyncio.sleep(pause)
            try:
                await asyncio.to_thread(mail.send, message, self.settings)
                return
            except (Gone, Unsure) as error:
                log.warning("an e-mail is given up: %s", error)
                return
            except (OSError, smtplib.SMTPException) as error:
                log.warning("an e-mail was not delivered: %s", type(error).__name__)
