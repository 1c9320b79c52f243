"""Where Chromium is: `python tests/web/chromium.py` prints it, or fails."""

import shutil
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")  # works in containers and as root


def find() -> str | None:
    """The path of the first Chromium there is."""
    return next(filter(None, map(shutil.which, NAMES)), None)


if __name__ == "__main__":
    found = find()
    if found is None:
        sys.exit(1)
    print(f"Chromium: {found}")
