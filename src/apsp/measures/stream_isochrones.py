"""Polygons of many isochrones, by blocks of sources, into one file: searches up to the longest cutoff, and polygons
around what they find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Self, Unpack

import numpy as np

from apsp._types import CrsLike, GraphLike, PathLike, VerticesLike
from apsp.api.within.job import WithinJob, within_job
from apsp.areas.polygons import Outlines, outlines_of
from apsp.areas.trails import Trails
from apsp.errors import RequestError
from apsp.facts.keywords import SearchKeywords
from apsp.facts.request import Request
from apsp.graph.accept import graph_with_turns
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.places.placed import own_vertices, placed
from apsp.graph.shapes.geo_files import check_geo_path, write_features
from apsp.graph.shapes.systems import CoordinateSystem
from apsp.graph.turns.entered import check_entered, streets_of
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.methods.problem import IntArray, KernelProgress
from apsp.methods.source_cost import SourceCost
from apsp.planning.plan import Plan
from apsp.planning.sources import plan_of_sources
from apsp.result.isochrone_areas import IsochroneAreas
from apsp.running.arguments import Positions, positions_of
from apsp.running.job_blocks import JobBlocks
from apsp.running.measure_job import MeasureJob
from apsp.running.public import public
from apsp.system.arguments import cutoffs_of
from apsp.system.cached import PartsCache
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import threads_from
from apsp.system.numbers import counted

__all__ = ["AreaJob", "IsochroneBlocks", "every_vertex", "searches_within", "stream_isochrones"]

_PAIR_BYTES = 120
"""Bytes of a polygon per vertex that is within its cutoff, about."""

_SECONDS_PAIR = 4e-5
"""Time of a polygon per vertex within its cutoff, as far as the size of tasks depends on it."""


@dataclass(frozen=True)
class AreaJob(MeasureJob[None, Any]):
    """A request for polygons, with the graph; other attributes are those of `MeasureJob`.

    Attributes
    ----------
    near : WithinJob
        The searches up to the longest cutoff.
    system : CoordinateSystem
        What the coordinates of the polygons are.
    """

    purpose, stage = "within", "isochrones"
    task_bytes = 32 << 20

    graph: Graph
    sources: IntArray
    targets: None
    cutoff: float
    options: Request
    near: WithinJob
    cutoffs: tuple[int | float, ...]
    outlines: Outlines
    system: CoordinateSystem
    cache: PartsCache = field(default_factory=PartsCache)

    @property
    def _pairs(self) -> float:
        """Vertices within a cutoff of a source, of all cutoffs."""
        return max(self.near.pairs_of_source, 1.0) * len(self.cutoffs)

    def plan(self, threads: int) -> Plan:
        """Plan searches, from an estimate of what is near."""
        row = self._pairs * _SECONDS_PAIR / threads
        cost = SourceCost("searches", "cpu", 1, 0.0, row, row, len(self.sources) * row)
        return plan_of_sources(cost, threads, self.purpose, self.near.dtype)

    def prepare(self, options: Request, prepared: None = None) -> Self:
        """Return the same with what the plan has fixed."""
        return replace(self, options=options, near=self.near.prepare(options, prepared))

    @property
    def row_bytes(self) -> float:
        """Bytes of the polygons of a source."""
        return self._pairs * _PAIR_BYTES

    def part(self, start: int, stop: int, progress: KernelProgress | None) -> Any:
        """Polygons of some sources, (stop - start, c) objects of shapely."""
        trails = self.cache.once("trails", lambda: Trails.of(streets_of(self.graph), self.outlines.frame))
        found = self.near.part(start, stop, None)
        return self.outlines.around(
            self.graph, trails, self.sources[start:stop], found, self.cutoffs, self.cores, progress
        )

    def without(self, done: int) -> Self:
        """Return the job of all sources but the first ones."""
        return replace(self, sources=self.sources[done:], near=self.near.without(done))

    def block(self, start: int, part: Any) -> IsochroneAreas:
        """Return the polygons of a part, whose first source has this number."""
        sources = self.sources[start : start + len(part)]
        return IsochroneAreas(self.graph.labels, sources, self.cutoffs, part, self.system)


def searches_within(graph: Graph, sources: IntArray, cutoff: float, options: Request) -> WithinJob:
    """The searches from sources, by position, as far as a cutoff, whose pairs are in the order of the graph."""
    starts: Any = Positions(sources)
    return within_job(graph, cutoff, starts, every_vertex(graph), sort="target", options=options)


def every_vertex(graph: Graph) -> Any:
    """All vertices as targets: also places, and copies of vertices, which streets are entered from."""
    return Positions(np.arange(graph.n, dtype=np.int32)) if own_vertices(graph) < graph.n else None


class IsochroneBlocks(JobBlocks[AreaJob, IsochroneAreas]):
    """Polygons by blocks, in the order of the sources, each an `IsochroneAreas`; `apsp.stream_isochrones` makes it.

    An iterator, which computes a block when it is requested. A copy continues where this one is.

    Parameters
    ----------
    job : AreaJob
        What is computed.
    done : int
        The number of sources, the first ones, that are left out.

    Examples
    --------
    >>> import apsp, shapely
    >>> city = apsp.generate("city", 400, seed=1)
    >>> for block in apsp.stream_isochrones(city, [1, 7, 200], [30, 60], width=25, crs="plane", rows=2):
    ...     print(block.sources.tolist(), block.polygons.shape)
    [1, 7] (2, 2)
    [200] (1, 2)
    """

    def __repr__(self) -> str:
        sources, cutoffs = counted(len(self._job.sources), "source"), counted(len(self._job.cutoffs), "cutoff")
        return f"IsochroneBlocks({sources}, {cutoffs})"

    @memory_errors
    def write(self, path: PathLike, *, seen: Callable[[IsochroneAreas], object] | None = None) -> None:
        """Compute the blocks that are left, and write them to one file, which appears complete or not at all.

        At most two blocks (with an executor a few) are in memory.

        Parameters
        ----------
        path : str or Path
            The file, which ends in .parquet (GeoParquet 1.1, with row groups of one block each) or .geojson, which
            holds longitudes and latitudes only. Its columns are source, cutoff and geometry, and in Parquet the box of
            each geometry.
        seen : callable, optional
            Called with each block before it is written.

        Raises
        ------
        RequestError
            If it has another ending, the coordinates are not those of GeoJSON, or the labels have several types.
        MissingDependencyError
            If pyarrow, which writes Parquet, is not installed.
        OutputError
            If the file cannot be written.

        Examples
        --------
        >>> import apsp, shapely, pyarrow.parquet
        >>> city = apsp.generate("city", 400, seed=1)
        >>> apsp.stream_isochrones(city, range(100), [30, 60], width=25, crs="plane").write("areas.parquet")
        >>> pyarrow.parquet.read_metadata("areas.parquet").num_rows
        200
        """
        check_geo_path(path, self._job.system)
        none = self._job.block(0, np.empty((0, len(self._job.cutoffs)), dtype=object))
        write_features(none.features(), (block.features() for block in self._shown(seen)), path)


@public
def stream_isochrones(
    graph: GraphLike | TurnGraph,
    sources: VerticesLike | Places,
    cutoffs: float | Iterable[float],
    *,
    width: float,
    crs: CrsLike | None = None,
    holes: bool = True,
    rows: int | None = None,
    **keywords: Unpack[SearchKeywords],
) -> IsochroneBlocks:
    """Compute polygons around what is within cutoffs of many sources, a block of sources at a time: into one file.

    Parameters
    ----------
    {graph}
    sources : vertex or sequence of vertices, or Places
        Where paths start.
    cutoffs : number or sequence of numbers
        Longest distances, ascending.
    {areas}
    rows : int, optional
        Sources per block; by default as many as have about 32 MiB of polygons, estimated from a few sources. With an
        executor, those of a task.
    {search_options}

    Returns
    -------
    IsochroneBlocks
        An iterator over blocks, each an `IsochroneAreas`; its method `write` writes all of them to one file.

    Raises
    ------
    GraphError, DtypeRangeError
        At the call, if the graph has no coordinates, or the dtype does not hold the distances.
    RequestError
        At the call, if the request is invalid, names a GPU, or a length is negative.
    MissingDependencyError
        At the call, if shapely (or pyproj, for systems that only it knows) is not installed.
    MemoryLimitError
        If what is near the sources of a block does not fit into memory.
    ExecutorError
        If the engine or a worker fails, at the first block.

    See Also
    --------
    isochrone : Vertices, parts of arcs and polygons of some sources, in memory.

    Notes
    -----
    `Isochrones.areas` says what a polygon is. A search from every source ends at the longest cutoff.

    Examples
    --------
    >>> import apsp, shapely, pyarrow
    >>> city = apsp.generate("city", 400, seed=1)
    >>> apsp.stream_isochrones(city, range(400), [30, 60], width=25, crs="plane").write("areas.parquet")
    """
    graph = placed(graph_with_turns(graph), leaving=(sources,), entering=(), rows=sources, on_streets=True)
    check_entered(graph)
    given = positions_of(graph, sources, "sources")
    if given is None:
        raise RequestError("sources must be one vertex or a sequence of vertices, not None")
    bounds, _ = cutoffs_of(cutoffs)
    options = Request.of(rows=rows, **keywords)
    threads_from(options.threads)  # invalid ones are an error now
    if graph.has_negative_arc:
        raise RequestError(
            "polygons by blocks of sources need lengths of at least 0: apsp.isochrone(graph, sources, cutoffs) and its "
            "method areas take negative ones, too"
        )
    outlines, system = outlines_of(graph, width, crs, holes=holes)
    near = searches_within(graph, given, bounds[-1], options)
    return IsochroneBlocks(AreaJob(graph, near.sources, None, bounds[-1], near.options, near, bounds, outlines, system))
