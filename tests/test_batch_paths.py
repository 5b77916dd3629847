"""Paths of many graphs at once: every chain of predecessors is replayed along the arcs of its graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import dijkstra

import apsp
from batches import DTYPES, SEMIRINGS, check_paths, oracle, random_batch, replayed

RNG = np.random.default_rng


def solved(batch: Any, **options: Any) -> apsp.BatchPaths:
    found = apsp.solve_batch(batch, paths=True, **options)
    assert isinstance(found, apsp.BatchPaths)
    return found


@pytest.mark.few(6)
@pytest.mark.parametrize("n", [1, 2, 31, 32, 33, 64, 65, 128, 129, 136, 200, 257, 300])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_and_size(dtype: str, n: int) -> None:
    batch = random_batch(3, n, dtype, seed=n)
    before = batch.copy()
    found = solved(batch, threads=2)
    np.testing.assert_array_equal(found.distances, oracle(batch))
    np.testing.assert_array_equal(batch, before)
    check_paths(batch, found)


@pytest.mark.few(5)
@pytest.mark.parametrize("n", [5, 64, 130, 257])
@pytest.mark.parametrize("dtype", DTYPES[1:])
def test_negative_arcs(dtype: str, n: int) -> None:
    batch = random_batch(4, n, dtype, seed=n, height=60)
    found = solved(batch)
    np.testing.assert_array_equal(found.distances, oracle(batch))
    check_paths(batch, found)


@pytest.mark.few(5)
@pytest.mark.parametrize("semiring", SEMIRINGS[1:])
@pytest.mark.parametrize("dtype", DTYPES[1:])
@pytest.mark.parametrize("n", [7, 64, 150, 270])
def test_other_semirings(n: int, dtype: str, semiring: str) -> None:
    batch = random_batch(3, n, dtype, seed=n, density=0.05, height=9)
    found = solved(batch, semiring=semiring)
    np.testing.assert_array_equal(found.distances, oracle(batch, semiring))
    check_paths(batch, found, semiring)


@st.composite
def batches(draw: st.DrawFn) -> tuple[Any, str]:
    n, dtype = draw(st.integers(1, 12)), draw(st.sampled_from(DTYPES))
    semiring = draw(st.sampled_from(SEMIRINGS if dtype != "uint16" else SEMIRINGS[:1]))
    rng = RNG(draw(st.integers(0, 2**32)))
    batch = rng.integers(0, draw(st.sampled_from([1, 2, 4, 50])), (6, n, n)).astype(dtype)
    if dtype != "uint16" and draw(st.booleans()):
        levels = rng.integers(-30, 30, (6, n))
        batch += (levels[:, :, None] - levels[:, None, :]).astype(dtype)
    batch[rng.random(batch.shape) > draw(st.sampled_from([1.5 / n, 0.5, 1.0]))] = apsp.unreachable(dtype)
    batch[:, range(n), range(n)] = 0
    return batch, semiring


@settings(deadline=None)
@given(batches())
@pytest.mark.filterwarnings("ignore::apsp.ApspWarning")
def test_arcs_and_cycles_of_length_zero(drawn: tuple[Any, str]) -> None:
    batch, semiring = drawn
    found = solved(batch, semiring=semiring)
    np.testing.assert_array_equal(found.distances, oracle(batch, semiring))
    check_paths(batch, found, semiring)


def tied(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Lengths of which many sums differ by rounding alone, or vanish in it."""
    if kind == "tenths":
        return rng.integers(0, 20, shape) * 0.1
    if kind == "absorbed":
        return np.where(rng.random(shape) < 0.5, 1e-20 * rng.integers(0, 3, shape), rng.integers(1, 4, shape) / 3)
    if kind == "below the normal range":
        return rng.integers(0, 5, shape) * 1.4e-45
    return rng.choice([0.1, 0.2, 0.3, 0.7, 1 / 3, 1e-9], shape)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", ["tenths", "absorbed", "below the normal range", "mixed"])
