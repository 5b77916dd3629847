"""The costs of skims by searches and by elimination.

The models depend on seconds of one core, not on the number of threads. So processes with any number of threads choose
alike, and floats are rounded alike.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from apsp.errors import MemoryLimitError
from apsp.graph.model import Graph
from apsp.methods.elimination.tree import EliminationTree, elimination_tree
from apsp.methods.source_cost import SourceChoice, SourceCost, SourceModel
from apsp.system.machine import Machine, usable

__all__ = ["COSTS", "SkimWork"]

# Seconds on one core of an EPYC (Zen 5), for the choice; of two numbers the second one times the number of costs.
_SEARCH_ARC, _SEARCH_VERTEX = 2e-9, 6e-9  # per cost; times log2 n
_TREE_ARC, _FACTOR_ENTRY, _FACTOR_PAIR = 4e-7, (1.5e-8, 1.8e-9), (2e-10, 5e-11)
_ROW_PAIR, _ROW_COST = 4e-10, 4e-9  # the latter per cost and target

_LEAST_ROWS = 64
"""Fewest sources of a task: more than those of a batch."""


class SkimWork(NamedTuple):
    """Matrices of a shape (K, S, T)."""

    graph: Graph
    shape: tuple[int, int, int]

    @property
    def sources(self) -> int:
        """S."""
        return self.shape[1]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to compute."""
        return math.prod(self.shape) == 0


class _SkimModel(SourceModel[SkimWork]):
    def cost(self, work: SkimWork, choice: SourceChoice, threads: int) -> SourceCost:
        each = choice.seconds_row / threads
        return SourceCost(
            choice.method, choice.device, _LEAST_ROWS, choice.seconds_once, _LEAST_ROWS * each, each,
            work.sources * each, preparation=choice.preparation,
        )  # fmt: skip


class _Searches(_SkimModel):
    def offer(self, work: SkimWork, threads: int, limit: float | None) -> SourceChoice:  # noqa: ARG002
        graph, size = work.graph, work.shape[0]
        row = _SEARCH_ARC * size * graph.m + _SEARCH_VERTEX * graph.n * math.log2(graph.n + 2)
        return SourceChoice(self.name, 0.0, row)


class _Elimination(_SkimModel):
    def offer(self, work: SkimWork, threads: int, limit: float | None) -> SourceChoice | None:
        if work.is_empty:
            return None
        if limit is None:  # a store or the caller of workers has fixed it
            return self._of(work, _needed(work, threads, "a store that is begun on this machine"))
        if _TREE_ARC * work.graph.m > limit / 2:
            return None
        size = work.shape[0]
        widest = max(int((limit / _per_cost(_FACTOR_PAIR, size)) ** (1 / 3)), 64)
        most = usable(Machine.detect()) // (8 * size)
        tree = elimination_tree(work.graph, most=most, widest=widest, threads=threads)
        return None if tree is None else self._of(work, tree)

    def on_gpu(self, work: SkimWork, threads: int, best: SourceChoice, *, named: bool) -> SourceChoice | None:
        if best.tree is not None or not named:
            return None if best.tree is None else best
        return self._of(work, _needed(work, threads, "device='cpu'"))

    def _of(self, work: SkimWork, tree: EliminationTree) -> SourceChoice:
        size, _, targets = work.shape
        factor = _per_cost(_FACTOR_ENTRY, size) * tree.entries + _per_cost(_FACTOR_PAIR, size) * tree.factor_pairs
        row = _ROW_PAIR * tree.row_pairs + _ROW_COST * size * targets
        return SourceChoice(self.name, _TREE_ARC * work.graph.m + factor, row, tree)


def _needed(work: SkimWork, threads: int, remedy: str) -> EliminationTree:
    free, size = usable(Machine.detect()), work.shape[0]
    most = free // (8 * size)
    tree = elimination_tree(work.graph, most=most, threads=threads)
    if tree is None:
        raise MemoryLimitError("the factor of the elimination", 8 * size * most, free, [remedy])
    return tree


def _per_cost(seconds: tuple[float, float], size: int) -> float:
    return seconds[0] + seconds[1] * size


COSTS: dict[str, SourceModel[SkimWork]] = {
    "searches": _Searches("searches"),
    "elimination": _Elimination("elimination"),
}
