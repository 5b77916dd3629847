"""Nearest streets beside shapely and plain search; what callers give as points."""

from __future__ import annotations

import copy
import json
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
shapely = pytest.importorskip("shapely")

XY = [[0, 0], [100, 0], [100, 200]]


@pytest.fixture
def streets() -> apsp.Graph:
    return apsp.from_edges([0, 1], [1, 2], [60, 80], coordinates=XY, directed=False)


def random_graph(rng: np.random.Generator, scale: float, directed: bool = True) -> apsp.Graph:
    n, m = 40, 70
    points = rng.uniform(-1, 1, (n, 2)) * scale
    points[5] = points[6]  # a street without length
    points[7] = math.nan
    return apsp.from_edges(
        rng.integers(0, n, m), rng.integers(0, n, m), rng.integers(1, 9, m), n=n, coordinates=points, directed=directed
    )


@pytest.mark.parametrize("directed", [True, False])
def test_nearest_street_as_shapely(directed: bool) -> None:
    rng = np.random.default_rng(3)
    for scale in (1e-3, 1.0, 1e6):
        graph = random_graph(rng, scale, directed)
        tails, heads, xy = graph.tails(), graph.indices, graph.coordinates
        assert xy is not None
        there = np.flatnonzero(
            np.isfinite(xy[tails]).all(axis=1) & np.isfinite(xy[heads]).all(axis=1) & (tails != heads)
        )
        lines = shapely.linestrings([[xy[tails[arc]], xy[heads[arc]]] for arc in there])
        points = rng.uniform(-2, 2, (300, 2)) * scale
        found = graph.snap(points, crs="plane", speed=1)
        shapes = shapely.points(points)
        away = shapely.distance(shapes[:, None], lines[None, :])
        np.testing.assert_allclose(found.legs, away.min(axis=1), rtol=1e-9, atol=1e-9 * scale)
        np.testing.assert_allclose(np.hypot(*(points - found.on_street).T), found.legs, rtol=1e-9, atol=1e-9 * scale)
        on = found.arcs >= 0
        assert on.sum() > 50
        ends = xy[tails[found.arcs[on]]], xy[heads[found.arcs[on]]]
        between = ends[0] + found.fractions[on, None] * (ends[1] - ends[0])
        np.testing.assert_allclose(between, found.on_street[on], rtol=1e-9, atol=1e-9 * scale)
        assert (tails[found.arcs[on]] == found.vertices[on]).all()
        np.testing.assert_allclose(xy[found.vertices[~on]], found.on_street[~on], rtol=1e-9, atol=1e-9 * scale)
        assert ((found.fractions[on] > 0) & (found.fractions[on] < 1)).all()
        limit = float(np.median(found.legs))
        near = graph.snap(points, crs="plane", limit=limit)
        np.testing.assert_array_equal(near.snapped, found.legs <= limit)
        np.testing.assert_array_equal(near.arcs[near.snapped], found.arcs[near.snapped])


def haversine(a: Any, b: Any) -> Any:
    a, b = np.radians(a), np.radians(b)
    half = np.sin((b - a)[..., 1] / 2) ** 2 + np.cos(a[..., 1]) * np.cos(b[..., 1]) * np.sin((b - a)[..., 0] / 2) ** 2
    return 2 * 6_371_008.8 * np.arcsin(np.sqrt(half))


