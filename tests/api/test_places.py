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
from apsp.api.places import by_ends
from apsp.facts.request import Request
from apsp.gpu import nvrtc
from apsp.gpu.page import VALUES
from apsp.graph.labels import labels_of
from apsp.methods.rows import ends_on_gpu
from apsp.running.planned_rows import PlannedRows, planned_rows
from compiling import ARCHITECTURES, needs_compiler
from emulation import emulated_gpus
from examples import examples
from places_truth import CASE, graph_of_case, placed, reference, usable


def test_a_way_back_along_another_line_is_another_street() -> None:
    """From a straight one-way street no path goes back on the crescent that leads to its beginning."""
    crescent = [[100, 100], [0, 100]]
    ends, lengths, points = [[0, 1], [1, 0]], [100, 300], [[0, 0], [100, 0]]
    for bends, back in (([[], crescent], 350), ([crescent, crescent[::-1]], 150)):
        graph = apsp.from_edges(*ends, lengths, links=True, coordinates=points, bends=bends, crs="plane")
        home = graph.snap([[50, bends[0][0][1] - 1 if bends[0] else -1]], crs="plane", speed=np.inf)
        for each in (graph, apsp.with_turns(graph, [])):
            assert [apsp.distance(each, home, 0), apsp.distance(each, 1, home)] == [back, back]
        assert apsp.prepare(graph).distance(home, 0) == back
        far = graph.snap([[50, 101]], crs="plane", speed=np.inf)
        assert apsp.distance(graph, home, far) == (200 if back == 350 else 0)


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


@settings(deadline=None, max_examples=examples(60))
@given(CASE, st.none() | st.sets(st.integers(0, 5), max_size=2), st.sampled_from(["emulated", "emulated:0,1"]))
def test_matrix_on_gpus_as_in_exact_arithmetic(case: Any, zones: set[int] | None, device: Any) -> None:
    arcs, directed, starts, ends = case
    graph, both = graph_of_case(arcs, directed, zones)
    if not usable(graph):
        return
    sources, targets = placed(graph, starts, "s"), placed(graph, ends, "t")
    expected = reference(both, sources, targets, zones or set(), graph.indices, graph.tails())
    found = apsp.matrix(graph, sources, targets, device=device)
    np.testing.assert_allclose(found.distances, expected, rtol=1e-14, atol=1e-14)


def town(seed: int, count: int) -> tuple[apsp.Graph, apsp.Places, apsp.Places]:
    """A city, and places on its streets."""
    city = apsp.generate("city", 400, seed=seed)
    assert city.coordinates is not None
    low, high = city.coordinates.min(axis=0), city.coordinates.max(axis=0)
    points = np.random.default_rng(seed).uniform(low, high, (2, count, 2))
    homes, shops = (city.snap(each, crs="plane", speed=1.5, limit=300, unsnapped="unreachable") for each in points)
    return city, homes, shops


@pytest.mark.parametrize("device", ["emulated", "emulated:0,1", pytest.param("cuda", marks=pytest.mark.gpu)])
def test_tables_on_gpus_are_those_of_the_cpu(device: Any) -> None:
    city, homes, shops = town(4, 60)
    expected = apsp.matrix(city, homes, shops, device="cpu").distances
    assert np.isfinite(expected).any()
    seen: list[tuple[Any, ...]] = []
    found = apsp.table(city, homes, shops, device=device, threads=2, progress=lambda *step: seen.append(step))
    assert isinstance(found.distances, np.ndarray)
    np.testing.assert_allclose(found.distances, expected, rtol=1e-14)
    assert seen[-1][1] == seen[-1][2]
    for sources, targets in ((homes, [3, 5, 3]), ([7, 1], shops), (homes[:0], shops), (homes, shops[:0])):
        some = [apsp.matrix(city, sources, targets, device=each).distances for each in (device, "cpu")]
        np.testing.assert_allclose(*some, rtol=1e-14)
    with pytest.raises(apsp.RequestError, match="device"):
        apsp.matrix(city, homes, shops, device="tpu")
    vertices = apsp.matrix(city, [1, 2], [3], device="cpu", threads=1)
    assert vertices.info["threads"] == 1


