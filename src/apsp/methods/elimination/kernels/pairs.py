"""Launches distances of pairs from labels of their sources and targets.

Input: the labels of both sides, and the place and lane of each end. Output: distances on the device. Cost: for each
pair the columns of the supernodes above both ends.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from apsp.gpu import jit
from apsp.gpu.page import VALUES, Page
from apsp.methods.elimination.kernels.names import ceiling_of
from apsp.methods.elimination.kernels.sweeps import Climbed, Sweeps

__all__ = ["Side", "expression", "meet"]

_THREADS, _WARPS = 256, 8


class Side(NamedTuple):
    """The sources or the targets of pairs: (k,) places and lanes of the device, and the labels of the lanes."""

    places: Page
    lanes: Page
    labels: Climbed

    def struct(self) -> Any:
        """The struct Side of pairs.cu."""
        made = np.zeros((), dtype=[(name, "u8") for name in ("places", "lanes", "spans", "labels")])
        arrays = self.places, self.lanes, self.labels.spans, self.labels.closed
        for name, array in zip(made.dtype.names or (), arrays, strict=True):
            made[name] = array.data.ptr
        return made


def expression(dtype: str) -> str:
    """The kernel of pairs.cu."""
    return f"apsp::meet_labels<{VALUES[dtype]}>"


def meet(sweeps: Sweeps, sources: Side, targets: Side) -> Page:
    """The distances (k,) of pairs."""
    cupy, count, name = jit.cupy(), len(sources.places), expression(sweeps.dtype.name)
    found = cupy.empty(count, dtype=sweeps.dtype)
    ceiling = ceiling_of(sweeps.dtype, None, nonnegative=sweeps.nonnegative)
    if count:
        jit.kernels("pairs.cu", (name,))[name](
            (-(-count // _WARPS),), (_THREADS,),
            (sources.struct(), targets.struct(), np.int64(count), sources.labels.owner, sources.labels.parents,
             sources.labels.nodes, ceiling, found),
        )  # fmt: skip
    return found
