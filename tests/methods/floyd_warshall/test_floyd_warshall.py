"""Blocked Floyd-Warshall against the reference solver, SciPy and brute force: every dtype, semiring and page size."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse.csgraph as csgraph

from apsp import Graph, NegativeCycleError, _cpu
from apsp.errors import DtypeRangeError
from apsp.graph.convert import from_edges
from apsp.methods import reference
from apsp.methods.floyd_warshall.floyd_warshall import FloydWarshall
from apsp.methods.problem import Problem
from apsp.result.paths import intermediates
from apsp.semiring import MAX_MIN, MIN_MAX, MIN_PLUS, Semiring, is_unreachable
from contract import GRAPHS, graph_of, random_edges, shifted

DTYPES = ("uint16", "int32", "int64", "float32", "float64")
SIZES = (0, 1, 2, 63, 64, 65, 127, 128, 129, 257)
INSTRUCTION_SETS = ("baseline", "avx2", "avx512")


@pytest.fixture(params=INSTRUCTION_SETS)
def isa(request: pytest.FixtureRequest):
    before = _cpu.isa()
    try:
        _cpu.set_isa(request.param)
    except ValueError:
        pytest.skip(f"this machine has no {request.param}")
    yield request.param
    _cpu.set_isa(before)


def solve(
    graph: Graph,
    dtype: str,
    *,
    semiring: Semiring = MIN_PLUS,
    page: int | None = None,
    paths: bool = False,
    threads: int = 2,
    out: npt.NDArray[np.generic] | None = None,
    **options: object,
) -> tuple[npt.NDArray[np.generic], npt.NDArray[np.int32] | None]:
    problem = Problem(graph, np.dtype(dtype), semiring=semiring, threads=threads, **options)
    dist = np.full((graph.n, problem.columns), 77, dtype=dtype) if out is None else out
    pred = np.full((graph.n, graph.n), 77, dtype=np.int32) if paths else None
    FloydWarshall(problem, page=page).fill(np.arange(graph.n, dtype=np.int32), dist, pred)
    return dist, pred


def expected(graph: Graph) -> npt.NDArray[np.float64]:
    """Exact distances as float64, infinity where there is no path (the weights of these tests are integers)."""
    dist = np.empty((graph.n, graph.n))
    problem = Problem(graph, np.dtype(np.float64))
    reference.prepare(problem).fill(np.arange(graph.n, dtype=np.int32), dist, None)
    return dist


def as_float(dist: npt.NDArray[np.generic]) -> npt.NDArray[np.float64]:
    result = dist.astype(np.float64)
    result[is_unreachable(dist)] = np.inf
    return result


def replay(graph: Graph, pred: npt.NDArray[np.int32], dtype: str) -> npt.NDArray[np.float64]:
    """Lengths of the walks that pred describes; fails if one does not end at its source."""
    n = graph.n
    weight = np.full((n, n), np.nan)
    weight[graph.tails(), graph.indices] = graph.arc_weights(dtype).astype(np.float64)
    lengths = np.full((n, n), np.inf)
    for source in range(n):
        before = pred[source]
        assert before[source] == -1
        has = np.flatnonzero(before >= 0)
        total, step = np.zeros(n), np.arange(n)
        total[has], step[has] = weight[before[has], has], before[has]
        for _ in range(n.bit_length()):
            total, step = total + total[step], step[step]
        assert (step[has] == source).all()
        lengths[source, has] = total[has]
        lengths[source, source] = 0
    return lengths


@pytest.mark.few(8)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", SIZES)
def test_sizes(n: int, dtype: str, isa: str) -> None:
    edges = random_edges(n, 5 * n, 0, 99, n) if n else []
    graph = graph_of(n, edges)
    dist, pred = solve(graph, dtype, paths=True)
    np.testing.assert_array_equal(as_float(dist), expected(graph))
    assert pred is not None
    np.testing.assert_array_equal(replay(graph, pred, "int32"), expected(graph))


@pytest.mark.few(6)
@pytest.mark.parametrize("dtype", DTYPES[1:])
@pytest.mark.parametrize("n", [2, 65, 150, 257])
def test_negative_arcs(n: int, dtype: str, isa: str) -> None:
    graph = graph_of(n, shifted(n, random_edges(n, 2 * n, 0, 30, n), 3, 40))
    dist, pred = solve(graph, dtype, paths=True)
    np.testing.assert_array_equal(as_float(dist), expected(graph))
    assert pred is not None
    np.testing.assert_array_equal(replay(graph, pred, "int32"), expected(graph))


@pytest.mark.few(4)
@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("page", [pytest.param(1, marks=pytest.mark.slow), 7, 64, 100, 1000])
def test_pages_and_threads(page: int, threads: int) -> None:
    n = {1: 12, 7: 60}.get(page, 150)  # up to 12 pages each way: more take longer and cut no other way
    graph = graph_of(n, shifted(n, random_edges(n, 3 * n, 0, 30, 1), 2, 10))
    for dtype in ("int32", "float32"):
        dist, _ = solve(graph, dtype, page=page, threads=threads)
        np.testing.assert_array_equal(as_float(dist), expected(graph))


@pytest.mark.parametrize("dtype", DTYPES)
def test_strided_output(dtype: str) -> None:
    graph = graph_of(67, random_edges(67, 300, 1, 99, 5))
    whole = np.full((80, 101), 7, dtype=dtype)
    dist, _ = solve(graph, dtype, out=whole[3:70, 5:72])
    np.testing.assert_array_equal(as_float(dist), expected(graph))
    whole[3:70, 5:72] = 7
    assert (whole == 7).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 40, 140])
@pytest.mark.parametrize("semiring", [MAX_MIN, MIN_MAX], ids=lambda semiring: semiring.name)
def test_bottlenecks(semiring: Semiring, n: int, dtype: str, isa: str) -> None:
    """Plain Floyd-Warshall in NumPy is the oracle; then every path has the bottleneck of its pair."""
    low = 0 if dtype == "uint16" else -50
    graph = graph_of(n, random_edges(n, 3 * n, low, 50, n))
    choose, join = (np.maximum, np.minimum) if semiring is MAX_MIN else (np.minimum, np.maximum)
    oracle = np.full((n, n), semiring.no_path(dtype), dtype=dtype)
    oracle[graph.tails(), graph.indices] = graph.arc_weights(dtype)
    np.fill_diagonal(oracle, semiring.empty_path(dtype))
    arcs = oracle.copy()
    for k in range(n):
        oracle = choose(oracle, join(oracle[:, k, None], oracle[None, k]))
    dist, pred = solve(graph, dtype, semiring=semiring, page=64, paths=True)
    np.testing.assert_array_equal(dist, oracle)
    assert pred is not None
    for source in range(0, n, 7):
        for target in np.flatnonzero(pred[source] >= 0).tolist():
            value, vertex, steps = semiring.empty_path(dtype), target, 0
            while vertex != source:
                value = join(value, arcs[pred[source, vertex], vertex])
                vertex, steps = int(pred[source, vertex]), steps + 1
                assert steps <= n
            assert value == dist[source, target]
        reached = np.flatnonzero((dist[source] != semiring.no_path(dtype)) & (np.arange(n) != source))
        assert (pred[source, reached] >= 0).all()


@pytest.mark.few(4)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("low", "high"), [(0.0, 1.0), (1e-3, 1e3), (1e-30, 1e-20), (1e20, 1e30)], ids=["unit", "wide", "tiny", "huge"]
)
@pytest.mark.parametrize("m", [300, 1200, 20_000])
def test_rounded_weights(m: int, low: float, high: float, dtype: str) -> None:
    n = 150
    rng = np.random.default_rng(m)
    weights = np.exp(rng.uniform(np.log(max(low, 1e-37)), np.log(high), m)) if low else rng.random(m)
    graph = from_edges(rng.integers(0, n, m), rng.integers(0, n, m), weights.astype(dtype), n=n)
    dist, pred = solve(graph, dtype, paths=True)
    oracle = expected(graph)
    np.testing.assert_allclose(as_float(dist), oracle, rtol=50 * np.finfo(dtype).eps)
    assert pred is not None
    np.testing.assert_allclose(replay(graph, pred, dtype), oracle, rtol=100 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rounded_zero_cycles(dtype: str) -> None:
    """Potential differences: every cycle is zero or more, up to rounding on either side."""
    n, m = 120, 700
    rng = np.random.default_rng(8)
    height = rng.normal(size=n) * 10
    tails, heads = rng.integers(0, n, m), rng.integers(0, n, m)
    extra = np.where(rng.random(m) < 0.5, 0, rng.random(m))
    weights = extra + height[tails] - height[heads] + (tails == heads)
    graph = from_edges(tails, heads, (weights + 1e-4).astype(dtype), n=n)
    dist, pred = solve(graph, dtype, paths=True)
    oracle = expected(graph)
    tolerance = 1000 * np.finfo(dtype).eps
    np.testing.assert_allclose(as_float(dist), oracle, rtol=0, atol=40 * tolerance)
    assert pred is not None
    np.testing.assert_allclose(replay(graph, pred, dtype), oracle, rtol=0, atol=40 * tolerance)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rounding_is_no_negative_cycle(dtype: str) -> None:
    """A cycle of length zero may sum to less in floats; only one that is exactly negative may be refused."""
    rng = np.random.default_rng(3)
    refused = 0
    for _ in range(60):
        a, b = rng.random(2).astype(dtype)
        graph = from_edges([0, 1, 2], [1, 2, 0], np.array([a, b, -(a + b)], dtype=dtype), n=3)
        weights = [Fraction(float(w)) for w in graph.weights]
        try:
            dist, _ = solve(graph, dtype, paths=True)
        except NegativeCycleError:
            assert sum(weights) < 0
            refused += 1
        else:
            assert (np.diag(dist) == 0).all()
            assert abs(float(sum(weights))) < np.finfo(dtype).eps
    assert refused < 60


@pytest.mark.parametrize("dtype", DTYPES)
def test_matches_scipy_on_a_dense_graph(dtype: str, isa: str) -> None:
    n = 300
    weights = np.random.default_rng(0).integers(1, 500, (n, n)).astype(np.int32)
    graph = from_edges(*np.divmod(np.arange(n * n), n), weights.ravel(), n=n)
    dist, pred = solve(graph, dtype, paths=True)
    np.fill_diagonal(weights, 0)
    np.testing.assert_array_equal(dist, csgraph.floyd_warshall(weights.astype(float)))
    assert pred is not None
    np.testing.assert_array_equal(replay(graph, pred, "int32"), dist)


def test_a_wrong_proof_is_noticed() -> None:
    graph = graph_of(3, [(0, 1, -(2**28)), (1, 2, -(2**28))], dtype="int64")
    with pytest.raises(DtypeRangeError, match="int32"):
        solve(graph, "int32")


def test_largest_signed_distances() -> None:
    """No path stays no path beside simple paths at both ends of what the planner proves."""
    for dtype, limit in (("int32", 2**29), ("int64", 2**61)):
        half = limit // 2
        edges = [(0, 1, 1 - half), (2, 3, 1 - half), (3, 4, limit - 1), (5, 6, limit - 1), (7, 8, 1)]
        graph = graph_of(9, edges, dtype="int64")
        dist, _ = solve(graph, dtype)
        assert np.count_nonzero(~is_unreachable(dist)) == 9 + len(edges) + 1
        assert all(dist[u, v] == w for u, v, w in edges)
        assert dist[2, 4] == half
        graph = graph_of(3, [(0, 1, 1 - limit)], dtype="int64")
        dist, _ = solve(graph, dtype)
        assert dist[0, 1] == 1 - limit
        assert np.count_nonzero(~is_unreachable(dist)) == 4


def test_intermediates_split_every_path() -> None:
    graph = GRAPHS["several panels"]("int32")
    dist, pred = solve(graph, "int64", paths=True)
    assert pred is not None
    via = intermediates(pred)
    tails, heads = np.nonzero(via >= 0)
    middle = via[tails, heads]
    assert ((middle != tails) & (middle != heads)).all()
    np.testing.assert_array_equal(dist[tails, middle] + dist[middle, heads], dist[tails, heads])
    direct = (via < 0) & (pred >= 0)
    np.testing.assert_array_equal(pred[direct], np.nonzero(direct)[0])


def test_progress_counts_pivots_and_may_stop() -> None:
    graph = graph_of(300, random_edges(300, 900, 1, 9, 1))
    seen: list[int] = []
    problem = Problem(graph, np.dtype(np.int32), threads=2)
    dist = np.empty((300, 300), dtype=np.int32)
    FloydWarshall(problem, page=100).fill(np.arange(300, dtype=np.int32), dist, None, seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 300

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        FloydWarshall(problem).fill(np.arange(300, dtype=np.int32), dist, None, stop)


@pytest.mark.parametrize("head", [-1, 5, 2**31 - 1])
@pytest.mark.parametrize("semiring", ["min_plus", "max_min"])
@pytest.mark.parametrize("nonnegative", [True, False])
def test_kernels_refuse_heads_that_do_not_exist(head: int, semiring: str, nonnegative: bool) -> None:
    indptr, indices = np.array([0, 2, 2, 2, 2, 2]), np.array([1, head], dtype=np.int32)
    arcs = _cpu.ArcArrays(indptr, indices, np.ones(2, dtype=np.float32))
    dist, pred = np.zeros((5, 5), dtype=np.float32), np.zeros((5, 5), dtype=np.int32)
    with pytest.raises(ValueError, match="vertex that does not exist"):
        _cpu.dense_fill(dist, 0, 0, arcs, semiring, 1)
    with pytest.raises(ValueError, match="vertex that does not exist"):
        _cpu.dense_predecessors(dist, pred, arcs, semiring, nonnegative, 1)


@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("missing", [None, 0, 70, 199])
def test_fill_takes_runs_of_heads(dtype: str, missing: int | None) -> None:
    """Rows that are complete, or complete but for one head, against plain indexing; a page that cuts the runs."""
    n = 200
    heads = np.delete(np.arange(n, dtype=np.int32), [] if missing is None else [missing])
    weights = np.random.default_rng(0).integers(1, 1000, (n, len(heads)))
    indptr = np.arange(n + 1) * len(heads)
    filled = np.empty((60, 101), dtype=dtype)
    kind = np.float64 if filled.dtype.kind == "f" else np.int64
    arcs = _cpu.ArcArrays(indptr, np.tile(heads, n), weights.ravel().astype(kind))
    _cpu.dense_fill(filled, 40, 33, arcs, "min_plus", 2)
    full = np.full((n, n), -1)
    full[:, heads] = weights
    np.fill_diagonal(full, 0)
    expected = full[40:100, 33:134]
    np.testing.assert_array_equal(filled[expected >= 0], expected[expected >= 0])
    assert (filled[expected < 0] > 16383).all()
