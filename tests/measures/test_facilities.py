"""The nearest facilities against NumPy on all distances."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

import apsp
from apsp.errors import GraphError, MemoryLimitError, RequestError
from apsp.facts.dtypes import choose_dtype
from apsp.facts.request import Request
from apsp.facts.statistics import statistics_of
from examples import examples
from odd_graphs import graphs


def wanted(graph: apsp.Graph, facilities: list[int], k: int, *, to: bool, cutoff: float = np.inf) -> Any:
    dist = apsp.solve(graph, method="reference").distances.copy()
    none = apsp.unreachable(dist.dtype)
    dist = dist if to else dist.T
    dist[(dist == none) | (dist > cutoff)] = none
    unique = np.unique(facilities).astype(int)
    part = dist[:, unique]
    order = np.argsort(part, axis=1, kind="stable")[:, :k]
    distances = np.take_along_axis(part, order, axis=1)
    positions = np.where(distances == none, -1, unique[order] if len(unique) else order)
    more = k - positions.shape[1]
    return np.pad(positions, ((0, 0), (0, more)), constant_values=-1), np.pad(
        distances, ((0, 0), (0, more)), constant_values=none
    )


@settings(max_examples=examples(60))
@given(graphs(), st.data(), st.integers(1, 5), st.booleans())
def test_those_of_all_distances(graph: apsp.Graph, data: st.DataObject, k: int, to: bool) -> None:
    facilities = data.draw(st.lists(st.integers(0, graph.n - 1), max_size=8)) if graph.n else []
    cutoff = data.draw(st.sampled_from([None, 0, 5, 7.5]))
    found = apsp.nearest(graph, facilities, k, direction="to" if to else "from", cutoff=cutoff)
    assert found.positions.shape == found.distances.shape == (graph.n, k)
    if not graph.n:
        return
    positions, distances = wanted(graph, facilities, k, to=to, cutoff=np.inf if cutoff is None else cutoff)
    if found.distances.dtype.kind == "f":  # sums are rounded in another order from the other end
        np.testing.assert_allclose(found.distances, distances, rtol=1e-12)
    else:
        np.testing.assert_array_equal(found.positions, positions)
        np.testing.assert_array_equal(found.distances, distances)


def test_cells_of_networkx() -> None:
    graph = nx.grid_2d_graph(7, 6)
    facilities = [(0, 0), (6, 5), (3, 2)]
    found = apsp.nearest(graph, facilities)
    lengths = nx.multi_source_dijkstra_path_length(graph, facilities)
    assert found.distances[:, 0].tolist() == [lengths[v] for v in graph]
    cells = nx.voronoi_cells(graph, set(facilities))
    for vertex, facility in zip(graph, found.facilities[:, 0], strict=True):
        own = nx.shortest_path_length(graph, vertex, facility)
        assert vertex in cells[facility] or own == min(nx.shortest_path_length(graph, vertex, f) for f in facilities)


LENGTHS = {
    "ties": lambda rng, m: rng.integers(0, 4, m),
    "short": lambda rng, m: rng.integers(1, 100, m),
    "long": lambda rng, m: rng.integers(1, 10**6, m),
    "varied": lambda rng, m: np.where(rng.random(m) < 0.01, rng.integers(1, 10**8, m), rng.integers(1, 9, m)),
    "floats": lambda rng, m: rng.random(m),
    "whole floats": lambda rng, m: rng.integers(0, 50, m).astype(np.float64),
    "tiny and huge": lambda rng, m: 10.0 ** rng.integers(-300, 300, m),
    "short floats": lambda rng, m: rng.random(m, dtype=np.float32),
}


@pytest.mark.few(8)
@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("facilities", [1, 7, 300])
def test_large_graphs_beside_rows(lengths: str, directed: bool, facilities: int) -> None:
    rng = np.random.default_rng(facilities)
    n, m = 4000, 12_000
    tails = rng.integers(0, n, m)
    heads = (tails + rng.integers(-30, 31, m)) % n
    graph = apsp.from_edges(tails, heads, LENGTHS[lengths](rng, m), n=n, directed=directed)
    chosen = np.sort(rng.choice(n, facilities, replace=False))
    found = apsp.nearest(graph, chosen, direction="from", paths=True)
    rows = apsp.solve(graph, sources=chosen, method="dijkstra").distances
    assert found.distances.dtype == rows.dtype
    np.testing.assert_array_equal(found.distances[:, 0], rows.min(axis=0))
    reached = rows.min(axis=0) < apsp.unreachable(rows.dtype)
    first = np.where(reached, chosen[rows.argmin(axis=0)], -1)
    if rows.dtype.kind == "f":  # sums that differ may be equal at a later vertex, after rounding
        of_found = rows[np.searchsorted(chosen, found.positions[reached, 0]), np.flatnonzero(reached)]
        np.testing.assert_array_equal(of_found, rows.min(axis=0)[reached])
    if lengths != "tiny and huge" and rows.dtype != np.float32:
        np.testing.assert_array_equal(found.positions[:, 0], first)
    for vertex in rng.choice(np.flatnonzero(reached), 30):
        path = found.path(vertex)
        assert (path[0], path[-1]) == (found.facilities[vertex, 0], vertex)
        assert apsp.result.paths.replay(graph, path) == pytest.approx(found.distances[vertex, 0], rel=1e-5)


@settings(max_examples=examples(100))
@given(graphs(), st.integers(0, 2**40), st.data())
def test_the_dtype_is_that_of_all_distances(graph: apsp.Graph, factor: int, data: st.DataObject) -> None:
    if graph.weights is None or graph.weights.dtype.kind != "i" or graph.has_negative_arc or not graph.n:
        return
    graph = graph.with_weights(graph.weights.astype(np.int64) * factor)
    facilities = data.draw(st.lists(st.integers(0, graph.n - 1), max_size=4))
    found = apsp.nearest(graph.with_weights(graph.weights), facilities)
    assert found.distances.dtype == choose_dtype(statistics_of(graph), Request())[0]
    again = apsp.nearest(graph, facilities)  # with known statistics
    np.testing.assert_array_equal(found.distances, again.distances)
    np.testing.assert_array_equal(found.positions, again.positions)


def test_no_proof_where_the_distances_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_proof(graph: apsp.Graph) -> None:
        raise AssertionError(graph)

    monkeypatch.setattr("apsp.measures.facilities.statistics_of", no_proof)
    line = np.arange(70_000)
    for length, dtype in ((1, "int32"), (5_000, "int32")):
        graph = apsp.from_edges(line[1:], line[:-1], np.full(69_999, length), directed=False)
        found = apsp.nearest(graph, [0])
        assert found.distances.dtype == dtype
        assert found.distances[-1, 0] == 69_999 * length
    short = apsp.from_edges(line[1:16_000], line[:15_999], np.ones(15_999, dtype=int), directed=False)
    assert apsp.nearest(short, [0]).distances.dtype == np.uint16


def test_distances_beyond_int32_are_searched_again() -> None:
    graph = apsp.from_edges([0, 1, 3], [1, 2, 4], [2**28, 2**31 - 5, 1], directed=False)
    assert apsp.nearest(graph, [0]).distances.ravel().tolist()[:3] == [0, 2**28, 2**28 + 2**31 - 5]
    assert apsp.nearest(graph, [0, 3], 2).distances.dtype == np.int64


def test_negative_arcs_take_a_search_per_facility() -> None:
    graph = apsp.from_edges([0, 1, 2, 3], [1, 2, 3, 4], [5, -3, 2, 1])
    for k in (1, 2, 3):
        positions, distances = wanted(graph, [4, 2], k, to=True)
        found = apsp.nearest(graph, [4, 2], k)
        assert (found.positions == positions).all()
        assert (found.distances == distances).all()
    assert apsp.nearest(graph, [0, 1], direction="from").facilities.ravel().tolist() == [0, 1, 1, 1, 1]
    assert apsp.nearest(graph, []).positions.tolist() == [[-1]] * 5


def test_what_is_given_back() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [4, 1], labels=["a", "b", "c"])
    found = apsp.nearest(graph, ["b", "b"], 2)
    assert found.k == 2
    assert repr(found) == "NearestFacilities(k=2, 3 vertices, uint16)"
    assert found.facilities.tolist() == [["b", None], ["b", None], [None, None]]
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    assert found.to_pandas().values.tolist() == [["a", "b", 4], ["b", "b", 0]]
    assert found.to_polars().rows() == [("a", "b", 4), ("b", "b", 0)]


def test_errors() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [4, 1], labels=["a", "b", "c"])
    with pytest.raises(GraphError, match="facilities must be"):
        apsp.nearest(graph, None)
    with pytest.raises(GraphError, match="'d'"):
        apsp.nearest(graph, ["d"])
    with pytest.raises(RequestError, match="k must be a whole number"):
        apsp.nearest(graph, ["a"], 0)
    with pytest.raises(RequestError, match="direction must be one of to, from"):
        apsp.nearest(graph, ["a"], direction="in")
    wide = apsp.from_edges([], [], [], n=10**5)
    with pytest.raises(MemoryLimitError, match="k=1"):
        apsp.nearest(wide, [0], 2**31 - 2)


@settings(max_examples=examples(60))
@given(graphs(), st.data(), st.booleans())
def test_paths_between_vertices_and_facilities(graph: apsp.Graph, data: st.DataObject, to: bool) -> None:
    facilities = data.draw(st.lists(st.integers(0, graph.n - 1), max_size=8)) if graph.n else []
    found = apsp.nearest(graph, facilities, direction="to" if to else "from", paths=True)
    for v, (facility,), (distance,) in zip(range(graph.n), found.positions, found.distances, strict=True):
        if facility < 0:
            with pytest.raises(apsp.NoPathError, match="any facility"):
                found.path(v)
            continue
        path = found.path(v)
        assert len(set(path)) == len(path)
        assert path[0 if to else -1] == v
        end = path[-1 if to else 0]
        assert end == facility or (graph.has_zones and distance == 0)
        length = apsp.result.paths.replay(graph, path)
        assert length == distance or abs(length - distance) <= 1e-12 * abs(distance)


def test_paths_to_facilities_that_are_not_kept() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [4, -1], labels=["a", "b", "c"])
    assert apsp.nearest(graph, "c", paths=True).path("a") == ["a", "b", "c"]
    with pytest.raises(apsp.PathsNotKeptError, match="paths=True"):
        apsp.nearest(graph, "c").path("a")
    with pytest.raises(RequestError, match="leave out paths, or k=2"):
        apsp.nearest(graph, ["a", "c"], k=2, paths=True)
    with pytest.raises(RequestError, match="beyond the cutoff"):
        apsp.nearest(graph, "c", cutoff=3, paths=True)


def test_paths_to_facilities_at_distance_zero_of_each_other() -> None:
    """Facility 1 is nearest to itself by facility 0; a zone that is a facility has a cell of its own."""
    for zones, paths in ((None, [[0], [1, 0], [2, 1, 0]]), ([False, True, False], [[0], [1, 0], [2, 1]])):
        graph = apsp.from_edges([0, 1], [1, 2], [0, 3], directed=False, zones=zones)
        found = apsp.nearest(graph, [0, 1], paths=True)
        assert [found.path(vertex) for vertex in range(3)] == paths
        assert found.distances[:, 0].tolist() == [0, 0, 3]
