"""A real terminal for tests: `python tests/terminal/tmux.py` says where tmux is, or fails."""

import shutil
import subprocess
import sys
from pathlib import Path


def find() -> str | None:
    return shutil.which("tmux")


class Terminal:
    """A program in a terminal of its own, on a tmux server of its own."""

    def __init__(self, folder: Path, command: str, columns: int = 80, rows: int = 24) -> None:
        self.socket = str(folder / "tmux")
        size = ["-x", str(columns), "-y", str(rows)]
        command = f"env -u COLUMNS -u LINES TERM=screen-256color {command}; cat"  # cat keeps the last screen
        self.tmux("-f", "/dev/null", "new-session", "-d", *size, command)

    def tmux(self, *arguments: str) -> str:
        done = subprocess.run(["tmux", "-u", "-S", self.socket, *arguments], capture_output=True, text=True, check=True)
        return done.stdout

    def screen(self) -> str:
        return self.tmux("capture-pane", "-p")

    def press(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def until(self, *texts: str, gone: str = "\0") -> str:
        """The screen once it shows all of these, and no longer what is to be gone."""
        from waiting import wait_until  # which the script of the same name does not find

        shown = ""

        def there() -> bool:
            nonlocal shown
            shown = self.screen()
            return all(text in shown for text in texts) and gone not in shown

        wait_until(there, f"{texts} did not appear")
        return shown

    def end(self) -> None:
        self.tmux("kill-server")


if __name__ == "__main__":
    found = find()
    if found is None:
        sys.exit(1)
    print(f"tmux: {found}")
