"""Distances by blocks of rows: for results that do not fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypedDict, Unpack

import numpy as np

from apsp._types import BytesLike, DeviceLike, DTypeLike, ExecutorLike, GraphLike, MethodName, PathLike, VerticesLike
from apsp.api.arguments import prepared, requested, stays_on, without_far_cycles
from apsp.api.blocks import Block, BlockArrays, blocks
from apsp.facts.request import Request
from apsp.facts.result_bytes import overwritten_rows
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.problem import IntArray, Solver
from apsp.planning.plan import Plan
from apsp.planning.planner import plan_for
from apsp.planning.small import plan_small
from apsp.system.arguments import flag
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress

__all__ = [
    "Block",
    "PlannedRows",
    "RowOptions",
    "checked_request",
    "plan_of",
    "rows_in",
    "rows_of",
    "stream",
]


class RowOptions(TypedDict, total=False):
    """The options of `stream` on which the plan depends."""

    cutoff: float | None
    dtype: DTypeLike
    paths: bool
    method: MethodName
    device: DeviceLike
    gpu_memory: BytesLike | None
    pages_file: PathLike | None
    threads: int | None
    share: float


_DEFAULTS = RowOptions(
    cutoff=None,
    dtype="auto",
    paths=False,
    method="auto",
    device="auto",
    gpu_memory=None,
    pages_file=None,
    threads=None,
    share=1.0,
)


@memory_errors
def stream(
    graph: GraphLike,
    *,
    rows: int | None = None,
    sources: VerticesLike | None = None,
    targets: VerticesLike | None = None,
    cutoff: float | None = None,
    dtype: DTypeLike = "auto",
    paths: bool = False,
    method: MethodName = "auto",
    device: DeviceLike = "auto",
    gpu_memory: BytesLike | None = None,
    pages_file: PathLike | None = None,
    threads: int | None = None,
    reuse: bool = False,
    executor: ExecutorLike | None = None,
    progress: Progress = False,
) -> Iterator[Block]:
    """Compute the same distances as `solve`, a block of rows at a time: for results that do not fit in memory.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    rows : int, optional
        Rows per block; by default as many as fit in an eighth of the memory, at most 256 MiB; with `reuse`, on a CPU,
        about 32 MiB.
    sources, targets : vertex or sequence of vertices, optional
        As for `apsp.solve`.
    cutoff : int or float, optional
        As for `apsp.solve`.
    dtype : {'auto', 'uint16', 'int32', 'int64', 'float32', 'float64'}
        As for `apsp.solve`.
    paths : bool
        As for `apsp.solve`.
    method, device : str
        As for `apsp.solve`.
    gpu_memory : int or str, optional
        As for `apsp.solve`.
    pages_file : path, optional
        As for `apsp.solve`.
    threads : int, optional
        As for `apsp.solve`.
    reuse : bool
        Use the same arrays for every block: faster, but blocks that are kept must be copied.
    executor : 'processes', concurrent.futures.Executor or dask.distributed.Client, optional
        Compute the blocks in the workers of this engine; they come back in the order of the sources, in host memory.
        `threads` is then the number per worker.
    progress : bool or callable
        True draws a bar; a callable is called as progress(stage, done, total).

    Returns
    -------
    iterator of Block
        The blocks, in the order of the sources.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
        At the call, not at the first block, if the input or the request is invalid.
    NegativeCycleError
        At the call, if a requested source reaches a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        At the call, if a block does not fit.
    ExecutorError
        If the engine or a worker fails; with an executor, all errors of the work are raised at the first block.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> for block in apsp.stream(graph, rows=2):
    ...     print(block.sources.tolist(), block.distances.tolist())
    [0, 1] [[0, 4, 5], [3, 0, 1]]
    [2] [[2, 6, 0]]
    """
    options = RowOptions(
        cutoff=cutoff, dtype=dtype, paths=paths, method=method, device=device, gpu_memory=gpu_memory,
        pages_file=pages_file, threads=threads,
    )  # fmt: skip
    is_reused = flag(reuse, "reuse")
    if executor is not None:
        from apsp.api.spread.front import spread_blocks

        return spread_blocks(executor, graph, rows, sources, targets, options, progress)
    asked_for = rows_of(graph, rows, sources, targets, **options)
    return asked_for.blocks(reuse=is_reused, progress=progress, where_computed=False)


@dataclass(frozen=True)
class PlannedRows:
    """Rows of distances that are planned and prepared, but not computed yet.

    Attributes
    ----------
    sources : (S,) int32
        Positions.
    targets : (T,) int32 or None
        Positions; None means all n vertices.
    decided : Plan
    solver : Solver
    """

    graph: Graph
    request: Request
    sources: IntArray
    targets: IntArray | None
    decided: Plan
    solver: Solver

    def part(self, start: int, stop: int) -> PlannedRows:
        """Return the rows from start to stop."""
        return replace(self, sources=self.sources[start:stop])

    def blocks(self, *, reuse: bool, progress: Progress, where_computed: bool) -> Iterator[Block]:
        """Yield the blocks; those that a GPU computes stay there if a GPU was requested, or with `where_computed`."""
        request, decided = self.request, self.decided
        n, width = self.graph.n, self.graph.n if self.targets is None else len(self.targets)
        gpu = decided.gpus[0] if where_computed and decided.device == "cuda" else stays_on(request, decided)
        arrays = BlockArrays(
            (width, n if request.paths else None), decided.dtype, reuse, gpu, self.graph.labels, self.targets
        )
        together = min(decided.block_rows, len(self.sources))
        if reuse and decided.device == "cpu" and request.rows is None and 2 * together < n:
            at_once = registry.get(decided.method).rows_at_once
            height = overwritten_rows(together, arrays.row_bytes, decided.threads, at_once)
            decided = replace(decided, block_rows=height)
        instead = self.instead
        solver_of_cpu = None if instead is None else lambda: instead().solver
        return blocks(self.solver, decided, self.sources, arrays, progress, solver_of_cpu)

    @property
    def instead(self) -> Callable[[], PlannedRows] | None:
        """Return the rows that continue on the CPU if a GPU fails that was not requested; None if it was, or on the CPU
        already.
        """
        return self._on_cpu if self.request.device == "auto" and self.decided.device == "cuda" else None

    def _on_cpu(self) -> PlannedRows:
        request = replace(self.request, device="cpu", gpus=())
        decided = plan_for(self.graph, request)
        solver = prepared(self.graph, decided, self.targets, request)
        return replace(self, request=request, decided=decided, solver=solver)


def rows_of(
    graph: GraphLike,
    rows: int | None,
    sources: VerticesLike | None,
    targets: VerticesLike | None,
    **options: Unpack[RowOptions],
) -> PlannedRows:
    """Plan and prepare; parameters and errors are those of `stream`."""
    graph, chosen, columns, request = checked_request(graph, rows, sources, targets, **options)
    return without_far_cycles(graph, chosen, lambda part: rows_in(part, chosen, columns, request))


def rows_in(graph: Graph, sources: IntArray | None, targets: IntArray | None, request: Request) -> PlannedRows:
    """Plan and prepare rows of a request, from positions."""
    wanted = np.arange(graph.n, dtype=np.int32) if sources is None else sources
    decided = _decided(graph, request)
    return PlannedRows(graph, request, wanted, targets, decided, prepared(graph, decided, targets, request))


def plan_of(
    graph: GraphLike,
    rows: int | None,
    sources: VerticesLike | None,
    targets: VerticesLike | None,
    explained: bool = False,
    **options: Unpack[RowOptions],
) -> Plan:
    """Plan, with sentences and seconds also of small work; other parameters and errors are those of `stream`."""
    graph, chosen, _, request = checked_request(graph, rows, sources, targets, **options)
    decide = plan_for if explained else _decided
    return without_far_cycles(graph, chosen, lambda part: decide(part, request))


def checked_request(
    graph: GraphLike,
    rows: int | None,
    sources: VerticesLike | None,
    targets: VerticesLike | None,
    **options: Unpack[RowOptions],
) -> tuple[Graph, IntArray | None, IntArray | None, Request]:
    """The validated graph, the positions of sources and targets, and the request; errors are those of `stream`."""
    return requested(graph, sources, targets, mode="stream", rows=rows, **_DEFAULTS | options)


def _decided(graph: Graph, request: Request) -> Plan:
    return plan_small(graph, request) or plan_for(graph, request)
