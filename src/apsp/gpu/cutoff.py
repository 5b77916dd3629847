"""Comparing distances on a device with a cutoff.

CuPy's own kernels treat float32 values below 2^-126 as zero. So such cutoffs are compared by the bits of the numbers,
which have the same order as the numbers if these are not negative.
"""

from __future__ import annotations

import numpy as np

from apsp.gpu.page import Page

__all__ = ["is_longer"]

_NORMAL = float(np.finfo(np.float32).tiny)


def is_longer(rows: Page, cutoff: float) -> Page:
    """Whether distances are above the cutoff: a boolean array on the device of `rows`."""
    if rows.dtype != np.float32 or not 0 <= cutoff < _NORMAL:
        return rows > cutoff
    return rows.view(np.int32) > int(np.float32(cutoff).view(np.int32))
