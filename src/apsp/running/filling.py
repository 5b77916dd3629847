"""All rows of a plan at once, in arrays that are new or given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray, Solver
from apsp.planning.plan import Plan
from apsp.running.arguments import prepared, stays_on
from apsp.running.output import new_array
from apsp.system.array_device import is_on_gpu
from apsp.system.progress import Progress, offset, reporting

__all__ = ["filled"]


def filled(
    graph: Graph, plan: Plan, sources: IntArray, targets: IntArray | None, request: Request, progress: Progress,
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
    with reporting(progress) as report:
        solver.fill(sources, dist, pred, offset(report, plan.method, 0, len(sources)))
    return dist, pred, solver
