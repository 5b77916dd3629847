"""The factors of a graph for several periods: one order and one tree for all, and the numbers of many at once.

Source: Dibbelt, Strasser and Wagner 2016, "Customizable contraction hierarchies" (several weights in the lanes of a
vector), here on supernodes. Input: graphs that differ in their weights. Output: a factor per graph, whose values are
the rows of one array. Cost: for 16-bit distances a sixth of the time of the factors one after another.

The idea: what does not depend on the weights is done once for 32 periods (16 of int32, 8 of int64), which are the lanes
of each sum and minimum. Only integers are: sums of floats would depend on their order, and periods shall have the same
bits as separate runs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.model import Graph
from apsp.methods.elimination.factor import Factor, fitting, sound_factor
from apsp.methods.elimination.tree import EliminationTree
from apsp.system.progress import ProgressReport, offset
from apsp.system.threads import Threads

__all__ = ["factors_of_periods", "longest_weights"]

_LINE_BYTES = 64
"""Of the lanes of one entry."""

_FEW = 6
"""Fewer periods are factorised one after another: a line takes as long as so many."""

_BLOCK = 1 << 16
"""Arcs whose weights are compared at a time, so that they stay in the cache."""


def longest_weights(weights: Sequence[npt.NDArray[np.generic]], threads: int) -> npt.NDArray[np.generic]:
    """The longest weight of each arc, (m,), of (m,) weights per period."""
    longest = weights[0].astype(np.result_type(*weights))

    def compare(start: int) -> None:
        part = slice(start, start + _BLOCK)
        for each in weights[1:]:
            np.maximum(longest[part], each[part], out=longest[part])

    with Threads(threads, "apsp-weights") as pool:
        list(pool.map(compare, range(0, len(longest), _BLOCK)))
    return longest


def factors_of_periods(
    graphs: Sequence[Graph],
    dtype: np.dtype[np.generic],
    tree: EliminationTree,
    threads: int,
    *,
    few: int = _FEW,
    progress: ProgressReport | None = None,
) -> list[Factor]:
    """Return the factor of each graph, of the arcs of the first one with other weights.

    Parameters
    ----------
    dtype : dtype
        It holds all distances of all graphs.
    few : int
        If so many periods or more fill a part of a line, they are lanes.

    Raises
    ------
    MethodRefusedError, NegativeCycleError
        As `sound_factor`.
    """
    lanes = _LINE_BYTES // dtype.itemsize
    together = 0
    if dtype.kind in "iu" and not any(graph.has_negative_arc for graph in graphs):
        together = len(graphs) - (len(graphs) % lanes if len(graphs) % lanes < few else 0)
    values: npt.NDArray[np.generic] = np.empty((together, tree.entries), dtype=dtype)
    first = graphs[0]
    with fitting():
        _cpu.elimination_factors(
            tree=tree, values=values, threads=threads,
            progress=offset(progress, "factor", 0, together * int(tree.factor_pairs)),
            periods=[
                _cpu.ArcArrays(first.indptr, first.indices, graph.weights, first.zones if first.has_zones else None)
                for graph in graphs[:together]
            ],
        )  # fmt: skip
    factors = [Factor(graph, tree, row) for graph, row in zip(graphs[:together], values, strict=True)]
    return factors + [sound_factor(graph, dtype, tree, threads, progress) for graph in graphs[together:]]
