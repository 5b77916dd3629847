"""Features of graphs and results: one implementation for all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.errors import GraphError, RequestError

shapely = pytest.importorskip("shapely")

PLACES = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [np.nan, np.nan]])


def graph(**options: Any) -> apsp.Graph:
    given = {"coordinates": PLACES, "labels": ["a", "b", "c", "d"]} | options
    return apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2], directed=False, **given)


RESULTS: dict[str, Callable[[apsp.Graph], Any]] = {
    "accessibility": lambda g: apsp.accessibility(g, {"jobs": [1, 2, 3, 4]}, cutoffs=[4, 9]),
    "nearest": lambda g: apsp.nearest(g, ["c"]),
    "isochrone": lambda g: apsp.isochrone(g, "a", [4, 9]),
    "paths": lambda g: apsp.prepare(g).paths(["a", "c"], ["c", "c"]),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_features(name: str, tmp_path: Path) -> None:
    geopandas = pytest.importorskip("geopandas")
    result = RESULTS[name](graph())
    found = result.__geo_interface__
    assert found["type"] == "FeatureCollection"
    table = result.features().table.to_dict()
    for feature, row in zip(found["features"], range(len(next(iter(table.values())))), strict=True):
        assert feature["properties"] == {column: table[column][row] for column in table}
        vertex = feature["properties"].get("vertex")
        if vertex is not None:
            place = PLACES["abcd".index(vertex)]
            assert feature["geometry"] == (
                None if np.isnan(place).any() else {"type": "Point", "coordinates": tuple(place.tolist())}
            )
    frame = result.to_geopandas("degrees")
    assert frame.crs == "EPSG:4326"
    assert frame.columns.tolist() == [*table, "geometry"]
    for ending in ("parquet", "geojson"):
        result.features("degrees").write(tmp_path / f"out.{ending}")
    assert len(geopandas.read_parquet(tmp_path / "out.parquet")) == len(frame)
    assert len(json.loads((tmp_path / "out.geojson").read_text())["features"]) == len(frame)
    with pytest.raises(GraphError, match="has no coordinates, which geometries need"):
        RESULTS[name](graph(coordinates=None)).features()


def test_paths_are_lines() -> None:
    oracle = apsp.prepare(graph())
    features = oracle.paths(["a", "c", "a"], ["c", "c", "a"]).features()
    assert [shape.wkt for shape in features.geometries] == [
        "LINESTRING (0 0, 1 0, 1 2)", "LINESTRING (1 2, 1 2)", "LINESTRING (0 0, 0 0)"
    ]  # fmt: skip
    assert features.table.to_dict()["distance"].tolist() == [7, 0, 0]
    lines = graph().path_features([["a", "b", "c"], [], ["b", "a"]])
    assert [shape and shape.wkt for shape in lines.geometries] == [
        "LINESTRING (0 0, 1 0, 1 2)", None, "LINESTRING (1 0, 0 0)"
    ]  # fmt: skip
    assert lines.table.to_dict()["source"].tolist() == ["a", None, "b"]
    with pytest.raises(GraphError, match="no coordinates, so the path is no line"):
        graph().path_features([["c", "d"]])
    with pytest.raises(RequestError, match="sequence of paths"):
        graph().path_features(["a", "b"])


def test_values_of_vertices_and_arcs() -> None:
    g = graph()
    values = apsp.betweenness_centrality(g)
    points = g.features({"betweenness": values}, crs="microdegrees")
    assert points.geometries[2].coords[0] == (1e-6, 2e-6)
    assert points.geometries[3] is None
    assert points.table.to_dict()["betweenness"].tolist() == values.tolist()
    by_label = g.features({"c": 3, "a": 1, "b": 2, "d": 4})
    assert by_label.table.to_dict()["value"].tolist() == [1, 2, 3, 4]
    lines = g.features(g.weights, of="arcs")
    assert [shape and shape.wkt for shape in lines.geometries[:3]] == [
        "LINESTRING (0 0, 1 0)", "LINESTRING (1 0, 0 0)", "LINESTRING (1 0, 1 2)"
    ]  # fmt: skip
    assert lines.geometries[-1] is None
    for values, words in (
        ([1, 2], "must be 4 numbers"),
        ({"vertex": [1] * 4}, "column 'vertex'"),
        (["x"] * 4, "numbers"),
    ):
        with pytest.raises(RequestError, match=words):
            g.features(values)
    with pytest.raises(RequestError, match="a column 'geometry' of their own"):
        g.features({"geometry": [1, 2, 3, 4]}).to_geopandas()


def test_names_of_systems() -> None:
    pytest.importorskip("pyproj")
    import pyproj

    g = graph()
    assert g.features(crs=pyproj.CRS("EPSG:25832")).system.degree is None
    assert g.features(crs="EPSG:4258").system.degree == 1
    for name, words in (("odd", "'degrees' are"), ("EPSG:1", "EPSG:1"), ("EPSG:4978", "neither")):
        with pytest.raises(RequestError, match=words):
            g.features(crs=name)
