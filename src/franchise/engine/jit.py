"""The decorators for kernels.

`@kernel` marks a function that other kernels call. A function that Python calls is an `@entry_point` or a
`@long_entry_point`: only entry points become machine code, and the kernels they need are compiled into them. Numba is
slow to import and slower to compile, while a single move in plain Python takes a fraction of a millisecond. So an entry
point runs as plain Python until that has taken about as long as loading Numba would, or until `compiling` says so; then
it is compiled, or loaded from the cache. A long entry point is compiled immediately. With NUMBA_DISABLE_JIT=1
everything stays plain Python.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, update_wrapper
from time import perf_counter
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")  # whether kernels are compiled at all
PLAIN_SECONDS = 0.5  # in entry points, about as long as loading Numba takes


def kernel(function: Function) -> Function:
    """Mark a function that other kernels call. When Python calls it, it runs as plain Python."""
    if COMPILED:  # pragma: no cover - coverage is measured in plain mode
        KERNELS.add(function)
    return function


def entry_point(function: Function) -> Function:
    """Mark a kernel that Python calls; it runs as plain Python until compiling pays off."""
    if COMPILED:  # pragma: no cover - coverage is measured in plain mode
        return EntryPoint(function, plain=True)  # type: ignore[return-value]
    return function


def long_entry_point(function: Function) -> Function:
    """The same for functions that take longer: compiled immediately, and run without Python's lock.

    For a call of a few microseconds, waking other threads would cost more than it gains.
    """
    if COMPILED:  # pragma: no cover - coverage is measured in plain mode
        return EntryPoint(function, plain=False)  # type: ignore[return-value]
    return function


class _Trial:
    """How much longer entry points may run as plain Python."""

    seconds: float = PLAIN_SECONDS


class _Thread(threading.local):
    """What entry points do that this thread calls before they are compiled."""

    compiles = False  # they are compiled immediately
    interprets = False  # they run as plain Python, long ones too


_trial, _thread = _Trial(), _Thread()


@contextmanager
def compile_behind() -> Iterator[None]:
    """Entry points stay plain Python until a thread under `compiling` has compiled them, so no other thread waits."""
    before, _trial.seconds = _trial.seconds, float("inf")
    try:
        yield
    finally:
        _trial.seconds = before


@contextmanager
def compiling() -> Iterator[None]:
    """In this thread, entry points are compiled when they are called."""
    before, _thread.compiles = _thread.compiles, True
    try:
        yield
    finally:
        _thread.compiles = before


@contextmanager
def interpreting() -> Iterator[None]:
    """In this thread, entry points that are not compiled yet run as plain Python, long ones too."""
    before, _thread.interprets = _thread.interprets, True
    try:
        yield
    finally:
        _thread.interprets = before


class EntryPoint:  # pragma: no cover - compiled mode only
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

        KERNELS.register()
        return compiled(self.function, self.nogil)

    @property
    def _numba_type_(self) -> Any:
        """Its Numba type in another kernel."""
        from franchise.engine.compiler import type_of

        return type_of(self.dispatcher)


class _Kernels:  # pragma: no cover - compiled mode only
    """The kernels so far; Numba learns of them when the first entry point is compiled."""

    def __init__(self) -> None:
        self.number = 0
        self.unregistered: list[Any] = []
        self.lock = threading.Lock()

    def add(self, function: Any) -> None:
        self.number += 1
        self.unregistered.append(function)

    def register(self) -> None:
        """Register the kernels that Numba does not know yet."""
        from franchise.engine.compiler import part, type_of

        with self.lock:
            while self.unregistered:
                function = self.unregistered.pop()
                function.dispatcher = part(function)
                function._numba_type_ = type_of(function.dispatcher)


KERNELS = _Kernels()
