"""Compiled versions of functions in bits.py and words.py: one processor instruction instead of a loop."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from franchise.engine.bits import fetch, lowest, popcount
from franchise.engine.words import add, read, swap, write

LINE = 64  # bytes that come into a cache together
BYTES = 8
ADDRESS, WORD = types.intp, types.int64


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
