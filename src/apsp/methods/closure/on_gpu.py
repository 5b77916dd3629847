"""Transitive closure on one GPU: which vertices can be reached from which, one bit per pair, in its memory.

Source: Tarjan 1972, section 4 (components); Warshall 1962, blocked as by Katz, Kider 2008, section 3. Input: any graph;
weights are ignored, every vertex reaches itself, no path passes through a zone. Output: (n, ceil(n / 64))
uint64 of the device. Cost: O(m) on the CPU and c^3 / 6 pairs of bits for c components; or n^3 pairs for a dense graph,
for which finding the components would take longer. Raises MemoryLimitError before the work.

The idea: numbered from the sinks up, the components form a triangular matrix. It is closed by Warshall's algorithm over
blocks; then rows and columns are expanded to the members of the components: columns are rows of the transposed matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from apsp.errors import MemoryLimitError
from apsp.gpu.memory import free_bytes
from apsp.gpu.page import Page
from apsp.graph.model import Graph
from apsp.methods.closure.condensation import strong_components
from apsp.methods.closure.kernels import bit_matrix, close_bits
from apsp.methods.closure.kernels.backend import CudaBitsBackend
from apsp.methods.closure.kernels.bits import multiply, transposed
from apsp.methods.closure.placement import STRIP, bytes_on_gpu

__all__ = ["closure_on_gpu"]


def closure_on_gpu(
    graph: Graph,
    device: int = 0,
    progress: Callable[[int], None] | None = None,
    *,
    components: bool = True,
) -> Page:
    """Return the reachable vertices of every vertex.

    Parameters
    ----------
    graph : Graph
    device : int
        Number of the GPU.
    progress : callable, optional
        Called with the number of vertices done, out of n.
    components : bool
        Find the components, and close those; False: close the vertices, which is faster for dense graphs.

    Returns
    -------
    (n, ceil(n / 64)) uint64 of the device
        Bit v % 64 of word v // 64 in row u is set if u reaches v. Bits beyond n are 0.
    """
    n, words = graph.n, -(-graph.n // 64)
    backend = CudaBitsBackend(device)
    with backend.on_device():
        if n == 0:
            return backend.cupy.zeros((0, 0), dtype=np.uint64)
        _check_memory(n, device)
        arcs = backend.adjacency(graph)
        if components:
            bits = _by_components(backend.cupy, graph, arcs, progress)
        else:
            bits = backend.cupy.empty((n, words), dtype=np.uint64)
            bit_matrix.fill(bits, 0, 0, arcs)
            close_bits.close(bits, progress=progress)
        if graph.has_zones:
            _extend_zones(backend.cupy, bits, graph, arcs)
        backend.cupy.cuda.get_current_stream().synchronize()
    return bits


def _by_components(cupy: Any, graph: Graph, arcs: bit_matrix.Adjacency, progress: Callable[[int], None] | None) -> Page:
    """The closure of the components, and their members' rows and columns."""
    number, labels = strong_components(graph)
    closed = cupy.zeros((number, -(-number // 64)), dtype=np.uint64)
    own = np.arange(number, dtype=np.int64)
    closed[own, own // 64] = cupy.asarray(np.uint64(1) << (own % 64).astype(np.uint64))
    tails = np.where(graph.zones, np.int32(-1), labels) if graph.zones is not None else labels
    bit_matrix.add_arcs(closed, arcs, tails, labels)
    share = None if progress is None else _scaled(progress, graph.n / number)
    close_bits.close(closed, lower=True, progress=share)
    return _written_out(cupy, closed, cupy.asarray(labels))


def _written_out(cupy: Any, closed: Page, labels: Any) -> Page:
    """Return (n, ceil(n / 64)) bits: entry [u, v] is that of the components of u and v."""
    n, words = len(labels), closed.shape[1]
    bits = cupy.empty((n, -(-n // 64)), dtype=np.uint64)
    columns = transposed(closed).view(np.uint64)
    for start in range(0, n, STRIP):
        members = labels[start : start + STRIP]
        of_members = cupy.empty((len(members), words), dtype=np.uint64)
        bit_matrix.gather(of_members, columns, members)
        rows = transposed(of_members).view(np.uint64)  # a row per component, a bit per member
        bit_matrix.gather(bits[:, start // 64 : -(-(start + len(members)) // 64)], rows, labels)
    return bits


def _extend_zones(cupy: Any, bits: Page, graph: Graph, arcs: bit_matrix.Adjacency) -> None:
    """Add the vertices that zones reach: those that their heads reach; from a head that is a zone, only the head."""
    zones = np.asarray(graph.zones)
    vertices = np.arange(graph.n, dtype=np.int32)
    onward, ends = np.where(zones, np.int32(-1), vertices), np.where(zones, vertices, np.int32(-1))
    tails = np.flatnonzero(zones).astype(np.int32)
    for start in range(0, len(tails), STRIP):
        part = tails[start : start + STRIP]
        of_tail = np.full(graph.n, -1, dtype=np.int32)
        of_tail[part] = np.arange(len(part), dtype=np.int32)
        heads, reached = (cupy.zeros((len(part), bits.shape[1]), dtype=np.uint64) for _ in range(2))
        bit_matrix.add_arcs(heads, arcs, of_tail, onward)
        bit_matrix.add_arcs(reached, arcs, of_tail, ends)
        multiply(reached, heads, bits)
        bit_matrix.unite_into(bits, reached, cupy.asarray(part))


def _check_memory(n: int, device: int) -> None:
    """Raise MemoryLimitError if what it needs does not fit."""
    free, needed = free_bytes(device), bytes_on_gpu(n)
    if needed > free:
        largest = n
        while largest > 64 and bytes_on_gpu(largest) > free:
            largest = largest * 15 // 16
        raise MemoryLimitError(
            f"the reachability of {n:,} x {n:,} pairs at one bit each on GPU {device}", needed, free,
            ["device='cpu'", f"a part of the graph of at most {largest:,} vertices"],
        )  # fmt: skip


def _scaled(progress: Callable[[int], None], factor: float) -> Callable[[int], None]:
    return lambda done: progress(int(done * factor))
