"""Distances of every vertex to its ancestors in the elimination tree: a pair is then one short minimum.

Sources: Cohen, Halperin, Kaplan and Zwick 2003, "Reachability and distance queries via 2-hop labels"; Ouyang, Qin,
Chang, Lin, Zhang and Zhu 2018, "When hierarchy meets 2-hop-labeling" (H2H), from supernodes. Input: any factor.
Output: the distances of pairs. Cost: for each row of each column of the factor as many (add, min) pairs as that row has
ancestors; one value per vertex and ancestor and, unless distances are the same in both directions, direction. After a
change, only for the columns whose entries have changed, or the label of one of their rows.

The idea: a shortest path goes up the tree and down again, so its highest vertex is an ancestor of both ends. Labels
begin at the root, so that the common ancestors of two vertices begin both of their labels.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.csr import arc_arrays
from apsp.graph.equality import shared
from apsp.graph.model import Graph
from apsp.methods.elimination.changes import Changed
from apsp.methods.elimination.factor import Factor, fitting
from apsp.methods.elimination.tree import EliminationTree
from apsp.system.machine import Machine, refuse_unless_fits, usable
from apsp.system.progress import ProgressReport, offset

__all__ = ["OracleLabels", "label_bytes", "labels_for", "labels_of", "refuse_unless_labels_fit"]


def label_bytes(tree: EliminationTree, graph: Graph, dtype: np.dtype[np.generic]) -> int:
    """Bytes of the labels of one direction; stored with the tree, since they do not depend on the weights."""
    known: dict[int, int] = tree.__dict__.setdefault("_label_bytes", {})
    if dtype.itemsize not in known:
        known[dtype.itemsize] = _cpu.elimination_label_bytes(tree, arc_arrays(graph), dtype.itemsize)
    return known[dtype.itemsize]


def labels_of(
    factor: Factor, *, mirrored: bool, threads: int, progress: ProgressReport | None = None
) -> _cpu.PairLabels:
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
        return _cpu.PairLabels(
            factor.arrays, mirrored=mirrored, threads=threads, progress=offset(progress, "labels", 0, factor.graph.n)
        )


def refuse_unless_labels_fit(graph: Graph, needed: int) -> None:
    """Raise MemoryLimitError unless so many bytes of labels of a graph fit into memory."""
    refuse_unless_fits(
        needed,
        f"labels of {graph.n:,} vertices",
        "labels=False, or order='best' and a narrower dtype, which make them smaller",
    )


class OracleLabels(NamedTuple):
    """The labels of a factor, for an oracle.

    Attributes
    ----------
    labels : PairLabels
    indices : (m,) int32
        Of the graph that they were computed of as a whole: labels of its edges or fewer can follow them.
    """

    labels: _cpu.PairLabels
    indices: npt.NDArray[np.int32]


def labels_for(
    factor: Factor, threads: int, old: OracleLabels | None, changed: Changed | None, progress: ProgressReport | None
) -> OracleLabels:
    """The labels of a factor; of one that has changed, those that did not change are not computed.

    Readers of the old labels go on with them. The memory of the new ones is that of the labels before the old ones,
    once it is not read; it is kept in turn if twice as much is free. (Blocks that only changed labels have of their own
    would save this memory after one edge only: 100 random edges of New York change every second label or more, in
    blocks of 64 KiB as in those of 2 MiB, which queries need to be fast.)

    Raises
    ------
    GraphError, MemoryLimitError
    """
    one_way = label_bytes(factor.tree, factor.graph, factor.dtype)
    changes = None if changed is None else changed.changes
    if old is not None and changed is not None and changes is not None and shared(changes.indices, old.indices):
        followed = _after(old.labels, factor, changed, one_way, threads)
        if followed is not None:
            return OracleLabels(followed, old.indices)
    mirrored = factor.is_mirrored
    refuse_unless_labels_fit(factor.graph, one_way * (1 if mirrored else 2))
    found = labels_of(factor, mirrored=mirrored, threads=threads, progress=progress)
    return OracleLabels(found, factor.graph.indices)


def _after(
    old: _cpu.PairLabels, factor: Factor, changed: Changed, one_way: int, threads: int
) -> _cpu.PairLabels | None:
    """None if the directions were equal and are not any more."""
    with fitting():
        if not old.fits(factor.arrays, changed.renewed_unless_mirrored):
            return None
        needed = one_way * (1 if old.mirrored else 2)
        keep = old.has_spare or 2 * needed <= usable(Machine.detect())
        if not old.has_spare:
            refuse_unless_labels_fit(factor.graph, needed)
        return _cpu.PairLabels(factor.arrays, old, renewed=changed.renewed, keep=keep, threads=threads)
