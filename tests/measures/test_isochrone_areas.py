"""Polygons of isochrones: the reached parts of streets in exact arithmetic, and what a polygon holds."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from scipy.sparse.csgraph import dijkstra

import apsp
from apsp.areas.pieces import ReachedStreets
from apsp.areas.trails import Trails
from apsp.errors import GraphError, OutputError, RequestError
from apsp.graph.places.frames import frame_of
from apsp.graph.sphere import metres_between
from apsp.methods.searches.near import NearRows
from examples import examples

shapely = pytest.importorskip("shapely")
substring = pytest.importorskip("shapely.ops").substring

Parts = dict[tuple[int, int], list[tuple[Fraction, Fraction]]]


@st.composite
def streets(draw: st.DrawFn, *, bend: bool = False) -> apsp.Graph:
    """A few vertices on a map, one-way and two-way streets of small integer weights, some vertices without a place."""
    n = draw(st.integers(1, 8))
    ends = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(0, 9))
    arcs = draw(st.lists(ends, max_size=20))
    numbers = st.integers(0, 6)
    places = np.array(draw(st.lists(st.tuples(numbers, numbers), min_size=n, max_size=n)), dtype=float)
    places[draw(st.lists(st.integers(0, n - 1), max_size=1))] = np.nan
    zones = np.zeros(n, dtype=bool)
    zones[draw(st.lists(st.integers(0, n - 1), max_size=1))] = True
    columns = np.array(arcs, dtype=np.int64).reshape(-1, 3).T
    corners = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=3)
    bends = [draw(corners) for _ in arcs] if bend else None
    return apsp.from_edges(*columns, n=n, coordinates=places * 10, zones=zones, bends=bends)


def arc_line(graph: apsp.Graph, arc: int) -> Any:
    """The line of an arc, with the bends of its own link."""
    tail, head = int(graph.tails()[arc]), int(graph.indices[arc])
    bends = np.empty((0, 2))
    if graph.links is not None:
        link = int(graph.links.chosen[arc])
        assert (graph.links.tails[link], graph.links.heads[link]) == (tail, head)
        bends = graph.links.bends[link]
    return shapely.LineString([graph.coordinates[tail], *bends, graph.coordinates[head]])


def part_of(line: Any, begin: float, end: float) -> Any:
    if line.length == 0:
        return shapely.Point(line.coords[0])
    return substring(line, begin, end, normalized=True)


def reached_arcs(graph: apsp.Graph, row: list[int | None], cutoff: Fraction) -> Iterator[tuple[int, int, Fraction]]:
    """Arcs of which a part is within the cutoff, their tails, and the share of this part."""
    known = np.isfinite(graph.coordinates).all(axis=1) & ~(graph.zones if graph.zones is not None else False)
    for tail in range(graph.n):
        for arc in range(graph.indptr[tail], graph.indptr[tail + 1]):
            head, far = int(graph.indices[arc]), row[tail]
            if head == tail or not (known[tail] and known[head]) or far is None or far > cutoff:
                continue
            weight = int(graph.weights[arc])
            yield arc, tail, Fraction(1) if weight <= cutoff - far else (cutoff - far) / weight


def exact_parts(graph: apsp.Graph, row: list[int | None], cutoff: Fraction) -> Parts:
    """The parts of each street, from the smaller vertex on, in exact arithmetic."""
    found: Parts = {}
    for arc, tail, part in reached_arcs(graph, row, cutoff):
        head = int(graph.indices[arc])
        street = (min(tail, head), max(tail, head))
        found.setdefault(street, []).append((Fraction(0), part) if tail < head else (1 - part, Fraction(1)))
    return {street: joined(sorted(parts)) for street, parts in found.items()}


def joined(parts: list[tuple[Fraction, Fraction]]) -> list[tuple[Fraction, Fraction]]:
    if len(parts) == 2 and (parts[0][1] >= parts[1][0] or parts[0] == (0, 1) or parts[1] == (0, 1)):
        return [(Fraction(0), max(parts[0][1], parts[1][1]))]
    return parts


def pieces_of(graph: apsp.Graph, found: apsp.Isochrones, cutoff: Any) -> list[Parts]:
    """The same of the product, per source."""
    trails = Trails.of(graph, frame_of("plane"))
    near = NearRows(found.indptr, found.positions, found.distances)
    pieces = ReachedStreets.of(graph, trails, found.source_positions, near).within(cutoff)
    parts: list[Parts] = [{} for _ in found.source_positions]
    for row, street, begin, end in zip(*(column.tolist() for column in pieces), strict=True):
        ends = int(trails.begins[street]), int(trails.ends[street])
        part = (begin, end) if ends[0] < ends[1] else (1 - end, 1 - begin)
        parts[row].setdefault((min(ends), max(ends)), []).append(part)
    return [{street: sorted(each) for street, each in found.items()} for found in parts]


def rows_of(graph: apsp.Graph) -> list[list[int | None]]:
    found = apsp.solve(graph, method="reference").distances
    none = apsp.unreachable(found.dtype)
    return [[None if value == none else value for value in row] for row in found.tolist()]


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(streets(), st.fractions(0, 20, max_denominator=4))
def test_parts_of_streets_are_those_of_exact_arithmetic(graph: apsp.Graph, cutoff: Fraction) -> None:
    rows = rows_of(graph)
    limit = float(cutoff)  # exact: quarters and thirds become floats below
    found = apsp.isochrone(graph, range(graph.n), [limit, limit + 1])
    for row, parts in zip(rows, pieces_of(graph, found, limit), strict=True):
        expected = exact_parts(graph, row, Fraction(limit))
        assert parts.keys() == expected.keys()
        for street, exact in expected.items():
            np.testing.assert_allclose(parts[street], [[float(a), float(b)] for a, b in exact], atol=1e-12)


@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(streets() | streets(bend=True), st.integers(0, 12), st.booleans())
def test_polygons_hold_what_is_reached_and_nothing_beyond_the_width(
    graph: apsp.Graph, cutoff: int, holes: bool
) -> None:
    width = 3.0
    found = apsp.isochrone(graph, range(graph.n), [cutoff, cutoff + 2])
    areas = found.areas(width=width, crs="plane", holes=holes)
    for column, limit in enumerate(areas.cutoffs):
        for source, row in enumerate(rows_of(graph)):
            area = areas.polygons[source, column]
            arcs = reached_arcs(graph, row, Fraction(limit))
            lines = [part_of(arc_line(graph, arc), 0, float(part)) for arc, _, part in arcs]
            if np.isfinite(graph.coordinates[source]).all():
                lines.append(shapely.Point(graph.coordinates[source]))
            assert area.is_valid
            if not lines:
                assert area.is_empty
                continue
            reached = shapely.union_all(lines)
            assert shapely.covers(shapely.buffer(area, 1e-6, join_style="mitre"), lines).all()
            assert area.covers(shapely.buffer(reached, 0.9 * width, quad_segs=16))
            corners = shapely.points(shapely.get_coordinates(area))
            assert shapely.distance(corners, reached).max() <= width * (1 + 1e-9)
            # The sides of a circle of so many segments are 4e-3 inside it.
            outer = shapely.buffer(reached, width + 5e-3, quad_segs=16)
            if not holes:
                assert shapely.get_num_interior_rings(shapely.get_parts(area)).sum() == 0
                outer = shapely.union_all([shapely.Polygon(part.exterior) for part in shapely.get_parts(outer)])
            assert outer.covers(area)


CORNERS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=2, max_size=6, unique=True)


@settings(max_examples=examples(60), deadline=None)
@given(CORNERS, st.tuples(st.integers(0, 30), st.integers(0, 30)), st.integers(0, 60), st.booleans())
def test_what_a_place_reaches_of_its_street(line: Any, point: Any, cutoff: int, directed: bool) -> None:
    street = shapely.LineString(line)
    graph = apsp.from_edges(
        [0], [1], [40], directed=directed, coordinates=[line[0], line[-1]], bends=[line[1:-1]], crs="plane"
    )
    place = graph.snap([point], speed=2)
    at = float(place.fractions[0]) if place.arcs[0] >= 0 else float(place.vertices[0])
    left = (cutoff - place.costs[0]) / 40
    (area,) = apsp.isochrone(graph, place, cutoff).areas(width=3).polygons[0]
    reached = [shapely.Point(point)]
    if left >= 0 and place.legs[0] > 0:
        reached.append(shapely.LineString([point, place.on_street[0]]))
    elif place.legs[0] > 0 and cutoff:
        share = cutoff / place.costs[0]
        reached.append(shapely.LineString([point, point + share * (place.on_street[0] - point)]))
    if left >= 0 and (not directed or at < 1):
        begin = at if directed else max(at - left, 0.0)
        reached.append(part_of(street, begin, min(at + left, 1.0)))
    if place.arcs[0] < 0:
        reached = [each for each in reached if each.geom_type == "LineString"] or reached
    union = shapely.union_all(reached)
    assert area.buffer(1e-6).covers(shapely.buffer(union, 0.9 * 3, quad_segs=64))
    assert shapely.buffer(union, 3, quad_segs=512).buffer(1e-3).covers(area)


def test_hulls_and_areas_follow_bends() -> None:
    street = apsp.from_edges(
        [0], [1], [30], directed=False, coordinates=[[0, 0], [10, 0]], bends=[[[0, 10], [10, 10]]], crs="plane"
    )
    found = apsp.isochrone(street, 0, [15, 25])
    assert found.polygon(ratio=1).round(9).tolist() == [[0, 0], [10, 5], [10, 10], [0, 10], [0, 0]]
    assert found.polygon(cutoff=15, ratio=1).round(9).tolist() == [[0, 0], [5, 10], [0, 10], [0, 0]]
    assert [tuple(round(each) for each in area.bounds) for area in found.areas(width=2).polygons[0]] == [
        (-2, -2, 7, 12), (-2, -2, 12, 12)
    ]  # fmt: skip
    turned = apsp.isochrone(street.reversed(), 1, [15]).areas(width=2).polygons[0, 0]
    assert tuple(round(each) for each in turned.bounds) == (3, -2, 12, 12)


def test_bends_on_the_sphere_are_reached_in_metres() -> None:
    """A street along a meridian and then along a parallel: half of its length is on the parallel, close to the pole."""
    corners = [[10.0, 59.99], [10.0, 60.0], [10.01, 60.0]]
    graph = apsp.from_edges([0], [1], [100], coordinates=[corners[0], corners[2]], crs="degrees", bends=[[corners[1]]])
    up, across = (metres_between(np.array([a]), np.array(b))[0] for a, b in pairwise(corners))
    cutoff = 100 * (up + across / 2) / (up + across)
    (area,) = apsp.isochrone(graph, 0, cutoff).areas(width=5).polygons[0]
    east = np.degrees(5 / 6_371_008.8) * 2
    assert area.bounds[2] == pytest.approx(10.005 + east, abs=0.03 * east)
    assert area.covers(shapely.Point(10.0, 60.0))


def city(n: int = 900) -> apsp.Graph:
    return apsp.generate("city", n, seed=2)


def placed(graph: apsp.Graph, places: Any, labels: Any = None) -> apsp.Graph:
    return apsp.from_edges(graph.tails(), graph.indices, graph.weights, coordinates=places, labels=labels)


def test_cutoffs_are_nested_and_shared_by_threads_and_workers() -> None:
    graph = city()
    sources = [5, 700, 5, 44, *range(100, 130)]
    areas = apsp.isochrone(graph, sources, [20, 45, 90]).areas(width=15, crs="plane", threads=1)
    assert repr(areas) == "IsochroneAreas(34 sources, 3 cutoffs, a plane)"
    beyond = shapely.area(shapely.difference(areas.polygons[:, :2], areas.polygons[:, 1:]))
    assert (beyond < 0.005 * shapely.area(areas.polygons[:, :2])).all()  # round corners have few vertices
    for options in ({"threads": 2, "rows": 7}, {"executor": "processes", "threads": 1}):
        blocks = list(apsp.stream_isochrones(graph, sources, [20, 45, 90], width=15, crs="plane", **options))
        assert sum(len(block) for block in blocks) == len(sources)
        found = np.concatenate([block.polygons for block in blocks])
        assert shapely.equals_exact(found, areas.polygons, 0).all()
        assert [label for block in blocks for label in block.sources.tolist()] == sources


def test_degrees_have_widths_in_metres() -> None:
    graph = city(400)
    centre = np.array([10.2, 59.9])
    angles = centre + np.degrees((graph.coordinates) / 6_371_008.8) / [np.cos(np.radians(59.9)), 1]
    degrees = placed(graph, angles)
    wide = apsp.isochrone(degrees, [7, 200], [60]).areas(width=30, crs="degrees")
    fine = apsp.isochrone(placed(graph, np.rint(angles * 1e6)), [7, 200], [60]).areas(width=30, crs="microdegrees")
    found = apsp.isochrone(degrees, [7, 200], [60])
    for area, other, source in zip(wide.polygons[:, 0], fine.polygons[:, 0], (7, 200), strict=True):
        assert area.is_valid
        assert shapely.hausdorff_distance(area, other) < 2e-5
        tails, heads, parts = found.arcs(source)
        some = np.linspace(0, 1, 50)
        points = [angles[a] + share * part * (angles[b] - angles[a])
                  for a, b, part in zip(tails, heads, parts, strict=True) for share in some]  # fmt: skip
        points = np.array(points)
        assert shapely.covers(area, shapely.points(points)).all()
        outline = shapely.get_coordinates(shapely.segmentize(area, 2e-5))
        nearest = [metres_between(points, corner).min() for corner in outline[::7]]
        assert min(nearest) > 0.94 * 30
        assert max(nearest) < 30.01


def test_a_polygon_across_the_meridian_of_180_degrees() -> None:
    places = [[179.99, 10], [-179.99, 10], [-179.9, 10.05]]
    graph = apsp.from_edges([0, 1], [1, 2], [60, 60], coordinates=places, directed=False)
    area = apsp.isochrone(graph, 0, 100).areas(width=100, crs="degrees").polygons[0, 0]
    assert (area.geom_type, area.is_valid) == ("MultiPolygon", True)
    assert area.bounds[0] == -180
    assert area.bounds[2] == 180
    assert shapely.covers(area, shapely.points([[179.995, 10], [-179.995, 10]])).all()
    assert not area.covers(shapely.Point(0, 10))
    north = apsp.from_edges([0], [1], [60], coordinates=[[0, 89.99], [180, 89.99]])
    with pytest.raises(RequestError, match="reaches as far as a pole"):
        apsp.isochrone(north, 0, 100).areas(width=100, crs="degrees")


def test_a_file_of_many(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    graph, path = city(), tmp_path / "areas.parquet"
    named = placed(graph, graph.coordinates, [f"x{v}" for v in range(graph.n)])
    seen: list[int] = []
    sources = [f"x{v}" for v in range(50)]
    blocks = apsp.stream_isochrones(named, sources, [20, 45], width=15, crs="plane", rows=20)
    blocks.write(path, seen=lambda block: seen.append(len(block)))
    assert seen == [20, 20, 10]
    table = parquet.read_table(path)
    assert parquet.read_metadata(path).num_row_groups == 3
    assert table.column_names == ["source", "cutoff", "geometry", "bbox"]
    assert table["source"].to_pylist() == [name for name in sources for _ in range(2)]
    assert table["cutoff"].to_pylist() == [20, 45] * 50
    expected = apsp.isochrone(named, sources, [20, 45]).areas(width=15, crs="plane")
    shapes = shapely.from_wkb(table["geometry"].to_pylist())
    assert shapely.equals_exact(shapes, expected.polygons.ravel(), 0).all()
    boxes = [tuple(box.values()) for box in table["bbox"].to_pylist()]
    assert boxes == [shape.bounds for shape in shapes]
    said = json.loads(table.schema.metadata[b"geo"])
    column = said["columns"]["geometry"]
    assert (said["version"], said["primary_column"], column["encoding"]) == ("1.1.0", "geometry", "WKB")
    assert column["crs"] is None
    assert column["orientation"] == "counterclockwise"
    assert all(part.exterior.is_ccw for shape in shapes for part in shapely.get_parts(shape))
    left = copy.copy(apsp.stream_isochrones(named, sources, [20], width=15, crs="plane", rows=20))
    next(left)
    assert len(list(pickle.loads(pickle.dumps(left)))) == 2


def test_what_geopandas_and_files_say(tmp_path: Path) -> None:
    geopandas = pytest.importorskip("geopandas")
    graph = apsp.from_edges([0, 1], [1, 2], [60, 60], coordinates=[[9, 45], [9.01, 45], [9.01, 45.01]])
    areas = apsp.isochrone(graph, [0, 1], [30, 90]).areas(width=50, crs="EPSG:4326")
    frame = areas.to_geopandas()
    assert frame.crs.is_geographic
    assert frame["cutoff"].tolist() == [30, 90, 30, 90]
    for name in ("areas.parquet", "areas.geojson"):
        areas.write(tmp_path / name)
    read = geopandas.read_parquet(tmp_path / "areas.parquet")
    assert read.crs == "OGC:CRS84"
    assert read.geometry.to_list() == frame.geometry.to_list()
    assert len(geopandas.read_parquet(tmp_path / "areas.parquet", bbox=(9.008, 44, 9.02, 46))) == 3
    read = geopandas.read_file(tmp_path / "areas.geojson")
    assert shapely.equals_exact(read.geometry.values, frame.geometry.values, 1e-9).all()
    assert geopandas.GeoDataFrame.from_features(areas)["source"].tolist() == [0, 0, 1, 1]
    utm = apsp.isochrone(city(400), [0], [30]).areas(width=50, crs="EPSG:25832")
    utm.write(tmp_path / "utm.parquet")
    assert geopandas.read_parquet(tmp_path / "utm.parquet").crs == "EPSG:25832"
    with pytest.raises(RequestError, match="GeoJSON holds longitudes and latitudes"):
        utm.write(tmp_path / "utm.geojson")
    with pytest.raises(RequestError, match="are EPSG:25832 already"):
        utm.to_geopandas("degrees")


@pytest.mark.slow
def test_negative_lengths_and_other_methods() -> None:
    places = [[0, 0], [10, 0], [10, 10], [0, 10]]
    graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, -2, 5], coordinates=places)
    area = apsp.isochrone(graph, 0, 4).areas(width=1, crs="plane").polygons[0, 0]
    assert area.covers(shapely.LineString([[0, 0], [10, 0], [10, 10], [6, 10]]))
    with pytest.raises(RequestError, match="lengths of at least 0"):
        apsp.stream_isochrones(graph, 0, 4, width=1, crs="plane")
    small = city(400)
    plain = apsp.isochrone(small, [3, 300], [20, 50])
    for options in ({"method": "dijkstra"}, {"executor": "processes"}, {"method": "elimination", "threads": 1}):
        other = apsp.isochrone(small, [3, 300], [20, 50], **options)
        assert other.to_long()["distance"].tolist() == plain.to_long()["distance"].tolist()
        assert other.positions.tolist() == plain.positions.tolist()


def test_searches_find_the_same_as_scipy() -> None:
    graph = city()
    found = apsp.isochrone(graph, [3, 700, 44], [60]).to_long()
    rows = dijkstra(graph.to_scipy(), indices=[3, 700, 44], limit=60)
    row, vertex = np.nonzero(np.isfinite(rows))
    assert found["source"].tolist() == np.array([3, 700, 44])[row].tolist()
    assert found["vertex"].tolist() == vertex.tolist()
    assert found["distance"].tolist() == rows[row, vertex].tolist()


def test_what_is_refused(tmp_path: Path) -> None:
    graph = city(400)
    found = apsp.isochrone(graph, [0, 1], [10, 30])
    with pytest.raises(RequestError, match="crs= is missing"):
        found.areas(width=3, crs=None)
    with pytest.raises(RequestError, match="are not longitudes"):
        found.areas(width=3, crs="degrees")
    for width in (0, -1, float("inf"), float("nan"), "3", None):
        with pytest.raises(RequestError, match="width must be"):
            found.areas(width=width, crs="plane")
    with pytest.raises(RequestError, match="sources must be"):
        apsp.stream_isochrones(graph, None, 3, width=1, crs="plane")
    with pytest.raises(GraphError, match="has no coordinates"):
        apsp.stream_isochrones(apsp.from_edges([0], [1]), 0, 3, width=1, crs="plane")
    blocks = apsp.stream_isochrones(graph, [0, 1], 3, width=1, crs="plane")
    with pytest.raises(RequestError, match=r"\.parquet or \.geojson"):
        blocks.write(tmp_path / "areas.csv")
    with pytest.raises(OutputError):
        blocks.write(tmp_path / "none" / "areas.parquet")
    blocks.write(tmp_path / "areas.parquet")
    before = (tmp_path / "areas.parquet").read_bytes()

    def fail(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        apsp.stream_isochrones(graph, [0, 1], 3, width=1, crs="plane").write(tmp_path / "areas.parquet", seen=fail)
    assert (tmp_path / "areas.parquet").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["areas.parquet"]