@pytest.mark.parametrize("middle", [(8.5, 47.4), (179.999, -16.5), (0.0, 89.95)])
def test_nearest_street_on_the_sphere(middle: tuple[float, float]) -> None:
    """Streets of up to 5 km, also across the antimeridian and near the pole: points of them at small steps."""
    rng = np.random.default_rng(4)
    spread = np.array([0.02 / max(math.cos(math.radians(middle[1])), 0.02), 0.02])

    def some(count: int) -> np.ndarray:
        places = middle + rng.uniform(-1, 1, (count, 2)) * spread
        places[:, 0] = (places[:, 0] + 180) % 360 - 180
        return places

    xy, points = some(30), some(60)
    graph = apsp.from_edges(rng.integers(0, 30, 40), rng.integers(0, 30, 40), coordinates=xy, n=30)
    found = graph.snap(points, crs="degrees", speed=1)
    micro = apsp.from_edges(graph.tails(), graph.indices, coordinates=xy * 1e6, n=30)
    np.testing.assert_allclose(micro.snap(points * 1e6, crs="microdegrees").legs, found.legs, rtol=1e-9, atol=1e-6)
    np.testing.assert_allclose(haversine(points, found.on_street), found.legs, rtol=1e-9, atol=1e-6)
    steps = np.linspace(0, 1, 4001)[:, None]
    least = np.full(len(points), np.inf)
    at = {}
    for arc, (tail, head) in enumerate(zip(graph.tails(), graph.indices, strict=True)):
        if tail == head:
            continue
        ends = [
            np.array([math.cos(y) * math.cos(x), math.cos(y) * math.sin(x), math.sin(y)])
            for x, y in np.radians(xy[[tail, head]])
        ]
        angle = math.acos(min(1.0, float(ends[0] @ ends[1])))
        line = (np.sin((1 - steps) * angle) * ends[0] + np.sin(steps * angle) * ends[1]) / math.sin(angle)
        there = np.degrees(np.stack([np.arctan2(line[:, 1], line[:, 0]), np.arcsin(line[:, 2])], axis=1))
        away = haversine(points[:, None, :], there[None, :, :])
        least = np.minimum(least, away.min(axis=1))
        at[arc] = there
    np.testing.assert_allclose(found.legs, least, atol=1.0)  # the steps are up to 1.25 m long
    assert (found.legs <= least + 0.08).all()
    for row in np.flatnonzero(found.arcs >= 0):
        there = at[int(found.arcs[row])][round(found.fractions[row] * 4000)]
        assert haversine(there, found.on_street[row]) < 1.0


def test_the_index_of_a_graph_is_stored_by_what_was_requested() -> None:
    xy = [[0, 0], [10, 0], [20, 0], [30, 0]]
    graph = apsp.from_edges([0, 1, 2], [1, 0, 3], [1, 1, 1], coordinates=xy)
    ways: list[dict[str, Any]] = [
        {"crs": crs, "to": to, "largest_component": part}
        for crs in ("plane", "degrees", "microdegrees") for to in ("edge", "vertex") for part in (False, True)
    ]  # fmt: skip
    points = [[26, 1], [4, 3], [22, 0]]
    for how in (*ways, *ways):
        fresh = apsp.from_edges([0, 1, 2], [1, 0, 3], [1, 1, 1], coordinates=xy).snap(points, **how)
        found = graph.snap(points, **how)
        for name in ("arcs", "vertices", "fractions", "legs", "on_street"):
            np.testing.assert_array_equal(getattr(found, name), getattr(fresh, name))
    copied = pickle.loads(pickle.dumps(graph))
    assert copied.snap(points, crs="plane").vertices.tolist() == graph.snap(points, crs="plane").vertices.tolist()
    assert len(pickle.dumps(graph)) < 2_000, "without its index"


def test_to_vertices_and_components() -> None:
    xy = [[0, 0], [10, 0], [20, 0], [30, 0]]
    graph = apsp.from_edges([0, 1, 2], [1, 0, 3], [1, 1, 1], coordinates=xy)
    points = [[26, 1], [4, 3], [22, 0]]
    assert graph.snap(points, crs="plane", to="vertex").vertices.tolist() == [3, 0, 2]
    assert graph.snap(points, crs="plane", to="vertex").legs.tolist() == [math.hypot(4, 1), 5.0, 2.0]
    one = graph.snap(points, crs="plane", largest_component=True)
    assert one.vertices.tolist() == [1, 0, 1]
    assert one.arcs.tolist() == [-1, 0, -1]
    assert graph.snap(points, crs="plane").arcs.tolist() == [2, 0, 2]
    zoned = apsp.from_edges([0, 1, 2], [1, 0, 3], [1, 1, 1], coordinates=xy, zones=[False, False, True, False])
    assert zoned.snap([[25, 0]], crs="plane").vertices.tolist() == [1]


