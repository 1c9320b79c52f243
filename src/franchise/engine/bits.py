"""Sets of locations as int64 masks: bit n stands for location n.

Masks are int64, never uint64 (mixing the two gives floats), and stay positive because only 45 bits are used.
"""

from typing import Any

import numpy as np

from franchise.engine.jit import COMPILED, kernel

LINE = 64  # bytes that come into a cache together


@kernel
def wide(number: int) -> int:
    """The number as int64: it adds and shifts alike compiled and plain, and a kernel is compiled for it only once."""
    return np.int64(number)  # type: ignore[return-value]


@kernel
def bit(number: int) -> int:
    """The set with one member; int64 whatever the type of the number."""
    return np.int64(1) << number  # type: ignore[return-value]


def popcount(mask: int) -> int:
    """How many members a set has."""
    return int(mask).bit_count()


def lowest(mask: int) -> int:
    """The first member of a set that is not empty."""
    mask = int(mask)
    return (mask & -mask).bit_length() - 1


def members(mask: int) -> list[int]:
    """The members of a set in order; for readers outside the kernel."""
    found = []
    while mask:
        found.append(lowest(mask))
        mask &= mask - 1
    return found


def fetch(array: "np.ndarray[Any, Any]", row: int) -> None:
    """Have a row of an array brought near before it is needed; only compiled, where it is worth the while."""


if COMPILED:  # pragma: no cover - coverage is measured in plain mode
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic, overload

    @intrinsic
    def _ctpop(typing_context: Any, mask: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), build

    @intrinsic
    def _cttz(typing_context: Any, mask: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), build

    @overload(popcount)
    def _popcount(mask: Any) -> Any:
        def count(mask: Any) -> Any:
            return _ctpop(mask)  # type: ignore[call-arg]

        return count

    @overload(lowest)
    def _lowest(mask: Any) -> Any:
        def first(mask: Any) -> Any:
            return _cttz(mask)  # type: ignore[call-arg]

        return first

    @intrinsic
    def _prefetch(typing_context: Any, address: Any, size: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
            call = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
            address, size = arguments
            with cgutils.for_range_slice(builder, size.type(0), size, size.type(LINE)) as (offset, _):
                near = builder.inttoptr(builder.add(address, offset), byte)
                builder.call(call, [near, number(0), number(3), number(1)])  # to read, into every cache, data
            return ir.Constant(ir.IntType(8).as_pointer(), None)

        return types.void(types.intp, types.intp), build

    @overload(fetch)
    def _fetch(array: Any, row: Any) -> Any:
        def bring(array: Any, row: Any) -> Any:
            if row < array.shape[0]:
                _prefetch(array.ctypes.data + row * array.strides[0], array.strides[0])  # type: ignore[call-arg]

        return bring
