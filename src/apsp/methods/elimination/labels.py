"""Distances of every vertex to its ancestors in the elimination tree: a pair is then one short minimum.

Sources: Cohen, Halperin, Kaplan and Zwick 2003, "Reachability and distance queries via 2-hop labels"; Ouyang, Qin,
Chang, Lin, Zhang and Zhu 2018, "When hierarchy meets 2-hop-labeling" (H2H), from supernodes. Input: any factor.
Output: the distances of pairs. Cost: for each row of each column of the factor as many (add, min) pairs as that row has
ancestors; one value per vertex and ancestor and, unless distances are the same in both directions, direction.

The idea: a shortest path goes up the tree and down again, so its highest vertex is an ancestor of both ends. Labels
begin at the root, so that the common ancestors of two vertices begin both of their labels.
"""

from __future__ import annotations

import numpy as np

from apsp import _cpu
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.methods.elimination.factor import Factor, fitting
from apsp.methods.elimination.tree import EliminationTree

__all__ = ["label_bytes", "labels_of"]


def label_bytes(tree: EliminationTree, graph: Graph, dtype: np.dtype[np.generic]) -> int:
    """Bytes of the labels of one direction; stored with the tree, since they do not depend on the weights."""
    known: dict[int, int] = tree.__dict__.setdefault("_label_bytes", {})
    if dtype.itemsize not in known:
        known[dtype.itemsize] = _cpu.elimination_label_bytes(tree, arc_arrays(graph), dtype.itemsize)
    return known[dtype.itemsize]


def labels_of(factor: Factor, *, mirrored: bool, threads: int) -> _cpu.PairLabels:
    """Compute the labels of a factor.

    Parameters
    ----------
    mirrored : bool
        Whether distances are the same in both directions (`Factor.is_mirrored`), which then share their labels.

    Raises
    ------
    GraphError
        If tree, values and graph, which may come from a file, are inconsistent.
    """
    with fitting():
        return _cpu.PairLabels(factor.arrays, mirrored=mirrored, threads=threads)
