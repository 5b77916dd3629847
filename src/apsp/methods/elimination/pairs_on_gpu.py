"""Distances of many pairs from a factor on a GPU.

Source: Strasser and Wagner 2015, "Customizable contraction hierarchies", section 6, on supernodes. Input: pairs of
vertices. Output: their distances, on the host. Cost: a way up the tree for each vertex that occurs, and for each pair
the columns above both of its ends. Device memory: the labels of these vertices. There are no zones.

The idea: labels do not depend on the other end of a pair, so those of all vertices are kept if they fit, in a row each:
then many pairs take no way up at all.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.memory import free_bytes
from apsp.gpu.page import Page
from apsp.methods.elimination.kernels.label_rows import LabelRows, row_bytes
from apsp.methods.elimination.kernels.layout import distinct
from apsp.methods.elimination.kernels.pairs import Side, meet
from apsp.methods.elimination.kernels.sweeps import Sweeps
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
    mirrored : bool
        Distances are the same in both directions.
    """

    def __init__(self, sweeps: Sweeps, gpu: int, *, mirrored: bool) -> None:
        self._sweeps, self._gpu, self._mirrored = sweeps, gpu, mirrored
        self._rows: LabelRows | None = None

    def keep(self) -> bool:
        """Keep the labels of all vertices, if they fit; return whether they are kept."""
        if self._rows is None:
            layout, itemsize = self._sweeps.layout, self._sweeps.dtype.itemsize
            # The rows; and what they are computed from, of one direction: twice while this is computed.
            rows = row_bytes(layout, itemsize) * (1 if self._mirrored else 2)
            if rows + 2 * layout.label_values() * itemsize > int(free_bytes(self._gpu) * _KEPT_SHARE):
                return False
            self._rows = LabelRows(self._sweeps, mirrored=self._mirrored)
        return True

    def fill(
        self, sources: IntArray, targets: IntArray, dist: npt.NDArray[np.generic], progress: KernelProgress | None
    ) -> None:
        """Write dist (k,), the distance of every pair."""
        if self._rows is not None or (4 * len(sources) >= self._sweeps.n and self.keep()):
            for first in range(0, len(sources), _AT_ONCE):
                part = slice(first, first + _AT_ONCE)
                there = (jit.cupy().asarray(ends[part]) for ends in (sources, targets))
                dist[part] = to_host(self.distances(*there))
                if progress is not None:
                    progress(min(part.stop, len(sources)))
        else:
            self._fill_some(sources, targets, dist, progress)

    def distances(self, sources: Page, targets: Page) -> Page:
        """The distances (k,) of pairs on the device, there; only if labels are kept."""
        assert self._rows is not None
        return self._rows.distances(sources, targets)

    def _fill_some(
        self, sources: IntArray, targets: IntArray, dist: npt.NDArray[np.generic], progress: KernelProgress | None
    ) -> None:
        layout, done = self._sweeps.layout, 0
        starts, ends = layout.place[sources], layout.place[targets]
        budget = int(free_bytes(self._gpu) * _KEPT_SHARE)
        of_lane = max(layout.label_values() * self._sweeps.dtype.itemsize / max(layout.n, 1), 1)
        height = max(min(int(budget / (4 * of_lane)), _AT_ONCE), 1)  # two ends; while they are computed, twice
        order = None if height >= len(starts) else np.argsort(starts, kind="stable")
        for first in range(0, len(starts), height):
            part = slice(first, first + height) if order is None else order[first : first + height]
            dist[part] = self._some(starts[part], ends[part])
            done = min(first + height, len(starts))
            if progress is not None:
                progress(done)

    def _some(self, starts: IntArray, ends: IntArray) -> npt.NDArray[np.generic]:
        """The distances of pairs of places, from labels of these."""
        to_device, sides = jit.cupy().asarray, []
        for places, onwards in ((starts, True), (ends, False)):
            kept, lanes = distinct(places, self._sweeps.n)
            labels = self._sweeps.climbed(kept, onwards=onwards)
            sides.append(Side(to_device(places), to_device(lanes), labels))
        found: npt.NDArray[np.generic] = to_host(meet(self._sweeps, sides[0], sides[1]))
        return found
