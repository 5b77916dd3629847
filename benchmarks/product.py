"""Products over (min, +): one large product and many small ones, beside NumPy's broadcasting and a numba loop."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

import apsp
from benchmarks.harness import Comparison

__all__ = ["comparisons"]

INPUTS = ((1, 256), (1, 1024), (1, 2048), (10_000, 32))
"""Products, and rows of each square operand."""

MOST_OF_NUMPY = 1024
"""Rows of the largest operand that NumPy multiplies: its argmin takes more than a minute for 2,048."""

BLOCK = 1 << 24
"""Sums that NumPy has at a time: all of a small product, some rows of a large one."""


def by_numpy(a: Any, b: Any, *, witness: bool) -> Any:
    """`(a[..., None] + b[:, None]).min(-2)`, in blocks that fit the memory."""
    count, m, k = a.shape
    result, via = np.empty((count, m, b.shape[2]), a.dtype), np.empty((count, m, b.shape[2]), np.int32)
    rows = max(BLOCK // (k * b.shape[2]), 1)
    matrices = max(rows // m, 1)
    for first in range(0, count, matrices):
        some = slice(first, first + matrices)
        for top in range(0, m, rows):
            sums = a[some, top : top + rows, :, None] + b[some, None]
            sums.min(-2, out=result[some, top : top + rows])
            if witness:
                via[some, top : top + rows] = sums.argmin(-2)
    return (result, via) if witness else result


def by_numba() -> Any:
    """Three loops, the outer one over all cores."""
    import numba

    @numba.njit(parallel=True, fastmath=True)  # type: ignore[untyped-decorator]
    def product(a: Any, b: Any) -> Any:
        count, m, k = a.shape
        n = b.shape[2]
        result = np.empty((count, m, n), a.dtype)
        for row in numba.prange(count * m):
            matrix, i = row // m, row % m
            result[matrix, i] = a[matrix, i, 0] + b[matrix, 0]
            for pivot in range(1, k):
                through = a[matrix, i, pivot]
                for j in range(n):
                    result[matrix, i, j] = min(result[matrix, i, j], through + b[matrix, pivot, j])
        return result

    return product


def same(results: Mapping[str, Any]) -> None:
    """Values and witnesses are equal."""
    plain = [result for result in results.values() if not isinstance(result, tuple)]
    pairs = [result for result in results.values() if isinstance(result, tuple)]
    values = plain + [first for first, _ in pairs]
    for other in values[1:]:
        np.testing.assert_array_equal(values[0], other)
    for _, via in pairs[1:]:
        np.testing.assert_array_equal(pairs[0][1], via)


def comparisons(quick: bool) -> Iterator[Comparison]:
    """float32 and int32, values and witnesses."""
    compiled = by_numba() if importlib.util.find_spec("numba") is not None else None
    for count, n in INPUTS:
        count, n = (max(count // 100, 1), min(n, 256)) if quick else (count, n)
        for dtype in ("float32", "int32"):
            rng = np.random.default_rng(n)
            a, b = (rng.integers(0, 4097, (count, n, n)).astype(dtype) for _ in range(2))
            values: dict[str, Callable[[], Any]] = {"apsp.product": partial(apsp.product, a, b)}
            witnesses: dict[str, Callable[[], Any]] = {
                "apsp.product with witness": partial(apsp.product, a, b, witness=True)
            }
            if n <= MOST_OF_NUMPY:
                values["numpy"] = partial(by_numpy, a, b, witness=False)
                witnesses["numpy with argmin"] = partial(by_numpy, a, b, witness=True)
            if compiled is not None:
                values["numba prange"] = partial(compiled, a, b)
            for contestants, what in ((values, ""), (witnesses, ", witness")):
                yield Comparison(
                    f"{count:,} x {n:,} {dtype}{what}", contestants, same, facts=partial(_rate, count * n**3)
                )


def _rate(pairs: int, seconds: float) -> dict[str, Any]:
    return {"pairs/s": f"{pairs / seconds / 1e9:.1f} G"}
