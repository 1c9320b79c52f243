"""The decorators for kernels, and where their compiled code is kept.

`@kernel` marks a function that other kernels call. A function that Python calls is a `@door` or a `@long_door`: only
doors become machine code, and the kernels they need are compiled into them. Numba is slow to import and slower to
compile, while a single move in plain Python takes a fraction of a millisecond. So a door runs as plain Python until
that has taken about as long as loading Numba would, or until `compiling` says so; then it is compiled, or loaded
from the cache. A long door is compiled immediately. With NUMBA_DISABLE_JIT=1 everything stays plain Python.

Compiled code is cached in a folder named after a hash of all kernel sources and of the tool chain, so that stale code
is never used after an edit (Numba itself only notices edits to the module that defines a function).
"""

import hashlib
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property, update_wrapper
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")  # whether kernels are compiled at all
CACHE_VARIABLE = "FRANCHISE_CACHE_DIR"
PLAIN_SECONDS = 0.5  # in doors, about as long as loading Numba takes


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


def kernel(function: Function) -> Function:
    """Mark a function that other kernels call. When Python calls it, it runs as plain Python."""
    if COMPILED:  # pragma: no cover - coverage is measured in plain mode
        KERNELS.add(function)
    return function


def door(function: Function) -> Function:
    """Mark a kernel that Python calls; it runs as plain Python until compiling pays off."""
    if COMPILED:  # pragma: no cover - coverage is measured in plain mode
        return Door(function, plain=True)  # type: ignore[return-value]
    return function


def long_door(function: Function) -> Function:
    """The same for functions that take longer: compiled immediately, and run without Python's lock.

    For a call of a few microseconds, waking other threads would cost more than it gains.
    """
    if COMPILED:  # pragma: no cover - coverage is measured in plain mode
        return Door(function, plain=False)  # type: ignore[return-value]
    return function


class _Trial:
    """How much longer doors may run as plain Python."""

    seconds: float = PLAIN_SECONDS


class _Thread(threading.local):
    """What doors do that this thread calls before they are compiled."""

    compiles = False  # they are compiled immediately
    interprets = False  # they run as plain Python, long ones too


_trial, _thread = _Trial(), _Thread()


@contextmanager
def compile_behind() -> Iterator[None]:
    """Doors stay plain Python until a thread under `compiling` has compiled them, so no other thread waits."""
    before, _trial.seconds = _trial.seconds, float("inf")
    try:
        yield
    finally:
        _trial.seconds = before


@contextmanager
def compiling() -> Iterator[None]:
    """In this thread, doors are compiled when they are called."""
    before, _thread.compiles = _thread.compiles, True
    try:
        yield
    finally:
        _thread.compiles = before


@contextmanager
def interpreting() -> Iterator[None]:
    """In this thread, doors that are not compiled yet run as plain Python, long ones too."""
    before, _thread.interprets = _thread.interprets, True
    try:
        yield
    finally:
        _thread.interprets = before


class Door:  # pragma: no cover - compiled mode only
    """A kernel that Python calls."""

    def __init__(self, function: Callable[..., Any], plain: bool) -> None:
        update_wrapper(self, function)
        KERNELS.number += 1
        self.function = function
        self.nogil = not plain
        self.run = self._interpret if plain else self._compile

    def __call__(self, *arguments: Any) -> Any:
        return self.run(*arguments)

    def _interpret(self, *arguments: Any) -> Any:
        if _trial.seconds <= 0 or _thread.compiles:
            return self._compile(*arguments)
        started = perf_counter()
        try:
            return self.function(*arguments)
        finally:
            _trial.seconds -= perf_counter() - started

    def _compile(self, *arguments: Any) -> Any:
        if _thread.interprets:
            return self.function(*arguments)
        result = self.dispatcher(*arguments)
        self.run = self.dispatcher
        return result

    @cached_property
    def dispatcher(self) -> Any:
        from franchise.engine.compiler import compiled

        KERNELS.know()
        return compiled(self.function, self.nogil)

    @property
    def _numba_type_(self) -> Any:
        """Its Numba type in another kernel."""
        from franchise.engine.compiler import type_of

        return type_of(self.dispatcher)


class _Kernels:  # pragma: no cover - compiled mode only
    """The kernels so far; Numba learns of them when the first door is compiled."""

    def __init__(self) -> None:
        self.number = 0
        self.unknown: list[Any] = []
        self.lock = threading.Lock()

    def add(self, function: Any) -> None:
        self.number += 1
        self.unknown.append(function)

    def know(self) -> None:
        """Register the kernels that Numba does not know yet."""
        from franchise.engine.compiler import part, type_of

        with self.lock:
            while self.unknown:
                function = self.unknown.pop()
                function.dispatcher = part(function)
                function._numba_type_ = type_of(function.dispatcher)


KERNELS = _Kernels()
