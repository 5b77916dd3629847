"""Everything that takes places, beside a plain reference in exact arithmetic: distances from all to all."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from places_truth import CASE, at_vertices, graph_of_case, placed, reference, usable

ZONES = st.none() | st.sets(st.integers(0, 5), max_size=2)


def assert_close(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)


class Truth:
    """Exact distances between sources, targets and vertices of a random case."""

    def __init__(self, case: Any, zones: set[int] | None) -> None:
        arcs, directed, starts, ends = case
        self.graph, both = graph_of_case(arcs, directed, zones)
        self.usable = usable(self.graph) and bool(starts) and bool(ends)
        if not self.usable:
            return
        graph = self.graph
        self.sources, self.targets = placed(graph, starts, "s"), placed(graph, ends, "t")
        every = at_vertices(graph)
        rest = (zones or set(), graph.indices, graph.tails())
        self.between = reference(both, self.sources, self.targets, *rest)
        self.to_vertices = reference(both, self.sources, every, *rest)
        self.from_vertices = reference(both, every, self.targets, *rest)
        self.sources_to = reference(both, every, self.sources, *rest)
        self.among = reference(both, self.sources, self.sources, *rest)


def dense(found: apsp.NearPairs, rows: list[Any], columns: list[Any]) -> np.ndarray:
    table = np.full((len(rows), len(columns)), np.inf)
    long = found.to_long()
    for source, target, distance in zip(long["source"], long["target"], long["distance"], strict=True):
        table[rows.index(source), columns.index(target)] = distance
    return table


@settings(deadline=None)
@given(CASE, ZONES)
def test_near_pairs(case: Any, zones: set[int] | None) -> None:
    truth = Truth(case, zones)
    if not truth.usable:
        return
    graph, sources, targets = truth.graph, truth.sources, truth.targets
    starts, ends, vertices = list(sources.labels), list(targets.labels), list(range(6))
    found = apsp.within(graph, np.inf, sources=sources, targets=targets)
    assert_close(dense(found, starts, ends), truth.between)
    found = apsp.within(graph, np.inf, sources=sources)
    assert_close(dense(found, starts, vertices), truth.to_vertices)
    found = apsp.within(graph, np.inf, targets=targets)
    assert_close(dense(found, vertices, ends), truth.from_vertices)
    found = apsp.within(graph, np.inf, sources=sources, targets=sources)
    assert_close(dense(found, starts, starts), truth.among)
    found = apsp.within(graph, np.inf, sources=sources, targets=[1, 3])
    assert_close(dense(found, starts, [1, 3]), truth.to_vertices[:, [1, 3]])
    assert found.sources.tolist() == starts
    assert found[starts[-1]].targets.tolist() == [
        label for label, source in zip(found.to_long()["target"], found.to_long()["source"], strict=True)
        if source == starts[-1]
    ]  # fmt: skip


@settings(deadline=None)
@given(CASE, ZONES)
def test_measures(case: Any, zones: set[int] | None) -> None:
    truth = Truth(case, zones)
    if not truth.usable:
        return
    graph, sources, targets = truth.graph, truth.sources, truth.targets
    for direction, table in (("to", truth.from_vertices), ("from", truth.to_vertices.T)):
        ends = targets if direction == "to" else sources
        found = apsp.nearest(graph, ends, k=2, direction=direction)
        assert found.distances.shape == (6, 2)
        expected = np.sort(np.hstack([table, np.full((6, 1), np.inf)]), axis=1)[:, :2]
        assert_close(found.distances, expected)
        assert set(found.to_long()["facility"].tolist()) <= set(ends.labels)
    near = apsp.k_nearest(graph, 3, sources=sources)
    assert_close(near.distances, np.sort(truth.to_vertices, axis=1)[:, :3])
    assert set(near.to_long()["target"].tolist()) <= set(range(6))
    assert near.sources.tolist() == list(sources.labels)
    costs = apsp.skim(graph, zones=sources, targets=targets)
    assert_close(costs["cost"], truth.between)
    assert_close(apsp.skim(graph, zones=sources)["cost"], truth.among)
    amounts = np.arange(1.0, 7)
    for cutoff in (3, 10.5, 1e6):
        jobs = apsp.accessibility(graph, amounts, cutoffs=cutoff, sources=sources)
        assert about(jobs.values, truth.to_vertices, amounts, cutoff)
        assert jobs.sources.tolist() == list(sources.labels)
        jobs = apsp.accessibility(graph, amounts, cutoffs=cutoff, sources=targets, direction="in")
        assert about(jobs.values, truth.from_vertices.T, amounts, cutoff)
        jobs = apsp.accessibility(graph, np.ones(len(targets)), at=targets, cutoffs=cutoff, sources=sources)
        assert about(jobs.values, truth.between, np.ones(len(targets)), cutoff)


def about(found: np.ndarray, distances: np.ndarray, amounts: np.ndarray, cutoff: float) -> bool:
    """Whether sums are right; distances that are the cutoff, up to rounding, may count or not."""
    low, high = ((distances <= cutoff * factor) @ amounts for factor in (1 - 1e-13, 1 + 1e-13))
    return bool(((low <= found) & (found <= high)).all())


@settings(deadline=None)
@given(CASE, ZONES)
def test_isochrones(case: Any, zones: set[int] | None) -> None:
    truth = Truth(case, zones)
    if not truth.usable:
        return
    graph, sources = truth.graph, truth.sources
    found = apsp.isochrone(graph, sources, [4, 1e6])
    assert found.sources.tolist() == list(sources.labels)
    matrix = np.full(truth.to_vertices.shape, np.inf)
    for row, (start, end) in enumerate(itertools.pairwise(found.indptr)):
        own = found.positions[start:end] < graph.n
        matrix[row, found.positions[start:end][own]] = found.distances[start:end][own]
    assert_close(matrix, truth.to_vertices)
    for row, label in enumerate(sources.labels):
        assert found.vertices(label).tolist() == np.flatnonzero(np.isfinite(truth.to_vertices[row])).tolist()
        tails, _, fractions = found.arcs(label, 4)
        assert ((fractions >= 0) & (fractions <= 1)).all()
        assert set(tails.tolist()) <= {*range(6), label}
    long = found.to_long()
    assert set(long["vertex"].tolist()) <= set(range(6))


@settings(deadline=None)
@given(CASE, ZONES)
def test_paths(case: Any, zones: set[int] | None) -> None:
    truth = Truth(case, zones)
    if not truth.usable:
        return
    graph, sources, targets = truth.graph, truth.sources, truth.targets
    for row in range(len(sources)):
        for column in range(len(targets)):
            expected = truth.between[row, column]
            if np.isinf(expected):
                with pytest.raises(apsp.NoPathError, match="'s"):
                    apsp.shortest_path(graph, sources[row], targets[column])
                continue
            first, *vertices, last = apsp.shortest_path(graph, sources[row], targets[column])
            assert (first, last) == (sources.labels[row], targets.labels[column])
            if vertices:
                ways = [apsp.distance(graph, a, b) for a, b in itertools.pairwise(vertices)]
                ways.append(apsp.distance(graph, sources[row], vertices[0]))
                ways.append(apsp.distance(graph, vertices[-1], targets[column]))
                assert_close(sum(ways), expected)


def street() -> apsp.Graph:
    return apsp.from_edges(
        [0, 1], [1, 2], [60, 80], directed=False, coordinates=[[0, 0], [100, 0], [100, 200]], costs={"toll": [10, 0]}
    )


def test_labels_that_are_those_of_vertices() -> None:
    graph = street()
    homes = graph.snap([[25, 10], [100, 150]], crs="plane", speed=2)
    found = apsp.within(graph, 100, sources=homes)
    assert found[1].targets.tolist() == [2, 1, 0][: len(found[1].targets)]
    assert found.to_long()["source"].tolist() == [0, 0, 1, 1]
    assert 1 in found
    assert 2 not in found
    with pytest.raises(apsp.GraphError, match="no place 7"):
        found[7]
    for table in (found.to_pandas(), found.to_polars(), found.to_arrow()):
        assert table.shape == (4, 3)
    shops = graph.snap({"bakery": (90, 0)}, crs="plane")
    near = apsp.nearest(graph, shops, paths=True)
    assert near.path(2) == [2, 1, "bakery"]
    assert near.to_arrow().column("vertex").to_pylist() == [0, 1, 2]


def test_costs_of_parts_of_streets() -> None:
    graph = street()
    homes = graph.snap({"home": (25, 10)}, crs="plane", speed=2)
    found = apsp.skim(graph, ["toll"], zones=homes, targets=[2])
    assert (found["cost"].tolist(), found["toll"].tolist()) == ([[130.0]], [[7.5]])
    found = apsp.skim(graph, cost="toll", zones=homes, targets=[2])
    assert found["toll"].tolist() == [[12.5]]
    zoned = apsp.from_edges([0, 1], [1, 2], [60, 80], directed=False, zones=[False, False, True],
                            coordinates=[[0, 0], [100, 0], [100, 200]])  # fmt: skip
    ends = zoned.snap({"home": (25, 0)}, crs="plane")
    assert apsp.skim(zoned, targets=ends).zones.tolist() == [2]


def test_isochrones_begin_on_the_street() -> None:
    graph = street()
    found = apsp.isochrone(graph, graph.snap({"home": (50, 10)}, crs="plane", speed=2), 11)
    assert found.vertices().tolist() == []
    tails, heads, fractions = found.arcs()
    assert (tails.tolist(), heads.tolist()) == (["home"] * 3, ["home", 0, 1])
    assert fractions.tolist() == pytest.approx([1, 0.2, 0.2])
    corners = found.polygon(ratio=1)
    assert sorted(map(tuple, corners[:-1].tolist())) == [(40.0, 0.0), (50.0, 10.0), (60.0, 0.0)]


@pytest.mark.parametrize("executor", [None, "processes"])
def test_polygons_of_places_by_blocks_are_those_of_all(executor: Any) -> None:
    shapely = pytest.importorskip("shapely")
    graph = apsp.generate("city", 400, seed=1)
    rng = np.random.default_rng(0)
    homes = graph.snap(rng.uniform(0, 800, (9, 2)), crs="plane", speed=1.4, labels=[f"home {k}" for k in range(9)])
    whole = apsp.isochrone(graph, homes, [30, 60]).areas(width=20, crs="plane")
    options: dict[str, Any] = {"width": 20, "crs": "plane", "rows": 4, "executor": executor}
    blocks = [*apsp.stream_isochrones(graph, homes, [30, 60], **options)]
    assert [block.sources.tolist() for block in blocks] == [list(homes.labels)[k : k + 4] for k in (0, 4, 8)]
    found = np.concatenate([block.polygons for block in blocks])
    assert shapely.equals(found, whole.polygons).all()


def test_what_takes_no_places_refuses_them() -> None:
    graph = street()
    homes = graph.snap([[25, 0]], crs="plane")
    with pytest.raises(apsp.RequestError, match="takes vertices here, not places"):
        apsp.eccentricity(graph, sources=homes)
    with pytest.raises(apsp.RequestError, match="another graph"):
        apsp.within(apsp.from_edges([0], [1], [1]), 3, sources=homes)
    with pytest.raises(apsp.RequestError, match="at must be places"):
        apsp.accessibility(graph, [1], at=[0], cutoffs=3)  # type: ignore[arg-type]
    far = graph.snap([[25, 900]], crs="plane", limit=5, speed=1)
    with pytest.raises(apsp.RequestError, match="beyond the limit"):
        apsp.within(graph, 3, targets=far)


def test_executors_and_streams() -> None:
    graph = apsp.generate("city", 400, seed=1)
    rng = np.random.default_rng(0)
    assert graph.coordinates is not None
    low, high = graph.coordinates.min(axis=0), graph.coordinates.max(axis=0)
    homes = graph.snap(rng.uniform(low, high, (50, 2)), crs="plane", speed=1.4)
    whole = apsp.within(graph, 400, sources=homes, targets=homes)
    blocks = [*apsp.stream_within(graph, 400, rows=7, sources=homes, targets=homes)]
    assert sum(block.pairs for block in blocks) == whole.pairs
    parts = apsp.within(graph, 400, sources=homes, targets=homes, executor="processes")
    assert parts.to_long()["target"].tolist() == whole.to_long()["target"].tolist()
    table = apsp.matrix(graph, homes, homes).distances
    rows, columns = whole.to_long()["source"], whole.to_long()["target"]
    assert_close(whole.distances, table[rows, columns])
    assert whole.pairs == (table <= 400).sum()


def test_other_costs_of_near_places_by_name_as_arrays_and_as_graphs() -> None:
    graph = apsp.from_edges(
        [0, 1, 2], [1, 2, 3], [60, 30, 10], directed=False, coordinates=[[0, 0], [100, 0], [200, 0], [300, 0]],
        costs={"toll": [1, 2, 3]},
    )  # fmt: skip
    homes = graph.snap({"a": (25, 10), "b": (190, 0)}, crs="plane", speed=1)
    tolls = graph.costs["toll"]
    for along in (["toll"], {"toll": tolls}, {"toll": graph.with_weights(tolls)}):
        found = apsp.within(graph, 200, sources=homes, targets=homes, along=along).to_long()
        assert found["distance"].tolist() == [0, 82, 0, 82]
        np.testing.assert_allclose(found["toll"], [0, 0.75 + 1.8, 0, 2.55])
