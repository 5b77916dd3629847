"""Products of matrices over a semiring: c[i, j] = choose over k of a[i, k] join b[k, j].

Source: the third phase of Katz, Kider 2008, section 3, without its C. Input: arrays (..., m, k) and (..., k, n) with
public values. Output: (..., m, n), and the smallest pivots k that attain the entries. Cost: m x n x k pairs each.

The idea: every entry of an operand is read once, to prove that no sum leaves the dtype and to find out whether floats
may be compared as integers; then the kernels of the dense method compute the products.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from apsp import _cpu
from apsp.errors import DtypeRangeError, GraphError
from apsp.facts.dtypes import INTEGER_DTYPES, longest_allowed
from apsp.gpu.page import address
from apsp.graph.float_casts import cast
from apsp.methods.floyd_warshall.kernels.product import Entries, entries_of
from apsp.methods.floyd_warshall.kernels.product import product as product_on_gpu
from apsp.methods.floyd_warshall.variants import choice
from apsp.semiring import ALL_DTYPES, MAX_MIN, MAX_PLUS, MIN_MAX, MIN_PLUS, Algebra, Semiring
from apsp.system.array_device import is_on_gpu, module_of, to_host
from apsp.system.machine import threads_from

__all__ = [
    "MOST_AXES", "Entries", "at_once", "bounds", "converted", "kernel_dtype", "multiply", "multiply_at_once",
    "multiply_bools", "range_problem", "shape_of", "with_kernel_dtype",
]  # fmt: skip

MOST_AXES = 32
"""Of an operand: NumPy broadcasts no more."""

_PAIRS_OF_ONE_THREAD = 1 << 23
"""Fewer are computed before a second thread has started."""


class Sizes(NamedTuple):
    """Bounds of the entries of both operands that are paths."""

    a: Entries
    b: Entries

    @property
    def nonnegative(self) -> bool:
        """No entry is below zero."""
        return self.a.low >= 0 and self.b.low >= 0

    @property
    def complete(self) -> bool:
        """No entry is "no path"."""
        return self.a.complete and self.b.complete


def with_kernel_dtype(array: Any, name: str, semiring: Semiring) -> Any:
    """The operand in one of the dtypes of kernels that holds all of its values.

    Raises
    ------
    GraphError, DtypeRangeError
        If a value does not fit int64, or float64; the message names it.
    """
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind == "f":
        target = "float32" if size <= 4 else "float64"
    elif kind == "u" and size == 2 and semiring.name == "min_plus":
        target = "uint16"
    elif kind == "u" and size == 8:
        _check_unsigned(array, name, semiring)
        target = "int64"
    else:
        target = "int64" if size == 8 or (kind == "u" and size == 4) else "int32"
    return converted(array, target, semiring, name)


def _check_unsigned(array: Any, name: str, semiring: Semiring) -> None:
    """Raise the error of the first entry of a uint64 array that int64 does not hold beside its "no path"."""
    most = np.iinfo(np.int64).max - (semiring.choose == "min")
    beyond = array > np.uint64(most)
    if semiring.choose == "min":
        beyond &= array != np.iinfo(array.dtype).max
    if array.size and bool(beyond.any()):
        place = np.argwhere(to_host(beyond))[0].tolist()
        raise GraphError(
            f"{name}: entry {place} is {array[tuple(place)]}: entries must be at most {most} in {semiring.name}; "
            "divide them, or give them as floats"
        )


def converted(array: Any, dtype_name: str, semiring: Semiring, name: str) -> Any:
    """The operand of this name in another dtype, with its value of "no path".

    Raises
    ------
    DtypeRangeError
        If a finite entry becomes infinite, which may mean "no path"; the message names it.
    """
    dtype = np.dtype(dtype_name)
    if array.dtype == dtype:
        whole = is_on_gpu(array) or (array.flags.aligned and array.dtype.isnative)
        return array if whole else array.astype(dtype)
    result = cast(array, dtype)
    if array.dtype.kind == "f" and dtype.itemsize < array.dtype.itemsize:
        _check_finite(result, array, name)
    if array.dtype.kind == "b":
        result[~array] = semiring.no_path(dtype)
    elif array.dtype.kind != "f" and (semiring.choose == "min" or array.dtype.kind == "i"):
        result[array == array.dtype.type(semiring.no_path(array.dtype))] = semiring.no_path(dtype)
    return result


def _check_finite(result: Any, array: Any, name: str) -> None:
    beyond = (abs(result) == math.inf) & (abs(array) != math.inf)
    if bool(beyond.any()):
        place = np.argwhere(to_host(beyond))[0].tolist()
        remedy = "use dtype='float64'" if result.dtype == np.float32 else "scale the entries down"
        raise DtypeRangeError(
            f"{name}: entry {place} is {array[tuple(place)]!s}, which {result.dtype} does not hold; {remedy}"
        )


def bounds(array: Any, name: str, semiring: Semiring, threads: int) -> Entries:
    """Read every entry once.

    Raises
    ------
    GraphError
        If one is not a number; the message names it.
    """
    if array.size == 0:
        return Entries(0, 0, True, True)
    if is_on_gpu(array):
        whole = module_of(array).ascontiguousarray(array)
        found = entries_of(whole, semiring.no_path(array.dtype), is_sum=semiring.join == "add")
    else:
        found = Entries(*_cpu.product_entries(_with_whole_rows(array), semiring.name, threads), False)
    if not found.numbers:
        _name_bad_entry(to_host(array), name, semiring)
    return found


def _name_bad_entry(array: Any, name: str, semiring: Semiring) -> None:
    bad = np.isnan(array)
    if semiring.join == "add":
        bad |= array == -semiring.no_path(array.dtype)
    place = np.argwhere(bad)[0].tolist()
    words = f"finite, or {semiring.no_path(array.dtype)} for no path" if semiring.join == "add" else "numbers"
    raise GraphError(f"{name}: entry {place} is {array[tuple(place)]}: entries must be {words}")


def range_problem(name: str, a: Entries, b: Entries, semiring: Semiring, *, integers: bool) -> DtypeRangeError | None:
    """Return the error if a dtype is not proven to hold every entry and every sum; None if it is.

    Parameters
    ----------
    integers : bool
        The operands hold integers.
    """
    largest = [max(abs(entries.low), abs(entries.high)) for entries in (a, b)]
    most = longest_allowed(name, semiring, 1, integers=integers)
    if name == "uint16" and semiring.name != "min_plus":
        most = -1
    size = sum(largest) if semiring.join == "add" else max(largest)
    if semiring.join != "add" and size == math.inf and name.startswith("float"):
        return None  # it stays infinite
    if most >= 0 and size <= most and not (name == "uint16" and min(a.low, b.low) < 0):
        return None
    if most < 0:
        return DtypeRangeError(
            f"dtype={name!r} cannot hold {semiring.name} products of {'integers' if integers else 'floats'}"
        )
    remedy = {"uint16": "dtype='int32'", "int32": "dtype='int64'", "float32": "dtype='float64'"}.get(name)
    remedy = "scale the entries down" if remedy is None else f"use {remedy}, or scale the entries down"
    what = "sum" if semiring.join == "add" else "entry"
    return DtypeRangeError(
        f"dtype={name!r} is not proven to hold every {what}, which must be at most {most:,}: entries of a are "
        f"{a.low:,} to {a.high:,}, those of b {b.low:,} to {b.high:,}; {remedy}"
    )


def multiply(
    a: Any, b: Any, c: Any, via: Any, semiring: Semiring, sizes: tuple[Entries, Entries], threads: int
) -> None:
    """Write the products.

    Parameters
    ----------
    a, b : (..., m, k) and (..., k, n) arrays of one dtype, all on the device of c
        Public values; their first axes are broadcast.
    c : (..., m, n) array with contiguous rows
    via : (..., m, n) int32 contiguous array, or None
    sizes : (Entries, Entries)
        Of a and b.
    """
    if c.size == 0:
        return
    if a.shape[-1] == 0:
        c[...] = semiring.no_path(c.dtype)
        if via is not None:
            via[...] = -1
        return
    known = Sizes(*sizes)
    a, b, c, via = _as_one_matrix(a, b, c, via)
    if is_on_gpu(c):
        _multiply_on_gpu(a, b, c, via, semiring, known)
        return
    nonnegative, half_range = known.nonnegative and semiring.name == "min_plus", c.dtype == np.uint16
    choice(c.dtype.name, Algebra(semiring, nonnegative, half_range), c.size * a.shape[-1])
    _cpu.product(_of_batch(a, c), _of_batch(b, c), c, via, semiring.name, nonnegative, threads, half_range)


def multiply_bools(a: Any, b: Any, c: Any, via: Any, threads: int) -> None:
    """Write the products over (or, and) of arrays of booleans; parameters as `multiply`."""
    if c.size == 0:
        return
    if not is_on_gpu(c):
        a, b, c, via = _as_one_matrix(_zeros_and_ones(a), _zeros_and_ones(b), c, via)
        _cpu.product(_of_batch(a, c), _of_batch(b, c), c, via, "or_and", True, threads)
        return
    if a.shape[-1] == 0:
        c[...] = False
        if via is not None:
            via[...] = -1
        return
    # Two values of 16 bits share a register; with pivots each value takes a register of its own.
    module, dtype = module_of(c), np.dtype(np.uint16 if via is None else np.int32)
    wide = module.empty(c.shape, dtype=dtype)
    ends = [module.where(each, dtype.type(1), dtype.type(MAX_MIN.no_path(dtype))) for each in (a, b)]
    entries = Entries(0, 1, True, False)
    multiply(ends[0], ends[1], wide, via, MAX_MIN, (entries, entries), threads)
    c[...] = wide == 1


def at_once(a: Any, b: Any, semiring: Semiring, dtype: str, threads: int | None, *, witness: bool) -> Any:
    """The result for plain NumPy arrays that need neither conversion nor broadcasting; else None."""
    if type(a) is not np.ndarray or type(b) is not np.ndarray or not 2 <= a.ndim <= MOST_AXES:
        return None
    if a.shape[:-2] != b.shape[:-2] or b.ndim < 2 or a.shape[-1] != b.shape[-2] or max(a.shape + b.shape) >= 2**31:
        return None
    if dtype != "auto" and a.dtype != np.dtype(dtype):
        return None
    if threads is None:
        threads = 1 if a.size * b.shape[-1] < _PAIRS_OF_ONE_THREAD else threads_from(None)
    return multiply_at_once(a, b, semiring, threads, witness=witness)


def multiply_at_once(a: Any, b: Any, semiring: Semiring, threads: int, *, witness: bool) -> Any:
    """Bounds, proof and product in one call of the kernels, for operands that need no conversion.

    Parameters
    ----------
    a, b : (..., m, k) and (..., k, n) NumPy arrays
        With the same first axes.

    Returns
    -------
    (..., m, n) array, or (product, witness) with `witness`; None
        None if the operands are to be converted, or if there is an error to be worded.
    """
    name, most = _AT_ONCE.get((a.dtype, semiring.name), ("", 0))
    if not name or b.dtype != a.dtype or not (a.flags.c_contiguous and b.flags.c_contiguous):
        return None
    if not (a.flags.aligned and b.flags.aligned and a.size and b.size):
        return None
    shape = (*a.shape[:-1], b.shape[-1])
    c = np.empty(shape, dtype=a.dtype)
    via = np.empty(shape, dtype=np.int32) if witness else None
    choice(name, Algebra(semiring, nonnegative=True, half_range=True), c.size * a.shape[-1])
    if not _cpu.product_proven(a, b, c, via, semiring.name, most, threads):
        return None
    return (c, via) if witness else c


_AT_ONCE = {
    (np.dtype(name), semiring.name): (name, longest_allowed(name, semiring, 1, integers=not name.startswith("float")))
    for name in ALL_DTYPES
    for semiring in (MIN_PLUS, MAX_PLUS, MAX_MIN, MIN_MAX)
    if name != "uint16" or semiring is MIN_PLUS
}
"""The name of the dtype, and the largest size of a sum, of products computed in the dtype of their operands."""


def _zeros_and_ones(array: Any) -> Any:
    """Booleans whose bytes are 0 and 1: NumPy takes other bytes, of a view or of a file, for true."""
    bytes_ = array.view(np.uint8)
    return array if not array.size or bytes_.max() <= 1 else bytes_ != 0


def _as_one_matrix(a: Any, b: Any, c: Any, via: Any) -> tuple[Any, Any, Any, Any]:
    """If all products have the same b, stack the rows of a: one product of a tall matrix."""
    one_b = math.prod(b.shape[:-2]) == 1
    stacked = (a, c) if via is None else (a, c, via)
    if one_b and c.ndim > 2 and a.shape[:-2] == c.shape[:-2] and all(each.flags.c_contiguous for each in stacked):
        rows = math.prod(c.shape[:-1])
        if rows < 2**31:
            via = None if via is None else via.reshape(rows, via.shape[-1])
            return a.reshape(rows, a.shape[-1]), b.reshape(b.shape[-2:]), c.reshape(rows, c.shape[-1]), via
    return a, b, c, via


def _of_batch(operand: Any, c: Any) -> Any:
    """The operand with contiguous rows, and with the first axes of the product."""
    operand = _with_whole_rows(operand)
    same = operand.shape[:-2] == c.shape[:-2]
    return operand if same else np.broadcast_to(operand, (*c.shape[:-2], *operand.shape[-2:]))


def _with_whole_rows(array: Any) -> Any:
    """The array, or a copy if its rows are not contiguous or not aligned."""
    steps = array.strides
    contiguous = array.shape[-1] <= 1 or steps[-1] == array.itemsize
    if contiguous and array.flags.aligned and all(step % array.itemsize == 0 for step in steps):
        return array
    return np.ascontiguousarray(array) if array.flags.aligned else array.copy()


def _multiply_on_gpu(a: Any, b: Any, c: Any, via: Any, semiring: Semiring, sizes: Sizes) -> None:
    module, count = module_of(c), math.prod(c.shape[:-2])
    narrow = c.dtype == np.uint16 and via is not None
    if narrow:  # with pivots each value takes a register of its own
        a, b = converted(a, "int32", semiring, "a"), converted(b, "int32", semiring, "b")
    left, right = (_stacked(module, each, c.shape[:-2]) for each in (a, b))
    result = c.reshape(count, *c.shape[-2:])
    in_place = not narrow and address(result) == address(c)  # a copy if the strides of the matrices are irregular
    if not in_place:
        result = module.empty(result.shape, dtype=a.dtype)
    pivots = None if via is None else via.reshape(count, *via.shape[-2:])
    product_on_gpu(left, right, result, pivots, semiring.name, nonnegative=sizes.nonnegative, complete=sizes.complete)
    if not in_place:
        c[...] = converted(result, c.dtype.name, semiring, "out").reshape(c.shape)


def _stacked(module: Any, operand: Any, batch: tuple[int, ...]) -> Any:
    """A contiguous (count, rows, columns) array; (1, rows, columns) if all products share the matrix."""
    of_batch = math.prod(operand.shape[:-2])
    if of_batch not in (1, math.prod(batch)):
        operand = module.broadcast_to(operand, (*batch, *operand.shape[-2:]))
        of_batch = math.prod(batch)
    return module.ascontiguousarray(operand).reshape(of_batch, *operand.shape[-2:])


def shape_of(a: Any, b: Any) -> tuple[int, ...]:
    """The shape of the product.

    Raises
    ------
    GraphError
        If the shapes do not fit each other.
    """
    if a.shape[-1] != b.shape[-2]:
        raise GraphError(
            f"the shapes {a.shape} and {b.shape} do not fit: a must have as many columns ({a.shape[-1]}) as b has rows "
            f"({b.shape[-2]})"
        )
    try:
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError:
        raise GraphError(f"the shapes {a.shape} and {b.shape} do not fit: the first axes cannot be broadcast") from None
    return *batch, a.shape[-2], b.shape[-1]


def kernel_dtype(
    dtype: str, a: np.dtype[Any], b: np.dtype[Any], mixed: np.dtype[Any] | None, entries: Sequence[Entries],
    semiring: Semiring,
) -> str:  # fmt: skip
    """The name of the first dtype that is proven to hold every entry and sum, or the one that was requested.

    Parameters
    ----------
    mixed : dtype or None
        Of both operands together, if one of them has floats.

    Raises
    ------
    DtypeRangeError
        If there is none.
    """
    if dtype != "auto":
        names = [dtype]
    elif mixed is not None:
        names = ["float32" if mixed.itemsize <= 4 else "float64"]
    else:
        names = list(INTEGER_DTYPES[INTEGER_DTYPES.index(max(a.name, b.name, key=INTEGER_DTYPES.index)) :])
    problem: DtypeRangeError | None = None
    for name in names:
        if semiring.join != "add" and a.name == b.name == name:
            return name  # entries are only compared
        problem = range_problem(name, entries[0], entries[1], semiring, integers=mixed is None)
        if problem is None:
            return name
    assert problem is not None
    raise problem