def test_speeds(streets: apsp.Graph) -> None:
    assert streets.snap([[25, 10]], crs="plane", speed=2).costs.tolist() == [5.0]
    assert streets.snap([[25, 10]], crs="plane", speed=math.inf).costs.tolist() == [0.0]
    assert streets.snap([[25, 0]], crs="plane").costs.tolist() == [0.0]
    with pytest.raises(apsp.RequestError, match="speed="):
        _ = streets.snap([[25, 10]], crs="plane").costs
    for speed in (0, -1, math.nan, "1"):
        with pytest.raises(apsp.RequestError, match="speed must be"):
            streets.snap([[25, 10]], crs="plane", speed=speed)  # type: ignore[arg-type]


def points_in_many_forms(folder: Path) -> dict[str, Any]:
    names, x, y = ["a", "b"], [25.0, 90.0], [10.0, 0.0]
    features = [
        {"type": "Feature", "properties": {"name": n}, "geometry": {"type": "Point", "coordinates": [a, b]}}
        for n, a, b in zip(names, x, y, strict=True)
    ]
    collection = {"type": "FeatureCollection", "features": features}
    (folder / "points.csv").write_text("name, x,y\na,25,10\n\nb,90.0,0\n")
    (folder / "points.geojson").write_text(json.dumps(collection))
    table = pa.table({"name": names, "lon": x, "lat": y})
    pq.write_table(table, folder / "points.parquet")
    shapes = shapely.to_wkb(shapely.points(x, y)).tolist()
    geo = pa.table({"name": names, "x": [0.0, 0.0], "geom": shapes})
    meta = {b"geo": json.dumps({"primary_column": "geom", "columns": {"geom": {"crs": None}}}).encode()}
    pq.write_table(geo.replace_schema_metadata(meta), folder / "geo.parquet")
    return {
        "frame": pd.DataFrame({"name": names, "Longitude": x, "Latitude": y}),
        "polars": pl.DataFrame({"name": names, "x": x, "y": y}),
        "arrow": table,
        "columns": {"name": names, "x": x, "y": y},
        "csv": folder / "points.csv",
        "geojson": str(folder / "points.geojson"),
        "parquet": folder / "points.parquet",
        "geoparquet": folder / "geo.parquet",
        "interface": collection,
    }


def test_tables_and_files(streets: apsp.Graph, tmp_path: Path) -> None:
    for form, given_points in points_in_many_forms(tmp_path).items():
        found = streets.snap(given_points, crs="plane", labels="name")
        assert found.points.tolist() == [[25.0, 10.0], [90.0, 0.0]], form
        assert list(found.labels) == ["a", "b"], form
        assert list(streets.snap(given_points, crs="plane").labels) == [0, 1], form
        with pytest.raises(apsp.RequestError, match=r"nothing.* for labels"):
            streets.snap(given_points, crs="plane", labels="nothing")


def test_arrays_and_shapes(streets: apsp.Graph) -> None:
    frame = pd.DataFrame({"x": [25.0, 90], "y": [10.0, 0]}, index=["a", "b"])
    for named in (frame, {"a": (25, 10), "b": (90, 0)}):
        assert list(streets.snap(named, crs="plane").labels) == ["a", "b"]
    for plain in (
        [[25, 10], [90, 0]],
        shapely.points([[25, 10], [90, 0]]).tolist(),
        shapely.MultiPoint([(25, 10), (90, 0)]),
    ):
        assert streets.snap(plain, crs="plane").points.tolist() == [[25.0, 10.0], [90.0, 0.0]]
    assert streets.snap((25, 10), crs="plane").points.tolist() == [[25.0, 10.0]]
    assert streets.snap(shapely.Point(25, 10), crs="plane").points.tolist() == [[25.0, 10.0]]
    assert len(streets.snap([], crs="plane")) == 0
    assert list(streets.snap([[1, 2], [3, 4]], crs="plane", labels=["p", "q"]).labels) == ["p", "q"]


