"""Shared by the tests of products: random operands, and an oracle by broadcasting in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

DTYPES = ("uint16", "int32", "int64", "float32", "float64")
SEMIRINGS = ("min_plus", "max_plus", "max_min", "min_max")
OF_LARGEST = ("max_plus", "max_min")


def no_path(dtype: Any, semiring: str) -> Any:
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return False
    sign = -1 if semiring in OF_LARGEST else 1
    if dtype.kind == "f":
        return sign * np.inf
    return np.iinfo(dtype).min if sign < 0 else np.iinfo(dtype).max


def matrices(shape: tuple[int, ...], dtype: str, semiring: str, seed: int = 1, absent: float = 0.3) -> Any:
    """Whole numbers, few different ones so that there are ties; a share of the entries is "no path"."""
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return rng.random(shape) < absent
    values = rng.integers(0 if dtype.startswith("u") else -9, 10, shape).astype(dtype)
    if not (dtype.startswith("u") and semiring in OF_LARGEST):
        values[rng.random(shape) < absent] = no_path(dtype, semiring)
    return values


def oracle(a: Any, b: Any, semiring: str, dtype: Any = None) -> tuple[Any, Any]:
    """The product and the witness, in float64 with infinities."""
    dtype = np.dtype(dtype or a.dtype)
    if semiring == "or_and":
        pairs = a[..., :, :, None] & b[..., None, :, :]
        found = pairs.any(-2)
        via = pairs.argmax(-2) if a.shape[-1] else np.zeros(found.shape)
        return found, np.where(found, via, -1).astype(np.int32)
    wide = []
    for each in (a, b):
        values = each.astype(np.float64)
        if each.dtype.kind in "ib" or semiring not in OF_LARGEST:
            values[each == no_path(each.dtype, semiring)] = no_path("float64", semiring)
        wide.append(values)
    left, right = wide[0][..., :, :, None], wide[1][..., None, :, :]
    join = {"min_plus": np.add, "max_plus": np.add, "max_min": np.minimum, "min_max": np.maximum}[semiring]
    pairs, none = join(left, right), no_path("float64", semiring)
    if not a.shape[-1]:
        shape = (*pairs.shape[:-2], pairs.shape[-1])
        return np.full(shape, no_path(dtype, semiring), dtype=dtype), np.full(shape, -1, dtype=np.int32)
    largest = semiring in OF_LARGEST
    best, via = (pairs.max(-2), pairs.argmax(-2)) if largest else (pairs.min(-2), pairs.argmin(-2))
    result = np.where(best == none, 0, best).astype(dtype)
    result[best == none] = no_path(dtype, semiring)
    return result, np.where(best == none, -1, via).astype(np.int32)
