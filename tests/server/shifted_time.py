"""`franchise` over an SQLite file, by a clock that a test puts forward: by so many seconds as a file says.

Nobody is woken by that: what a server looks at now and then, this one looks at often.
"""

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from franchise.cli import main
from franchise.server.notices import turn_notices
from franchise.server.storage.sqlite_store import SqliteStore
from franchise.server.tables import hosting

OFTEN_S = 0.25


def run() -> None:
    file = Path(sys.argv.pop(1))
    SqliteStore.now = lambda _: datetime.now(UTC) + timedelta(seconds=float(file.read_text()))  # type: ignore[method-assign]
    turn_notices.POLL_S = hosting.LOOK_S = OFTEN_S
    main()


if __name__ == "__main__":  # bots think in processes that import this again
    run()
