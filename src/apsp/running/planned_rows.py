"""Rows of distances that are planned and prepared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from apsp._types import GraphLike, VerticesLike
from apsp.errors import DeviceError, MemoryLimitError
from apsp.facts.request import Request
from apsp.facts.result_bytes import overwritten_rows
from apsp.gpu.memory import free_on_failure, free_unused
from apsp.graph.accept import graph_with_turns
from apsp.graph.model import Graph
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.methods import registry
from apsp.methods.problem import IntArray, Solver
from apsp.planning.plan import Plan
from apsp.planning.planner import plan_for
from apsp.planning.small import plan_small
from apsp.running.arguments import own_positions, prepared, stays_on, without_far_cycles
from apsp.running.blocks import Block, BlockArrays, blocks, going_on
from apsp.running.output import new_array
from apsp.system.array_device import is_on_gpu
from apsp.system.progress import Progress, offset, reporting

__all__ = ["PlannedRows", "checked_request", "filled", "plan_in", "plan_of", "planned_rows", "rows_in"]


Outcome = TypeVar("Outcome")


@dataclass(frozen=True)
class PlannedRows:
    """Rows of distances that are planned and prepared, but not computed yet.

    Attributes
    ----------
    sources : (S,) int32
        Positions.
    targets : (T,) int32 or None
        Positions; None means all n vertices.
    """

    graph: Graph
    request: Request
    sources: IntArray
    targets: IntArray | None
    plan: Plan
    solver: Solver

    def part(self, start: int, stop: int) -> PlannedRows:
        """Return the rows from start to stop."""
        return replace(self, sources=self.sources[start:stop])

    def blocks(self, *, reuse: bool, progress: Progress, where_computed: bool) -> Iterator[Block]:
        """Yield the blocks; those that a GPU computes stay there if a GPU was requested, or with `where_computed`."""
        request, plan = self.request, self.plan
        n, width = self.graph.n, self.graph.n if self.targets is None else len(self.targets)
        gpu = plan.gpus[0] if where_computed and plan.device == "cuda" else stays_on(request, plan)
        arrays = BlockArrays(
            (width, n if request.paths else None), plan.dtype, reuse, gpu, self.graph.labels, self.targets
        )
        block_rows = min(plan.block_rows, len(self.sources))
        if reuse and plan.device == "cpu" and request.rows is None and 2 * block_rows < n:
            at_once = registry.get(plan.method).rows_at_once
            height = overwritten_rows(block_rows, arrays.row_bytes, plan.threads, at_once)
            plan = replace(plan, block_rows=height)
        instead = self.instead
        solver_of_cpu = None if instead is None else lambda: instead().solver
        return blocks(self.solver, plan, self.sources, arrays, progress, solver_of_cpu)

    @property
    def instead(self) -> Callable[[], PlannedRows] | None:
        """Return the rows that continue on the CPU if a GPU fails that was not requested; None if it was, or on the CPU
        already.
        """
        return self._on_cpu if self.request.device == "auto" and self.plan.device == "cuda" else None

    def attempt(self, act: Callable[[PlannedRows], Outcome]) -> Outcome:
        """Do something with these rows; with those on the CPU if a GPU fails that was not requested."""
        try:
            with free_on_failure(self.plan.gpus):
                found = act(self)
        except (MemoryLimitError, DeviceError) as error:
            found = act(going_on(error, self.instead))
        if self.instead is not None:
            free_unused(self.plan.gpus)  # without a request for a GPU, its memory must not stay allocated
        return found

    def _on_cpu(self) -> PlannedRows:
        request = replace(self.request, device="cpu", gpus=())
        plan = plan_for(self.graph, request)
        solver = prepared(self.graph, plan, self.targets, request)
        return replace(self, request=request, plan=plan, solver=solver)


def planned_rows(graph: Graph, sources: IntArray | None, targets: IntArray | None, request: Request) -> PlannedRows:
    """Plan and prepare rows of a request, from positions; negative cycles that no source reaches do not count."""
    return without_far_cycles(graph, sources, lambda part: rows_in(part, sources, targets, request))


def rows_in(graph: Graph, sources: IntArray | None, targets: IntArray | None, request: Request) -> PlannedRows:
    """Plan and prepare rows of a request in a graph without such cycles."""
    positions = np.arange(graph.n, dtype=np.int32) if sources is None else sources
    plan = plan_in(graph, request)
    return PlannedRows(graph, request, positions, targets, plan, prepared(graph, plan, targets, request))


def plan_in(graph: Graph, request: Request, *, explained: bool = False) -> Plan:
    """Plan rows of a request in a graph without such cycles; see `plan_of`."""
    return (None if explained else plan_small(graph, request)) or plan_for(graph, request)


def plan_of(graph: Graph, sources: IntArray | None, request: Request, *, explained: bool) -> Plan:
    """Plan rows of a request, from positions; if explained, with sentences and seconds also of small work."""
    return without_far_cycles(graph, sources, lambda part: plan_in(part, request, explained=explained))


def checked_request(
    graph: GraphLike | TurnGraph, sources: VerticesLike | None, targets: VerticesLike | None, options: Request
) -> tuple[Graph, IntArray | None, IntArray | None, Request]:
    """The validated graph, the positions of sources and targets, and the request; errors are those of `stream`."""
    graph = graph_with_turns(graph)
    chosen, columns = own_positions(graph, sources, "sources"), own_positions(graph, targets, "targets")
    return graph, chosen, columns, options.of_rows(chosen, columns)


def filled(
    graph: Graph, plan: Plan, sources: IntArray, targets: IntArray | None, request: Request,
    given: Callable[[Solver, tuple[int, int]], Any] | None = None,
) -> tuple[Any, Any, Solver]:  # fmt: skip
    """Return distances, predecessors if they are requested, and the solver that computed them.

    Parameters
    ----------
    given : callable, optional
        Returns the array for the distances, from the solver and the shape; None for a new one.
    """
    solver = prepared(graph, plan, targets, request)
    gpu = stays_on(request, plan)
    shape = (len(sources), graph.n if targets is None else len(targets))
    dist = None if given is None else given(solver, shape)
    if dist is None:
        dist = new_array(shape, plan.dtype, gpu)
    pred = None
    if request.paths:
        pred = new_array((len(sources), graph.n), np.int32, gpu if is_on_gpu(dist) else None)
    with reporting(request.progress) as report:
        solver.fill(sources, dist, pred, offset(report, plan.method, 0, len(sources)))
    return dist, pred, solver
