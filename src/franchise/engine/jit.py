"""The one decorator for kernels, and where their compiled code is kept.

`@kernel` compiles a function with Numba; with NUMBA_DISABLE_JIT=1 the same source runs as plain Python. Compiled code
is cached in a folder named after a hash of all kernel sources and of the tool chain, so that an edit anywhere can
never meet old code (Numba itself only notices edits of the module a function stands in).
"""

import hashlib
import os
import sys
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
CACHE_VARIABLE = "FRANCHISE_CACHE_DIR"

if COMPILED:  # pragma: no cover - coverage is measured in plain mode
    import numba
    from numba.core import event


def cache_root() -> Path:
    """The folder for kernel caches: FRANCHISE_CACHE_DIR, else the user's cache folder."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "franchise"


def sources_hash(*folders: Path) -> str:  # pragma: no cover - compiled mode only
    """A short name for the exact text of every module in the folders and the tools that compile it."""
    digest = hashlib.sha256(f"{sys.implementation.cache_tag} {numba.__version__}".encode())
    for folder in folders:
        for path in sorted(folder.glob("*.py")):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache  # pragma: no cover - compiled mode only
def cache_folder(package: Path) -> Path | None:
    """The writable cache folder for the kernels of a package, or None (then every start compiles anew)."""
    folder = cache_root() / f"kernels-{sources_hash(*sorted({Path(__file__).parent, package}))}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f"probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        warnings.warn(
            f"the kernel cache {folder} cannot be written ({error.strerror}): every start compiles anew; "
            f"set {CACHE_VARIABLE} to a writable folder",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    return folder


def kernel(function: Function) -> Function:
    """Compile a kernel (nogil, cached on disk); leave it alone in plain mode."""
    if COMPILED:  # pragma: no cover - coverage is measured in plain mode
        return compiled(function)
    return function


def compiled(function: Function) -> Function:  # pragma: no cover - compiled mode only
    """The function through Numba, its code cached in the folder of its package."""
    folder = cache_folder(Path(function.__code__.co_filename).parent)
    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(folder or "")
    try:
        made: Any = numba.njit(nogil=True, error_model="numpy", cache=folder is not None)(function)
    finally:
        settings.CACHE_DIR = before
    return made  # type: ignore[no-any-return]


if COMPILED:  # pragma: no cover - coverage is measured in plain mode

    class _Announcement(event.Listener):
        """Says once per process that kernels are being compiled; loading from the cache stays silent."""

        said = False

        def on_start(self, event: Any) -> None:
            module = event.data["dispatcher"].py_func.__module__
            if not self.said and module.startswith("franchise."):
                self.said = True
                print("Compiling for this machine: once, less than a minute ...", file=sys.stderr, flush=True)

        def on_end(self, event: Any) -> None:
            """Nothing to say at the end."""

    event.register("numba:compile", _Announcement())  # type: ignore[no-untyped-call]
