"""Places on streets, beside a plain reference: the places inserted as vertices, in exact arithmetic."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.graph.labels import labels_of
from places_truth import CASE, graph_of_case, placed, reference, usable


@settings(deadline=None)
@given(CASE, st.none() | st.sets(st.integers(0, 5), max_size=2))
def test_matrix_as_in_exact_arithmetic(case: Any, zones: set[int] | None) -> None:
    arcs, directed, starts, ends = case
    graph, both = graph_of_case(arcs, directed, zones)
    if not usable(graph):
        return
    sources, targets = placed(graph, starts, "s"), placed(graph, ends, "t")
    expected = reference(both, sources, targets, zones or set(), graph.indices, graph.tails())
    found = apsp.matrix(graph, sources, targets)
    assert found.distances.dtype == np.float64
    np.testing.assert_allclose(found.distances, expected, rtol=1e-14, atol=1e-14)
    rows, columns = np.indices(expected.shape).reshape(2, -1)
    if len(rows):
        pairs = apsp.distances(graph, repeated(sources, rows), repeated(targets, columns))
        np.testing.assert_allclose(pairs, expected.ravel(), rtol=1e-14, atol=1e-14)
        one = apsp.distance(graph, sources[0], targets[-1])
        np.testing.assert_allclose(one, expected[0, -1], rtol=1e-14, atol=1e-14)


def repeated(places: apsp.Places, rows: np.ndarray) -> apsp.Places:
    names = [f"{row}.{number}" for number, row in enumerate(rows.tolist())]
    fields = ("points", "arcs", "vertices", "fractions", "on_street", "legs")
    return replace(places, labels=labels_of(names), **{name: getattr(places, name)[rows] for name in fields})


@pytest.mark.parametrize(
    ("name", "value"),
    [("crs", "plane"), ("speed", 1), ("limit", 3), ("to", "vertex"), ("labels", "a"), ("largest_component", True)],
)
def test_options_of_snapping_are_refused_for_places(name: str, value: Any) -> None:
    street = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[0, 0], [100, 0]])
    homes = street.snap([[25, 0], [50, 0]], crs="plane")
    assert apsp.table(street, homes).distances.tolist() == [[0.0, 15.0], [15.0, 0.0]]
    with pytest.raises(apsp.RequestError, match=f"{name} is for points"):
        apsp.table(street, homes, **{name: value})


def test_the_graph_knows_its_coordinates() -> None:
    street = apsp.Graph(
        [0, 1, 2], [1, 0], [60, 60], directed=False, coordinates=[[13, 52], [13.001, 52]], crs="degrees"
    )
    place = street.snap([[13.0005, 52]], speed=1)
    assert place.crs == "degrees"
    assert place.fractions.tolist() == pytest.approx([0.5])
    assert street.snap([[13.0005, 52]], crs="EPSG:4326").crs == "degrees"
    for other in ("plane", "microdegrees"):
        with pytest.raises(apsp.RequestError, match="coordinates of the graph are degrees"):
            street.snap([[13.0005, 52]], crs=other)
    same = [
        street.reversed(), street.with_weights([5, 5]), street.unweighted(), street.subgraph([0, 1]),
        street.with_costs(toll=[1, 1]), pickle.loads(pickle.dumps(street)), copy.deepcopy(street),
        apsp.components(street).subgraph(0),
    ]  # fmt: skip
    assert [each.crs for each in same] == ["degrees"] * len(same)
    with pytest.raises(apsp.RequestError, match="crs must be"):
        apsp.Graph([0, 0], [], crs="feet")
    assert apsp.from_edges([0], [1]).crs is None


def test_osmnx_says_what_coordinates_are() -> None:
    networkx = pytest.importorskip("networkx")
    streets = networkx.MultiDiGraph(crs="epsg:4326")
    streets.add_node(7, x=13.0, y=52.0)
    streets.add_node(8, x=13.001, y=52.0)
    streets.add_edge(7, 8, length=68.4)
    assert apsp.as_graph(streets).crs == "degrees"
    assert apsp.as_graph(streets).snap([[13.0005, 52]]).fractions.tolist() == pytest.approx([0.5])
    streets.graph["crs"] = "epsg:32633"
    assert apsp.as_graph(streets).crs is None


def test_places_are_geojson() -> None:
    street = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[0, 0], [100, 0]], labels=["a", "b"])
    homes = street.snap({"home": (25, 10), "far": (25, 400)}, crs="plane", limit=50, unsnapped="unreachable")
    found = homes.__geo_interface__
    assert json.loads(json.dumps(found)) == found
    first, second = found["features"]
    assert first["geometry"] == {"type": "Point", "coordinates": [25.0, 10.0]}
    assert first["properties"] == {"label": "home", "tail": "a", "head": "b", "fraction": 0.25, "leg": 10.0}
    assert second["properties"] == {"label": "far", "tail": None, "head": None, "fraction": 0.0, "leg": None}
    assert street.snap(homes, crs="plane", labels="label").labels == homes.labels
    small = apsp.from_edges([0], [1], [60], coordinates=[[13_000_000, 52_000_000], [13_001_000, 52_000_000]])
    there = small.snap([[13_000_500, 52_000_000]], crs="microdegrees").__geo_interface__
    assert there["features"][0]["geometry"]["coordinates"] == pytest.approx([13.0005, 52.0])


def known(crs: str | None) -> apsp.Graph:
    points = (
        [[9_000_000, 45_000_000], [9_001_000, 45_000_000]] if crs == "microdegrees" else [[9.0, 45.0], [9.001, 45.0]]
    )
    return apsp.from_edges([0], [1], [60], directed=False, coordinates=points, crs=crs)


def test_files_keep_what_coordinates_are(tmp_path: Any) -> None:
    street = known("degrees")
    apsp.solve(street).save(tmp_path / "result.npz")
    assert apsp.load(tmp_path / "result.npz").graph.crs == "degrees"
    apsp.prepare(street).save(tmp_path / "oracle.npz")
    assert apsp.Oracle.load(tmp_path / "oracle.npz").graph.crs == "degrees"
    pytest.importorskip("zarr")
    stored = apsp.solve(street, store=tmp_path / "rows.zarr")
    assert stored.graph.crs == "degrees"
    assert apsp.load(tmp_path / "rows.zarr").graph.crs == "degrees"
    apsp.solve(known(None)).save(tmp_path / "none.npz")
    assert apsp.load(tmp_path / "none.npz").graph.crs is None


def test_what_coordinates_are_needs_coordinates(tmp_path: Any) -> None:
    for make in (apsp.from_edges, lambda *_, crs: apsp.Graph([0, 0], [], crs=crs)):
        with pytest.raises(apsp.RequestError, match="there are none"):
            make([0], [1], crs="plane")
    (tmp_path / "a.txt").write_text("0 1 5\n")
    with pytest.raises(apsp.RequestError, match="there are none"):
        apsp.read(tmp_path / "a.txt", crs="plane")
    with pytest.raises(apsp.RequestError, match="crs must be one of"):
        apsp.read(tmp_path / "a.txt", crs="feet")
    (tmp_path / "city.gr").write_text("p sp 2 1\na 1 2 5\n")
    (tmp_path / "city.co").write_text("p aux sp co 2\nv 1 9000000 45000000\nv 2 9001000 45000000\n")
    assert apsp.read(tmp_path / "city.gr").crs is None
    assert apsp.read(tmp_path / "city.gr", crs="microdegrees").crs == "microdegrees"


def test_features_and_areas_use_what_the_graph_knows() -> None:
    pytest.importorskip("shapely")
    for crs in ("degrees", "microdegrees"):
        street = known(crs)
        features = street.features()
        assert features.system is not None
        assert features.system.name == "EPSG:4326"
        assert features.geometries[1].x == pytest.approx(9.001)
        assert apsp.nearest(street, [1]).features().system == features.system
        assert apsp.accessibility(street, weights=[1, 1], cutoffs=60).features().system == features.system
        assert apsp.prepare(street).paths([0], [1]).features().system == features.system
        assert street.path_features([[0, 1]]).system == features.system
        found = apsp.isochrone(street, 0, 60)
        assert found.features().system == features.system
        assert found.areas(width=10).system == features.system
        assert next(apsp.stream_isochrones(street, [0], 60, width=10)).system == features.system
        refused = (
            lambda: street.features(crs="plane"),  # noqa: B023 - called in this round
            lambda: found.areas(width=10, crs="plane"),  # noqa: B023
            lambda: apsp.nearest(street, [1]).features("plane"),  # noqa: B023
            lambda: apsp.straightness_centrality(street, crs="plane"),  # noqa: B023
            lambda: apsp.stream_isochrones(street, [0], 60, width=10, crs="plane"),  # noqa: B023
        )
        for call in refused:
            with pytest.raises(apsp.RequestError, match=f"'plane'.*coordinates of the graph are {crs}"):
                call()
    with pytest.raises(apsp.RequestError, match="crs= is missing"):
        apsp.isochrone(known(None), 0, 60).areas(width=10)
    assert known(None).features().system is None


@settings(deadline=None)
@given(CASE, st.none() | st.sets(st.integers(0, 5), max_size=2))
def test_oracles_take_places(case: Any, zones: set[int] | None) -> None:
    arcs, directed, starts, ends = case
    graph, _ = graph_of_case(arcs, directed, zones)
    if not usable(graph):
        return
    sources, targets = placed(graph, starts, "s"), placed(graph, ends, "t")
    expected = apsp.matrix(graph, sources, targets).distances
    oracle = apsp.prepare(graph, threads=1)
    np.testing.assert_allclose(oracle.matrix(sources, targets), expected, rtol=1e-14, atol=1e-14)
    given_array = np.empty(expected.shape)
    assert oracle.matrix(sources, targets, out=given_array) is given_array or given_array.size == 0
    mixed = apsp.matrix(graph, sources, list(graph)).distances
    np.testing.assert_allclose(oracle.matrix(sources), mixed, rtol=1e-14, atol=1e-14)
    rows, columns = np.indices(expected.shape).reshape(2, -1)
    pairs = oracle.distances(repeated(sources, rows), repeated(targets, columns))
    np.testing.assert_allclose(pairs, expected.ravel(), rtol=1e-14, atol=1e-14)
    if not expected.size:
        return
    one = oracle.distance(sources[0], targets[-1])
    np.testing.assert_allclose(one, expected[0, -1], rtol=1e-14, atol=1e-14)
    if np.isinf(expected[0, -1]):
        with pytest.raises(apsp.NoPathError):
            oracle.path(sources[0], targets[-1])
    else:
        found = oracle.path(sources[0], targets[-1])
        assert (found[0], found[-1]) == (sources.labels[0], targets.labels[len(targets) - 1])


def test_questions_of_an_oracle_that_take_vertices_name_the_place() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [60, 80], coordinates=[[0, 0], [100, 0], [100, 200]], directed=False)
    oracle = apsp.prepare(graph)
    places = graph.snap({"home": (25, 0), "shop": (90, 0)}, crs="plane")
    calls: list[tuple[str, Callable[[], object]]] = [
        ("sources", lambda: next(iter(oracle.stream(sources=places)))),
        ("sources", lambda: oracle.paths(places, [0, 1])),
        ("targets", lambda: oracle.paths([0, 1], places)),
        ("targets", lambda: next(iter(oracle.stream_paths([0, 1], places)))),
    ]
    for end, call in calls:
        with pytest.raises(apsp.RequestError, match=f"{end}: 'home' is a place, and this function .* of an oracle"):
            call()
