"""Launching products of batches of matrices over a semiring on one GPU.

Source: as update.py. Input: A (count, m, k), B (count, k, n) on the GPU, public values. Output: C (count, m, n) and the
smallest pivots that attain it, public values. Cost: count x m x n x k (choose, join) pairs in one launch; with pivots
another, which reads a stage of pivots per entry.

The idea of pivots: while a tile is in registers, the kernel only records in which stage of 8 or 16 pivots an entry was
improved for the last time, which takes three instructions per entry and stage. A second kernel finds the pivot in that
stage.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from apsp.gpu import jit
from apsp.gpu.emulated.run import emulation
from apsp.gpu.page import NARROW_NO_PATH, VALUES, Page, address, algebra_name
from apsp.methods.floyd_warshall.kernels.policy import EMULATED, Policy, Shape, policy_with_pivots
from apsp.methods.floyd_warshall.kernels.update import policy_of

__all__ = ["Entries", "entries_of", "expressions", "locate_expression", "product", "product_expression"]

_THREADS = 256
_MOST_MATRICES = 65535
"""Of one launch: the largest third dimension of a grid."""

_EMPTY, _PATH, _NOT_A_NUMBER = 1, 2, 4  # as in product.cu


class Entries(NamedTuple):
    """Properties of the entries of an operand.

    Attributes
    ----------
    low, high : int or float
        Of the entries that are a path; 0 and 0 if there are none.
    numbers : bool
        No entry is NaN, or an infinity that is neither a path nor "no path".
    complete : bool
        No entry is "no path".
    """

    low: int | float
    high: int | float
    numbers: bool
    complete: bool


def product_expression(shape: Shape, algebra: str, itemsize: int, *, pivots: bool) -> str:
    """The kernel of product.cu that multiplies in this shape."""
    parameters = shape.expression(algebra, itemsize).removeprefix("apsp::update<").removesuffix(">")
    return f"apsp::product<{parameters}, {str(pivots).lower()}>"


def locate_expression(shape: Shape, algebra: str, itemsize: int) -> str:
    """The kernel of product.cu that finds pivots in the stages of this shape."""
    return f"apsp::locate<{algebra}, {shape.depth_bytes // itemsize}>"


def expressions(dtype: str) -> tuple[str, str]:
    """The kernels of product.cu that read operands: their entries, and the conversion to kernel values."""
    return f"apsp::entries<{VALUES[dtype]}>", f"apsp::take_in<{VALUES[dtype]}>"


def entries_of(operand: Any, none: float, *, is_sum: bool) -> Entries:
    """One pass over a contiguous array with at least one entry, on the current GPU."""
    cupy, dtype = jit.cupy(), operand.dtype
    name = expressions(dtype.name)[0]
    blocks = min(-(-operand.size // (4 * _THREADS)), 8 * jit.multiprocessors())
    extremes, kinds = cupy.empty((blocks, 2), dtype=dtype), cupy.empty(blocks, dtype=np.int32)
    jit.kernels("product.cu", (name,))[name](
        (blocks,), (_THREADS,), (operand, np.int64(operand.size), dtype.type(none), extremes, kinds)
    )
    least, most = extremes.get().T
    kind = int(np.bitwise_or.reduce(kinds.get()))
    low, high = (least.min().item(), most.max().item()) if kind & _PATH else (0, 0)
    numbers = not kind & _NOT_A_NUMBER
    if dtype.kind == "f" and is_sum:
        numbers = numbers and bool(np.isfinite(low) and np.isfinite(high))
    return Entries(low, high, numbers, not kind & _EMPTY)


def product(a: Page, b: Page, c: Page, via: Page | None, semiring: str, *, nonnegative: bool, complete: bool) -> None:
    """Queue the products on the current stream of the current GPU.

    Parameters
    ----------
    a, b : (count or 1, m, k), (count or 1, k, n) contiguous arrays
        Public values, m, k, n and count at least 1.
    c, via : (count, m, n) arrays with contiguous rows
        The result; `via` is int32 or None. With `via` the dtype has at least 4 bytes.
    semiring : {'min_plus', 'max_plus', 'max_min', 'min_max'}
    nonnegative, complete : bool
        No entry of a and b is below zero; or is "no path".
    """
    dtype, flip = c.dtype, semiring == "max_plus"
    algebra = algebra_name("min_plus" if flip else semiring, dtype.name, nonnegative and not flip)
    a, b = (_taken_in(each, semiring, complete=complete) for each in (a, b))
    count, rows, columns = c.shape
    policy = _policy(algebra, dtype.itemsize, pivots=via is not None)
    shape = policy.choose(rows, columns, dtype.itemsize, jit.multiprocessors(), count)
    name = product_expression(shape, algebra, dtype.itemsize, pivots=via is not None)
    shared_bytes = shape.shared_bytes(dtype.itemsize)
    kernel = jit.kernels("product.cu", (name,), shared_bytes=shared_bytes)[name]
    grid = (-(-columns // shape.columns(dtype.itemsize)), -(-rows // shape.rows))
    sizes = (np.int32(rows), np.int32(columns), np.int32(a.shape[2]))
    aligned = np.int32(_is_aligned(a) and _is_aligned(b))
    for first in range(0, count, _MOST_MATRICES):
        part = slice(first, first + _MOST_MATRICES)
        pages = [each[part if len(each) > 1 else slice(None)] for each in (c, a, b)]
        pointers = [*(value for page in pages for value in (page, *_strides(page))), *_via(via, part)]
        here = len(pages[0])
        kernel(
            (*grid, here), (shape.threads,),
            (*pointers, *sizes, aligned, np.int32(_is_aligned(pages[0])), np.int32(flip), np.int32(1)),
            shared_mem=shared_bytes,
        )  # fmt: skip
        if via is not None:
            finding = locate_expression(shape, algebra, dtype.itemsize)
            blocks = -(-rows * columns // _THREADS)
            jit.kernels("product.cu", (finding,))[finding](
                (blocks, 1, here), (_THREADS,), (*pointers, *sizes, np.int32(flip))
            )


def _policy(algebra: str, itemsize: int, *, pivots: bool) -> Policy:
    if emulation() is not None:
        return EMULATED
    return (
        policy_with_pivots(jit.capability(), algebra) if pivots else policy_of(jit.current_device(), algebra, itemsize)
    )


def _via(via: Page | None, part: slice) -> tuple[Any, np.int64, np.int64]:
    if via is None:
        return np.uint64(0), np.int64(0), np.int64(0)
    return via[part], *_strides(via)


def _strides(array: Any) -> tuple[np.int64, np.int64]:
    """Values from one row to the next, and from one matrix to the next: 0 if there is one for all."""
    of_matrix = array.strides[0] // array.itemsize if array.shape[0] > 1 else 0
    return np.int64(array.strides[1] // array.itemsize), np.int64(of_matrix)


def _is_aligned(array: Any) -> bool:
    """Every row begins at a multiple of 16 bytes."""
    steps = (
        address(array),
        *(step for step, length in zip(array.strides[:2], array.shape, strict=False) if length > 1),
    )
    return all(step % 16 == 0 for step in steps)


def _taken_in(operand: Any, semiring: str, *, complete: bool) -> Any:
    """The operand in kernel values, with aligned rows where rows are read more than a few times."""
    dtype, (count, rows, columns) = operand.dtype, operand.shape
    flip = semiring == "max_plus"
    is_other = dtype.kind == "i" and semiring in ("min_plus", "max_plus") and not complete
    narrow = dtype.kind == "u" and semiring == "min_plus" and not complete
    vector = 16 // dtype.itemsize
    width = -(-columns // vector) * vector
    if not (flip or is_other or narrow) and _is_aligned(operand):
        return operand
    public, kernel = _no_path(semiring, dtype)
    made = jit.cupy().empty((count, rows, width), dtype=dtype)
    name = expressions(dtype.name)[1]
    jit.kernels("product.cu", (name,))[name](
        (-(-operand.size // _THREADS),), (_THREADS,),
        (operand, made, np.int64(width), np.int64(count * rows), np.int32(columns), dtype.type(public),
         dtype.type(kernel), np.int32(flip)),
    )  # fmt: skip
    return made[:, :, :columns]


def _no_path(semiring: str, dtype: np.dtype[Any]) -> tuple[int | float, int | float]:
    """The public value of "no path", and that of kernels."""
    if dtype.kind == "f":
        public = -np.inf if semiring in ("max_plus", "max_min") else np.inf
        return public, np.inf if semiring == "max_plus" else public
    ends = np.iinfo(dtype)
    public = int(ends.min if semiring in ("max_plus", "max_min") else ends.max)
    if semiring not in ("min_plus", "max_plus"):
        return public, public
    return public, NARROW_NO_PATH if dtype.kind == "u" else int(ends.max) // 2
