"""The factor of a graph after some of its weights have changed.

Source: Dibbelt, Strasser and Wagner 2016, "Customizable contraction hierarchies" (partial customisation), here on
supernodes. Input: a factor, and its graph with other weights. Output: the factor of that graph. Cost: the entries that
depend on the changed arcs; those near the root depend on most arcs, but few of them change with few arcs.

The idea: the values of a panel before it was closed are kept. An entry of it is computed again if a path through a
supernode below it has changed, and the panel is closed again if the entry has.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.facts.statistics import changed_arcs
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.methods.elimination.factor import Factor, fitting, sound_factor
from apsp.methods.elimination.tree import EliminationTree

__all__ = ["changed_factor"]

_FEW, _FEW_ARCS = 0.01, 16
"""Share of the arcs up to which changed weights are few; so many are in any graph."""

_MOST_WORK = 0.25
"""Of the pairs of the whole factor, which are added faster than those of single entries."""

Values = npt.NDArray[Any]


def changed_factor(
    old: Factor,
    assembled: Values | None,
    graph: Graph,
    dtype: np.dtype[Any],
    *,
    keep: bool,
    threads: int,
    few: float = _FEW,
    most_work: float = _MOST_WORK,
) -> tuple[Factor, Values | None]:
    """The factor of a graph with the arcs of the old one's, and its panels before they were closed.

    Parameters
    ----------
    assembled : (tree.entries,) array or None
        The panels of `old` before they were closed, if they are known; they become those of the new factor.
    keep : bool
        There is memory for those of the new factor.
    few : float
        Share of the arcs up to which changed weights are few.
    most_work : float
        Share of the pairs of the whole factor beyond which it is computed as a whole.

    Returns
    -------
    factor : Factor
    assembled : (tree.entries,) array or None
        None if many weights have changed, or there is no memory.

    Raises
    ------
    MethodRefusedError, NegativeCycleError
        As `sound_factor`.
    """
    tree = old.tree
    most = max(few * graph.m, _FEW_ARCS)
    changed = changed_arcs(old.graph, graph, most=most) if keep and dtype == old.dtype else None
    if changed is None:
        return sound_factor(graph, dtype, tree, threads), None
    if not len(changed):
        return Factor(graph, tree, old.values), assembled
    if assembled is not None:
        values = old.values.copy()
        with fitting():
            found = _changes_of(tree).apply(
                arc_arrays(graph, graph.weights), nonnegative=True, changed=changed,
                most=most_work * tree.factor_pairs, assembled=assembled, values=values,
            )  # fmt: skip
        if found is not None:
            return Factor(graph, tree, values), assembled
    else:
        assembled = np.empty(tree.entries, dtype=dtype)
    return sound_factor(graph, dtype, tree, threads, assembled=assembled), assembled


def _changes_of(tree: EliminationTree) -> _cpu.FactorChanges:
    """Stored with the tree, since they do not depend on the weights."""
    known: dict[str, _cpu.FactorChanges] = tree.__dict__
    if "_changes" not in known:
        known["_changes"] = _cpu.FactorChanges(tree)
    return known["_changes"]
