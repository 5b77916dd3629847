"""Launches sums of amounts over rows of distances: only the sums are copied from the device.

Input: blocks of rows (S, n) on the device, public values. Output: sums on the host, those of integers exact. Cost: a
pass over the block for every four cutoffs and every four kinds of amounts. The idea: a block of threads takes a part of
a row and joins the sums of its threads in a fixed order, so that every run gives the same sums.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import VALUES, Page, stride
from apsp.reductions.weighing import DECAYS, Weighing
from apsp.system.array_device import to_host

__all__ = ["CUTOFFS", "AmountsOnDevice", "rows_expression", "weigh_rows"]

CUTOFFS = 4
"""Cutoffs of a launch, as in weighing.cuh."""

_THREADS, _BLOCKS, _LEAST = 256, 4096, 4096  # blocks that keep a large GPU busy; columns of a part


def rows_expression(dtype: str, kinds: int) -> str:
    """The kernel of weigh.cu, for 1 or 4 kinds of amounts."""
    return f"apsp::weigh_rows<{VALUES[dtype]}, {kinds}>"


class AmountsOnDevice:
    """The amounts of a weighing in the memory of the current GPU.

    Parameters
    ----------
    weighing : Weighing
    order : (n,) int32, optional
        The vertices, in the order of the distances.
    """

    def __init__(self, weighing: Weighing, order: npt.NDArray[np.int32] | None = None) -> None:
        self.weighing = weighing
        amounts = weighing.amounts if order is None else weighing.amounts[order]
        count = amounts.shape[1]
        self.kinds = 1 if count == 1 else 4
        self._parts = []
        for first in range(0, count, self.kinds):
            part = np.zeros((len(amounts), self.kinds))
            some = amounts[:, first : first + self.kinds]
            part[:, : some.shape[1]] = some
            self._parts.append(jit.cupy().asarray(part))

    def passes(self, dtype: np.dtype[Any]) -> list[tuple[slice, slice, Any]]:
        """The cutoffs, the kinds, and the struct Weighing of weighing.cuh of every pass over the distances."""
        weighing, bounds = self.weighing, self.weighing.bounds(dtype)
        fields: Any = [("amounts", "u8"), ("beta", "f8"), ("midpoint", "f8"), ("cutoffs", dtype, (CUTOFFS,))]
        found = []
        for first in range(0, len(bounds), CUTOFFS):
            some = bounds[first : first + CUTOFFS]
            for number, part in enumerate(self._parts):
                struct = np.zeros((), dtype=np.dtype([*fields, ("decay", "i4")], align=True))
                struct["amounts"] = part.data.ptr
                struct["beta"], struct["midpoint"] = weighing.beta, weighing.midpoint
                struct["cutoffs"] = np.pad(some, (0, CUTOFFS - len(some)), mode="edge")
                struct["decay"] = 0 if weighing.decay is None else 1 + DECAYS.index(weighing.decay)
                kinds = slice(number * self.kinds, min((number + 1) * self.kinds, weighing.amounts.shape[1]))
                found.append((slice(first, first + len(some)), kinds, struct))
        return found


def weigh_rows(dist: Page, amounts: AmountsOnDevice) -> npt.NDArray[np.float64]:
    """The sums over rows of distances to all vertices, (rows, cutoffs, kinds), on the host."""
    rows, n = dist.shape
    sums = amounts.weighing.empty(rows)
    if rows == 0 or n == 0:
        return sums
    name = rows_expression(dist.dtype.name, amounts.kinds)
    parts = max(min(_BLOCKS // rows, -(-n // _LEAST)), 1)
    with dist.device:
        kernel = jit.kernels("weigh.cu", (name,))[name]
        for cutoffs, kinds, struct in amounts.passes(dist.dtype):
            found = jit.cupy().empty((parts, rows, CUTOFFS, amounts.kinds), dtype=np.float64)
            kernel((rows, parts), (_THREADS,), (dist, stride(dist), np.int32(n), struct, found))
            sums[:, cutoffs, kinds] = to_host(found).sum(axis=0)[
                :, : cutoffs.stop - cutoffs.start, : kinds.stop - kinds.start
            ]
    return sums
