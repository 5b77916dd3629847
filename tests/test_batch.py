"""Many graphs at once: the answers of SciPy and NumPy, whatever the dtype, the sizes and the way in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import floyd_warshall

import apsp
from batches import DTYPES, SEMIRINGS, oracle, random_batch


@pytest.mark.few(12)
@pytest.mark.parametrize("n", [1, 2, 31, 32, 64, 65, 128, 129, 200, 256, 300])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_and_size(dtype: str, n: int) -> None:
    batch = random_batch(3, n, dtype, seed=n)
    before = batch.copy()
    distances = apsp.solve_batch(batch, threads=2)
    assert distances.dtype == dtype
    np.testing.assert_array_equal(distances, oracle(batch))
    np.testing.assert_array_equal(batch, before)


def test_the_answers_of_scipy() -> None:
    batch = random_batch(20, 40, "float64", seed=3)
    distances = apsp.solve_batch(batch)
    for lengths, ours in zip(batch, distances, strict=True):
        arcs = lengths.copy()
        np.fill_diagonal(arcs, 0)
        np.testing.assert_array_equal(ours, floyd_warshall(arcs))


@pytest.mark.parametrize("n", [5, 64, 130, 257])
@pytest.mark.parametrize("dtype", DTYPES[1:])
def test_negative_arcs(dtype: str, n: int) -> None:
    batch = random_batch(4, n, dtype, seed=n, height=60)
    np.testing.assert_array_equal(apsp.solve_batch(batch), oracle(batch))


@pytest.mark.parametrize("semiring", SEMIRINGS[1:])
@pytest.mark.parametrize("dtype", DTYPES[1:])
@pytest.mark.parametrize("n", [7, 64, 150, 270])
def test_other_semirings(n: int, dtype: str, semiring: str) -> None:
    batch = random_batch(3, n, dtype, seed=n, density=0.05, height=9)
    np.testing.assert_array_equal(apsp.solve_batch(batch, semiring=semiring), oracle(batch, semiring))


@pytest.mark.parametrize("semiring", SEMIRINGS)
@pytest.mark.parametrize("n", [40, 200, 280])
def test_padding_is_never_read(n: int, semiring: str) -> None:
    sizes = np.array([0, 1, n // 2, n - 1, n])
    batch = random_batch(5, n, "float64", seed=2)
    expected = oracle(batch, semiring, sizes)
    for size, matrix in zip(sizes, batch, strict=True):
        matrix[size:] = matrix[:, size:] = np.nan
    np.testing.assert_array_equal(apsp.solve_batch(batch, sizes=sizes, semiring=semiring), expected)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint32", "uint64", "float16", "bool"])
def test_other_dtypes_become_those_of_distances(dtype: str) -> None:
    rng = np.random.default_rng(0)
    batch = rng.integers(0, 2, (6, 20, 20)).astype(dtype)
    if dtype != "bool":
        batch[rng.random(batch.shape) < 0.7] = apsp.unreachable(dtype)
    distances = apsp.solve_batch(batch)
    assert distances.dtype == {"float16": "float32", "uint32": "int64", "uint64": "int64"}.get(dtype, "int32")
    for lengths, ours in zip(batch, distances, strict=True):
        np.testing.assert_array_equal(ours, apsp.solve(lengths, device="cpu", dtype=distances.dtype.name).distances)


def test_zero_is_an_arc_and_the_least_is_none() -> None:
    batch = np.zeros((1, 3, 3), dtype=np.int32)
    batch[0, 0, 1] = batch[0, :, 2] = apsp.unreachable("int32")
    none = apsp.unreachable("int32")
    assert apsp.solve_batch(batch).tolist() == [[[0, none, none], [0, 0, none], [0, 0, 0]]]


@pytest.mark.parametrize("shape", [(0, 5, 5), (4, 0, 0), (0, 0, 0), (3, 1, 1)])
def test_nothing_to_do(shape: tuple[int, int, int]) -> None:
    batch = np.full(shape, 3.0)
    assert apsp.solve_batch(batch).tolist() == np.zeros(shape).tolist()


def test_any_strides_come_in() -> None:
    batch = random_batch(6, 24, "float32")
    for view in (batch[::2], batch[::-1], batch[:, 3:20, 3:20], batch.transpose(0, 2, 1), batch[:, ::2, ::2]):
        np.testing.assert_array_equal(apsp.solve_batch(view), oracle(view))
    same = np.broadcast_to(batch[0], (4, 24, 24))
    np.testing.assert_array_equal(apsp.solve_batch(same), oracle(same))
    np.testing.assert_array_equal(apsp.solve_batch(batch.astype(">f4")), oracle(batch))
    np.testing.assert_array_equal(apsp.solve_batch([[[0.0, 2.0], [1.0, 0.0]]]), [[[0.0, 2.0], [1.0, 0.0]]])


def test_out_is_written_in_place() -> None:
    batch = random_batch(5, 30, "int32")
    whole = np.full((5, 40, 40), -9, dtype=np.int64)
    out = whole[:, 4:34, 4:34]
    assert apsp.solve_batch(batch, out=out) is out
    np.testing.assert_array_equal(out, oracle(batch, dtype="int64"))
    assert (whole[:, :4] == -9).all()
    assert (whole[:, :, 34:] == -9).all()
    large = random_batch(2, 260, "float32")
    np.testing.assert_array_equal(apsp.solve_batch(large, out=np.empty_like(large)), oracle(large))


def test_bad_outs_are_refused() -> None:
    batch = random_batch(2, 8, "float32")
    frozen = np.empty_like(batch)
    frozen.flags.writeable = False
    bad: list[tuple[Any, str]] = [
        (np.empty((2, 8, 9), np.float32), "out must have shape"),
        (np.empty((2, 8, 8), np.int8), "out must have shape"),
        (np.empty((2, 8, 8), np.float32).transpose(0, 2, 1), "contiguous"),
        (frozen, "writable"),
        (batch, "overlap"),
        (np.zeros((2, 8), dtype=[("tag", "i1"), ("row", "f4", (8,))])["row"], "whole elements"),
        ([1, 2], "NumPy array"),
    ]
    for out, message in bad:
        with pytest.raises(apsp.RequestError, match=message):
            apsp.solve_batch(batch, out=out)


# -- dtypes -----------------------------------------------------------------------------------------------------------


def test_integers_become_wider_rather_than_wrap() -> None:
    batch = np.full((2, 12, 12), 3000, dtype=np.uint16)
    assert apsp.solve_batch(batch).dtype == np.int32
    batch = np.full((2, 3, 3), 2**31 - 2, dtype=np.int32)
    distances = apsp.solve_batch(batch)
    assert distances.dtype == np.int64
    np.testing.assert_array_equal(distances, oracle(batch, dtype="int64"))
    large = np.full((2, 257, 257), 2**24, dtype=np.int32)
    assert apsp.solve_batch(large).dtype in (np.int32, np.int64)
    np.testing.assert_array_equal(apsp.solve_batch(large, dtype="int64"), oracle(large, dtype="int64"))


def test_the_bound_is_exact() -> None:
    batch = np.full((1, 3, 3), apsp.unreachable("int32"), dtype=np.int32)
    batch[0, 0, 1] = batch[0, 1, 2] = (2**29 - 1) // 2
    distances = apsp.solve_batch(batch)
    assert (distances.dtype, distances[0, 0, 2]) == (np.int32, 2**29 - 2)
    batch[0, 1, 2] += 1
    assert apsp.solve_batch(batch).dtype == np.int64
    batch[0, 1, 2] *= -1
    assert apsp.solve_batch(batch).dtype == np.int64
    with pytest.raises(apsp.DtypeRangeError, match=r"graph 0.*int32.*int64"):
        apsp.solve_batch(batch, dtype="int32")


@pytest.mark.parametrize("asked", DTYPES)
def test_asked_dtypes(asked: str) -> None:
    batch = random_batch(3, 20, "int64")
    distances = apsp.solve_batch(batch, dtype=asked)
    assert distances.dtype == asked
    np.testing.assert_array_equal(distances, oracle(batch, dtype=asked))


def test_dtypes_that_cannot_hold_the_distances_are_refused() -> None:
    batch = random_batch(2, 6, "int64")
    batch[1, 2, 3] = 2**40
    with pytest.raises(apsp.DtypeRangeError, match=r"graph 1: entry \[2, 3\].*wider"):
        apsp.solve_batch(batch, dtype="int32")
    batch[1, 2, 3] = 2**60
    with pytest.raises(apsp.DtypeRangeError, match=r"graph 1.*int64.*scale"):
        apsp.solve_batch(batch)
    with pytest.raises(apsp.DtypeRangeError, match="float64 weights"):
        apsp.solve_batch(batch.astype(float), dtype="int64")
    with pytest.raises(apsp.DtypeRangeError, match=r"graph 0.*float32.*float64"):
        apsp.solve_batch(np.full((1, 3, 3), 3e38, dtype=np.float32))
    with pytest.raises(apsp.DtypeRangeError, match="max_min"):
        apsp.solve_batch(random_batch(1, 4, "uint16"), semiring="max_min", dtype="uint16")


# -- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [9, 90, 270])
@pytest.mark.parametrize("wrong", [np.nan, -np.inf])
def test_entries_that_are_no_length_are_named(wrong: float, n: int) -> None:
    batch = random_batch(4, n, "float64")
    batch[2, 4, 8] = wrong
    with pytest.raises(apsp.GraphError, match=r"graph 2: entry \[4, 8\] is (nan|-inf)"):
        apsp.solve_batch(batch)


@pytest.mark.parametrize("n", [9, 100, 270])
@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_a_negative_cycle_names_its_graph(dtype: str, n: int) -> None:
    batch = random_batch(5, n, dtype)
    batch[3, 2, 7], batch[3, 7, 2] = -60, 1
    with pytest.raises(apsp.NegativeCycleError, match="graph 3 of the batch: negative cycle of length") as caught:
        apsp.solve_batch(batch)
    cycle, error = caught.value.cycle, caught.value
    assert error.graph == 3
    assert error.length == sum(batch[3, u, v] for u, v in zip(cycle, cycle[1:] + cycle[:1], strict=True)) < 0
    batch[3, 7, 2] = batch[3, 2, 7] = 60
    batch[1, 5, 5] = -1
    with pytest.raises(apsp.NegativeCycleError) as caught:
        apsp.solve_batch(batch)
    assert (caught.value.graph, caught.value.cycle) == (1, [5])


def test_cycles_that_only_rounding_makes_negative_are_fine() -> None:
    rng = np.random.default_rng(5)
    levels = rng.random((50, 30)) * 1e3
    batch = levels[:, :, None] - levels[:, None, :]  # every cycle has length 0, but for rounding
    distances = apsp.solve_batch(batch)
    np.testing.assert_allclose(distances, batch, atol=1e-9)
    assert not distances[:, range(30), range(30)].any()


def test_bad_requests_name_the_remedy() -> None:
    batch = random_batch(2, 4, "float64")
    bad: list[tuple[Any, dict[str, Any], str]] = [
        (batch[0], {}, r"shape \(b, n, n\)"),
        (batch[:, :3], {}, r"shape \(b, n, n\)"),
        (batch.astype(complex), {}, "numbers"),
        (batch, {"sizes": [1]}, "one per graph"),
        (batch, {"sizes": [1, 5]}, "graph 1 has size 5"),
        (batch, {"sizes": [1.5, 2]}, "whole numbers"),
        (batch, {"semiring": "or_and"}, "min_max"),
        (batch, {"dtype": "int8"}, "float32"),
        (batch, {"device": "tpu"}, "unknown device"),
        (batch, {"device": "cuda:0,1"}, "one GPU"),
        (batch, {"threads": 0}, "threads"),
        ([apsp.from_edges([0], [1])], {"sizes": [2]}, "sequence of graphs"),
    ]
    for matrices, options, message in bad:
        with pytest.raises((apsp.GraphError, apsp.RequestError), match=message):
            apsp.solve_batch(matrices, **options)


# -- graphs -----------------------------------------------------------------------------------------------------------


def test_a_sequence_of_graphs() -> None:
    rng = np.random.default_rng(6)
    graphs: list[Any] = [apsp.generate("random", n, seed=n) for n in (1, 3, 30, 60, 100, 250, 300)]
    graphs += [apsp.from_edges([0, 1, 1], [1, 2, 1], [0.5, -0.25, 3.0]), apsp.from_edges([], [], n=0)]
    graphs += [apsp.from_edges([0, 1, 2], [1, 2, 0]), apsp.from_edges([0, 1], [1, 2], zones=[False, True, False])]
    graphs += [apsp.from_edges([0], [1], np.array([2**31 - 1], dtype=np.int32)), rng.integers(1, 9, (4, 4))]
    results = apsp.solve_batch(graphs)
    assert len(results) == len(graphs)
    for graph, distances in zip(graphs, results, strict=True):
        expected = apsp.solve(graph, device="cpu", dtype=distances.dtype.name).distances
        np.testing.assert_array_equal(distances, expected)
    assert apsp.solve_batch([]) == []


def test_a_negative_cycle_among_graphs_is_named() -> None:
    good = apsp.from_edges([0, 1], [1, 0], [2, -1])
    bad = apsp.from_edges([0, 1], [1, 0], [2, -3], labels=["here", "there"])
    with pytest.raises(apsp.NegativeCycleError, match=r"graph 2 of the batch.*(here|there)"):
        apsp.solve_batch([good, good, bad, good])


def test_a_dtype_that_is_too_narrow_names_the_graph_of_the_list() -> None:
    long = apsp.from_edges([0], [1], np.array([2**40]))
    with pytest.raises(apsp.DtypeRangeError, match="graph 1"):
        apsp.solve_batch([apsp.generate("random", 70, seed=1), long, long], dtype="int32")
