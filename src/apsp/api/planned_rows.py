"""Rows of distances that are planned and prepared, and the options on which their plan depends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypedDict, Unpack

import numpy as np

from apsp._types import BytesLike, DeviceLike, DTypeLike, GraphLike, MethodName, PathLike, VerticesLike
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
from apsp.system.progress import Progress

__all__ = ["PlannedRows", "RowOptions", "checked_request", "plan_of", "rows_in", "rows_of"]


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
