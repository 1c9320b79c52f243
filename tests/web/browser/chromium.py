"""Where Chromium is: `python tests/web/browser/chromium.py` prints it, or fails.

Its headless shell draws the same pages in half the processor time; `--shell` fails without it.
"""

import shutil
import sys

SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")  # works in containers and as root


def find() -> str | None:
    """The path of the first Chromium there is."""
    return next(filter(None, map(shutil.which, NAMES)), None)


if __name__ == "__main__":
    if "--shell" in sys.argv:
        sys.exit(shutil.which(SHELL) is None)
    found = find()
    if found is None:
        sys.exit(1)
    print(f"Chromium: {found}")
