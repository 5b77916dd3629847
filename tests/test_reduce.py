"""Reducers against NetworkX and NumPy, on whole matrices cut into blocks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from apsp import _cpu
from apsp.errors import RequestError
from apsp.reductions import Nearest, Summary, k_nearest, summarize
from apsp.reductions.row_sums import RowSums
from apsp.semiring import unreachable

DTYPES = ["uint16", "int32", "int64", "float32", "float64"]


@dataclass(frozen=True)
class Block:
    source_positions: np.ndarray
    distances: np.ndarray


@pytest.fixture(params=["baseline", "avx2", "avx512"])
def isa(request):
    before = _cpu.isa()
    try:
        _cpu.set_isa(request.param)
    except ValueError:
        pytest.skip(f"this machine has no {request.param}")
    yield request.param
    _cpu.set_isa(before)


def blocks_of(dist, size=7, order=None):
    sources = np.arange(len(dist), dtype=np.int32) if order is None else np.asarray(order, dtype=np.int32)
    return [Block(part, dist[part]) for part in (sources[k : k + size] for k in range(0, len(sources), size))]


def random_distances(n, dtype, seed=0, no_path=0.2, low=0, high=5000):
    """Any matrix with a zero diagonal will do for sums and extremes."""
    rng = np.random.default_rng(seed)
    dist = rng.integers(low, high, (n, n)).astype(dtype)
    if np.dtype(dtype).kind == "f":
        dist += rng.random((n, n)).astype(dtype)
    dist[rng.random((n, n)) < no_path] = unreachable(dtype)
    np.fill_diagonal(dist, 0)
    return dist


def networkx_graph(n, m, seed, directed, weighted=True):
    """Connected: a cycle and random arcs."""
    rng = np.random.default_rng(seed)
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(n))
    arcs = [(v, (v + 1) % n) for v in range(n)] + rng.integers(0, n, (m, 2)).tolist()
    graph.add_weighted_edges_from((u, v, int(rng.integers(1, 20)) if weighted else 1) for u, v in arcs if u != v)
    return graph


def distance_matrix(graph, dtype):
    n = len(graph)
    dist = np.full((n, n), unreachable(dtype), dtype=dtype)
    for u, row in nx.all_pairs_dijkstra_path_length(graph):
        for v, d in row.items():
            dist[u, v] = d
    return dist


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("directed", [False, True])
def test_equals_networkx_where_connected(dtype, directed):
    graph = networkx_graph(60, 90, 1, directed)
    summary = summarize(
        blocks_of(distance_matrix(graph, dtype)), 60, directed=directed, columns=True, bins=64, threads=2
    )
    eccentricity = nx.eccentricity(graph, weight="weight")
    assert summary.eccentricity.tolist() == [eccentricity[v] for v in range(60)]
    pair = summary.farthest_pair
    assert summary.diameter == pair.distance == nx.diameter(graph, weight="weight")
    assert nx.dijkstra_path_length(graph, pair.source, pair.target) == pair.distance
    assert summary.radius == nx.radius(graph, weight="weight")
    assert summary.center == sorted(nx.center(graph, weight="weight"))
    closeness = nx.closeness_centrality(graph, distance="weight")
    np.testing.assert_allclose(summary.closeness_centrality("in"), [closeness[v] for v in range(60)], rtol=1e-14)
    harmonic = nx.harmonic_centrality(graph, distance="weight")
    np.testing.assert_allclose(summary.harmonic_centrality("in"), [harmonic[v] for v in range(60)], rtol=1e-13)
    turned = graph.reverse() if directed else graph
    closeness = nx.closeness_centrality(turned, distance="weight")
    np.testing.assert_allclose(summary.closeness_centrality("out"), [closeness[v] for v in range(60)], rtol=1e-14)
    assert summary.average_shortest_path_length == pytest.approx(
        nx.average_shortest_path_length(graph, weight="weight"), rel=1e-15
    )
    assert summary.wiener_index() == nx.wiener_index(graph, weight="weight")
    assert summary.unreachable_pairs == 0


def test_equals_networkx_where_disconnected():
    graph = nx.disjoint_union(networkx_graph(20, 30, 2, False), networkx_graph(9, 4, 3, False))
    graph.add_node(29)
    summary = summarize(blocks_of(distance_matrix(graph, "int32")), 30, directed=False)
    for improved in (True, False):
        closeness = nx.closeness_centrality(graph, distance="weight", wf_improved=improved)
        np.testing.assert_allclose(
            summary.closeness_centrality("out", wf_improved=improved), [closeness[v] for v in range(30)], rtol=1e-14
        )
    harmonic = nx.harmonic_centrality(graph, distance="weight")
    np.testing.assert_allclose(summary.harmonic_centrality("out"), [harmonic[v] for v in range(30)], rtol=1e-13, atol=0)
    assert summary.wiener_index() == math.inf
    assert summary.unreachable_pairs == 30 * 29 - 20 * 19 - 9 * 8
    assert summary.eccentricity[29] == 0
    assert summary.farthest[29] == 29
    large = graph.subgraph(range(20))
    assert summary.radius == nx.radius(large, weight="weight")
    assert summary.center == sorted(nx.center(large, weight="weight"))


def test_global_efficiency_counts_hops_as_networkx():
    graph = networkx_graph(40, 50, 4, False, weighted=False)
    graph.add_node(40)
    summary = summarize(blocks_of(distance_matrix(graph, "uint16")), 41)
    assert summary.global_efficiency() == pytest.approx(nx.global_efficiency(graph), rel=1e-14)


@pytest.mark.few(10)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 9, 67, 600, 1100])
def test_rows_and_columns_against_numpy(dtype, n, isa):
    dist = random_distances(n, dtype, seed=n)
    summary = summarize(blocks_of(dist, 64), n, columns=True, threads=2)
    none = dist == unreachable(dtype)
    exact = np.where(none, 0, dist).astype(np.float64 if summary._totals.total.dtype.kind == "f" else np.int64)
    assert summary.reachable.tolist() == ((~none).sum(1) - 1).tolist()
    assert summary.eccentricity.tolist() == exact.max(1).tolist()
    assert summary.farthest.tolist() == np.where(none, -1.0, dist).argmax(1).tolist()
    with np.errstate(divide="ignore"):
        terms = np.where(none | (dist == 0), 0, 1 / dist.astype(np.float64))
    np.testing.assert_allclose(summary.harmonic_centrality("out"), [math.fsum(row) for row in terms], rtol=2e-15)
    np.testing.assert_allclose(summary.harmonic_centrality("in"), [math.fsum(row) for row in terms.T], rtol=2e-15)
    if exact.dtype == np.int64:
        assert summary._totals.total.tolist() == exact.sum(1).tolist()
        assert summary.farness("in").tolist() == exact.sum(0).tolist()
        assert summary.total_distance == int(exact.sum())
    else:
        np.testing.assert_allclose(summary.farness(), [math.fsum(row) for row in exact], rtol=2e-15)
        np.testing.assert_allclose(summary.farness("in"), [math.fsum(row) for row in exact.T], rtol=2e-15)


@pytest.mark.parametrize("dtype", ["uint16", "int32", "float32", "float64"])
def test_numbers_do_not_depend_on_blocks_order_or_threads(dtype):
    dist = random_distances(130, dtype, seed=5)
    order = np.random.default_rng(6).permutation(130)
    one = summarize(blocks_of(dist, 130), 130, columns=True, bins=100, threads=1)
    other = summarize(blocks_of(dist, 9, order), 130, columns=True, bins=100, threads=3)
    for name in (
        "sources",
        "reachable",
        "eccentricity",
        "farthest",
        "average_shortest_path_length",
        "farthest_pair",
        "center",
    ):
        np.testing.assert_equal(getattr(one, name), getattr(other, name))
    np.testing.assert_array_equal(one.harmonic_centrality("out"), other.harmonic_centrality("out"))
    np.testing.assert_array_equal(one.histogram().edges, other.histogram().edges)
    np.testing.assert_array_equal(one.histogram().counts, other.histogram().counts)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("bins", [1, 2, 10, 64, 1000, 10_000])
def test_histogram_against_numpy(dtype, bins):
    dist = random_distances(80, dtype, seed=7)
    histogram = summarize(blocks_of(dist), 80, bins=bins, threads=2).histogram()
    others = dist[~np.eye(80, dtype=bool) & (dist != unreachable(dtype))]
    counts = [int(((others >= low) & (others < high)).sum()) for low, high in pairwise(histogram.edges.tolist())]
    assert histogram.counts.tolist() == counts
    assert histogram.counts.sum() == len(others)
    assert len(histogram.counts) <= bins
    width = np.diff(histogram.edges)
    assert (width == width[0]).all()
    if dist.dtype.kind != "f":
        assert histogram.edges.dtype == np.int64
        assert width[0] == max(1, 2 ** math.ceil(math.log2((int(others.max()) + 1) / bins)))
    elif bins > 1:
        assert len(histogram.counts) > bins // 2 - 1  # no wider than needed


def test_histogram_of_negative_and_of_tiny_distances():
    dist = random_distances(50, "int32", seed=8, low=-300, high=900)
    histogram = summarize(blocks_of(dist), 50, bins=16).histogram()
    others = dist[~np.eye(50, dtype=bool) & (dist != unreachable("int32"))]
    assert histogram.edges[0] < 0
    assert histogram.counts.tolist() == np.histogram(others, np.append(histogram.edges[:-1], 2**30))[0].tolist()
    tiny = np.array([[0, 5e-324, 1e-310], [1e300, 0, 3e-320], [np.inf, 5e-324, 0]])
    histogram = summarize(blocks_of(tiny, 1), 3, bins=8).histogram()
    assert histogram.counts.sum() == 5
    assert histogram.counts[-1] == 1
    only_tiny = summarize(blocks_of(np.array([[0, 5e-324], [1e-310, 0]]), 1), 2, bins=8).histogram()
    assert only_tiny.counts.sum() == 2
    zeros = summarize(blocks_of(np.zeros((3, 3)), 1), 3, bins=8).histogram()
    assert (zeros.edges.tolist(), zeros.counts.tolist()) == ([0.0, 1.0], [6])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("edges", [[0, 10, 100, 5000], [1, 2, 3], [-5, 0, 1000.5, 1001], [4000, 1e9]])
def test_histogram_with_given_edges(dtype, edges):
    dist = random_distances(60, dtype, seed=9)
    histogram = summarize(blocks_of(dist), 60, edges=edges, threads=2).histogram()
    others = dist[~np.eye(60, dtype=bool) & (dist != unreachable(dtype))]
    assert histogram.counts.tolist() == np.histogram(others.astype(np.float64), edges)[0].tolist()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("k", [1, 3, 50, 90])
def test_k_nearest(dtype, k):
    dist = random_distances(60, dtype, seed=10, no_path=0.5, high=30)
    found = k_nearest(blocks_of(dist, 8, np.random.default_rng(1).permutation(60)), 60, k, threads=2)
    assert found.sources.tolist() == list(range(60))
    assert found.distances.dtype == dtype
    for v in range(60):
        order = sorted((dist[v, u], u) for u in range(60) if u != v and dist[v, u] != unreachable(dtype))[:k]
        missing = k - len(order)
        assert found.vertices[v].tolist() == [u for _, u in order] + [-1] * missing
        assert found.distances[v].tolist() == [d for d, _ in order] + [unreachable(dtype)] * missing


def test_some_rows_only():
    dist = random_distances(40, "int32", seed=11, no_path=0)
    summary = summarize(blocks_of(dist, 3, [30, 2, 17, 5]), 40, columns=True, bins=9)
    assert summary.sources.tolist() == [2, 5, 17, 30]
    assert summary.eccentricity.tolist() == dist[[2, 5, 17, 30]].max(1).tolist()
    assert summary.average_shortest_path_length == dist[[2, 5, 17, 30]].sum() / (4 * 39)
    assert summary.histogram().counts.sum() == 4 * 39
    for ask in (summary.wiener_index, summary.global_efficiency, lambda: summary.closeness_centrality("in")):
        with pytest.raises(RequestError, match="all 40 vertices; 4 were added"):
            ask()


def test_no_vertices_and_no_rows():
    summary = summarize([], 0, bins=4, columns=True)
    assert (summary.diameter, summary.radius, summary.center, summary.pairs) == (None, None, [], 0)
    assert (summary.wiener_index(), summary.global_efficiency()) == (0, 0.0)
    assert math.isnan(summary.average_shortest_path_length)
    assert summary.closeness_centrality("out").tolist() == summary.closeness_centrality("in").tolist() == []
    assert summary.histogram().counts.tolist() == [0]
    summary = summarize(blocks_of(np.zeros((1, 1), np.uint16)), 1)
    assert (summary.diameter, summary.radius, summary.center) == (0, 0, [0])
    assert summary.average_shortest_path_length == 0
    assert summary.closeness_centrality("out").tolist() == [0.0]
    assert Nearest(0, 3).vertices.shape == (0, 3)


def test_sums_that_do_not_fit():
    far = np.full((2, 2), 2**60, dtype=np.int64)
    assert summarize(blocks_of(far), 2).total_distance == 2**62
    wide = np.full((9, 9), 2**60, dtype=np.int64)
    with pytest.raises(RequestError, match="does not fit int64"):
        summarize(blocks_of(wide), 9)
    tall = np.zeros((9, 9), dtype=np.int64)
    tall[:, 3] = 2**60
    assert summarize(blocks_of(tall), 9).total_distance == 9 * 2**60
    with pytest.raises(RequestError, match="column may not fit"):
        summarize(blocks_of(tall), 9, columns=True)


def test_sums_beyond_float64_are_infinite(isa):
    n = 1000
    dist = np.full((n, n), 1e306)
    np.fill_diagonal(dist, 0)
    summary = summarize(blocks_of(dist, size=300), n, columns=True)
    assert np.isinf(summary.farness()).all()
    assert np.isinf(summary.farness(direction="in")).all()
    assert (summary.closeness_centrality() == 0).all()
    assert summary.average_shortest_path_length == np.inf
    np.testing.assert_allclose(summary.harmonic_centrality(), (n - 1) * 1e-306, rtol=1e-12)


def test_any_layout_and_odd_values_are_safe():
    dist = random_distances(33, "float64", seed=12)
    plain = summarize(blocks_of(dist), 33)
    fortran = summarize([Block(np.arange(33), np.asfortranarray(dist))], 33)
    wide = np.zeros((33, 50))
    wide[:, :33] = dist
    part = summarize([Block(np.arange(33, dtype=np.int32), wide[:, :33])], 33)
    for other in (fortran, part):
        np.testing.assert_array_equal(plain.harmonic_centrality("out"), other.harmonic_centrality("out"))
    for value in (np.nan, -np.inf, -1e308, 1.79e308):
        summarize([Block(np.arange(33, dtype=np.int32), np.full((33, 33), value))], 33, bins=7, columns=True)
        k_nearest([Block(np.arange(33, dtype=np.int32), np.full((33, 33), value))], 33, 4)


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (Block(np.arange(3), np.zeros((3, 5))), "whole, without targets"),
        (Block(np.array([0, 9]), np.zeros((2, 4))), "source 9 is not a vertex"),
        (Block(np.array([1, 1]), np.zeros((2, 4))), "added twice"),
        (Block(np.array([0]), np.zeros((1, 4))), "added twice"),
        (Block(np.array([2, 1, 2]), np.zeros((3, 4))), "source 2 was added twice"),
        (Block(np.array([0, 1]), np.zeros((2, 4))), "source 0 was added twice"),
        (Block(np.array([1, 3, 5]), np.zeros((3, 4))), "source 5 is not a vertex"),
        (Block(np.array([3, -1]), np.zeros((2, 4))), "source -1 is not a vertex"),
        (Block(np.array([2]), np.zeros((1, 4), np.int32)), "float64 and of int32"),
    ],
)
def test_blocks_that_make_no_sense(block, words):
    summary = Summary(4)
    summary.add(Block(np.array([0]), np.zeros((1, 4))))
    with pytest.raises(RequestError, match=words):
        summary.add(block)


def test_options_that_make_no_sense():
    for options, words in (
        ({"bins": -1}, "bins"),
        ({"bins": 2**30}, "bins"),
        ({"edges": [1]}, "increasing"),
        ({"edges": [1, 1]}, "increasing"),
        ({"edges": [0, 1], "bins": 3}, "not both"),
        ({"threads": 0}, "threads"),
    ):
        with pytest.raises(RequestError, match=words):
            Summary(4, **options)
    with pytest.raises(RequestError, match="k must"):
        Nearest(4, 0)
    with pytest.raises(RequestError, match="no histogram"):
        Summary(4).histogram()
    with pytest.raises(RequestError, match="direction must be one of in, out"):
        Summary(4).harmonic_centrality("both")
    with pytest.raises(RequestError, match="columns=True"):
        Summary(4).harmonic_centrality("in")


def test_sums_of_another_dtype_are_not_mixed_in():
    """They would take the place of what was summed before."""
    summary = Summary(2)
    summary.add(Block(np.array([0]), np.array([[0.0, 2.5]])))
    one = np.array([1], dtype=np.int32)
    with pytest.raises(RequestError, match="blocks of float64 and of int32 cannot be mixed"):
        summary.add_sums(
            RowSums(one, np.array([2]), np.array([7]), np.array([1 / 7]), np.array([7], np.int32), 0 * one)
        )
    assert summary.total_distance == 2.5


@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64", "float32", "float64"])
def test_sums_without_reciprocals(dtype):
    """The other numbers are the same, and measures of 1 / distance say what is missing."""
    rows = np.array([[0, 3, 1], [2, 0, unreachable(np.dtype(dtype))], [4, 4, 0]], dtype=dtype)
    whole, part = Summary(3, columns=True), Summary(3, columns=True, reciprocals=False)
    for summary in (whole, part):
        summary.add(Block(np.arange(3), rows))
    assert part.closeness_centrality("out").tolist() == whole.closeness_centrality("out").tolist()
    assert part.farness("in").tolist() == whole.farness("in").tolist()
    assert (part.farthest_pair, part.center, part.pairs) == (whole.farthest_pair, whole.center, whole.pairs)
    for measure in (part.harmonic_centrality, part.global_efficiency):
        with pytest.raises(RequestError, match="reciprocals=True"):
            measure()
