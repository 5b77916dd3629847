"""Launches sums of amounts within a cutoff over lines of distances, one source per lane.

Input: the sweeps of a factor, and sources ordered by place. Output: sums of each lane on the device. Cost: the way up
in whole; of the way down, and of the sums, the tiles of lines on which a lane is within the cutoff. Device memory: a
line of the lanes for every vertex, of which only the near ones are written, and a byte per line and tile.

The idea: all paths into a subtree pass the rows of its root. If none of the lanes of a tile is within the cutoff at one
of them, nothing below is. Sources that are close in the tree are close in the graph, and share a tile.
"""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import Page, algebra_name, allocate, stride
from apsp.methods.elimination.kernels.layout import WORDS_OF_A_TILE
from apsp.methods.elimination.kernels.line_sums import LineSums
from apsp.methods.elimination.kernels.names import ceiling_of, lanes_of_a_word
from apsp.methods.elimination.kernels.sweeps import Sweeps
from apsp.reductions.weighing import Weighing

__all__ = ["DTYPES", "NearLines", "descent_expression"]

DTYPES = ("uint16", "int32", "float32", "float64")
"""Dtypes of the distances that have these kernels."""

_THREADS, _WARPS = 128, 4

_BUSY = 1 << 14
"""Warps that keep a large GPU busy."""


def descent_expression(dtype: str) -> str:
    """The kernel of within.cu for the way down."""
    return f"apsp::descend_within<{algebra_name('min_plus', dtype, nonnegative=True)}>"


class NearLines:
    """Sums over what is within a cutoff, for lanes of sources.

    Parameters
    ----------
    sweeps : Sweeps
        Of a factor without negative arcs.
    weighing : Weighing
    """

    def __init__(self, sweeps: Sweeps, weighing: Weighing) -> None:
        self._sweeps = sweeps
        dtype = sweeps.dtype
        longest = weighing.bounds(dtype)[-1]
        none = longest == (np.inf if dtype.kind == "f" else np.iinfo(dtype).max)
        self._ceiling = ceiling_of(dtype, None if none else longest, nonnegative=True)
        self._tile = WORDS_OF_A_TILE * lanes_of_a_word(dtype)
        self._sums = LineSums(weighing, sweeps.layout.order, dtype, self._tile)

    def sums(self, places: npt.NDArray[np.int32]) -> Page:
        """Queue the sums (L, cutoffs, kinds) of sources at different places (L,), ascending."""
        cupy, sweeps, lanes = jit.cupy(), self._sweeps, len(places)
        tiles = -(-lanes // self._tile)
        lines = allocate(jit.current_device(), sweeps.n, lanes, sweeps.dtype, self._tile)
        near = cupy.zeros((tiles, sweeps.n), dtype=np.uint8)
        self._descend(places, lines, near, tiles)
        return self._sums.of(lines, near, lanes)

    def _descend(self, places: npt.NDArray[np.int32], lines: Page, near: Page, tiles: int) -> None:
        sweeps = self._sweeps
        climbed = sweeps.climbed(places)
        live = jit.cupy().zeros((sweeps.layout.count, tiles), dtype=np.uint8)
        name = descent_expression(sweeps.dtype.name)
        kernel = jit.kernels("within.cu", (name,))[name]
        for start, end in itertools.pairwise(sweeps.layout.descents.ends.tolist()):
            # At the top of the tree, where units are few and large, a warp takes few tiles.
            groups = min(max(_BUSY // max(end - start, 1), -(-tiles // 32)), tiles)
            each = -(-tiles // groups)
            kernel(
                (-(-(end - start) // _WARPS), -(-tiles // each)), (_THREADS,),
                (lines, stride(lines), np.int32(len(places)), climbed.nodes, climbed.units[start:],
                 np.int32(end - start), climbed.panel, climbed.rows, climbed.parents, climbed.spans, climbed.closed,
                 climbed.position, self._ceiling, np.int32(tiles), np.int32(each), np.int64(sweeps.n),
                 near, live),
            )  # fmt: skip
