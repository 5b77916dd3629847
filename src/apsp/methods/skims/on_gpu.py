"""Skims on a GPU: the factor over tuples is computed by the CPU, the matrices from it in the memory of the GPU.

Input, output: as skims.py. Cost: ordering and factor on all cores; then on the GPU, per source, the panels between the
targets and the roots. Device memory: the factor and, for some sources at a time, the tuples of their lines. Raises
MemoryLimitError if one source does not fit.

The idea: see kernels/cost_sweeps.py. Rows are copied to the host while the next ones are computed.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apsp.errors import MemoryLimitError
from apsp.gpu.memory import free_bytes, free_on_failure, on_gpu
from apsp.gpu.page import Page
from apsp.gpu.staging import BLOCK_BYTES, to_host_by_blocks
from apsp.graph.model import Graph
from apsp.methods.elimination.kernels.layout import Layout
from apsp.methods.elimination.tree import EliminationTree
from apsp.methods.problem import IntArray, KernelProgress
from apsp.methods.rows.shared_rows import Parts, summed
from apsp.methods.skims.kernels.cost_sweeps import CostSweeps, Ends

__all__ = ["fill_on_gpu"]

FloatArray = npt.NDArray[np.float64]

_SHARE = 0.8
"""Share of the free memory in which the lines of some sources lie."""


def fill_on_gpu(
    graph: Graph, costs: FloatArray, tree: EliminationTree, factor: tuple[FloatArray, FloatArray], sources: IntArray,
    targets: IntArray, out: FloatArray, *, gpu: int, gpu_memory: int | None, threads: int,
    progress: KernelProgress | None,
) -> None:  # fmt: skip
    """Write out (K, S, T); see `SkimSolver.fill`."""
    with free_on_failure((gpu,)), on_gpu(gpu):
        sweeps = CostSweeps(tree.layout, *factor, targets)

        def compute(part: slice, block: tuple[Page, ...]) -> None:
            lanes, ends = _ends(tree.layout, graph, costs, sources[part])
            sweeps.write(lanes, ends, block)

        height = _height(graph, tree, sweeps, sources, out.shape, free_bytes(gpu, gpu_memory))
        to_host_by_blocks(compute, tuple(out), Parts(len(sources), height), height, threads, summed(progress))


def _height(
    graph: Graph, tree: EliminationTree, sweeps: CostSweeps, sources: IntArray, shape: tuple[int, ...], free: int
) -> int:
    """Sources of a block."""
    tuple_bytes = 8 * shape[0]
    above = 2 * int(np.max(tree.layout.tops, initial=0))
    lane = tuple_bytes * (sweeps.lines + above)
    lanes = 1 + (np.diff(graph.indptr)[sources] * graph.zones[sources] if graph.zones is not None else 0)
    row = int(lane * np.max(lanes, initial=1)) + 2 * tuple_bytes * shape[2]
    fitting = int(free * _SHARE) // row
    if fitting < 1:
        raise MemoryLimitError("the costs of one source", row, free, ["device='cpu'"])
    return max(min(fitting, 2 * BLOCK_BYTES // max(tuple_bytes * shape[2], 1), len(sources)), 1)


def _ends(layout: Layout, graph: Graph, costs: FloatArray, sources: IntArray) -> tuple[IntArray, Ends]:
    """Vertices of the lanes, by place, and the lanes of each source: of a zone also those of the heads of its arcs."""
    is_zone = graph.zones[sources] if graph.zones is not None and graph.has_zones else np.zeros(len(sources), bool)
    counts = 1 + np.where(is_zone, np.diff(graph.indptr)[sources], 0)
    begins = np.concatenate([[0], np.cumsum(counts)])
    own = np.zeros(begins[-1], dtype=bool)
    own[begins[:-1]] = True
    arcs = np.arange(begins[-1]) - np.repeat(begins[:-1], counts) - 1 + np.repeat(graph.indptr[sources], counts)
    vertices = np.where(own, np.repeat(sources, counts), 0).astype(np.int32)
    vertices[~own] = graph.indices[arcs[~own]]
    before = np.zeros((len(vertices), costs.shape[1]))
    before[~own] = costs[arcs[~own]]
    places, of = np.unique(layout.place[vertices], return_inverse=True)
    return layout.order[places], Ends(begins.astype(np.int32), of.reshape(-1).astype(np.int32), before)
