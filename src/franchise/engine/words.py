"""Words of memory that threads share without a lock, by the processor's own operations.

In plain mode they are ordinary reads and writes: there, kernels have one thread.
"""

from typing import Any, TypeAlias

import numpy as np

from franchise.engine.jit import COMPILED

Words: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"


def read(words: Words, index: int) -> int:
    """The word, and after it whatever was written before the word was."""
    return int(words[index])


def write(words: Words, index: int, value: int) -> None:
    """Change the word, after everything that was written so far."""
    words[index] = value


def add(words: Words, index: int, number: int) -> None:
    """Count on, whoever else does so at the same time."""
    words[index] += number


def swap(words: Words, index: int, old: int, new: int) -> bool:
    """Change the word from old to new; False, and nothing is changed, if it is not the old one any more."""
    if words[index] != old:
        return False
    words[index] = new
    return True


if COMPILED:  # pragma: no cover - coverage is measured in plain mode
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    BYTES = 8
    ADDRESS, WORD = types.intp, types.int64

    def pointer(builder: Any, address: Any) -> Any:
        return builder.inttoptr(address, ir.IntType(8 * BYTES).as_pointer())

    @intrinsic
    def _load(typing_context: Any, address: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.load_atomic(pointer(builder, arguments[0]), "acquire", BYTES)

        return WORD(ADDRESS), build

    @intrinsic
    def _store(typing_context: Any, address: Any, value: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            builder.store_atomic(arguments[1], pointer(builder, arguments[0]), "release", BYTES)
            return context.get_dummy_value()

        return types.void(ADDRESS, WORD), build

    @intrinsic
    def _count(typing_context: Any, address: Any, number: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.atomic_rmw("add", pointer(builder, arguments[0]), arguments[1], "acq_rel")

        return WORD(ADDRESS, WORD), build

    @intrinsic
    def _exchange(typing_context: Any, address: Any, old: Any, new: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            address, old, new = arguments
            found = builder.cmpxchg(pointer(builder, address), old, new, "acq_rel", "acquire")
            return builder.extract_value(found, 1)

        return types.boolean(ADDRESS, WORD, WORD), build

    @overload(read)
    def _read(words: Any, index: Any) -> Any:
        def found(words: Any, index: Any) -> Any:
            return _load(words.ctypes.data + BYTES * index)  # type: ignore[call-arg]

        return found

    @overload(write)
    def _write(words: Any, index: Any, value: Any) -> Any:
        def written(words: Any, index: Any, value: Any) -> Any:
            _store(words.ctypes.data + BYTES * index, value)  # type: ignore[call-arg]

        return written

    @overload(add)
    def _add(words: Any, index: Any, number: Any) -> Any:
        def added(words: Any, index: Any, number: Any) -> Any:
            _count(words.ctypes.data + BYTES * index, number)  # type: ignore[call-arg]

        return added

    @overload(swap)
    def _swap(words: Any, index: Any, old: Any, new: Any) -> Any:
        def swapped(words: Any, index: Any, old: Any, new: Any) -> Any:
            return _exchange(words.ctypes.data + BYTES * index, old, new)  # type: ignore[call-arg]

        return swapped
