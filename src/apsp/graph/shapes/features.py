"""Geometries with a row of a table each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from apsp._types import CrsLike, GeoDataFrame, JsonObject, NumPyArray, PathLike
from apsp.errors import GraphError, RequestError
from apsp.graph.arc_positions import arcs_between
from apsp.graph.bends import Bends, joined
from apsp.graph.labels import Labels
from apsp.graph.labels.placed import PlacedLabels
from apsp.graph.long_table import LongTable
from apsp.graph.places.places import Places
from apsp.graph.places.street_lines import beside
from apsp.graph.shapes.geo_files import check_columns, check_geo_path, write_features
from apsp.graph.shapes.systems import CoordinateSystem, system_known
from apsp.system.lack_of_memory import memory_errors
from apsp.system.optional import needed

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["Features", "at_vertices", "checked_coordinates", "path_corners", "path_lines"]

_WORDS = "the geometries of features"


@dataclass(frozen=True, eq=False, repr=False)
class Features:
    """Geometries of shapely with columns: what libraries of maps and geographic files take.

    `Graph.features`, and the method `features` of results, make them. Anything that reads `__geo_interface__` takes
    them as they are: GeoPandas, folium, Altair, pydeck.

    Parameters
    ----------
    table : LongTable
        The columns.
    geometries : (k,) array of objects
        Of shapely; None for rows without coordinates.
    kinds : tuple of str
        The types that may occur, as GeoJSON calls them.
    system : CoordinateSystem or None
        What the coordinates are; None if it was not said.
    known : str or None
        What the graph knows of the coordinates (`Graph.crs`).

    Examples
    --------
    >>> import apsp, shapely
    >>> graph = apsp.from_edges([0], [1], [60], coordinates=[[9.0, 45.5], [9.1, 45.5]])
    >>> features = graph.features({"jobs": [3, 4]}, crs="degrees")
    >>> features
    Features(2 of type Point, EPSG:4326)
    >>> features.__geo_interface__["features"][1]["properties"]
    {'vertex': 1, 'jobs': 4}
    """

    table: LongTable
    geometries: NumPyArray
    kinds: tuple[str, ...]
    system: CoordinateSystem | None = None
    known: str | None = None

    def __len__(self) -> int:
        return len(self.geometries)

    def __repr__(self) -> str:
        name = "" if self.system is None else f", {self.system.name or 'a plane'}"
        return f"Features({len(self):,} of type {' or '.join(self.kinds)}{name})"

    def _named(self, crs: CrsLike | None) -> Features:
        """The same with a system that a caller names, or the graph knows; millionths of degrees become degrees."""
        if self.system is not None and crs is None:
            return self
        system = system_known(crs, self.known)
        if self.system is not None:
            if system is None or system.name != self.system.name:
                raise RequestError(f"crs={crs!r}: the coordinates are {self.system.name or 'those of a plane'} already")
            return self
        if system is None:
            return self
        degree, geometries = system.degree, self.geometries
        if degree is not None and degree != 1:
            shapely = needed("shapely", _WORDS)
            geometries = shapely.transform(geometries.copy(), lambda points: points * degree)
        return replace(self, geometries=geometries, system=system)

    @property
    def __geo_interface__(self) -> JsonObject:
        """A FeatureCollection of GeoJSON, in the coordinates of the geometries."""
        return {"type": "FeatureCollection", "features": list(self.each())}

    def each(self) -> Iterator[JsonObject]:
        """Yield the features of GeoJSON one after the other.

        Yields
        ------
        dict
            Type, geometry and properties.

        Examples
        --------
        >>> import apsp, shapely
        >>> graph = apsp.from_edges([0], [1], [60], coordinates=[[0, 0], [100, 0]])
        >>> next(graph.features().each())["geometry"]
        {'type': 'Point', 'coordinates': (0.0, 0.0)}
        """
        mapping = needed("shapely.geometry", _WORDS).mapping
        columns = self.table.to_dict()
        names, rows = list(columns), zip(*(column.tolist() for column in columns.values()), strict=True)
        for geometry, row in zip(self.geometries, rows, strict=True):
            shape = None if geometry is None else mapping(geometry)
            yield {"type": "Feature", "geometry": shape, "properties": dict(zip(names, row, strict=True))}

    @memory_errors
    def to_geopandas(self) -> GeoDataFrame:
        """Return a GeoDataFrame of GeoPandas, with the coordinate system if one was named.

        Returns
        -------
        geopandas.GeoDataFrame
            The columns, and a column 'geometry'.

        Raises
        ------
        MissingDependencyError
            If GeoPandas is not installed.

        Examples
        --------
        >>> import apsp, geopandas
        >>> graph = apsp.from_edges([0], [1], [60], coordinates=[[9.0, 45.5], [9.1, 45.5]])
        >>> frame = graph.features({"jobs": [3, 4]}, crs="degrees").to_geopandas()
        >>> frame.columns.tolist(), frame.crs.is_geographic, frame.geometry[1].x
        (['vertex', 'jobs', 'geometry'], True, 9.1)
        """
        geopandas = needed("geopandas", "to_geopandas")
        check_columns(self.table)
        frame = self.table.to_pandas("to_geopandas")
        return geopandas.GeoDataFrame(
            frame, geometry=list(self.geometries), crs=None if self.system is None else self.system.name
        )

    @memory_errors
    def write(self, path: PathLike) -> None:
        """Write a GeoParquet or GeoJSON file, which appears complete or not at all.

        Parameters
        ----------
        path : str or Path
            The file, which ends in .parquet (GeoParquet 1.1) or .geojson. GeoJSON holds longitudes and latitudes only.

        Raises
        ------
        RequestError
            If it has another ending, or the coordinates are not those of GeoJSON.
        MissingDependencyError
            If pyarrow, which writes Parquet, or shapely is not installed.
        OutputError
            If the file cannot be written.

        Examples
        --------
        >>> import apsp, shapely, json
        >>> from pathlib import Path
        >>> graph = apsp.from_edges([0], [1], [60], coordinates=[[9.0, 45.5], [9.1, 45.5]])
        >>> graph.features(crs="degrees").write("crossings.geojson")
        >>> len(json.loads(Path("crossings.geojson").read_text())["features"])
        2
        """
        check_geo_path(path, self.system)
        write_features(self, iter(()), path)


def checked_coordinates(coordinates: Any) -> NumPyArray:
    """The coordinates.

    Raises
    ------
    GraphError
        If there are none.
    """
    if coordinates is None:
        raise GraphError(
            "the graph has no coordinates, which geometries need: apsp.from_edges(..., coordinates=...), or a file "
            "with coordinates"
        )
    found: NumPyArray = coordinates
    return found


def at_vertices(
    table: LongTable, coordinates: Any, known: str | None, column: Literal["vertex", "source"] = "vertex"
) -> Features:
    """A table as points: each row where its vertex is; `known` is `Graph.crs`.

    Raises
    ------
    GraphError
        If there are no coordinates.
    """
    shapely = needed("shapely", _WORDS)
    points = checked_coordinates(coordinates)[table.columns[column]]
    found = np.full(len(points), None, dtype=object)
    there = np.isfinite(points).all(axis=1)
    found[there] = shapely.points(points[there])
    return Features(table, found, ("Point",), known=known)


def path_lines(
    graph: Graph, offsets: NumPyArray, positions: NumPyArray, before: Bends | None = None, after: Bends | None = None,
    links: NumPyArray | None = None,
) -> NumPyArray:  # fmt: skip
    """Lines along paths and the bends of their links; a path of one point is a point as a line, and no path is None.

    Parameters
    ----------
    graph : Graph
        Vertices that no arc joins are joined by straight lines.
    offsets : (k + 1,) int64
        Path i is positions[offsets[i] : offsets[i + 1]].
    positions : (p,) int32
    before, after : Bends, optional
        Points before the first vertex of each path, and after the last one.
    links : integers, optional
        The links between the vertices of each path, one path after another, where these are not those of the arcs.

    Raises
    ------
    GraphError
        If there are no coordinates, or a vertex on a path has none.
    """
    shapely = needed("shapely", _WORDS)
    every = path_corners(graph, offsets, positions, before, after, links)
    counts = np.diff(every.indptr)
    some = np.flatnonzero(counts)
    number = np.repeat(np.arange(len(some)), np.maximum(counts[some], 2))
    points = np.repeat(every.points, np.where(counts[some] == 1, 2, 1).repeat(counts[some]), axis=0)
    found = np.full(len(counts), None, dtype=object)
    if len(some):
        found[some] = shapely.linestrings(points, indices=number)
    return found


def path_corners(
    graph: Graph, offsets: NumPyArray, positions: NumPyArray, before: Bends | None = None, after: Bends | None = None,
    links: NumPyArray | None = None,
) -> Bends:  # fmt: skip
    """The points of paths: their vertices, and between two of them the bends of the link that the arc takes.

    Parameters and errors are those of `path_lines`.
    """
    parts = [each for each in (before, _between_ends(graph, offsets, positions, links), after) if each is not None]
    return joined(parts) if len(parts) > 1 else parts[0]


def _between_ends(graph: Graph, offsets: NumPyArray, positions: NumPyArray, links: NumPyArray | None) -> Bends:
    """Those between the first and the last vertex of each path."""
    points = checked_coordinates(graph.coordinates)[positions]
    if not np.isfinite(points).all():
        raise GraphError("a vertex on a path has no coordinates, so the path is no line on a map")
    if graph.links is not None and graph.links.bends is None:
        return Bends(offsets, points)
    is_head = np.ones(len(positions), dtype=bool)
    is_head[offsets[:-1][np.diff(offsets) > 0]] = False
    heads = np.flatnonzero(is_head)
    if graph.links is None:
        bends = _on_streets(graph.labels, positions, heads, (points[heads - 1] == points[heads]).all(axis=1))
        if bends is None:
            return Bends(offsets, points)
    else:
        if links is None:
            arcs = arcs_between(graph.indptr, graph.indices, positions[heads - 1], positions[heads])
            heads, arcs = heads[arcs >= 0], arcs[arcs >= 0]
            links = graph.links.chosen[arcs]
        assert graph.links.bends is not None
        bends = graph.links.bends.along(links, graph.links.tails[links] != positions[heads - 1])
    counts = np.diff(bends.indptr)
    more = np.zeros(len(positions) + 1, dtype=np.int64)
    more[heads + 1] = counts
    return Bends(offsets + np.cumsum(more)[offsets], np.insert(points, np.repeat(heads, counts), bends.points, axis=0))


def _on_streets(labels: Labels, positions: NumPyArray, heads: NumPyArray, at_one: NumPyArray) -> Bends | None:
    """The points on the streets of places that are ends of steps, except of those `at_one` point; None: no places."""
    if not isinstance(labels, PlacedLabels) or not labels.keys:
        return None
    places = [each for each in labels.keys if isinstance(each, Places)]
    ends = (np.where(at_one, -1, positions[each] - len(labels.own)) for each in (heads - 1, heads))
    return joined([beside(places, each) for each in ends])
