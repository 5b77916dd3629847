"""Batches of small graphs, against SciPy's Floyd-Warshall, a graph at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import floyd_warshall

import apsp

DTYPES = ("uint16", "int32", "int64", "float32", "float64")


def batch_of(count: int, n: int, dtype: str, seed: int = 0, low: int = 0) -> np.ndarray[Any, Any]:
    """Random lengths from low to 99, a third of the arcs missing, garbage on the diagonal."""
    rng = np.random.default_rng(seed)
    batch = rng.integers(low, 100, (count, n, n)).astype(dtype)
    batch[rng.random(batch.shape) < 1 / 3] = apsp.unreachable(dtype)
    return batch


def expected(batch: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Plain Floyd-Warshall in 64 bits, checked against SciPy where no length is 0."""
    dist = np.where(batch == apsp.unreachable(batch.dtype), np.inf, batch.astype(np.float64))
    for graph in dist:
        np.fill_diagonal(graph, 0)
    for k in range(batch.shape[1]):
        dist = np.minimum(dist, dist[:, :, k : k + 1] + dist[:, k : k + 1, :])
    none = np.isinf(dist)
    out = np.where(none, 0, dist).astype(batch.dtype)
    out[none] = apsp.unreachable(batch.dtype)
    return out


def test_the_oracle_agrees_with_scipy() -> None:
    batch = batch_of(3, 20, "float64", low=1)
    for graph in batch:
        np.fill_diagonal(graph, 0)
    np.testing.assert_array_equal(expected(batch), [floyd_warshall(np.where(np.isinf(g), 0, g)) for g in batch])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [0, 1, 2, 33, 130, 300])
def test_every_size(n: int, dtype: str) -> None:
    batch = batch_of(3, n, dtype, n)
    before = batch.copy()
    np.testing.assert_array_equal(apsp.solve_batch(batch), expected(batch))
    np.testing.assert_array_equal(batch, before)


def test_no_graphs() -> None:
    assert apsp.solve_batch(np.empty((0, 5, 5))).shape == (0, 5, 5)


def test_sizes_leave_the_padding_unreachable() -> None:
    batch = batch_of(3, 20, "int32")
    ours = apsp.solve_batch(batch, sizes=[0, 7, 20])
    for graph, own, size in zip(batch, ours, (0, 7, 20), strict=True):
        np.testing.assert_array_equal(own[:size, :size], expected(graph[None, :size, :size])[0])
        own[:size, :size] = apsp.unreachable("int32")
        assert (own == apsp.unreachable("int32")).all()


def test_out_may_be_the_input() -> None:
    batch = batch_of(3, 20, "float32")
    want = expected(batch)
    assert apsp.solve_batch(batch, out=batch) is batch
    np.testing.assert_array_equal(batch, want)


def test_graphs_of_different_sizes() -> None:
    graphs = [apsp.Graph.from_edges([0], [1], [2], n=n) for n in (2, 3)]
    assert [answer.shape for answer in apsp.solve_batch(graphs)] == [(2, 2), (3, 3)]


@pytest.mark.parametrize("dtype", DTYPES[1:])
def test_a_negative_cycle_names_its_graph(dtype: str) -> None:
    batch = batch_of(4, 10, dtype, low=1)
    batch[2, 3, 4], batch[2, 4, 3] = 1, -2
    with pytest.raises(apsp.NegativeCycleError, match="graph 2 of the batch") as caught:
        apsp.solve_batch(batch)
    assert caught.value.batch_index == 2
    batch[2, 4, 3] = -1
    apsp.solve_batch(batch)


def test_not_a_number_is_refused_with_its_place() -> None:
    batch = batch_of(4, 10, "float32")
    batch[1, 2, 3] = np.nan
    with pytest.raises(apsp.GraphError, match=r"\[1, 2, 3\]"):
        apsp.solve_batch(batch)


@pytest.mark.parametrize(("dtype", "weight"), [("uint16", 40000), ("int32", 2**29), ("int64", 2**61)])
def test_sums_that_might_wrap_are_refused(dtype: str, weight: int) -> None:
    batch = batch_of(2, 10, dtype)
    batch[1, 0, 1] = weight
    with pytest.raises(apsp.DtypeRangeError, match="graph 1 of the batch"):
        apsp.solve_batch(batch)


@pytest.mark.parametrize("wrong", [np.zeros((2, 3)), np.zeros((2, 3, 4)), np.zeros((1, 2, 2), np.int8)])
def test_what_is_no_batch(wrong: np.ndarray[Any, Any]) -> None:
    with pytest.raises(apsp.GraphError):
        apsp.solve_batch(wrong)


@pytest.mark.parametrize(
    "options",
    [
        {"sizes": [1]},
        {"sizes": [1, 4]},
        {"device": "tpu"},
        {"semiring": "plus"},
        {"out": np.zeros((2, 3, 3), np.int32)},
    ],
)
def test_what_makes_no_sense(options: dict[str, Any]) -> None:
    with pytest.raises(apsp.RequestError):
        apsp.solve_batch(np.zeros((2, 3, 3)), **options)


@pytest.mark.parametrize("semiring", ["max_min", "min_max"])
def test_bottlenecks(semiring: str) -> None:
    batch = batch_of(3, 30, "int32", low=1)
    for graph, ours in zip(batch, apsp.solve_batch(batch, semiring=semiring), strict=True):
        np.fill_diagonal(graph, apsp.unreachable("int32"))
        np.testing.assert_array_equal(ours, apsp.solve(graph, semiring=semiring, dtype="int32").distances)
