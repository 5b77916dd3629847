"""Factors whose values are computed on a GPU and stay there, until the host needs them.

Source: Dibbelt, Strasser and Wagner 2016, "Customizable contraction hierarchies" (other weights on the same order).
Input: graphs that differ in their weights, integers of at least 0. Output: their factors, with the values of the CPU to
the last bit. Cost: see kernels/factorise.py. Raises MemoryLimitError and DeviceError instead of CuPy's errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.memory import free_bytes, free_on_failure, on_gpu
from apsp.gpu.page import Page
from apsp.gpu.staging import through_pinned
from apsp.graph.csr import arc_lengths
from apsp.graph.model import Graph
from apsp.methods.elimination.factor import NO_PATH, Factor
from apsp.methods.elimination.kernels.factorise import Fronts
from apsp.methods.elimination.kernels.tree_on_gpu import TreeOnGpu
from apsp.methods.elimination.tree import EliminationTree
from apsp.system.cached import cached_property
from apsp.system.threads import Threads

__all__ = ["FactorsOnGpu", "ValuesOnGpu", "factors_of", "values_here"]

_SHARE = 0.5
"""Of the free memory, for what the computation needs beside the values."""


class ValuesOnGpu:
    """The values of a factor on a GPU.

    Parameters
    ----------
    page : (entries,) Page
    by : FactorsOnGpu
        What has computed them.
    """

    def __init__(self, page: Page, by: FactorsOnGpu) -> None:
        self.page, self.by = page, by

    @property
    def dtype(self) -> np.dtype[Any]:
        """Dtype of the distances."""
        dtype: np.dtype[Any] = self.page.dtype
        return dtype

    @property
    def nbytes(self) -> int:
        """Bytes on the GPU, and on the host if they have been copied there."""
        return int(self.page.nbytes) * (2 if "on_host" in self.__dict__ else 1)

    @cached_property
    def on_host(self) -> npt.NDArray[Any]:
        """(entries,) the values in the memory of the host, copied at the first use."""
        gpu = self.by.gpu
        with free_on_failure((gpu,)), on_gpu(gpu):
            return through_pinned(self.page.reshape(1, -1))[0].reshape(-1)


class FactorsOnGpu:
    """Computes factors of graphs on one elimination tree.

    Parameters
    ----------
    tree : EliminationTree
    gpu : int
    most_blocks : int
        Largest number of blocks of a launch along y and z.

    Attributes
    ----------
    there : TreeOnGpu
    """

    def __init__(self, tree: EliminationTree, gpu: int, *, most_blocks: int = 65_535) -> None:
        self.gpu, self.there, self._tree, self._most_blocks = gpu, TreeOnGpu(tree.layout), tree, most_blocks
        self._fronts: dict[np.dtype[Any], Fronts] = {}

    def factors(self, graphs: Sequence[Graph], dtype: np.dtype[Any], threads: int) -> list[Factor] | None:
        """The factor of each graph, of the arcs of the first one with other weights.

        None for floats and negative weights; if an arc has no place in the tree; if the GPU has no memory for them.

        Parameters
        ----------
        dtype : dtype
            It holds all distances of all graphs.
        """
        if dtype not in NO_PATH or any(graph.has_negative_arc for graph in graphs):
            return None
        with free_on_failure((self.gpu,)), on_gpu(self.gpu):
            values = self._values(graphs, dtype, threads)
        if values is None:
            return None
        return [Factor(graph, self._tree, ValuesOnGpu(row, self)) for graph, row in zip(graphs, values, strict=True)]

    def _values(self, graphs: Sequence[Graph], dtype: np.dtype[Any], threads: int) -> Page | None:
        cupy, first, entries, none = jit.cupy(), graphs[0], self._tree.entries, NO_PATH[dtype]
        fronts = self._fronts_of(dtype)
        of_period = (fronts.rest_entries + first.m) * dtype.itemsize
        free = free_bytes(self.gpu) - len(graphs) * entries * dtype.itemsize
        together = min(int(free * _SHARE / max(of_period, 1)), len(graphs), self._most_blocks)
        if together < 1:
            return None
        values = cupy.empty((len(graphs), entries), dtype=dtype)
        closed = cupy.asarray(first.zones.astype(np.uint8)) if first.has_zones and first.zones is not None else None
        indptr, heads = cupy.asarray(first.indptr), cupy.asarray(first.indices)
        for start in range(0, len(graphs), together):
            part = slice(start, start + together)
            weights = cupy.asarray(_lengths(graphs[part], dtype, threads))
            if not fronts.fill(values[part], indptr, heads, weights, none, closed):
                return None
        return values

    def _fronts_of(self, dtype: np.dtype[Any]) -> Fronts:
        if dtype not in self._fronts:
            self._fronts[dtype] = Fronts(self.there, dtype, self._most_blocks)
        return self._fronts[dtype]


def _lengths(graphs: Sequence[Graph], dtype: np.dtype[Any], threads: int) -> npt.NDArray[Any]:
    """(graphs, m) the lengths of the arcs; those that are too long for the dtype are "no path" of the kernels."""
    found = np.empty((len(graphs), graphs[0].m), dtype=dtype)

    def write(graph: Graph, row: npt.NDArray[Any]) -> None:
        known = graph.weights
        lengths = arc_lengths(graph, dtype) if known is None or known.dtype.kind == "f" else known
        np.minimum(lengths, np.int64(NO_PATH[dtype]), out=row, casting="unsafe")

    if len(graphs) == 1:
        write(graphs[0], found[0])
        return found
    with Threads(min(threads, len(graphs)), "apsp-weights") as pool:
        list(pool.map(write, graphs, found))
    return found


def values_here(factor: Factor) -> npt.NDArray[Any] | Page:
    """The values of a factor on the current GPU if they are there, or on the host."""
    held = factor.held
    return held.page if isinstance(held, ValuesOnGpu) and held.by.gpu == jit.current_device() else factor.values


def factors_of(factor: Factor, gpu: int) -> FactorsOnGpu:
    """What has computed a factor on this GPU, or else what computes others on its tree."""
    held = factor.held
    return held.by if isinstance(held, ValuesOnGpu) and held.by.gpu == gpu else FactorsOnGpu(factor.tree, gpu)
