"""CSR arrays of SciPy are taken as they lie; what that gives is what their triples give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import apsp
from apsp.errors import GraphError
from apsp.graph.convert import from_edges, from_scipy


def by_triples(sparse: Any, directed: bool) -> apsp.Graph:
    triples = sparse.tocoo()
    return from_edges(triples.row, triples.col, triples.data, n=sparse.shape[0], directed=directed)


def random_rows(seed: int, n: int, m: int, dtype: str, index: str) -> Any:
    """Rows that are neither sorted nor free of parallel entries, with explicit zeros."""
    rng = np.random.default_rng(seed)
    indptr = np.concatenate([[0], np.sort(rng.integers(0, m + 1, n - 1)), [m]]).astype(index)
    data = rng.integers(-3, 30, m).astype(dtype)
    rows = sp.csr_array((data, rng.integers(0, n, m).astype(index), indptr), shape=(n, n))
    assert rows.indptr.dtype == index
    return rows


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "int64", "float32", "float64", "longdouble"])
def test_rows_and_triples_give_the_same_graph(dtype: str, index: str, directed: bool) -> None:
    for seed, (n, m) in enumerate([(1, 0), (1, 4), (7, 40), (300, 900), (300, 0)]):
        rows = random_rows(seed, n, m, dtype, index)
        graph, expected = from_scipy(rows, directed), by_triples(rows, directed)
        assert graph.directed == directed
        assert graph.weight_dtype == expected.weight_dtype
        for name in ("indptr", "indices", "weights"):
            mine = getattr(graph, name)
            np.testing.assert_array_equal(mine, getattr(expected, name))
            assert not mine.flags.writeable


def test_the_arrays_are_copied() -> None:
    rows = sp.csr_array([[0.0, 2], [3, 0]])
    graph = from_scipy(rows)
    rows.data[:], rows.indices[:] = 9, 0
    assert graph.weights is not None
    assert (graph.weights.tolist(), graph.indices.tolist()) == ([2, 3], [1, 0])


def test_negative_zero_is_zero() -> None:
    rows = sp.csr_array((np.array([-0.0]), np.array([1]), np.array([0, 1, 1])), shape=(2, 2))
    weights = from_scipy(rows).weights
    assert weights is not None
    assert not np.signbit(weights).any()


def test_data_with_gaps_between_them() -> None:
    rows = sp.csr_array([[0.0, 2], [3, 0]])
    rows.data = np.array([2.0, 7, 3, 7])[::2]
    assert from_scipy(rows).weights.tolist() == [2, 3]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("indices", [1, 2], "damaged"), ("indices", [1, -1], "damaged"), ("indptr", [0, 2, 1], "damaged"),
        ("indptr", [1, 1, 2], "damaged"), ("indptr", [0, 1, 9], "damaged"), ("data", [1.0, np.inf], "arc 1, from"),
        ("data", [np.nan, 1.0], "arc 0, from"),
    ],
)  # fmt: skip
def test_damage_is_named(name: str, value: list[Any], words: str) -> None:
    rows = sp.csr_array([[0.0, 2], [3, 0]])
    setattr(rows, name, np.array(value, dtype=getattr(rows, name).dtype))
    with pytest.raises(GraphError, match=words):
        from_scipy(rows)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_facts_of_the_arcs(dtype: str) -> None:
    rng = np.random.default_rng(3)
    for low in (-5, 0, 1):
        for m in (0, 1, 50):
            tails, heads = rng.integers(0, 20, m), rng.integers(0, 20, m)
            graph = from_edges(tails, heads, rng.integers(low, 30, m).astype(dtype), n=20)
            weights, apart = graph.weights, graph.tails() != graph.indices
            assert weights is not None
            smallest, largest = (weights.min(), weights.max()) if graph.m else (0, 0)
            assert graph.weight_range == (smallest, largest)
            assert graph.has_negative_arc == bool((weights < 0).any())
            assert graph.has_zero_arc == bool((weights[apart] == 0).any())
            assert graph.mean_weight == pytest.approx(np.abs(weights).mean() if graph.m else 1)
