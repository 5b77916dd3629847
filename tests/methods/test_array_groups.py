"""Groups of arrays that kernels take: their checks, and how long they live."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import apsp
from apsp import _cpu
from apsp.graph.csr import arc_arrays
from apsp.methods.elimination.factor import sound_factor
from apsp.methods.elimination.tree import elimination_tree

GRAPH = apsp.generate("grid", 100, seed=1, weights=(1, 9))
EVERYONE = np.arange(GRAPH.n, dtype=np.int32)


def fresh(dtype: str | None = "int32") -> _cpu.ArcArrays:
    """The arcs in arrays that nothing else holds."""
    weights = None if dtype is None else GRAPH.arc_weights(dtype).copy()
    return _cpu.ArcArrays(GRAPH.indptr.copy(), GRAPH.indices.copy(), weights)


def of_rows(searches: Any) -> np.ndarray:
    gc.collect()
    dist = np.empty((GRAPH.n, GRAPH.n), dtype=np.int32)
    searches.rows(_cpu.RowArrays(EVERYONE, dist))
    return dist


@pytest.mark.parametrize(
    "make",
    [lambda: _cpu.label_solver(fresh()), lambda: _cpu.kept_searches(fresh())],
    ids=["label_solver", "kept_searches"],
)
def test_searches_keep_the_arcs(make: Callable[[], Any]) -> None:
    assert np.array_equal(of_rows(make()), apsp.solve(GRAPH).distances)


def test_levels_keep_the_arcs() -> None:
    hops = apsp.solve(GRAPH.unweighted()).distances
    assert np.array_equal(of_rows(_cpu.KeptLevels(fresh(None), fresh(None))), hops)


def test_searches_of_pairs_keep_the_arrays() -> None:
    tree = elimination_tree(GRAPH)
    assert tree is not None
    factor = sound_factor(GRAPH, np.dtype("int32"), tree, 1)
    pair = _cpu.PairSearch(_cpu.FactorArrays(tree, factor.values.copy(), fresh(), GRAPH.weights.copy(), True))
    both = _cpu.BidirectionalSearch(fresh(), fresh(), 10)
    gc.collect()
    for target, distance in enumerate(apsp.solve(GRAPH).distances[3].tolist()):
        found = both.path(3, target)
        assert found is not None
        assert pair.distance(3, target) == found[0] == distance


def test_a_factor_is_pickled_without_the_group() -> None:
    tree = elimination_tree(GRAPH)
    assert tree is not None
    factor = sound_factor(GRAPH, np.dtype("int32"), tree, 1)
    assert factor.arrays is factor.arrays
    again = pickle.loads(pickle.dumps(factor))
    dist = np.empty((GRAPH.n, GRAPH.n), dtype=np.int32)
    again.rows(EVERYONE, None, dist)
    assert np.array_equal(dist, apsp.solve(GRAPH).distances)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"indptr": np.empty(0, np.int64)}, "indptr must have n"),
        ({"weights": np.ones(3, np.int32)}, "weights must have 2 elements"),
        ({"zones": np.zeros(3, bool)}, "zones must have 2 elements"),
    ],
)
def test_arcs_are_checked_once(arrays: dict[str, Any], message: str) -> None:
    whole = {"indptr": np.array([0, 1, 2]), "indices": np.array([1, 0], np.int32)}
    with pytest.raises(ValueError, match=message):
        _cpu.ArcArrays(**{**whole, **arrays})


def test_weights_of_another_dtype() -> None:
    rows = _cpu.RowArrays(EVERYONE, np.empty((GRAPH.n, GRAPH.n), dtype=np.float64))
    with pytest.raises(ValueError, match="the same dtype"):
        _cpu.dijkstra_rows(fresh(), rows)
    with pytest.raises(ValueError, match="the arcs must have weights"):
        _cpu.dijkstra_rows(arc_arrays(GRAPH), rows)
    cut = _cpu.RowArrays(EVERYONE, np.empty((GRAPH.n, GRAPH.n), dtype=np.int32), cutoff=2.5)
    with pytest.raises(ValueError, match="does not fit the dtype"):
        _cpu.dijkstra_rows(fresh(), cut)
