"""Distances of many pairs from a factor on a GPU.

Source: Strasser and Wagner 2015, "Customizable contraction hierarchies", section 6, on supernodes. Input: pairs of
vertices. Output: their distances, on the host. Cost: a way up the tree for each vertex that occurs, and for each pair
the columns above both of its ends. Device memory: the labels of these vertices. There are no zones.

The idea: labels do not depend on the other end of a pair, so those of all vertices are kept if they fit: then many
pairs take no way up at all.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.memory import free_bytes
from apsp.methods.elimination.kernels.layout import distinct
from apsp.methods.elimination.kernels.pairs import Side, meet
from apsp.methods.elimination.kernels.sweeps import Climbed, Sweeps
from apsp.methods.problem import IntArray, KernelProgress
from apsp.system.array_device import to_host

__all__ = ["PairsOnGpu"]

_KEPT_SHARE = 0.25
"""Share of the free memory in which the labels of all vertices are kept, or those of some pairs lie."""

_AT_ONCE = 1 << 22
"""Pairs of a launch."""


class PairsOnGpu:
    """Pairs of vertices of a factor on the current GPU.

    Parameters
    ----------
    sweeps : Sweeps
    gpu : int
        Its number.
    """

    def __init__(self, sweeps: Sweeps, gpu: int) -> None:
        self._sweeps, self._gpu = sweeps, gpu
        self._kept: tuple[Climbed, Climbed] | None = None

    def fill(
        self, sources: IntArray, targets: IntArray, dist: npt.NDArray[np.generic], progress: KernelProgress | None
    ) -> None:
        """Write dist (k,), the distance of every pair."""
        layout, done = self._sweeps.layout, 0
        starts, ends = layout.place[sources], layout.place[targets]
        budget = int(free_bytes(self._gpu) * _KEPT_SHARE)
        of_lane = max(layout.label_values() * self._sweeps.dtype.itemsize / max(layout.n, 1), 1)
        all_fit = 4 * of_lane * layout.n <= budget  # two ends; while they are computed, twice
        if self._kept is None and all_fit and 4 * len(starts) >= layout.n:
            self._kept = self._sweeps.climbed(None, onwards=True), self._sweeps.climbed(None, onwards=False)
        height = _AT_ONCE if self._kept is not None else max(min(int(budget / (4 * of_lane)), _AT_ONCE), 1)
        order = None if height >= len(starts) else np.argsort(starts, kind="stable")
        for first in range(0, len(starts), height):
            part = slice(first, first + height) if order is None else order[first : first + height]
            dist[part] = self._some(starts[part], ends[part])
            done = min(first + height, len(starts))
            if progress is not None:
                progress(done)

    def _some(self, starts: IntArray, ends: IntArray) -> npt.NDArray[np.generic]:
        to_device = jit.cupy().asarray
        if self._kept is not None:
            there = to_device(starts), to_device(ends)
            sides = [Side(places, places, labels) for places, labels in zip(there, self._kept, strict=True)]
        else:
            sides = []
            for places, onwards in ((starts, True), (ends, False)):
                kept, lanes = distinct(places, self._sweeps.n)
                labels = self._sweeps.climbed(kept, onwards=onwards)
                sides.append(Side(to_device(places), to_device(lanes), labels))
        found: npt.NDArray[np.generic] = to_host(meet(self._sweeps, sides[0], sides[1]))
        return found
