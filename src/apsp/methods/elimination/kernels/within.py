"""Launches sums of amounts within a cutoff over lines of distances, one source per lane.

Input: the sweeps of a factor, and sources ordered by place. Output: sums of each lane on the host. Cost: the way up in
whole; of the way down, and of the sums, the tiles of lines on which a lane is within the cutoff. Device memory: a line
of the lanes for every vertex, of which only the near ones are written, and a byte per line and tile.

The idea: all paths into a subtree pass the rows of its root. If none of the lanes of a tile is within the cutoff at one
of them, nothing below is. Sources that are close in the tree are close in the graph, and share a tile.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import VALUES, Page, algebra_name, stride
from apsp.measures.kernels.weigh import CUTOFFS, AmountsOnDevice
from apsp.methods.elimination.kernels.layout import WORDS_OF_A_TILE
from apsp.methods.elimination.kernels.names import ceiling_of, lanes_of_a_word
from apsp.methods.elimination.kernels.sweeps import Sweeps
from apsp.system.place import to_host

__all__ = ["DTYPES", "NearLines", "expressions"]

DTYPES = ("uint16", "int32", "float32", "float64")
"""Dtypes of the distances that have these kernels."""

_THREADS, _WARPS, _BLOCKS = 128, 4, 8192

_BUSY = 1 << 14
"""Warps that keep a large GPU busy."""


def expressions(dtype: str) -> tuple[str, str, str]:
    """The kernels of within.cu: the way down, and the sums of 1 and of 4 kinds of amounts."""
    value = VALUES[dtype]
    down = f"apsp::descend_within<{algebra_name('min_plus', dtype, nonnegative=True)}>"
    return down, f"apsp::weigh_lines<{value}, 1>", f"apsp::weigh_lines<{value}, 4>"


class NearLines:
    """Sums over what is within a cutoff, for lanes of sources.

    Parameters
    ----------
    sweeps : Sweeps
        Of a factor without negative arcs.
    amounts : AmountsOnDevice
        In the order of the places.
    """

    def __init__(self, sweeps: Sweeps, amounts: AmountsOnDevice) -> None:
        self._sweeps, self._amounts = sweeps, amounts
        dtype = sweeps.dtype
        longest = amounts.weighing.bounds(dtype)[-1]
        none = longest == (np.inf if dtype.kind == "f" else np.iinfo(dtype).max)
        self._ceiling = ceiling_of(dtype, None if none else longest, nonnegative=True)
        self._names = expressions(dtype.name)
        self._tile = WORDS_OF_A_TILE * lanes_of_a_word(dtype)

    def queue(self, places: npt.NDArray[np.int32]) -> list[Page]:
        """Queue the sums of sources at different places (L,), ascending; `collect` waits for them."""
        cupy, sweeps, lanes = jit.cupy(), self._sweeps, len(places)
        tiles = -(-lanes // self._tile)
        lines = cupy.empty((sweeps.n, tiles * self._tile), dtype=sweeps.dtype)
        near = cupy.zeros((tiles, sweeps.n), dtype=np.uint8)
        self._descend(places, lines, near, tiles)
        return self._weigh(lines, near, lanes)

    def _descend(self, places: npt.NDArray[np.int32], lines: Page, near: Page, tiles: int) -> None:
        sweeps = self._sweeps
        climbed = sweeps.climbed(places)
        live = jit.cupy().zeros((sweeps.layout.count, tiles), dtype=np.uint8)
        kernel = jit.kernels("within.cu", self._names)[self._names[0]]
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

    def collect(self, queued: list[Page]) -> npt.NDArray[np.float64]:
        """The sums (L, cutoffs, kinds), on the host."""
        sums = self._amounts.weighing.empty(len(queued[0]))
        for (cutoffs, kinds, _), found in zip(self._amounts.passes(self._sweeps.dtype), queued, strict=True):
            sums[:, cutoffs, kinds] = to_host(found)[:, : cutoffs.stop - cutoffs.start, : kinds.stop - kinds.start]
        return sums

    def _weigh(self, lines: Page, near: Page, lanes: int) -> list[Page]:
        cupy, amounts, n = jit.cupy(), self._amounts, self._sweeps.n
        name = self._names[1 if amounts.kinds == 1 else 2]
        kernel = jit.kernels("within.cu", self._names)[name]
        blocks = -(-lanes // _THREADS)
        parts = max(min(_BLOCKS // blocks, -(-n // 256)), 1)
        sums = []
        for _, _, struct in amounts.passes(lines.dtype):
            found: Any = cupy.empty((parts, lanes, CUTOFFS, amounts.kinds), dtype=np.float64)
            kernel(
                (blocks, parts), (_THREADS,),
                (lines, stride(lines), np.int32(n), np.int32(lanes), near, np.int32(self._tile),
                 struct, found),
            )  # fmt: skip
            sums.append(found.sum(axis=0))
        return sums
