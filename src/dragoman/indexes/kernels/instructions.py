"""Instructions of the processor that numba has no name for; several numbers at once, where it can.

``ones`` counts the bits of a word that are set, ``widened`` is a number of half precision, given by
its bits, as a float, ``halved`` a float in half precision, and ``fetched`` has a line of memory on
its way before it is read.
"""

from typing import Any

from llvmlite import ir
from numba import float32, uint64, void
from numba.extending import intrinsic


def _counting(_: Any, word: Any) -> Any:  # noqa: ANN401 - numba's own types
    return uint64(word), lambda _, builder, __, words: builder.ctpop(words[0])


def _widening(_: Any, half: Any) -> Any:  # noqa: ANN401 - numba's own types
    def convert(_: Any, builder: Any, __: Any, halves: Any) -> Any:  # noqa: ANN401
        return builder.fpext(builder.bitcast(halves[0], ir.HalfType()), ir.FloatType())

    return float32(half), convert


def _halving(_: Any, number: Any) -> Any:  # noqa: ANN401 - numba's own types
    def convert(_: Any, builder: Any, __: Any, numbers: Any) -> Any:  # noqa: ANN401
        return builder.fpext(builder.fptrunc(numbers[0], ir.HalfType()), ir.FloatType())

    return float32(number), convert


def _fetching(_: Any, address: Any) -> Any:  # noqa: ANN401 - numba's own types
    def call(context: Any, builder: Any, __: Any, addresses: Any) -> Any:  # noqa: ANN401
        number = ir.IntType(32)
        pointer = builder.inttoptr(addresses[0], ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], kind)
        reading, keep, data = number(0), number(3), number(1)
        builder.call(fetch, [pointer, reading, keep, data])
        return context.get_dummy_value()

    return void(address), call


ones: Any = intrinsic(_counting)
widened: Any = intrinsic(_widening)
halved: Any = intrinsic(_halving)
fetched: Any = intrinsic(_fetching)
