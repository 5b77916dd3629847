"""Pairs within a cutoff: searches one after another, in lanes of the CPU, or on a GPU; and sweeps of elimination.

Sources: Dijkstra 1959; Okuyama, Ino, Hagihara 2010, section 4 (all sources relax an arc together); Delling, Goldberg,
Nowatzyk, Werneck 2011 (PHAST). Input: a graph without negative arcs. Output: `NearRows`. Cost: see cost.py.

The idea: sources that are near each other reach nearly the same vertices, so a batch of them visits these once for all.
"""

from __future__ import annotations

from typing import Literal

from apsp import _cpu
from apsp.graph.csr import arc_arrays, arc_lengths
from apsp.methods.elimination.factor import sound_factor
from apsp.methods.near.solver import NearProblem, NearSolver
from apsp.methods.searches.near import NearFinder, near_searches
from apsp.methods.source_cost import SourceChoice

__all__ = ["prepare"]


def prepare(problem: NearProblem, choice: SourceChoice, *, kind: Literal["searches", "lanes", "sweeps"]) -> NearSolver:
    """Return the searches of a kind."""
    if choice.gpu is not None:
        from apsp.methods.near.on_gpu import NearOnGpu  # with the first GPU: `import apsp` stays quick

        return NearOnGpu(problem, choice.gpu, lambda: prepare(problem, choice.on_cpu(), kind=kind))
    graph, dtype, costs = problem.graph, problem.dtype, problem.costs
    if kind == "searches":
        return near_searches(graph, dtype, problem.sources, costs)
    arcs = arc_arrays(graph, arc_lengths(graph, dtype))
    if kind == "lanes":
        kernel = _cpu.near_lanes(arcs, costs=costs)
    else:
        assert choice.tree is not None
        kernel = _cpu.near_sweeps(sound_factor(graph, dtype, choice.tree, problem.threads).arrays, arcs, costs=costs)
    return NearFinder(kernel, dtype, 0 if costs is None else costs.shape[1])
