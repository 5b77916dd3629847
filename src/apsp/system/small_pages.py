"""Memory of large arrays that are written once, and in order.

Cost: the system clears each page when it is first written. It looks for large pages at length in a memory that is in
pieces, or asks the host of a virtual machine for them: measured twice as long as small ones, which are still in a cache
when they are written.
"""

from __future__ import annotations

import mmap
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["on_small_pages"]

_LEAST = 1 << 26
"""The allocator may have used pages for smaller arrays."""


def on_small_pages(shape: tuple[int, ...], dtype: npt.DTypeLike, *, least: int = _LEAST) -> npt.NDArray[Any]:
    """Return an uninitialised array, for which NumPy would request large pages.

    Parameters
    ----------
    least : int
        Bytes from which on it has pages of its own.

    Raises
    ------
    MemoryError
        If there is no memory.
    """
    size = prod(shape) * np.dtype(dtype).itemsize
    if size < max(least, 1) or not hasattr(mmap, "MADV_NOHUGEPAGE"):
        return np.empty(shape, dtype=dtype)
    try:
        pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        pages.madvise(mmap.MADV_NOHUGEPAGE)
    except (OSError, ValueError, OverflowError):
        raise MemoryError(f"{size:,} bytes") from None
    return np.frombuffer(pages, dtype=dtype).reshape(shape)
