"""`franchise` over an SQLite file, by a clock that a test puts forward: by so many seconds as a file says."""

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from franchise.cli import main
from franchise.server.storage.sqlite_store import SqliteStore


def run() -> None:
    file = Path(sys.argv.pop(1))
    SqliteStore.now = lambda _: datetime.now(UTC) + timedelta(seconds=float(file.read_text()))  # type: ignore[method-assign]
    main()


if __name__ == "__main__":  # bots think in processes that import this again
    run()