@pytest.mark.parametrize("weights", ["int32", "int64", "float32", "float64"])
def test_blocks_of_places_on_gpus(weights: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    city, homes, shops = town(5, 50)
    city = city.with_weights(city.arc_weights(weights))
    expected = apsp.matrix(city, homes, shops).distances
    seen: list[int] = []
    monkeypatch.setattr(ends_on_gpu, "free_bytes", lambda *_: 16 * 8 * len(shops) * 7)
    with emulated_gpus(monkeypatch, 2):
        for device in ("cuda", "cuda:1", "cuda:0,1"):
            found = apsp.matrix(city, homes, shops, device=device, progress=lambda _, done, __: seen.append(done))
            np.testing.assert_allclose(found.distances, expected, rtol=1e-6 if weights == "float32" else 1e-14)
            assert seen[-8:] == [*range(7, 50, 7), 50], "blocks of 7 sources"


@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_kernels_compile_without_spills(capability: tuple[int, int]) -> None:
    names = [ends_on_gpu.join_expression(dtype) for dtype in VALUES]
    compiled = nvrtc.compile_for("ends.cu", names, capability)
    assert set(compiled.spilled_bytes) == set(names)
    assert not any(compiled.spilled_bytes.values())


@pytest.mark.parametrize("fails", [True, False])
def test_a_gpu_that_was_not_requested(fails: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    city, homes, shops = town(6, 20)
    expected = apsp.matrix(city, homes, shops).distances

    def fail(*_: object) -> None:
        raise apsp.MemoryLimitError("rows", 2, 1, ["less"])

    freed: list[Any] = []
    monkeypatch.setattr("apsp.running.planned_rows.free_unused", freed.append)
    if fails:
        monkeypatch.setattr(ends_on_gpu, "to_host_by_blocks", fail)
    with emulated_gpus(monkeypatch):
        if fails:
            with pytest.raises(apsp.MemoryLimitError, match="rows"):
                apsp.matrix(city, homes, shops, device="cuda")
            assert not freed
        monkeypatch.setattr(by_ends, "planned_rows", on_gpu_first)
        np.testing.assert_allclose(apsp.matrix(city, homes, shops).distances, expected, rtol=1e-14)
        assert freed == [(0,)], "its memory does not stay allocated"


def on_gpu_first(graph: apsp.Graph, sources: Any, targets: Any, request: Request) -> PlannedRows:
    """Rows that are planned for a GPU, whether it was requested or not."""
    planned = planned_rows(graph, sources, targets, replace(request, device="cuda"))
    return replace(planned, request=request)


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
    vertices = list(graph)
    for some, others in ((sources, targets), (sources, vertices), (vertices, targets)):
        one, other = np.indices((len(some), len(others))).reshape(2, -1)
        begins, finals = (
            repeated(each, at) if isinstance(each, apsp.Places) else [each[i] for i in at]
            for each, at in ((some, one), (others, other))
        )
        paths = oracle.paths(begins, finals)
        np.testing.assert_allclose(paths.distances, oracle.distances(begins, finals), rtol=1e-14, atol=1e-14)
        for k, path in enumerate(paths):
            if np.isinf(paths.distances[k]):
                assert path == []
            else:
                alone = oracle.path(begins[k], finals[k])
                assert (path[0], path[-1]) == (alone[0], alone[-1])
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
        ("targets", lambda: next(iter(oracle.stream_paths([0, 1], places)))),
    ]
    for end, call in calls:
        with pytest.raises(apsp.RequestError, match=f"{end}: 'home' is a place, and this function .* of an oracle"):
            call()
