"""One-call answers about all distances of a graph; n x n is never stored.

Each call streams the rows once. `summary` does so once for many answers: everything else here is a line on top of it.
All take, besides the graph, the options of `apsp.stream` that concern whole rows (sources, cutoff, dtype, method,
device, gpu_memory, pages_file, threads, rows, progress); a cutoff counts longer distances as "no path". `targets` and
`paths` are refused: a sum or an extreme is one over all vertices. Vertices are given and come out as the graph labels
them; an array of numbers per vertex is in the order of `graph.labels`, or of the sources.
"""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from apsp.api import stream_sums
from apsp.api.asking import Vertices, positions_of
from apsp.api.streaming import stream_where_computed
from apsp.errors import RequestError
from apsp.graph.accept import as_graph
from apsp.graph.model import Graph
from apsp.measures import Direction, Extreme, Histogram, Nearest, Summary, summarize
from apsp.measures import k_nearest as nearest_of_blocks
from apsp.system.arguments import flag, one_of, whole_number
from apsp.system.lack_of_memory import memory_told

__all__ = [
    "centre",
    "closeness",
    "diameter",
    "distance_histogram",
    "eccentricity",
    "global_efficiency",
    "harmonic",
    "k_nearest",
    "mean_distance",
    "radius",
    "summary",
    "wiener_index",
]


@memory_told
def summary(
    graph: Any, *, columns: bool = False, bins: int = 0, edges: npt.ArrayLike | None = None, **options: Any
) -> Summary:
    """Sums, extremes and counts of all distances, taken in one pass.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
    columns, bins, edges
        As in `apsp.measures.Summary`: what to keep for incoming distances and for the histogram.
    **options
        Of `apsp.stream`, without targets and paths.

    Raises
    ------
    As `apsp.stream`; RequestError for targets and paths.
    """
    graph = as_graph(graph)
    return _summary(graph, options, columns=columns, bins=bins, edges=edges)


def _check_options(options: dict[str, Any]) -> None:
    """Refuse what makes no sense here, before anything is computed."""
    if options.pop("targets", None) is not None:
        raise RequestError(
            "targets= does not go with sums, extremes and nearest vertices, which are over all vertices; "
            "apsp.solve(graph, targets=...) gives the distances to some"
        )
    if flag(options.pop("paths", False), "paths"):
        raise RequestError("paths= does not go with sums, extremes and nearest vertices; apsp.solve gives paths")


def _summary(graph: Graph, options: dict[str, Any], **kept: Any) -> Summary:
    _check_options(options)
    if options.get("sources") is not None:  # each once: sums and extremes are over a set
        given = positions_of(graph, options["sources"], "sources")
        options["sources"] = None if given is None else graph.labels.take(np.unique(given))
    columns, bins = flag(kept.get("columns", False), "columns"), whole_number(kept.get("bins", 0), "bins", least=0)
    only_sums = not columns and not bins and kept.get("edges") is None
    plain = only_sums and "reuse" not in options
    blocks = stream_sums(graph, **options) if plain else stream_where_computed(graph, **{"reuse": True} | options)
    return summarize(
        blocks, graph.n, directed=graph.directed, threads=options.get("threads"), labels=graph.labels, **kept
    )


def _per_source(graph: Graph, summary: Summary, values: npt.NDArray[Any], sources: Any) -> npt.NDArray[Any]:
    """Values of `summary.sources`, in the order in which the caller gave the sources."""
    given = positions_of(graph, sources, "sources")
    return values if given is None else values[np.searchsorted(summary.source_positions, given)]


@memory_told
def eccentricity(graph: Any, *, sources: Vertices = None, **options: Any) -> npt.NDArray[Any]:
    """Distance from each source to the farthest vertex that it reaches: (S,) int64 or float64, in their order."""
    graph = as_graph(graph)
    found = _summary(graph, options | {"sources": sources})
    return _per_source(graph, found, found.eccentricity, sources)


@memory_told
def radius(graph: Any, **options: Any) -> int | float | None:
    """The smallest eccentricity of the vertices that reach the most others; None in the empty graph."""
    return summary(graph, **options).radius


@memory_told
def diameter(graph: Any, **options: Any) -> Extreme | None:
    """The largest finite distance with its pair: `.distance`, `.source`, `.target`; None in the empty graph."""
    return summary(graph, **options).diameter


@memory_told
def centre(graph: Any, **options: Any) -> list[Any]:
    """The vertices, by their labels, whose eccentricity is the radius."""
    return summary(graph, **options).centre


@memory_told
def closeness(
    graph: Any, *, direction: Direction = "out", improved: bool = True, sources: Vertices = None, **options: Any
) -> npt.NDArray[np.float64]:
    """Closeness centrality of each vertex: see `apsp.measures.Summary.closeness`.

    Parameters
    ----------
    direction : 'out' or 'in'
        Distances from the vertex, or to it (as NetworkX).
    improved : bool
        Scale by the share of vertices that is reached (Wasserman and Faust 1994).
    """
    graph, improved = as_graph(graph), flag(improved, "improved")
    columns = one_of(direction, "direction", get_args(Direction)) == "in" and graph.directed
    found = _summary(graph, options | {"sources": sources}, columns=columns)
    return _per_source(graph, found, found.closeness(direction, improved=improved), sources)


@memory_told
def harmonic(
    graph: Any, *, direction: Direction = "out", sources: Vertices = None, **options: Any
) -> npt.NDArray[np.float64]:
    """Harmonic centrality of each vertex: the sum of 1 / distance from it ('out') or to it ('in', as NetworkX)."""
    graph = as_graph(graph)
    columns = one_of(direction, "direction", get_args(Direction)) == "in" and graph.directed
    found = _summary(graph, options | {"sources": sources}, columns=columns)
    return _per_source(graph, found, found.harmonic(direction), sources)


@memory_told
def mean_distance(graph: Any, **options: Any) -> float:
    """The mean over ordered pairs of two vertices with a path; not-a-number where there are none."""
    return summary(graph, **options).mean_distance


@memory_told
def wiener_index(graph: Any, **options: Any) -> int | float:
    """The sum of all distances, unordered pairs counting once in an undirected graph; infinite without a path."""
    return summary(graph, **options).wiener_index()


@memory_told
def global_efficiency(graph: Any, **options: Any) -> float:
    """The mean of 1 / distance over all ordered pairs of two vertices; a pair without a path counts as 0."""
    return summary(graph, **options).global_efficiency()


@memory_told
def distance_histogram(
    graph: Any, *, bins: int = 1024, edges: npt.ArrayLike | None = None, **options: Any
) -> Histogram:
    """How many ordered pairs have which distance: `.edges`, `.counts`.

    Parameters
    ----------
    bins : int
        At most this many, of a power-of-two width found on the way; ignored where `edges` is given.
    edges : (B + 1,) increasing numbers, optional
    """
    return summary(graph, bins=0 if edges is not None else bins, edges=edges, **options).histogram()


@memory_told
def k_nearest(graph: Any, k: int, *, sources: Vertices = None, **options: Any) -> Nearest:
    """The k nearest vertices of every source, in their order: `.vertices` (S, k), `.distances` (S, k), nearest first.

    Rows that a GPU computes stay there; only what is found of them comes to the host.
    """
    graph = as_graph(graph)
    _check_options(options)
    given = positions_of(graph, sources, "sources")
    once = None if given is None else graph.labels.take(np.unique(given))
    blocks = stream_where_computed(graph, sources=once, reuse=True, **options)
    found = nearest_of_blocks(blocks, graph.n, k, threads=options.get("threads"), labels=graph.labels)
    return found if given is None else found.of(given)
