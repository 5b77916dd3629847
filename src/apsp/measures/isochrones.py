"""What is within cutoffs of some sources, as vertices, parts of arcs and areas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Unpack

import numpy as np
import numpy.typing as npt

from apsp._types import CrsLike, GraphLike, NumPyArray, VertexLike, VerticesLike
from apsp.api.solving import solve
from apsp.api.within.job import Parts
from apsp.areas.hulls import hull
from apsp.areas.pieces import fractions_within, longest_within
from apsp.areas.polygons import outlines_of
from apsp.areas.trails import Trails
from apsp.errors import GraphError, RequestError, shown
from apsp.facts.keywords import DistanceKeywords
from apsp.facts.request import Request
from apsp.graph.accept import graph_with_turns
from apsp.graph.arc_positions import arcs_between
from apsp.graph.device import DeviceGraph
from apsp.graph.first_rows import first_where
from apsp.graph.long_table import LongTable
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.places.frames import frame_of
from apsp.graph.places.placed import own_vertices, placed
from apsp.graph.places.street_lines import StreetLines
from apsp.graph.shapes import Features, Mapped
from apsp.graph.shapes.features import at_vertices
from apsp.graph.tabular import Tabular
from apsp.graph.to_numpy import HasDistances
from apsp.graph.turns.entered import check_entered, entered, streets_of
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.measures.stream_isochrones import every_vertex, searches_within
from apsp.methods.searches.near import NearRows
from apsp.result.isochrone_areas import IsochroneAreas
from apsp.result.result import Result
from apsp.running.arguments import Positions, positions_of
from apsp.running.blocks import Block
from apsp.running.public import public
from apsp.running.run import blocks_of, run_job
from apsp.semiring import unreachable
from apsp.system.arguments import cutoffs_of, longest_distance, number
from apsp.system.array_device import to_host
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import threads_from

__all__ = ["Isochrones", "ReachedArcs", "isochrone"]


class ReachedArcs(NamedTuple):
    """Arcs that begin within a cutoff.

    Attributes
    ----------
    tails, heads : (k,) arrays
        Labels of the ends.
    fractions : (k,) float64
        The part of the arc, from its tail on, that is within the cutoff: from 0 to 1.
    """

    tails: NumPyArray
    heads: NumPyArray
    fractions: npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Isochrones(HasDistances, Tabular, Mapped):
    """What is within one or more cutoffs of one or more sources.

    Parameters
    ----------
    graph : Graph
        The graph.
    source_positions : (S,) int32
        The sources, by position.
    cutoffs : tuple of int or float
        Ascending.
    indptr : (S + 1,) int64
        What is within the longest cutoff of source i is from indptr[i] to indptr[i + 1].
    positions : (P,) int32
        Vertices, by position, ascending for each source.
    distances : (P,) array
        Their distances from the source.

    Examples
    --------
    >>> import apsp
    >>> streets = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2], labels=["a", "b", "c", "d"])
    >>> found = apsp.isochrone(streets, "a", [4, 8])
    >>> found.vertices(cutoff=4).tolist(), found.vertices(cutoff=8).tolist()
    (['a', 'b'], ['a', 'b', 'c'])
    """

    graph: Graph
    source_positions: npt.NDArray[np.int32]
    cutoffs: tuple[int | float, ...]
    indptr: npt.NDArray[np.int64]
    positions: npt.NDArray[np.int32]
    distances: NumPyArray

    @property
    def sources(self) -> NumPyArray:
        """(S,) labels of the sources."""
        return self.graph.labels.take(self.source_positions)

    def vertices(self, source: VertexLike | None = None, cutoff: float | None = None) -> NumPyArray:
        """Return the vertices at a distance of at most the cutoff.

        Parameters
        ----------
        source : hashable, optional
            One of the sources; may be omitted if there is one.
        cutoff : number, optional
            At most the longest of the cutoffs, which is the default.

        Returns
        -------
        (k,) array
            Their labels, in the order of the graph.

        Raises
        ------
        RequestError, GraphError
            If the source or the cutoff is not one that was computed.

        Examples
        --------
        >>> import apsp
        >>> streets = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2])
        >>> apsp.isochrone(streets, [0, 1], 4).vertices(1).tolist()
        [1, 2]
        """
        row, limit = self._row(source), self._limit(cutoff)
        vertices, _ = self._within(row, limit)
        return self.graph.labels.take(vertices[vertices < own_vertices(self.graph)])

    def arcs(self, source: VertexLike | None = None, cutoff: float | None = None) -> ReachedArcs:
        """Return the arcs that begin within the cutoff, with the part of each that is within it.

        Parameters
        ----------
        source : hashable, optional
            As for `vertices`.
        cutoff : number, optional
            As for `vertices`.

        Returns
        -------
        ReachedArcs
            Tails, heads and fractions, (k,) each; an undirected edge has an arc from either end. Arcs that leave a zone
            other than the source are left out.

        Raises
        ------
        RequestError, GraphError
            As `vertices`.

        Examples
        --------
        >>> import apsp
        >>> streets = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2])
        >>> tails, heads, fractions = apsp.isochrone(streets, 0, 6).arcs()
        >>> tails.tolist(), heads.tolist(), fractions.round(3).tolist()
        ([0, 1], [1, 2], [1.0, 0.667])
        """
        tails, heads, fractions = self._arcs(self._row(source), self._limit(cutoff))
        take = streets_of(self.graph).labels.take
        return ReachedArcs(take(tails), take(heads), fractions)

    @memory_errors
    def polygon(
        self, source: VertexLike | None = None, cutoff: float | None = None, *, ratio: float = 0.1
    ) -> npt.NDArray[np.float64]:
        """Return the area around what is within the cutoff: a concave hull, or without shapely the convex hull.

        Parameters
        ----------
        source : hashable, optional
            As for `vertices`.
        cutoff : number, optional
            As for `vertices`.
        ratio : float
            From 0 (the hull follows the points most closely) to 1 (the convex hull); ignored without shapely.

        Returns
        -------
        (k, 2) float64
            The corners, counter-clockwise, the first again at the end. The hull is that of the vertices and of the
            reached parts of arcs: their bends, and the points where the cutoff is reached. If these are on one line,
            their ends are returned.

        Raises
        ------
        GraphError
            If the graph has no coordinates.
        RequestError
            If the source, the cutoff or the ratio is invalid.

        Notes
        -----
        The concave hull needs shapely (``pip install 'apsp[shapely]'``).

        Examples
        --------
        >>> import apsp
        >>> streets = apsp.from_edges([0, 0], [1, 2], [2, 2], coordinates=[[0, 0], [2, 0], [0, 2]])
        >>> apsp.isochrone(streets, 0, 1).polygon(ratio=1).tolist()
        [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
        """
        share = number(ratio, "ratio", least=0)
        if share > 1:
            raise RequestError(f"ratio must be a number from 0 to 1, not {shown(ratio)}")
        places = self.graph.coordinates
        if places is None:
            raise GraphError(
                "the graph has no coordinates, which a polygon needs: apsp.from_edges(..., coordinates=...), or a file "
                "with coordinates"
            )
        row, limit = self._row(source), self._limit(cutoff)
        tails, heads, fractions = self._arcs(row, limit)
        streets = streets_of(self.graph)
        if streets.links is None or streets.links.bends is None:
            at: Any = streets.coordinates  # as the graph has
            ends = at[tails] + fractions[:, None] * (at[heads] - at[tails])
        else:
            lines = StreetLines.of(
                streets, frame_of(self.graph.crs or "plane"),
                arcs_between(streets.indptr, streets.indices, tails, heads),
            )  # fmt: skip
            every = np.arange(len(tails))
            bends = lines.bends_between(every, np.zeros(len(tails)), fractions)
            ends = np.concatenate([bends.points, lines.frame.flat(lines.at(every, fractions))])
        return hull(np.concatenate([places[self._within(row, limit)[0]], ends]), share)

    @memory_errors
    def to_long(self) -> dict[str, NumPyArray]:
        """Return columns source, vertex, distance and cutoff, with a row per vertex within the longest cutoff.

        Returns
        -------
        dict of str to array
            The columns; 'cutoff' is the smallest one that the vertex is within.

        Examples
        --------
        >>> import apsp
        >>> streets = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2])
        >>> found = apsp.isochrone(streets, 0, [4, 8]).to_long()
        >>> found["vertex"].tolist(), found["distance"].tolist(), found["cutoff"].tolist()
        ([0, 1, 2], [0, 4, 7], [4, 4, 8])
        """
        return self._table().to_dict()

    def _table(self) -> LongTable:
        own = np.flatnonzero(self.positions < own_vertices(self.graph))
        return self._table_of(own, np.repeat(self.source_positions, np.diff(self.indptr))[own])

    def _head(self, rows: int) -> tuple[LongTable, int]:
        (own,), count = first_where(self.positions, lambda positions: positions < own_vertices(self.graph), rows)
        return self._table_of(own, self.source_positions[np.searchsorted(self.indptr, own, side="right") - 1]), count

    def _table_of(self, own: npt.NDArray[np.intp], sources: npt.NDArray[np.int32]) -> LongTable:
        distances = self.distances[own]
        bands, bounds = np.asarray(self.cutoffs), [longest_within(cutoff, distances.dtype) for cutoff in self.cutoffs]
        place = np.searchsorted(np.array(bounds, dtype=distances.dtype), distances)
        columns = {
            "source": sources,
            "vertex": self.positions[own],
            "distance": distances,
            "cutoff": bands[np.minimum(place, len(bands) - 1)],
        }
        among = {"source": self.source_positions, "vertex": columns["vertex"]}
        return LongTable(self.graph.labels, columns, numbers=("distance", "cutoff"), among=among)

    def _features(self) -> Features:
        return at_vertices(self._table(), self.graph.coordinates, self.graph.crs)

    @public
    def areas(
        self, *, width: float, crs: CrsLike | None = None, holes: bool = True, threads: int | None = None
    ) -> IsochroneAreas:
        """Return polygons around the streets that are reached, of every source and cutoff.

        Parameters
        ----------
        {areas}
        {threads}

        Returns
        -------
        IsochroneAreas
            A polygon, or several as one MultiPolygon, per source and cutoff.

        Raises
        ------
        GraphError
            If the graph has no coordinates.
        RequestError
            If an argument is invalid.
        MissingDependencyError
            If shapely (or pyproj, for systems that only it knows) is not installed.

        See Also
        --------
        stream_isochrones : The same for many sources, into a file.

        Notes
        -----
        From a vertex u at a distance of at most the cutoff, the part min(1, (cutoff - d(u)) / w) of each arc of weight
        w is reached, measured along its line; on a two-way street the parts from both ends. Streets are the lines that
        `Graph.snap` describes: between the coordinates of two vertices, straight (great circles) from bend to bend;
        zones, and the arcs that connect them, are no streets. All reached parts, and the source, are inside the
        polygon, and nothing in it is farther from them than the width; the outline is at least 95% of the width away,
        since round corners have few vertices.

        Polygons of degrees are computed in a plane around each source, in which lengths are at most r^2 / 6R^2 too long
        at a distance of r (0.04% at 300 km; R is the radius of the earth, a sphere as in `Graph.snap`).

        Examples
        --------
        >>> import apsp, shapely
        >>> street = apsp.from_edges([0], [1], [50], coordinates=[[0, 0], [100, 0]], directed=False)
        >>> areas = apsp.isochrone(street, 0, [20, 50]).areas(width=10, crs="plane")
        >>> [[round(number) for number in area.bounds] for area in areas.polygons[0]]
        [[-10, -10, 50, 10], [-10, -10, 110, 10]]
        """
        outlines, system = outlines_of(self.graph, width, crs, holes=holes)
        near = NearRows(self.indptr, self.positions, self.distances)
        trails = Trails.of(streets_of(self.graph), outlines.frame)
        found = outlines.around(
            self.graph, trails, self.source_positions, near, self.cutoffs, threads_from(threads), None
        )
        return IsochroneAreas(self.graph.labels, self.source_positions, self.cutoffs, found, system)

    def _row(self, source: VertexLike | None) -> int:
        if source is None:
            if len(self.source_positions) != 1:
                raise RequestError(f"there are {len(self.source_positions)} sources: name one of them")
            return 0
        position = self.graph.index(source)
        rows = np.flatnonzero(self.source_positions == position)
        if not len(rows):
            raise RequestError(f"{self.graph.word(position)} is not one of the sources of these isochrones")
        return int(rows[0])

    def _limit(self, cutoff: float | None) -> int | float:
        longest = self.cutoffs[-1]
        limit = longest if cutoff is None else longest_distance(cutoff)
        if limit > longest:
            raise RequestError(f"cutoff={shown(cutoff)} is beyond {longest}, the longest that was computed")
        return limit

    def _within(self, row: int, limit: float) -> tuple[npt.NDArray[np.int32], NumPyArray]:
        """The vertices within a cutoff, and their distances."""
        there = slice(int(self.indptr[row]), int(self.indptr[row + 1]))
        vertices, distances = self.positions[there], self.distances[there]
        within = distances <= longest_within(limit, distances.dtype)
        return vertices[within], distances[within]

    def _arcs(
        self, row: int, limit: float
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        vertices, distances = self._within(row, limit)
        found = entered(self.graph, vertices, distances, vertices == self.source_positions[row])
        some = np.flatnonzero(found.distances <= longest_within(limit, found.distances.dtype))
        arcs, streets = found.arcs[some], streets_of(self.graph)
        fractions = fractions_within(limit, found.distances[some], found.lengths[some])
        if found.others is not None:  # the longest of the parts that are entered from copies of a vertex
            order = np.lexsort([-fractions, arcs])
            chosen = order[np.diff(arcs[order], prepend=-1) > 0]
            arcs, fractions = arcs[chosen], fractions[chosen]
        tails = np.searchsorted(streets.indptr, arcs, side="right").astype(np.int32) - np.int32(1)
        return tails, streets.indices[arcs], fractions

    def __repr__(self) -> str:
        counts = {"source": len(self.source_positions), "cutoff": len(self.cutoffs)}
        words = [f"{count} {word}{'s' if count != 1 else ''}" for word, count in counts.items()]
        return f"Isochrones({', '.join(words)}, {self.distances.dtype})"


@public
def isochrone(
    graph: GraphLike | TurnGraph,
    sources: VerticesLike | Places,
    cutoffs: float | Iterable[float],
    **keywords: Unpack[DistanceKeywords],
) -> Isochrones:
    """Find what is within one or more cutoffs of every source: vertices, parts of arcs, and the area around them.

    Parameters
    ----------
    {graph}
    sources : vertex or sequence of vertices, or Places
        Where paths start.
    cutoffs : number or sequence of numbers
        Longest distances, ascending; a vertex at the cutoff itself is within it.
    {solve_options}

    Returns
    -------
    Isochrones
        The vertices, arcs and polygons of every source and cutoff. It holds what is within the longest cutoff.

    Raises
    ------
    {errors}

    Notes
    -----
    For paths that end at the vertices, instead of starting there, pass ``graph.reversed()``.

    Where there are turns (`with_turns`), a part of an arc begins when the arc is entered: after the penalty of the
    movement, along the best link that may be entered.

    A search from every source ends at the longest cutoff, so that it takes the time of what is near, as in `within`.
    With negative arcs, and where a method or a GPU is named, whole rows are computed; with an executor, a block at a
    time.

    Examples
    --------
    >>> import apsp
    >>> city = apsp.generate("city", 400, seed=1)
    >>> found = apsp.isochrone(city, 200, [60, 120])
    >>> near, far = (set(found.vertices(cutoff=cutoff)) for cutoff in (60, 120))
    >>> 200 in near, near < far
    (True, True)
    >>> corners = found.polygon(cutoff=60)  # in the coordinates of the graph
    >>> corners.shape[1], bool((corners[0] == corners[-1]).all())
    (2, True)
    """
    graph = placed(graph_with_turns(graph), leaving=(sources,), entering=(), rows=sources, on_streets=True)
    check_entered(graph)
    given = positions_of(graph, sources, "sources")
    if given is None:
        raise RequestError("sources must be one vertex or a sequence of vertices, not None")
    bounds, _ = cutoffs_of(cutoffs)
    near = _near(graph, given, bounds[-1], **keywords)
    return Isochrones(graph, np.asarray(given, np.int32), bounds, near.starts, near.targets, near.distances)


def _near(
    graph: Graph, sources: npt.NDArray[np.int32], cutoff: float, **keywords: Unpack[DistanceKeywords]
) -> NearRows:
    """What is within the cutoff of each source, in the order of the graph."""
    options = Request.of(**keywords)
    named = options.method != "auto" or options.gpu_memory is not None or options.pages_file is not None
    on_cpu = options.device in ("auto", "cpu") and not isinstance(graph, DeviceGraph)
    if on_cpu and not named and not graph.has_negative_arc:
        job = searches_within(graph, sources, cutoff, options)
        job.check_memory()
        found: Parts = {}
        run_job(job, found)
        pairs = job.result(found)
        return NearRows(pairs.indptr, pairs.positions, pairs.distances)
    starts, ends = Positions(sources), every_vertex(graph)
    blocks: Iterable[Result | Block]
    if keywords.pop("executor", None) is None:
        blocks = [solve(graph, sources=starts, targets=ends, cutoff=cutoff, **keywords)]
    else:
        blocks = blocks_of(graph, starts, ends, replace(options, cutoff=cutoff), reuse=True)
    parts = []
    for block in blocks:
        rows = to_host(block.distances)
        row, vertex = np.nonzero(rows != unreachable(rows.dtype))
        parts.append((np.bincount(row, minlength=len(rows)), vertex.astype(np.int32), rows[row, vertex]))
    if not parts:
        return NearRows.of(np.zeros(1, np.int64), np.dtype(np.float64), hops=False, costs=0)
    counts, vertices, distances = (np.concatenate(each) for each in zip(*parts, strict=True))
    return NearRows(np.append(0, np.cumsum(counts)), vertices, distances)