@pytest.mark.parametrize("n", [6, 20, 60, 140])
@pytest.mark.filterwarnings("ignore::apsp.ApspWarning")
def test_sums_that_rounding_orders(n: int, kind: str, dtype: str) -> None:
    rng = RNG(n)
    batch = tied(kind, (max(20_000 // n**2, 1), n, n), rng).astype(dtype)
    batch[rng.random(batch.shape) > max(3 / n, 0.1)] = np.inf
    found = solved(batch)
    check_paths(batch, found)
    if n <= 128:  # larger graphs take the pivots in another order
        np.testing.assert_array_equal(found.distances, apsp.solve_batch(batch))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rounded_sums_of_both_signs(dtype: str) -> None:
    rng = RNG(8)
    n, levels = 80, rng.choice([0.0, 0.1, 1.0, 3.0], (4, 80))
    batch = rng.choice([0.1, 0.7, 1 / 3, 1e-9], (4, n, n)) + levels[:, :, None] - levels[:, None, :] + 1e-9
    batch = batch.astype(dtype)
    batch[rng.random(batch.shape) > 0.3] = np.inf
    batch[:, range(n), range(n)] = 0
    found = solved(batch)
    for lengths, distances, pred in zip(batch, *found, strict=True):
        apsp.result.result.Result(apsp.from_dense(lengths, absent=np.inf), distances, pred=pred).verify()


def test_cycles_that_only_rounding_makes_negative_have_paths() -> None:
    levels = RNG(5).random((5, 30)) * 1e3
    batch = levels[:, :, None] - levels[:, None, :]
    found = solved(batch)
    np.testing.assert_allclose(replayed(batch, found.predecessors)[0], batch, atol=1e-9)


def test_the_distances_of_scipy() -> None:
    rng = RNG(3)
    batch = rng.random((20, 30, 30))
    batch[rng.random(batch.shape) > 0.1] = np.inf
    found = solved(batch)
    for lengths, distances in zip(batch, found.distances, strict=True):
        arcs = lengths.copy()
        np.fill_diagonal(arcs, 0)
        arcs[np.isinf(arcs)] = 0
        np.testing.assert_allclose(distances, dijkstra(arcs), rtol=1e-14)


@pytest.mark.parametrize("semiring", SEMIRINGS)
@pytest.mark.parametrize("n", [40, 200, 280])
def test_padding_is_neither_read_nor_on_a_path(n: int, semiring: str) -> None:
    sizes = np.array([0, 1, n // 2, n - 1, n])
    batch = random_batch(5, n, "float64", seed=2)
    for size, matrix in zip(sizes, batch, strict=True):
        matrix[size:] = matrix[:, size:] = np.nan
    distances, pred = solved(batch, sizes=sizes, semiring=semiring)
    np.testing.assert_array_equal(distances, apsp.solve_batch(batch, sizes=sizes, semiring=semiring))
    for graph, size in enumerate(sizes):
        assert (pred[graph, size:] == -1).all()
        assert (pred[graph, :, size:] == -1).all()
        if size:
            inside = np.s_[graph : graph + 1, :size, :size]
            check_paths(batch[inside], (distances[inside], pred[inside]), semiring)


@pytest.mark.parametrize("shape", [(0, 5, 5), (4, 0, 0), (3, 1, 1)])
def test_nothing_to_do(shape: tuple[int, int, int]) -> None:
    found = solved(np.full(shape, 3.0))
    assert found.predecessors.tolist() == np.full(shape, -1).tolist()
    assert found.predecessors.dtype == np.int32


def test_out_and_strides() -> None:
    batch = random_batch(6, 24, "int32")
    out = np.empty((3, 24, 24), dtype=np.int64)
    found = solved(batch[::2], out=out)
    assert found.distances is out
    check_paths(batch[::2], found)
    for view in (batch[::-1], batch[:, 3:20, 3:20], batch.transpose(0, 2, 1), batch[:, ::2, ::2]):
        check_paths(view, solved(view))


def test_integers_become_wider_rather_than_wrap() -> None:
    batch = np.full((2, 12, 12), 3000, dtype=np.uint16)
    batch[:, 0, 5] = apsp.unreachable("uint16")
    found = solved(batch)
    assert found.distances.dtype == np.int32
    check_paths(batch, found)


@pytest.mark.parametrize("n", [9, 100, 270])
@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_a_negative_cycle_names_its_graph(dtype: str, n: int) -> None:
    batch = random_batch(5, n, dtype)
    batch[3, 2, 7], batch[3, 7, 2] = -60, 1
    with pytest.raises(apsp.NegativeCycleError, match="graph 3 of the batch"):
        solved(batch)


def test_a_sequence_of_graphs() -> None:
    graphs: list[Any] = [apsp.generate("random", n, seed=n) for n in (1, 3, 30, 60, 250, 300)]
    graphs += [apsp.from_edges([0, 1, 1], [1, 2, 1], [0.5, -0.25, 3.0]), apsp.from_edges([], [], n=0)]
    graphs += [apsp.from_edges([0, 1, 0], [1, 2, 2], [1, 1, 5], zones=[False, True, False])]
    found = solved(graphs)
    assert isinstance(found.predecessors, list)
    assert len(found.distances) == len(found.predecessors) == len(graphs)
    for graph, distances, pred in zip(graphs, *found, strict=True):
        assert pred.dtype == np.int32
        apsp.result.result.Result(graph, distances, pred=pred).verify()
    assert found.path(8, 0, 2) == [0, 2]  # vertex 1 is a zone
    assert solved([]) == ([], [])


def test_one_path() -> None:
    inf = np.inf
    found = solved([[[0.0, 1.0, 5.0], [inf, 0.0, 1.0], [inf, inf, 0.0]]])
    assert found.path(0, 0, 2) == [0, 1, 2]
    assert found.path(np.int64(0), 1, np.int32(2)) == [1, 2]
    assert found.path(0, 1, 1) == [1]
    with pytest.raises(apsp.NoPathError, match="from 2 to 0"):
        found.path(0, 2, 0)
    bad: list[tuple[tuple[Any, Any, Any], str]] = [
        ((1, 0, 0), "graph must be a whole number from 0 to 0, not 1"),
        ((-1, 0, 0), "graph must be"),
        ((0, 3, 0), "source must be a whole number from 0 to 2, not 3"),
        ((0, 0, "a"), "target must be"),
    ]
    for query, message in bad:
        with pytest.raises(apsp.RequestError, match=message):
            found.path(*query)
    for empty in (solved([]), solved(np.empty((0, 3, 3)))):
        with pytest.raises(apsp.RequestError, match="no graphs"):
            empty.path(0, 0, 0)
    with pytest.raises(apsp.RequestError, match="graph 1 has no vertices"):
        solved(np.empty((2, 0, 0))).path(1, 0, 0)
    with pytest.raises(apsp.RequestError, match="paths must be True or False"):
        apsp.solve_batch(np.empty((2, 0, 0)), paths="yes")  # type: ignore[arg-type]
