"""Where compiled kernels are kept.

In a folder named after a hash of all kernel sources and of the tool chain, so that stale code is never used after an
edit (Numba itself only notices edits to the module that defines a function).
"""

import hashlib
import os
import sys
import warnings
from functools import cache
from importlib.metadata import version
from pathlib import Path

CACHE_VARIABLE = "FRANCHISE_CACHE_DIR"


def cache_root() -> Path:
    """The folder for kernel caches: FRANCHISE_CACHE_DIR, or the user's cache folder."""
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
    """A short hash of the exact text of every module in the folders and of the tools that compile them."""
    digest = hashlib.sha256(f"{sys.implementation.cache_tag} {version('numba')}".encode())
    for folder in folders:
        for path in sorted(folder.glob("*.py")):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache  # pragma: no cover - compiled mode only
def cache_folder(package: Path) -> Path | None:
    """The writable cache folder for the kernels of a package, or None (then every start compiles again)."""
    folder = cache_root() / f"kernels-{sources_hash(*sorted({Path(__file__).parent, package}))}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f"probe-{os.getpid()}"
        probe.touch()
        probe.unlink(missing_ok=True)  # another thread, or a container that shares the folder, may have the same name
    except OSError as error:
        warnings.warn(
            f"the kernel cache {folder} cannot be written ({error.strerror}): every start compiles again; "
            f"set {CACHE_VARIABLE} to a writable folder",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    return folder
