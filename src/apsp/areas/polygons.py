"""Polygons around what is within cutoffs of sources: all points within a width of a reached part of a street."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import CrsLike
from apsp.areas.pieces import Pieces, ReachedStreets
from apsp.areas.planes import SpherePlanes
from apsp.areas.trails import Trails
from apsp.errors import RequestError, shown
from apsp.graph.model import Graph
from apsp.graph.places.frames import Frame
from apsp.graph.places.snapping import check_angles
from apsp.graph.shapes.features import checked_coordinates
from apsp.graph.shapes.systems import CoordinateSystem, system_known, system_of
from apsp.methods.problem import IntArray, KernelProgress
from apsp.methods.searches.near import NearRows
from apsp.system.arguments import flag, number
from apsp.system.optional import needed
from apsp.system.threads import Threads

__all__ = ["Outlines", "outlines_of"]

Floats = npt.NDArray[np.float64]

_AT_ONCE = 8
"""Sources whose polygons a thread computes before it looks for an interruption."""

_CORNERS = 4
"""Corners of a quarter of a circle: the outline is at most 2% nearer than the circle."""

_SLACK = 0.99
"""GEOS straightens a line by up to 1% of the width before it computes the outline."""

_WIDEST = 1e100
"""Squares of wider polygons are beyond float64."""


@dataclass(frozen=True)
class Outlines:
    """How polygons are made.

    Attributes
    ----------
    frame : Frame
        What the coordinates are.
    width : float
        In the unit of the frame.
    holes : bool
        Whether polygons have holes.
    """

    frame: Frame
    width: float
    holes: bool

    def around(
        self, graph: Graph, trails: Trails, sources: IntArray, near: NearRows, cutoffs: tuple[int | float, ...],
        threads: int, progress: KernelProgress | None,
    ) -> Any:  # fmt: skip
        """Polygons of shapely, (S, c); `near` has what is within the longest cutoff of each source.

        GEOS works without the lock of the interpreter, so that threads share the sources.
        """
        found = np.empty((len(sources), len(cutoffs)), dtype=object)
        parts = [slice(start, start + _AT_ONCE) for start in range(0, len(sources), _AT_ONCE)]

        def compute(part: slice) -> None:
            found[part] = self._around(graph, trails, sources[part], _rows_of(near, part), cutoffs)

        done = 0
        with Threads(threads, "apsp-isochrones") as others:
            alone = threads == 1 or len(parts) == 1
            results = [None if alone else others.submit(compute, part) for part in parts]
            try:
                for part, result in zip(parts, results, strict=True):
                    if result is None:
                        compute(part)
                    else:
                        result.result()
                    done += len(sources[part])
                    if progress is not None:
                        progress(done)
            except BaseException:
                others.shutdown(cancel_futures=True)
                raise
        return found

    def _around(
        self, graph: Graph, trails: Trails, sources: IntArray, near: NearRows, cutoffs: tuple[int | float, ...]
    ) -> Any:
        """Those of a few sources."""
        shapely = needed("shapely", "polygons of isochrones")
        streets = ReachedStreets.of(graph, trails, sources, near)
        planes = None if self.frame.degree is None else self._planes(trails, sources, streets)
        found = np.full((len(sources), len(cutoffs)), shapely.Polygon(), dtype=object)
        alone = self._points(shapely, trails, sources, planes)
        for column, cutoff in enumerate(cutoffs):
            pieces = streets.within(cutoff)
            row, lines = self._lines(shapely, trails, pieces, planes)
            together = np.concatenate([np.arange(len(sources)), row])
            order = np.argsort(together, kind="stable")
            reached = shapely.geometrycollections(np.concatenate([alone, lines])[order], indices=together[order])
            found[:, column] = shapely.buffer(reached, _SLACK * self.width, quad_segs=_CORNERS)
        if not self.holes:
            found = self._filled(shapely, found)
        if planes is not None:
            found = planes.degrees(found)
        return shapely.reverse(shapely.normalize(found))  # outer rings counter-clockwise, as in GeoJSON

    def _planes(self, trails: Trails, sources: IntArray, streets: ReachedStreets) -> SpherePlanes:
        """A plane around each source, or around a street that is reached if it has no coordinates."""
        centres = trails.space[sources]
        lost = np.flatnonzero(~np.isfinite(centres).all(axis=1))
        first = np.searchsorted(streets.rows, lost)
        some = streets.rows[np.minimum(first, len(streets.rows) - 1)] == lost if len(streets.rows) else first < 0
        centres[lost] = self.frame.spaced(np.zeros((1, 2)))
        centres[lost[some]] = trails.space[trails.begins[streets.streets[first[some]]]]
        return SpherePlanes(centres)

    def _points(self, shapely: Any, trails: Trails, sources: IntArray, planes: SpherePlanes | None) -> Any:
        """The sources as points; those without coordinates are empty."""
        points = trails.space[sources]
        known: npt.NDArray[np.bool_] = np.asarray(np.isfinite(points).all(axis=1))
        if planes is not None:
            points = np.where(known[:, None], 0.0, np.nan)[:, [0, 0]]
        found = np.full(len(sources), shapely.Point(), dtype=object)
        found[known] = shapely.points(points[known])
        return found

    def _lines(
        self, shapely: Any, trails: Trails, pieces: Pieces, planes: SpherePlanes | None
    ) -> tuple[npt.NDArray[np.int64], Any]:
        """Pieces as lines that go on along trails, and the number of the source of each."""
        rows, streets, begins, ends = pieces
        starts = np.ones(len(rows), dtype=bool)
        joins = (rows[1:] == rows[:-1]) & (streets[1:] == streets[:-1] + 1) & (ends[:-1] == 1) & (begins[1:] == 0)
        starts[1:] = ~(joins & trails.is_continued[streets[:-1]])
        points, part = trails.points(self.frame, streets, begins, ends, starts)
        if planes is not None:
            points = planes.flat(points, rows[part])
        lines = shapely.linestrings(points, indices=(np.cumsum(starts) - 1)[part])
        flat = np.flatnonzero(shapely.length(lines) == 0)  # GEOS leaves them out of what has several lines
        lines[flat] = shapely.get_point(lines[flat], 0)
        return rows[starts], lines

    def _filled(self, shapely: Any, polygons: Any) -> Any:
        """Polygons without their holes; parts that were in a hole of another part are gone."""
        found = polygons.copy()
        for place in np.ndindex(found.shape):
            outer = shapely.polygons(shapely.get_exterior_ring(shapely.get_parts(found[place])))
            found[place] = outer[0] if len(outer) == 1 else shapely.union_all(outer)
        return found


def _rows_of(near: NearRows, part: slice) -> NearRows:
    """What is near some sources, one after the other."""
    starts = near.starts[part.start : part.stop + 1]
    pairs = slice(int(starts[0]), int(starts[-1]))
    return NearRows(starts - starts[0], near.targets[pairs], near.distances[pairs])


def outlines_of(graph: Graph, width: float, crs: CrsLike | None, *, holes: bool) -> tuple[Outlines, CoordinateSystem]:
    """How polygons of a graph are made, and what their coordinates are; parameters are those of `Isochrones.areas`.

    Raises GraphError if the graph has no coordinates; RequestError or MissingDependencyError if an argument is invalid,
    or a package is missing.
    """
    needed("shapely", "polygons of isochrones")
    wide = float(number(width, "width"))
    if not 0 < wide < _WIDEST:
        raise RequestError(f"width must be a number above 0 and below {_WIDEST:g}, not {shown(width)}")
    system = system_known(crs, graph.crs) or system_of(crs)  # an error that lists what there is
    places = checked_coordinates(graph.coordinates)
    if system.degree is not None:
        check_angles(places[np.isfinite(places).all(axis=1)] * system.degree, str(crs or graph.crs))
    return Outlines(Frame(system.degree), wide, flag(holes, "holes")), system
