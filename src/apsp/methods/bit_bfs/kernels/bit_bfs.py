"""Launches breadth-first search from 1,024 sources at once.

Input: arcs by head, uploaded once. Output: rows of levels (S, T) on the device, public values. Cost: m words of 128
bytes per level and batch at most; (3 + bits of the longest path) x 128 n bytes of device memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import VALUES, Page, stride
from apsp.methods.rows.kernels.arcs import SparseArcs

__all__ = ["BATCH", "SEARCH", "BitBfs", "expand_expression", "planes_of", "state_bytes"]

BATCH = 1024
"""Sources of a batch, as in bit_bfs.cu."""

SEARCH = "apsp::bit_bfs"
_WORDS, _PART = 32, 64  # as in bit_levels.cuh
_THREADS, _EXPANDERS, _MOST_GROUP = 512, 256, 31


def expand_expression(dtype: str) -> str:
    """The kernel of bit_bfs.cu that writes levels in a dtype."""
    return f"apsp::expand_levels<{VALUES[dtype]}>"


def planes_of(n: int, cutoff: float | None) -> int:
    """Return the number of bits of the largest level."""
    return _most_levels(n, cutoff).bit_length()


def state_bytes(n: int, cutoff: float | None) -> int:
    """Device memory of a batch."""
    return (4 + planes_of(n, cutoff)) * _WORDS * 4 * n + 16 * -(-n // 32) + 64


class BitBfs:
    """A graph on the current GPU, prepared for searches.

    Parameters
    ----------
    by_head : SparseArcs
        All arcs, by head.
    dtype : numpy dtype
        Of the distances.
    cutoff : number or None
        Levels beyond it are not computed.
    """

    def __init__(self, by_head: SparseArcs, dtype: np.dtype[Any], cutoff: float | None) -> None:
        cupy = jit.cupy()
        self.by_head, self.dtype, self.n = by_head, dtype, len(by_head.indptr) - 1
        n, words = self.n, -(-self.n // 32)
        self._hubs = _hubs(by_head.indptr.get())
        self.kernel = jit.kernels("bit_bfs.cu", (SEARCH,), cooperative=True)[SEARCH]
        self.blocks = jit.resident_blocks(self.kernel, _THREADS)
        self.levels = cupy.zeros(1, dtype=np.int32)
        rows = n * _WORDS
        self._state = {
            "seen": cupy.empty(rows, dtype=np.uint32),
            "front": cupy.empty(2 * rows, dtype=np.uint32),
            "active": cupy.empty(3 * words, dtype=np.uint32),
            "done": cupy.empty(words, dtype=np.uint32),
            "planes": cupy.empty(planes_of(n, cutoff) * rows, dtype=np.uint32),
            "found": cupy.empty(3, dtype=np.uint32),
            "pulled": cupy.empty(len(self._hubs[0]) * _WORDS, dtype=np.uint32),
            "arrivals": cupy.empty(len(self._hubs[0]), dtype=np.uint32),
            "arrived": cupy.zeros(1, dtype=np.uint32),
        }
        self._struct = self._bfs(_most_levels(n, cutoff))

    def rows(self, sources: Page, dist: Page, targets: Page | None) -> None:
        """Write the levels of targets (T,), or of all vertices, from sources (S,) to dist (S, T)."""
        name = expand_expression(self.dtype.name)
        expand = jit.kernels("bit_bfs.cu", (name,))[name]
        columns, chosen = dist.shape[1], np.uint64(0) if targets is None else targets
        for start in range(0, len(sources), BATCH):
            part, block = sources[start : start + BATCH], dist[start : start + BATCH]
            self._state["arrived"].fill(0)
            self.kernel((self.blocks,), (_THREADS,), (self._struct, part, np.int32(len(part)), self.levels))
            expand(
                (-(-columns // 32),), (_EXPANDERS,),
                (self._struct, self.levels, chosen, np.int32(columns), np.int32(len(part)), block, stride(block)),
            )  # fmt: skip

    def _bfs(self, most_levels: int) -> Any:
        """The struct Bfs of bit_levels.cuh."""
        arrays = {"into": self.by_head.indptr, "tails": self.by_head.indices, "closed": self.by_head.zones}
        arrays |= dict(zip(("hubs", "hub_ends", "parts"), self._hubs, strict=True)) | self._state
        numbers = ("n", "group", "most_levels", "hub_count", "part_count")
        fields = [*((name, "u8") for name in arrays), *((name, "i4") for name in numbers)]
        bfs = np.zeros((), dtype=np.dtype(fields, align=True))
        for name, array in arrays.items():
            bfs[name] = 0 if array is None else array.data.ptr
        warps = self.blocks * _THREADS // 32
        bfs["n"], bfs["most_levels"] = self.n, most_levels
        bfs["hub_count"], bfs["part_count"] = len(self._hubs[0]), len(self._hubs[2])
        bfs["group"] = min(max(-(-self.n // warps), 1), _MOST_GROUP)
        return bfs


def _hubs(starts: npt.NDArray[np.int64]) -> tuple[Page, Page, Page]:
    """Return device arrays: vertices with many arcs into them, the ends of their parts, and the hub of each part."""
    degrees = np.diff(starts)
    hubs = np.flatnonzero(degrees > _PART)
    counts = -(-degrees[hubs] // _PART)
    arrays = hubs, np.cumsum(counts), np.repeat(np.arange(len(hubs)), counts)
    to_device = jit.cupy().asarray
    one, two, three = (to_device(array.astype(np.int32)) for array in arrays)
    return one, two, three


def _most_levels(n: int, cutoff: float | None) -> int:
    longest = max(n - 1, 1)
    return longest if cutoff is None or cutoff >= longest else int(cutoff)