class Frame(pd.DataFrame):
    """What GeoDataFrame has, without the package."""

    crs: Any = None

    @property
    def geom_type(self) -> Any:
        return self.geometry.geom_type

    @property
    def geometry(self) -> Any:
        return Shapes(self["shape"])


class Shapes:
    def __init__(self, shapes: Any) -> None:
        self.geom_type = shapes.map(lambda shape: shape.geom_type)
        self.x, self.y = shapes.map(lambda shape: shape.x), shapes.map(lambda shape: shape.y)


class System:
    is_geographic = True

    def to_string(self) -> str:
        return "EPSG:4326"


@pytest.mark.filterwarnings("ignore:Pandas doesn't allow columns")
def test_frames_of_geometries(streets: apsp.Graph) -> None:
    frame = Frame({"shape": [shapely.Point(25, 10)], "name": ["a"]}, index=["i"])
    assert list(streets.snap(frame, crs="plane").labels) == ["i"]
    assert list(streets.snap(frame, crs="plane", labels="name").labels) == ["a"]
    frame.crs = System()
    with pytest.raises(apsp.RequestError, match="longitudes and latitudes"):
        streets.snap(frame, crs="plane")


@pytest.mark.parametrize(
    ("points", "options", "words"),
    [
        ([[1, 2]], {}, "crs= is missing: 'degrees'"),
        ([[1, 2]], {"crs": "EPSG:3857"}, "crs='EPSG:3857'"),
        ([[1, 2, 3]], {"crs": "plane"}, "must have shape"),
        ([["a", "b"]], {"crs": "plane"}, "pairs of numbers"),
        ([[1, math.nan]], {"crs": "plane"}, "point 0 has no place"),
        ([[1, 91]], {"crs": "degrees"}, "longitude comes first"),
        ([[1, 2]], {"crs": "degrees"}, "coordinates of the graph are not longitudes"),
        ({"east": [1], "north": [2]}, {"crs": "plane", "labels": "name"}, "two columns"),
        ({"x": ["a"], "y": [2]}, {"crs": "plane"}, "does not hold numbers"),
        ([[1, 2], [3, 4]], {"crs": "plane", "labels": ["a", "a"]}, "different labels"),
        ([[1, 2], [3, 4]], {"crs": "plane", "labels": ["a"]}, "1 labels for 2 points"),
        ([[1, 2]], {"crs": "plane", "to": "street"}, "to must be one of"),
        ([[1, 2]], {"crs": "plane", "unsnapped": "ignore"}, "unsnapped must be"),
        ([[1, 2]], {"crs": "plane", "limit": -1}, "limit must be"),
        ([[1, 2]], {"crs": "plane", "labels": "name"}, "not a table"),
        ("points.txt", {"crs": "plane"}, "files that end in"),
        ({"type": "Polygon", "coordinates": []}, {"crs": "plane"}, "geometries must be points"),
    ],
)
def test_what_is_refused(streets: apsp.Graph, points: Any, options: dict, words: str) -> None:
    with pytest.raises(apsp.RequestError, match=words):
        streets.snap(points, **options)


def test_damaged_files(streets: apsp.Graph, tmp_path: Path) -> None:
    for name, content in {
        "a.csv": b"", "b.csv": b"x,y\n1\n", "c.csv": b"\xff\xfe", "d.geojson": b"{", "e.json": b"[1]",
        "f.parquet": b"PAR1",
    }.items():  # fmt: skip
        (tmp_path / name).write_bytes(content)
        with pytest.raises(apsp.FileFormatError):
            streets.snap(tmp_path / name, crs="plane")
    with pytest.raises(apsp.MissingFileError):
        streets.snap(tmp_path / "none.csv", crs="plane")


def test_graphs_without_streets() -> None:
    with pytest.raises(apsp.GraphError, match="no coordinates"):
        apsp.from_edges([0], [1]).snap([[1, 2]], crs="plane")
    with pytest.raises(apsp.GraphError, match="no streets"):
        apsp.from_edges([0], [0], coordinates=[[0, 0]]).snap([[1, 2]], crs="plane")
    with pytest.raises(apsp.GraphError, match="no vertices"):
        apsp.from_edges([0], [0], coordinates=[[math.nan, 0]]).snap([[1, 2]], crs="plane", to="vertex")


