"""The arcs of a graph in device memory: CSR arrays, or the dense matrix that is there already."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.copying import queue_copy
from apsp.gpu.page import NARROW_NO_PATH, VALUES, Page, stride
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.semiring import Algebra
from apsp.system.array_device import gpu_of

__all__ = ["Arcs", "DenseArcs", "SparseArcs", "arcs_on_device", "csr_on_device"]


class SparseArcs(NamedTuple):
    """CSR arrays on the device, of all rows or of some.

    Attributes
    ----------
    indptr : (rows + 1,) int64
    indices : (m,) int32
    weights : (m,) of the dtype of the distances
    zones : (rows,) bool or None
    """

    indptr: Page
    indices: Page
    weights: Page
    zones: Page | None

    def of_rows(self, first: int, last: int) -> SparseArcs:
        """Return the arcs of the rows [first, last)."""
        zones = None if self.zones is None else self.zones[first:last]
        return SparseArcs(self.indptr[first : last + 1], self.indices, self.weights, zones)


class DenseArcs(NamedTuple):
    """A matrix of lengths on the device, or some of its rows.

    Attributes
    ----------
    lengths : (rows, n) int32, int64, float32 or float64
    absent : number
        The entry that means "no arc".
    kind : int
        The kind of `absent`: 0 if there is no such entry, 1 a value, 2 not-a-number.
    """

    lengths: Page
    absent: Any
    kind: int

    def of_rows(self, first: int, last: int) -> DenseArcs:
        """Return the arcs of the rows [first, last)."""
        return self._replace(lengths=self.lengths[first:last])

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments of kernels."""
        dtype = self.lengths.dtype
        return self.lengths, stride(self.lengths), dtype.type(self.absent), np.int32(self.kind)

    @property
    def value(self) -> str:
        """The C++ type of a length."""
        return VALUES[self.lengths.dtype.name]


Arcs = SparseArcs | DenseArcs


def arcs_on_device(graph: Graph, dtype: np.dtype[Any], algebra: Algebra, first: int, last: int) -> Arcs:
    """Upload the arcs of the rows [first, last) to the current GPU, lengths in `dtype`.

    A dense matrix that is there already is not copied.
    """
    if isinstance(graph, DeviceGraph):
        return DenseArcs(_brought_here(graph.matrix[first:last]), graph.absent, graph.absent_kind)
    return csr_on_device(graph, dtype, algebra, first, last)


def csr_on_device(graph: Graph, dtype: np.dtype[Any], algebra: Algebra, first: int, last: int) -> SparseArcs:
    """As `arcs_on_device`, but always as CSR arrays: those of a dense graph are made on the host."""
    to_device = jit.cupy().asarray
    begin, end = int(graph.indptr[first]), int(graph.indptr[last])
    weights = _kernel_weights(graph, dtype, algebra, begin, end)
    indptr = to_device(graph.indptr[first : last + 1] - begin)
    zones = to_device(graph.zones[first:last]) if graph.zones is not None else None
    return SparseArcs(indptr, to_device(graph.indices[begin:end]), to_device(weights), zones)


def _kernel_weights(graph: Graph, dtype: np.dtype[Any], algebra: Algebra, first: int, last: int) -> npt.NDArray[Any]:
    """Weights of the arcs [first, last) in the dtype of the page; values from "no path" on become "no path"."""
    weights = np.ones(last - first, dtype=dtype) if graph.weights is None else graph.weights[first:last]
    if algebra.semiring.join == "add" and dtype.kind != "f":
        limit = NARROW_NO_PATH if dtype.kind == "u" else np.iinfo(dtype).max // 2
        if np.iinfo(weights.dtype).max > limit:
            weights = np.minimum(weights, limit)
    return np.ascontiguousarray(weights, dtype=dtype)


def _brought_here(lengths: Page) -> Page:
    """Return the rows on the current GPU: the same array if it is there, otherwise a copy."""
    if gpu_of(lengths) == jit.current_device() or lengths.size == 0:
        return lengths
    copy = jit.cupy().empty(lengths.shape, dtype=lengths.dtype)
    with lengths.device:
        jit.cupy().cuda.runtime.deviceSynchronize()  # they were written on a stream of that GPU
    queue_copy(lengths, copy)  # on the stream that the copy belongs to, and whose kernels will read it
    return copy
