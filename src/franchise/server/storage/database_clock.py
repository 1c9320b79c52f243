"""The clock of a database that several servers share, by which deadlines are measured."""

import logging
import time
from datetime import UTC, datetime, timedelta

OFF_S = 2.0  # of difference to the database before it is logged
SAID_S = 3600.0  # between two such lines in the log
log = logging.getLogger(__name__)


class DatabaseClock:
    """The database's time: its last answer plus the seconds that have passed here since.

    These are measured with the monotonic clock, so jumps of this machine's clock do not matter.
    """

    def __init__(self) -> None:
        self.told = datetime.now(UTC)
        self.at = time.monotonic()
        self.off = 0.0  # seconds by which this machine is ahead
        self.said = -SAID_S

    def __call__(self) -> datetime:
        return self.told + timedelta(seconds=time.monotonic() - self.at)

    def set(self, answer: datetime, asked: float) -> None:
        """Set the time that the database answered to a query sent at that moment (of `time.monotonic`)."""
        received = time.monotonic()
        self.told, self.at = answer.astimezone(UTC), (asked + received) / 2
        self.off = (datetime.now(UTC) - self()).total_seconds()
        if abs(self.off) > OFF_S + (received - asked) and received - self.said >= SAID_S:
            self.said = received
            way = "ahead of" if self.off > 0 else "behind"
            log.warning("this machine's clock is %.0f s %s the database's, which counts", abs(self.off), way)
