"""How straight the shortest paths from each vertex are, on a map."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np
import numpy.typing as npt

from apsp._types import GraphLike, JsonObject, VerticesLike
from apsp.errors import GraphError, RequestError
from apsp.facts.keywords import RunKeywords
from apsp.facts.request import Request
from apsp.graph.accept import as_graph
from apsp.graph.model import Graph
from apsp.graph.places.frames import Frame, frame_of
from apsp.graph.sphere import EARTH
from apsp.methods.problem import IntArray
from apsp.planning.plan import Plan
from apsp.reductions.component_block import columns_of
from apsp.running.arguments import distinct, positions_of
from apsp.running.component_rows import RowsToReduce
from apsp.running.public import public
from apsp.running.reduction import Reduction
from apsp.running.run import run
from apsp.semiring import unreachable
from apsp.store.header import Arrays, StoreHeader
from apsp.system.array_device import to_host
from apsp.system.progress import Progress

if TYPE_CHECKING:
    from apsp.store.reading import StoredArrays

__all__ = ["straightness_centrality"]

Floats = npt.NDArray[np.float64]


@public
def straightness_centrality(
    graph: GraphLike,
    *,
    crs: Literal["degrees", "microdegrees", "plane"] | str | None = None,  # noqa: PYI051 - completed by editors
    vertices: VerticesLike | None = None,
    **keywords: Unpack[RunKeywords],
) -> npt.NDArray[np.float64]:
    """Return the mean, over the vertices with a path, of the straight distance over the distance of the path.

    Parameters
    ----------
    {graph}
    crs : {'degrees', 'microdegrees', 'plane'}
        What the coordinates of the graph are: longitude and latitude ('EPSG:4326' is the same), millionths of them
        (DIMACS), or lengths in a plane, such as the metres of a projection. It is not guessed.
    {vertices}
    {options}

    Returns
    -------
    (S,) float64
        Centralities in the order of the vertices: 1 if all paths from a vertex are straight, smaller with detours; 0
        for a vertex from which no path leads to another place.

    Notes
    -----
    Crucitti, Latora and Porta, "Centrality measures in spatial networks of urban streets", Physical Review E 73, 2006.
    As in momepy, the mean is over the vertices that are reached, with `cutoff` over those within it. Pairs at distance
    0 are left out, and directed graphs have the paths from each vertex.

    Weights have the unit of the coordinates, metres with degrees: other weights, such as times, give the mean of the
    speeds along straight lines instead. Rows that a GPU computes are copied to the host, which reduces them.

    Examples
    --------
    >>> import apsp
    >>> corner = apsp.from_edges([0, 1], [1, 2], [30, 40], directed=False, coordinates=[[0, 0], [30, 0], [30, 40]])
    >>> apsp.straightness_centrality(corner, crs="plane").round(3).tolist()
    [0.857, 1.0, 0.857]
    """
    graph = as_graph(graph)
    given = positions_of(graph, vertices, "vertices")
    options, frame = Request.of(**keywords), frame_of(crs, graph.crs)
    axes = np.ascontiguousarray(frame.spaced(_coordinates(graph, frame)).T)
    found = np.zeros(graph.n)
    run(Straightness(axes, frame.degree is not None), found, graph, None if given is None else distinct(given), options)
    return found if given is None else found[given]


def _coordinates(graph: Graph, frame: Frame) -> Floats:
    """The coordinates of a graph that has them for all vertices, and whose weights may be lengths."""
    if graph.coordinates is None:
        raise GraphError("the graph has no coordinates: apsp.from_edges(..., coordinates=...), or a file with them")
    known = np.isfinite(graph.coordinates).all(axis=1)
    if not known.all():
        raise GraphError(f"vertex {graph.labels.word(int(known.argmin()))} has no coordinates")
    if frame.degree is not None and (np.abs(graph.coordinates * frame.degree) > (180, 90)).any():
        raise RequestError(
            "the coordinates are not longitudes from -180 to 180 and latitudes from -90 to 90: crs='plane' is for "
            "projected coordinates, 'microdegrees' for those of DIMACS files"
        )
    if graph.has_negative_arc:
        raise GraphError("the graph has negative weights: straightness needs lengths of 0 and more")
    return graph.coordinates


@dataclass(frozen=True)
class Straightness(Reduction[Floats, tuple[IntArray, Floats]]):
    """The means of straight distances over distances; a part of them has the sources of its rows.

    Attributes
    ----------
    axes : (2, n) or (3, n) float64
        The places of the vertices, in the plane or on the sphere of the earth.
    on_earth : bool
        Straight is along the sphere.
    """

    axes: Floats
    on_earth: bool

    def part(self, rows: RowsToReduce, progress: Progress) -> tuple[IntArray, Floats]:
        """Compute some rows, and reduce them."""
        sources, means = [np.zeros(0, dtype=np.int32)], []
        for block in rows.blocks(reuse=True, progress=progress, where_computed=False):
            columns = columns_of(block)
            ends = self.axes if columns is None else self.axes[:, columns]
            sources.append(block.source_positions)
            for source, distances in zip(block.source_positions, to_host(block.distances), strict=True):
                others = (distances != unreachable(distances.dtype)) & (distances > 0)
                ratios = np.divide(self.straight(source, ends), distances, out=np.zeros(len(others)), where=others)
                means.append(ratios.sum() / max(np.count_nonzero(others), 1))
        return np.concatenate(sources), np.array(means, dtype=np.float64)

    def straight(self, source: int, ends: Floats) -> Floats:
        """Return the straight distances from a vertex to some places."""
        squares = [(axis - own[source]) ** 2 for axis, own in zip(ends, self.axes, strict=True)]
        chords: Floats = np.sqrt(np.add.reduce(squares))
        return 2 * EARTH * np.arcsin(np.minimum(chords / (2 * EARTH), 1.0)) if self.on_earth else chords

    def merge(self, found: Floats, start: int, part: tuple[IntArray, Floats]) -> None:  # noqa: ARG002
        """Write the means of some sources in their places."""
        sources, means = part
        found[sources] = means

    def identity(self) -> JsonObject:
        """Return what distinguishes two stores of the same graph."""
        places = hashlib.sha256(self.axes.tobytes()).hexdigest()
        return {"name": "straightness_centrality", "places": places, "on_earth": self.on_earth}

    def layout(self, graph: Graph, plan: Plan) -> Arrays:  # noqa: ARG002
        """Return the arrays of a store: a mean per source."""
        return {"means": ("float64", "row", 1)}

    def encode(self, part: tuple[IntArray, Floats], header: StoreHeader) -> dict[str, Any]:  # noqa: ARG002
        """Return the means in the order of the sources."""
        sources, means = part
        return {"means": means[np.argsort(sources)][:, None]}

    def decode(self, found: Floats, sources: IntArray, stored: StoredArrays) -> None:
        """Read all means."""
        found[sources] = stored.array("means")[:, 0]
