"""Launches the expansion of distances from the core to all vertices.

Input: distances of the core and the position of every vertex, uploaded once. Output: rows of distances (S, T) on the
device, public values. Cost: about the time to write them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import VALUES, Page, stride

__all__ = ["PlacesOnDevice", "expand_expression"]

_ROWS, _THREADS, _BLOCKS = 8, 256, 8


def expand_expression(dtype: str) -> str:
    """The kernel of chains.cu for a dtype of integers."""
    length = "long long" if dtype == "int64" else "int"
    return f"apsp::expand_chains<{length}, {VALUES[dtype]}>"


class PlacesOnDevice:
    """The places of the vertices, on the current GPU.

    Parameters
    ----------
    chains : apsp.methods.label_correcting.chains.Chains
    n : int
        Vertices of the whole graph.
    dtype : numpy dtype
        Of the distances.
    none : int
        As in `find_chains`.
    """

    def __init__(self, chains: Any, n: int, dtype: np.dtype[Any], none: int) -> None:
        cupy = jit.cupy()
        self.length, self.none = np.dtype(np.int64 if dtype.itemsize == 8 else np.int32), none
        along, core = cupy.asarray(chains.vertices), cupy.asarray(chains.core)

        def everywhere(values: npt.NDArray[Any], in_core: tuple[Any, ...], kind: Any) -> Page:
            found = cupy.empty((n, len(in_core)), dtype=kind)
            found[along] = cupy.asarray(values.reshape(-1, len(in_core)).astype(kind))
            for column, value in enumerate(in_core if len(core) else ()):
                found[core, column] = value
            return found

        numbers, length = cupy.arange(len(core), dtype=np.int32), self.length
        self._arrays = {
            "ends": everywhere(chains.ends, (numbers, -1), np.int32),
            "into": everywhere(chains.into, (0, none), length),
            "out": everywhere(chains.out, (0, none), length),
            "runs": everywhere(chains.runs, (-1, -1), np.int32),
            "place": everywhere(np.arange(len(chains.vertices)), (-1,), np.int32),
            "sums": everywhere(chains.sums, (0, 0), length),
        }
        self.places = np.zeros((), dtype=[(name, "u8") for name in self._arrays])
        for name, array in self._arrays.items():
            self.places[name] = array.data.ptr

    def expand(self, core: Page, sources: Page, targets: Page | None, dist: Page, cutoff: float | None) -> None:
        """Write the rows of sources (S,) to dist (S, T), from the distances of the core (c, c)."""
        size, rows = len(core), len(sources)
        name = expand_expression(dist.dtype.name)
        kernel = jit.kernels("chains.cu", (name,), shared_bytes=jit.shared_memory())[name]
        needed = _ROWS * size * self.length.itemsize
        in_shared = 2 * needed <= jit.shared_memory()
        blocks = min(-(-rows // _ROWS), _BLOCKS * jit.multiprocessors())
        scratch: Any = np.uint64(0)
        if not in_shared:
            scratch = jit.cupy().empty(blocks * _ROWS * size, dtype=self.length)
        reach = self.none if cutoff is None else min(int(cutoff), self.none)
        value = self.length.type
        kernel(
            (blocks,), (_THREADS,),
            (self.places, core, stride(core), np.int32(size), sources, np.int32(rows),
             np.uint64(0) if targets is None else targets, np.int32(dist.shape[1]), value(self.none), value(reach),
             dist, stride(dist), scratch),
            shared_mem=needed if in_shared else 0,
        )  # fmt: skip
