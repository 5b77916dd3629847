"""The order and the factor of a graph, for other processes, where they are stored with the graph.

The order is small (13 bytes per vertex of a road network) and takes longest. The factor, ten times as large, is left
out if it takes longer to send than to compute.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.facts.constants import load_constants
from apsp.graph.model import Graph
from apsp.methods.elimination.factor import Factor, factorise
from apsp.methods.elimination.tree import EliminationTree, elimination_tree, keep_tree
from apsp.methods.problem import Problem
from apsp.system.machine import Machine

__all__ = ["factor_of_problem", "keep", "prepared_for_others"]

_VALUES = "values"
_KEPT = "_elimination_values"


def prepared_for_others(graph: Graph, factor: Factor | None, rate: float) -> dict[str, npt.NDArray[Any]]:
    """The arrays of the tree, and the values of the factor if they are worth it: see `Solver.preparation`.

    The factor is stored with the graph. One that an earlier call has stored is not sent again: the others have theirs.
    """
    tree = elimination_tree(graph) if factor is None else factor.tree
    assert tree is not None
    if factor is None:
        return tree.arrays()
    known = graph.__dict__.get(_KEPT) is not None
    graph.__dict__[_KEPT] = tree.order, factor.values
    if known or factor.values.nbytes / rate > _seconds(tree, factor.dtype):
        return tree.arrays()
    return tree.arrays() | {_VALUES: factor.values}


def keep(graph: Graph, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Store with a graph the preparation of the same graph in another process; a factor that is missing is stored when
    it is computed.
    """
    keep_tree(graph, EliminationTree(**{name: array for name, array in arrays.items() if name != _VALUES}))
    tree = elimination_tree(graph)
    if tree is not None and np.array_equal(tree.order, arrays["order"]):  # it may have one of an earlier call
        if _VALUES in arrays:
            graph.__dict__[_KEPT] = tree.order, arrays[_VALUES]
        else:
            graph.__dict__.setdefault(_KEPT, (tree.order, None))


def factor_of_problem(problem: Problem) -> Factor | None:
    """The factor that is stored with the graph, or a new one: see `factorise`."""
    graph, dtype = problem.graph, problem.dtype
    tree = elimination_tree(graph, threads=problem.threads)
    assert tree is not None
    order, values = graph.__dict__.pop(_KEPT, (None, None))
    if values is not None and order is tree.order and values.dtype == dtype:
        graph.__dict__[_KEPT] = order, values
        return Factor(graph, tree, values)
    factor = factorise(graph, dtype, tree, threads=problem.threads)
    if order is tree.order and values is None and factor is not None:
        graph.__dict__[_KEPT] = order, factor.values
    return factor


def _seconds(tree: EliminationTree, dtype: np.dtype[Any]) -> float:
    """Seconds of the factor on one core."""
    values = load_constants(Machine.detect().isa).values["elimination"]
    return values[f"pair.{dtype.name}"] * tree.factor_pairs + values["entry"] * tree.entries
