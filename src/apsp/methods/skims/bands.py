"""Skims in bands of sources, which several processes compute, and which a store keeps.

Every row is computed alone, so that its bits do not depend on the bands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apsp.graph.model import Graph
from apsp.methods.skims.choice import chosen
from apsp.methods.skims.skims import SkimSolver
from apsp.methods.source_cost import SourceCost

__all__ = ["SolverCache", "skim_cost"]

_LEAST_ROWS = 64
"""More than the sources of a batch."""


def skim_cost(
    graph: Graph, shape: tuple[int, int, int], *, by: str | None = None, device: str, threads: int
) -> SourceCost:
    """Return the cost of matrices of a shape (K, S, T); parameters and errors are those of `chosen`."""
    choice = chosen(graph, shape, by=by, device=device, threads=threads)
    each = choice.seconds_row / threads
    return SourceCost(
        choice.method, choice.device, _LEAST_ROWS, choice.seconds_once, _LEAST_ROWS * each, each, shape[1] * each,
        preparation={} if choice.tree is None else choice.tree.arrays(),
    )  # fmt: skip


class SolverCache:
    """What the calls for bands compute once in a process; copies and pickles are empty."""

    def __init__(self) -> None:
        self._key: tuple[Any, ...] | None = None
        self._solver: SkimSolver | None = None

    def solver(self, key: tuple[Any, ...], make: Callable[[], SkimSolver]) -> SkimSolver:
        """Return the solver of a key, made at the first call."""
        if self._solver is None or self._key != key:
            self._solver = None  # before another factor needs memory
            self._key, self._solver = key, make()
        return self._solver

    def __reduce__(self) -> tuple[type[SolverCache], tuple[()]]:
        return SolverCache, ()