def test_some_places(streets: apsp.Graph) -> None:
    places = streets.snap({"a": (25, 10), "b": (90, 0), "c": (900, 0)}, crs="plane", limit=50)
    assert repr(places) == "Places(3, 1 beyond the limit)"
    assert list(places[1].labels) == ["b"]
    assert list(places[places.snapped].labels) == ["a", "b"]
    assert list(places[[2, 0]].labels) == ["c", "a"]
    assert places.at("b").points.tolist() == [[90, 0]]
    for chosen in (3, "a", [0, 0], None):
        with pytest.raises(apsp.RequestError, match="place"):
            places[chosen]
    with pytest.raises(apsp.GraphError):
        places.at("z")
    with pytest.raises(ValueError, match="read-only"):
        places.legs[0] = 1.0
    assert places.to_pandas()["tail"].tolist() == [0, 0, -1]


@pytest.mark.parametrize(
    ("fields", "labels"), [(["007", "8"], ["007", "8"]), (["7", "-8"], [7, -8]), (["1.0", "2"], ["1.0", "2"])]
)
def test_labels_of_csv_files_are_what_is_written(tmp_path: Path, fields: list[str], labels: list[Any]) -> None:
    street = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[0, 0], [100, 0]])
    file = tmp_path / "points.csv"
    file.write_text("code,x,y\n" + "".join(f"{field},{x},0\n" for x, field in enumerate(fields)))
    assert list(street.snap(file, crs="plane", labels="code").labels) == labels


@pytest.mark.parametrize(
    ("system", "right", "wrong"),
    [
        ({}, "degrees", "plane"),
        ({"crs": {"type": "GeographicCRS", "name": "WGS 84"}}, "degrees", "plane"),
        ({"crs": {"type": "ProjectedCRS", "name": "UTM 32N"}}, "plane", "degrees"),
    ],
)
def test_the_system_of_a_geoparquet_file_is_not_contradicted(
    tmp_path: Path, system: dict[str, Any], right: str, wrong: str
) -> None:
    """Without an entry it is OGC:CRS84 by the definition of GeoParquet; null is unknown."""
    street = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[0, 0], [1, 0]])
    file = tmp_path / "points.parquet"
    meta = {b"geo": json.dumps({"primary_column": "geom", "columns": {"geom": system}}).encode()}
    table = pa.table({"geom": shapely.to_wkb(shapely.points([0.25], [0.0])).tolist()})
    pq.write_table(table.replace_schema_metadata(meta), file)
    assert street.snap(file, crs=right).fractions.tolist() == pytest.approx([0.25])
    with pytest.raises(apsp.RequestError, match=r"points\.parquet: the points are .*, which crs= contradicts"):
        street.snap(file, crs=wrong)


def test_the_system_of_a_geojson_file_is_not_contradicted(tmp_path: Path) -> None:
    street = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[0, 0], [1, 0]])
    file = tmp_path / "points.geojson"
    system = {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}
    file.write_text(json.dumps({"type": "MultiPoint", "coordinates": [[0.5, 0]], "crs": system}))
    assert street.snap(file, crs="degrees").fractions.tolist() == pytest.approx([0.5])
    with pytest.raises(apsp.RequestError, match=r"longitudes and latitudes .*CRS84"):
        street.snap(file, crs="plane")


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda places: pickle.loads(pickle.dumps(places))])
def test_copies_of_places_are_immutable(copied: Callable[[apsp.Places], apsp.Places]) -> None:
    street = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[0, 0], [100, 0]])
    places = copied(street.snap([[25, 10], [90, 0]], crs="plane", speed=2))
    assert places.fractions.tolist() == [0.25, 0.9]
    for name in ("points", "arcs", "vertices", "fractions", "on_street", "legs"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(places, name)[0] = 0
