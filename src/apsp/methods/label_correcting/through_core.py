"""All distances on a GPU through the core: the vertices that are not in chains.

Input: a graph with integer lengths of at least 0. Output: rows of distances on the device. Cost: a search from each of
the c vertices of the core, in the core, c^2 distances of device memory; then a few operations per entry. The idea: see
chains.py. For a ring, where a search has no parallelism, only writing the result remains.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp.gpu import jit
from apsp.gpu.memory import free_bytes
from apsp.gpu.page import Page, allocate
from apsp.graph.model import Graph
from apsp.methods.label_correcting.chains import Chains, find_chains
from apsp.methods.label_correcting.kernels.chains import PlacesOnDevice
from apsp.methods.label_correcting.kernels.label_correcting import FEW_NEIGHBOURS, LabelCorrecting, bucket_width
from apsp.methods.rows.kernels.arcs import SparseArcs, csr_on_device
from apsp.methods.rows.rows_on_gpu import RowsOnGpu
from apsp.semiring import MIN_PLUS, Algebra

__all__ = ["ThroughCore", "may_have_chains", "searches_of"]

_WORTH = 4
"""Largest number of core vertices per requested row for which searches start from all of them."""

_SHARE_OF_MEMORY = 0.5


def may_have_chains(rows: RowsOnGpu) -> bool:
    """Whether this is possible and could be faster (not for graphs in which searches spread fast); a fast check."""
    if rows.is_reversed:
        return False  # chains are those of the graph
    problem = rows.problem
    limited = problem.gpu_memory is not None  # the plan did not include the core
    possible = problem.dtype.kind != "f" and rows.nonnegative and not problem.graph.has_zones and not limited
    return possible and problem.graph.max_out_degree <= FEW_NEIGHBOURS


def searches_of(graph: Graph, arcs: SparseArcs, dtype: np.dtype[Any]) -> LabelCorrecting:
    """Return a graph prepared for searches, with buckets of a suitable width."""
    weights = graph.weights if graph.weights is not None else np.ones(1, dtype=np.int32)
    degrees = np.diff(graph.indptr)
    bucket = bucket_width(weights, degrees) if graph.m else 1.0
    spreading = int(degrees.max(initial=0)) > FEW_NEIGHBOURS
    nonnegative = not graph.has_negative_arc
    return LabelCorrecting(arcs, dtype, bucket, graph.longest_arc, nonnegative=nonnegative, spreading=spreading)


class ThroughCore:
    """Rows of one problem."""

    def __init__(self, rows: RowsOnGpu) -> None:
        self.problem, self.cutoff, self.gpu = rows.problem, rows.cutoff, rows.gpu
        itemsize = self.problem.dtype.itemsize
        self.none = 1 << (61 if itemsize == 8 else 29)
        self._chains: Chains | None = None
        self._looked = False
        self._core: Page | None = None
        self._places: PlacesOnDevice | None = None

    def rows(self, sources: Page, dist: Page, targets: Page | None) -> bool:
        """Write the rows; return False if this method does not apply."""
        if self._places is None and not self._prepare(len(sources)):
            return False
        assert self._places is not None
        self._places.expand(self._core, sources, targets, dist, self.cutoff)
        return True

    def _prepare(self, requested: int) -> bool:
        if not self._looked:
            if _fewest_in_core(self.problem.graph) > _WORTH * requested:
                return False
            self._chains, self._looked = find_chains(self.problem.graph, self.none), True
        chains, dtype = self._chains, self.problem.dtype
        if chains is None or len(chains.core) > _WORTH * requested:
            return False
        size = len(chains.core)
        if size * size * dtype.itemsize > _SHARE_OF_MEMORY * free_bytes(self.gpu):
            return False
        self._core = allocate(self.gpu, size, size, dtype)
        arcs = csr_on_device(chains.graph, dtype, Algebra(MIN_PLUS, True), 0, size)
        every = jit.cupy().arange(size, dtype=np.int32)
        if size:
            searches_of(chains.graph, arcs, dtype).rows(every, self._core, None, None)
        self._places = PlacesOnDevice(chains, self.problem.graph.n, dtype, self.none)
        return True


def _fewest_in_core(graph: Graph) -> int:
    """A number of vertices that are not in chains, which have at most two neighbours and a loop."""
    return int(np.count_nonzero(np.diff(graph.indptr) > 3))
