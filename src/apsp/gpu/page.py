"""Properties of a page that kernels need: its address, the stride of its rows, and the algebra."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.memory import on_gpu
from apsp.semiring import Algebra

__all__ = [
    "NARROW_NO_PATH",
    "VALUES",
    "Page",
    "address",
    "algebra_name",
    "algebra_of",
    "allocate",
    "is_aligned",
    "overlap",
    "stride",
    "tiles",
]

Page = Any
"""A matrix of the device: a NumPy view on the CPU."""

NARROW_NO_PATH = 2**15 - 1
"""uint16 distances must be smaller than this on a GPU."""

VALUES = {"uint16": "unsigned short", "int32": "int", "int64": "long long", "float32": "float", "float64": "double"}
"""The C++ type of a dtype."""

_NAMES = {"min_plus": "MinPlus", "max_min": "MaxMin", "min_max": "MinMax"}


def algebra_name(semiring: str, dtype: str, nonnegative: bool) -> str:
    """The struct of semiring.cuh that computes in this semiring and dtype."""
    if semiring == "min_plus" and dtype == "float32" and nonnegative:
        return "apsp::MinPlusNonNegative"
    return f"apsp::{_NAMES[semiring]}<{VALUES[dtype]}>"


def algebra_of(page: Page, algebra: Algebra) -> str:
    """The struct of semiring.cuh for a page."""
    return _name(algebra.semiring.name, page.dtype, algebra.nonnegative)


@functools.cache  # the name of a dtype takes NumPy longer than a launch should
def _name(semiring: str, dtype: np.dtype[Any], nonnegative: bool) -> str:
    return algebra_name(semiring, dtype.name, nonnegative)


def stride(page: Page) -> np.int64:
    """Number of values from one row to the next, as kernels take it."""
    return np.int64(page.strides[0] // page.itemsize)


def address(page: Page) -> int:
    """Return the address of the first entry, on the host or on a device."""
    return int(page.ctypes.data if isinstance(page, np.ndarray) else page.data.ptr)


def is_aligned(page: Page) -> bool:
    """Every row begins at a multiple of 16 bytes."""
    return bool(address(page) % 16 == 0 and page.strides[0] % 16 == 0)


def tiles(size: int, length: int, skip: tuple[int, int]) -> int:
    """Tiles of `length` in [0, size) without [from, to): no tile crosses the gap."""
    return -(-skip[0] // length) + -(-(size - skip[1]) // length)


def overlap(one: Page, other: Page) -> bool:
    """Whether two pages share an entry; pages of one matrix side by side do not. A false positive costs a copy."""
    if not (one.size and other.size):
        return False
    pitch, distance = one.strides[0], address(other) - address(one)
    if other.strides[0] != pitch or pitch <= 0:
        return bool(-_reach(other) < distance < _reach(one))
    width, other_width = one.shape[1] * one.itemsize, other.shape[1] * other.itemsize
    row, column = divmod(distance, pitch)
    return any(
        -other.shape[0] < down < one.shape[0] and -other_width < right < width
        for down, right in ((row, column), (row + 1, column - pitch))
    )


def _reach(page: Page) -> int:
    return int((page.shape[0] - 1) * page.strides[0] + page.shape[1] * page.itemsize)


def allocate(device: int, rows: int, columns: int, dtype: npt.DTypeLike, multiple: int = 0) -> Page:
    """An uninitialised page of a GPU; rows begin at multiples of so many values, or of 16 bytes."""
    dtype = np.dtype(dtype)
    multiple = multiple or 16 // dtype.itemsize
    with on_gpu(device):
        return jit.cupy().empty((rows, -(-columns // multiple) * multiple), dtype=dtype)[:, :columns]
