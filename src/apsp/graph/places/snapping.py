"""The nearest streets of points."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from apsp._types import LabelsLike, PlacesLike
from apsp.errors import GraphError, RequestError, shown
from apsp.graph.arcs import Arcs
from apsp.graph.places.places import Places
from apsp.system.arguments import flag, number, one_of
from apsp.system.lack_of_memory import memory_errors

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["Snapping", "check_angles"]


class Snapping(Arcs):
    """`Graph.snap`."""

    @memory_errors
    def snap(
        self,
        points: PlacesLike,
        *,
        crs: Literal["degrees", "microdegrees", "plane"] | str | None = None,  # noqa: PYI051 - completed by editors
        limit: float | None = None,
        to: Literal["edge", "vertex"] = "edge",
        speed: float | None = None,
        largest_component: bool = False,
        labels: LabelsLike | str | None = None,
        unsnapped: Literal["error", "unreachable"] = "error",
    ) -> Places:
        """Find the nearest point of a street to each of some points.

        Parameters
        ----------
        points : (k, 2) numbers, table, mapping or file
            Points x, y: longitude first. An array; one point (x, y); a table of any library, or a dictionary of
            columns, with columns x and y, or longitude and latitude, or lon and lat; a dictionary of labels to (x, y);
            points of shapely, or a GeoDataFrame or GeoSeries; anything with `__geo_interface__`; or the name of a .csv,
            .geojson or .parquet file of these.
        crs : {'degrees', 'microdegrees', 'plane'}
            What the coordinates of the points, and of the graph, are: longitude and latitude ('EPSG:4326' is the same),
            millionths of them (DIMACS), or lengths in a plane, such as the metres of a projection. It is not guessed,
            and needed unless the graph knows it (`Graph.crs`).
        limit : number, optional
            Points that are farther away from every street are not snapped; in metres, or in units of the plane.
        to : {'edge', 'vertex'}
            Snap to streets, or to vertices.
        speed : number, optional
            What the way between a point and the street costs: its length per unit of the weights. 1.4 if weights are
            seconds and people walk 1.4 m/s; 1 if weights are lengths in the same unit; `math.inf` if it costs nothing.
            Distances need it, unless all points are on streets.
        largest_component : bool
            Only streets of the largest strong component, between any two of which there are paths.
        labels : sequence of k different hashable values, or str, optional
            Labels of the places, or the column (of GeoJSON: the property) that holds them. By default the index of a
            pandas object, the keys of a dictionary, and otherwise 0, 1, 2 ...
        unsnapped : {'error', 'unreachable'}
            What points beyond the limit are: an error where they are used, or places that no path reaches.

        Returns
        -------
        Places
            A place per point, in their order.

        Raises
        ------
        GraphError
            If the graph has no coordinates or no streets.
        RequestError
            If it is not clear what the coordinates are, a point is not two finite numbers, or an argument is invalid.
        FileFormatError
            If a file is not what its name says.
        MissingDependencyError
            If a file needs a package that is not installed.

        See Also
        --------
        table : From two tables of points to a matrix.

        Notes
        -----
        Streets are the arcs between two vertices whose coordinates are known, straight lines in the plane, and great
        circles of the sphere of radius 6,371,008.8 m for degrees: readers of files keep the vertices, not the bends
        between them. Lengths of ways are along the sphere, and good to a millimetre as such; which street is the
        nearest is decided with an error of at most 8 cm, since pieces of up to 2 km count as chords. (The earth is not
        a sphere: lengths differ from those on its ellipsoid by up to 0.6%.)

        Of equally near streets the first counts. A place whose nearest point is an end of a street is at that vertex,
        so that all streets there lead on. Parallel links are one street, with the weight of the best. Zones, and the
        arcs that connect them (`Graph.zones`), are no streets.

        Examples
        --------
        >>> import apsp
        >>> streets = apsp.from_edges([0, 1], [1, 2], [60, 80], coordinates=[[0, 0], [100, 0], [100, 200]])
        >>> places = streets.snap([[25, 10], [110, 150], [900, 0]], crs="plane", limit=50)
        >>> places
        Places(3, 1 beyond the limit)
        >>> places.arcs.tolist(), places.fractions.tolist(), places.legs.tolist()
        ([0, 1, -1], [0.25, 0.75, 0.0], [10.0, 10.0, inf])
        """
        from apsp.graph.places.frames import frame_of
        from apsp.graph.places.points import points_of
        from apsp.graph.places.streets import nearest_streets, nearest_vertices, strongly_connected

        graph = cast("Graph", self)
        frame = frame_of(crs, graph.crs)
        by_vertex = one_of(to, "to", ("edge", "vertex")) == "vertex"
        one_of(unsnapped, "unsnapped", ("error", "unreachable"))
        farthest = math.inf if limit is None else float(number(limit, "limit", least=0))
        pace = None if speed is None else float(number(speed, "speed"))
        if pace is not None and pace <= 0:
            raise RequestError(f"speed must be a number above 0, not {shown(speed)}")
        one_part = flag(largest_component, "largest_component")
        found = points_of(points, labels, frame)
        if graph.coordinates is None:
            raise GraphError(
                "the graph has no coordinates, which streets need: apsp.from_edges(..., coordinates=...), or a file "
                "with coordinates"
            )
        among: Any = np.isfinite(graph.coordinates).all(axis=1)
        if graph.zones is not None:
            among &= ~graph.zones
        if one_part:
            among &= strongly_connected(graph)
        if frame.degree is not None:
            check_angles(graph.coordinates[among] * frame.degree, frame.crs)
        space = frame.spaced(found.points)
        arcs, fractions = np.full(len(space), -1, dtype=np.int64), np.zeros(len(space))
        if by_vertex:
            vertices, there = nearest_vertices(graph, frame, among, found.points, farthest)
        else:
            arcs, fractions, there = nearest_streets(graph, frame, among, found.points, farthest)
            tails = np.searchsorted(graph.indptr, arcs, side="right") - 1
            vertices = np.where(arcs < 0, -1, np.where(fractions == 1.0, graph.indices[arcs], tails))
            arcs = np.where((fractions == 0.0) | (fractions == 1.0), -1, arcs)
        off = vertices < 0
        fractions = np.where(arcs < 0, 0.0, fractions)
        legs = np.where(off, math.inf, frame.lengths(space, there))
        on_street: Any = np.where(off[:, None], math.nan, frame.flat(there))
        return Places(
            graph, found.labels, found.points, arcs, vertices.astype(np.int32), fractions, on_street, legs, pace,
            unsnapped, frame.crs,
        )  # fmt: skip


def check_angles(points: Any, crs: str) -> None:
    """Raise RequestError if coordinates of a graph, in degrees, are not longitudes and latitudes."""
    if len(points) and (np.abs(points) > (180.0, 90.0)).any():
        raise RequestError(
            f"crs={crs!r}: the coordinates of the graph are not longitudes from -180 to 180 and latitudes from -90 to "
            "90: crs='plane' is for projected coordinates, 'microdegrees' for those of DIMACS files"
        )
