"""Graphs as users have them: SciPy arrays, dense matrices, NetworkX graphs, lists of edges; solved as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

import apsp
from torture.doors.solve import OPTIONS, check_result
from torture.judging import Judging

__all__ = ["given"]


def given(judging: Judging, call: dict[str, Any]) -> None:
    options, form = {name: call[name] for name in OPTIONS if name in call}, call.get("form", "scipy")
    labels = judging.case.labels if form == "networkx" else None
    dtype = judging.case.dtype or "int32"
    if form == "networkx":  # Python's numbers; without edges it counts hops
        dtype = ("int64" if judging.case.integer else "float64") if judging.case.arcs else None
    judging.instead = plain = Judging(judging.case.changed(zones=[], labels=labels, dtype=dtype))
    made = {"scipy": _scipy, "dense": _dense, "networkx": _networkx}[form](plain)
    result = apsp.solve(made, **plain.naming.told(options))
    judging.count(f"given {form}")
    check_result(plain, call, result)
    judging.counts += plain.counts


def _arrays(judging: Judging) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    merged = judging.truth.merged
    tails, heads = (np.array([pair[k] for pair in merged], dtype=np.int32) for k in (0, 1))
    return tails, heads, np.array(list(merged.values()), dtype=judging.case.dtype or "int32")


def _scipy(judging: Judging) -> Any:
    tails, heads, weights = _arrays(judging)
    return sp.coo_array((weights, (tails, heads)), shape=(judging.case.n, judging.case.n)).tocsr()


def _dense(judging: Judging) -> Any:
    """No arc is infinity, or the largest integer."""
    tails, heads, weights = _arrays(judging)
    matrix = np.full((judging.case.n,) * 2, apsp.unreachable(weights.dtype), dtype=weights.dtype)
    matrix[tails, heads] = weights
    return matrix


def _networkx(judging: Judging) -> Any:
    import networkx as nx

    graph = nx.DiGraph()
    one = judging.naming.one
    graph.add_nodes_from(map(one, range(judging.case.n)))
    for (tail, head), weight in judging.truth.merged.items():
        graph.add_edge(one(tail), one(head), weight=weight)
    return graph
