"""Which sources begin at a vertex: their rows are lowered when the row of the vertex is there."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["Uses"]

Floats = npt.NDArray[np.float64]


class Uses:
    """Which sources use a vertex as one of the ends of their streets.

    Parameters
    ----------
    vertices : (k,) int32
    lengths : (k,) float64
        Infinite where it is not used.
    """

    def __init__(self, vertices: npt.NDArray[np.int32], lengths: Floats) -> None:
        some = np.flatnonzero(np.isfinite(lengths))
        self.sources = some[np.argsort(vertices[some], kind="stable")]
        self.vertices = vertices[self.sources]
        self.lengths = lengths

    def lower(self, found: Floats, near: Floats, vertices: npt.NDArray[np.int32]) -> None:
        """Lower the rows of sources that use some vertices, which are in ascending order, with rows of these."""
        first = int(np.searchsorted(self.vertices, vertices[0], "left"))
        last = int(np.searchsorted(self.vertices, vertices[-1], "right"))
        sources = self.sources[first:last]
        rows = np.searchsorted(vertices, self.vertices[first:last])
        found[sources] = np.minimum(found[sources], near[rows] + self.lengths[sources, None])
