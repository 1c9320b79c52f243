"""Compiled versions of the functions in instructions.py, atomics.py and vectors.py: instructions instead of loops."""

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, lower_builtin, overload

from franchise.engine.atomics import add, read, swap, write
from franchise.engine.instructions import fetch, lowest, popcount
from franchise.engine.vectors import LANES, add_rows, list_changes

LINE = 64  # bytes of a cache line
BYTES = 8  # of a word
FLOAT = 4  # bytes of a number in a vector
ADDRESS, WORD = types.intp, types.int64


def copy_record(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """`array[index] = record` in one piece: what Numba makes of it, LLVM copies byte by byte up to 1,024 bytes."""
    library: Any = cgutils
    kind, row, record = signature.args[0], arguments[1], arguments[2]
    array, size = (
        context.make_array(kind)(context, builder, arguments[0]),
        context.get_constant(ADDRESS, kind.dtype.size),
    )
    checked = context.enable_boundscheck
    target = library.get_item_pointer(context, builder, kind, array, [row], boundscheck=checked)
    library.raw_memcpy(builder, target, record, size, 1)
    return context.get_dummy_value()


register: Any = lower_builtin
register(operator.setitem, types.Array, types.Integer, types.Record)(copy_record)


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
def _fetch(array: Any, row: Any, start: Any, end: Any) -> Any:
    def bring(array: Any, row: Any, start: Any, end: Any) -> Any:
        if row < array.shape[0]:
            _prefetch(array.ctypes.data + row * array.strides[0] + start, end - start)  # type: ignore[call-arg]

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
        outcome = builder.cmpxchg(pointer(builder, address), old, new, "acq_rel", "acquire")
        return builder.extract_value(outcome, 1)

    return types.boolean(ADDRESS, WORD, WORD), build


@overload(read)
def _read(words: Any, index: Any) -> Any:
    def loaded(words: Any, index: Any) -> Any:
        return _load(words.ctypes.data + BYTES * index)  # type: ignore[call-arg]

    return loaded


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


VECTOR, LANE = ir.VectorType(ir.FloatType(), LANES), ir.IntType(32)


def place(builder: Any, kind: Any, start: Any, offset: Any) -> Any:
    """A pointer that many bytes past an address."""
    return builder.inttoptr(builder.add(start, offset), kind.as_pointer())


@intrinsic
def _changed(typing_context: Any, now: Any, before: Any, changes: Any) -> Any:
    """One vector: write the changes, copy `now` to `before`; returns the set of lanes that have changed."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        now, before, changes = (builder.inttoptr(address, VECTOR.as_pointer()) for address in arguments)
        value, old = builder.load(now, align=FLOAT), builder.load(before, align=FLOAT)
        builder.store(builder.fsub(value, old), changes, align=FLOAT)
        builder.store(value, before, align=FLOAT)
        lanes = builder.bitcast(builder.fcmp_unordered("!=", value, old), ir.IntType(LANES))
        return builder.zext(lanes, ir.IntType(8 * BYTES))

    return WORD(ADDRESS, ADDRESS, ADDRESS), build


@overload(list_changes)
def _list_changes(now: Any, before: Any, numbers: Any, changes: Any) -> Any:
    def listed(now: Any, before: Any, numbers: Any, changes: Any) -> Any:
        count = 0
        for at in range(0, now.shape[0], LANES):
            # the changes of this vector go where they cannot overwrite those already listed
            there = FLOAT * at
            here = changes.ctypes.data + there
            lanes: Any = _changed(now.ctypes.data + there, before.ctypes.data + there, here)  # type: ignore[call-arg]
            while lanes != 0:
                lane = lowest(lanes)
                lanes &= lanes - 1
                numbers[count] = at + lane
                changes[count] = changes[at + lane]
                count += 1
        return count

    return listed


def row_adder(width: int) -> Any:
    """An intrinsic for sums of that many numbers: it adds rows to them and keeps them in registers meanwhile."""
    word = ir.IntType(8 * BYTES)

    def typed(typing_context: Any, sums: Any, rows: Any, stride: Any, numbers: Any, factors: Any, count: Any) -> Any:
        return types.void(*[ADDRESS] * 6), build

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        sums, rows, stride, numbers, factors, count = arguments
        offsets = [word(FLOAT * at) for at in range(0, width, LANES)]
        parts = [cgutils.alloca_once(builder, VECTOR) for _ in offsets]  # type: ignore[no-untyped-call]
        for part, offset in zip(parts, offsets, strict=True):
            builder.store(builder.load(place(builder, VECTOR, sums, offset), align=FLOAT), part)
        with cgutils.for_range(builder, count) as loop:
            number = builder.load(place(builder, word, numbers, builder.mul(loop.index, word(BYTES))))
            factor = builder.load(place(builder, ir.FloatType(), factors, builder.mul(loop.index, word(FLOAT))))
            row = builder.add(rows, builder.mul(number, stride))
            alone = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), factor, LANE(0))
            everywhere = builder.shuffle_vector(alone, alone, ir.Constant(ir.VectorType(LANE, LANES), [0] * LANES))
            for part, offset in zip(parts, offsets, strict=True):
                product = builder.fmul(everywhere, builder.load(place(builder, VECTOR, row, offset), align=FLOAT))
                builder.store(builder.fadd(builder.load(part), product), part)
        for part, offset in zip(parts, offsets, strict=True):
            builder.store(builder.load(part), place(builder, VECTOR, sums, offset), align=FLOAT)
        return context.get_dummy_value()

    return intrinsic(typed)


_add_64, _add_32 = row_adder(64), row_adder(32)


@overload(add_rows)
def _add_rows(numbers: Any, factors: Any, count: Any, rows: Any, sums: Any) -> Any:
    def added(numbers: Any, factors: Any, count: Any, rows: Any, sums: Any) -> Any:
        width, stride = sums.shape[0], rows.strides[0]
        first, row = sums.ctypes.data, rows.ctypes.data
        at = 0
        while at + 64 <= width:
            _add_64(first + FLOAT * at, row + FLOAT * at, stride, numbers.ctypes.data, factors.ctypes.data, count)
            at += 64
        while at + 32 <= width:
            _add_32(first + FLOAT * at, row + FLOAT * at, stride, numbers.ctypes.data, factors.ctypes.data, count)
            at += 32
        for i in range(count):
            for j in range(at, width):
                sums[j] += factors[i] * rows[numbers[i], j]

    return added
