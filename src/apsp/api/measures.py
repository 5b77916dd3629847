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
        The graph, or an object that is converted to one.
    columns : bool
        Keep sums of incoming distances too, for closeness and harmonic centrality with direction='in'.
    bins : int
        Most bins of the histogram; 0 keeps none.
    edges : (B + 1,) increasing numbers, optional
        Bins of the histogram instead.
    **options : optional
        Those of `apsp.stream` that concern whole rows: sources, cutoff, dtype, method, device, gpu_memory, pages_file,
        threads, rows and progress. A cutoff counts longer distances as "no path".

    Returns
    -------
    Summary
        The numbers, as attributes and methods.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
        If the input or the request is invalid; `targets` and `paths` are not options here.
    NegativeCycleError
        If a requested source reaches a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        Before the work, if it does not fit.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> found = apsp.summary(graph)
    >>> found.radius, found.diameter.distance, found.mean_distance
    (3, 6, 3.5)
    >>> found.eccentricity
    array([5, 3, 6])
    """
    graph = as_graph(graph)
    return _summary(graph, options, columns=columns, bins=bins, edges=edges)


def _check_options(options: dict[str, Any]) -> None:
    """Refuse what makes no sense here, before anything is computed."""
    if options.pop("targets", None) is not None:
        raise RequestError(
            "targets= cannot be used with sums, extremes and nearest vertices, which are over all vertices; "
            "apsp.solve(graph, targets=...) computes the distances to some"
        )
    if flag(options.pop("paths", False), "paths"):
        raise RequestError("paths= cannot be used with sums, extremes and nearest vertices; apsp.solve finds paths")


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
    """Return the distance from each source to the farthest vertex that it reaches.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    sources : sequence of vertices, optional
        Only these rows; all vertices by default.
    **options : optional
        Those of `apsp.stream` that concern whole rows: cutoff, dtype, method, device, gpu_memory, pages_file, threads,
        rows and progress. A cutoff counts longer distances as "no path".

    Returns
    -------
    (S,) int64 or float64
        Distances in the order of the sources; 0 for a source that reaches no other vertex.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
        If the input or the request is invalid; `targets` and `paths` are not options here.
    NegativeCycleError
        If a requested source reaches a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        Before the work, if it does not fit.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> apsp.eccentricity(graph)
    array([5, 3, 6])
    >>> apsp.eccentricity(graph, sources=[2, 0])
    array([6, 5])
    """
    graph = as_graph(graph)
    found = _summary(graph, options | {"sources": sources})
    return _per_source(graph, found, found.eccentricity, sources)


@memory_told
def radius(graph: Any, **options: Any) -> int | float | None:
    """Return the smallest eccentricity of the vertices that reach the most others.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    **options : optional
        Those of `apsp.stream` that concern whole rows: sources, cutoff, dtype, method, device, gpu_memory, pages_file,
        threads, rows and progress. A cutoff counts longer distances as "no path".

    Returns
    -------
    int, float or None
        The radius; None for the empty graph.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
        If the input or the request is invalid; `targets` and `paths` are not options here.
    NegativeCycleError
        If a requested source reaches a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        Before the work, if it does not fit.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> apsp.radius(graph)
    4
    """
    return summary(graph, **options).radius


@memory_told
def diameter(graph: Any, **options: Any) -> Extreme | None:
    """Return the largest finite distance, and a pair of vertices that has it.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    **options : optional
        Those of `apsp.stream` that concern whole rows: sources, cutoff, dtype, method, device, gpu_memory, pages_file,
        threads, rows and progress. A cutoff counts longer distances as "no path".

    Returns
    -------
    Extreme or None
        The distance with its source and target, of several the first; None for the empty graph.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
        If the input or the request is invalid; `targets` and `paths` are not options here.
    NegativeCycleError
        If a requested source reaches a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        Before the work, if it does not fit.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> apsp.diameter(graph)
    Extreme(distance=6, source=2, target=1)
    """
    return summary(graph, **options).diameter


@memory_told
def centre(graph: Any, **options: Any) -> list[Any]:
    """Return the vertices whose eccentricity is the radius, of those that reach the most others.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    **options : optional
        Those of `apsp.stream` that concern whole rows: sources, cutoff, dtype, method, device, gpu_memory, pages_file,
        threads, rows and progress. A cutoff counts longer distances as "no path".

    Returns
    -------
    list
        The vertices, as the graph labels them.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
        If the input or the request is invalid; `targets` and `paths` are not options here.
    NegativeCycleError
        If a requested source reaches a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        Before the work, if it does not fit.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> apsp.centre(graph)
    [1]
    """
    return summary(graph, **options).centre


@memory_told
def closeness(
    graph: Any, *, direction: Direction = "out", improved: bool = True, sources: Vertices = None, **options: Any
) -> npt.NDArray[np.float64]:
    """Return the closeness centrality of each vertex.

    It is the number of reached vertices over the sum of their distances; 0 where that sum is not positive.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    direction : {'out', 'in'}
        Distances from the vertex ('out'), or to it ('in', as in NetworkX).
    improved : bool
        Multiply by the share of the other vertices that is reached, so that vertices of small components do not look
        central.
    sources : sequence of vertices, optional
        Only these rows; all vertices by default.
    **options : optional
        Those of `apsp.stream` that concern whole rows: cutoff, dtype, method, device, gpu_memory, pages_file, threads,
        rows and progress. A cutoff counts longer distances as "no path".

    Returns
    -------
    (S,) float64
        Centralities in the order of the sources.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
        If the input or the request is invalid; `targets` and `paths` are not options here.
    NegativeCycleError
        If a requested source reaches a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        Before the work, if it does not fit.

    Notes
    -----
    The factor of `improved` is formula 5.22 of Wasserman and Faust, "Social Network Analysis", 1994; it is NetworkX's
    `wf_improved`. `networkx.closeness_centrality` has direction='in'.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> apsp.closeness(graph).round(3)
    array([0.188, 0.375, 0.375, 0.25 ])
    """
    graph, improved = as_graph(graph), flag(improved, "improved")
    columns = one_of(direction, "direction", get_args(Direction)) == "in" and graph.directed
    found = _summary(graph, options | {"sources": sources}, columns=columns)
    return _per_source(graph, found, found.closeness(direction, improved=improved), sources)


@memory_told
def harmonic(
    graph: Any, *, direction: Direction = "out", sources: Vertices = None, **options: Any
) -> npt.NDArray[np.float64]:
    """Return the harmonic centrality of each vertex: the sum of 1 / distance.

    A pair without a path and a distance of 0 add nothing.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    direction : {'out', 'in'}
        Distances from the vertex ('out'), or to it ('in', as in NetworkX).
    sources : sequence of vertices, optional
        Only these rows; all vertices by default.
    **options : optional
        Those of `apsp.stream` that concern whole rows: cutoff, dtype, method, device, gpu_memory, pages_file, threads,
        rows and progress. A cutoff counts longer distances as "no path".

    Returns
    -------
    (S,) float64
        Centralities in the order of the sources.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
        If the input or the request is invalid; `targets` and `paths` are not options here.
    NegativeCycleError
        If a requested source reaches a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        Before the work, if it does not fit.

    Notes
    -----
    Boldi and Vigna, "Axioms for centrality", Internet Mathematics 10, 2014. `networkx.harmonic_centrality` has
    direction='in'.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> apsp.harmonic(graph).round(3)
    array([0.593, 1.583, 1.7  , 0.976])
    """
    graph = as_graph(graph)
    columns = one_of(direction, "direction", get_args(Direction)) == "in" and graph.directed
    found = _summary(graph, options | {"sources": sources}, columns=columns)
    return _per_source(graph, found, found.harmonic(direction), sources)


@memory_told
def mean_distance(graph: Any, **options: Any) -> float:
    """Return the mean distance over the ordered pairs of two vertices with a path.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    **options : optional
        Those of `apsp.stream` that concern whole rows: sources, cutoff, dtype, method, device, gpu_memory, pages_file,
        threads, rows and progress. A cutoff counts longer distances as "no path".

    Returns
    -------
    float
        The mean; not-a-number if no pair has a path.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
        If the input or the request is invalid; `targets` and `paths` are not options here.
    NegativeCycleError
        If a requested source reaches a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        Before the work, if it does not fit.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> round(apsp.mean_distance(graph), 3)
    3.667
    """
    return summary(graph, **options).mean_distance


@memory_told
def wiener_index(graph: Any, **options: Any) -> int | float:
    """Return the sum of all distances; in an undirected graph each unordered pair counts once.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    **options : optional
        Those of `apsp.stream` that concern whole rows: sources, cutoff, dtype, method, device, gpu_memory, pages_file,
        threads, rows and progress. A cutoff counts longer distances as "no path".

    Returns
    -------
    int or float
        The sum; infinite if a pair has no path.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
        If the input or the request is invalid; `targets` and `paths` are not options here.
    NegativeCycleError
        If a requested source reaches a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        Before the work, if it does not fit.

    Notes
    -----
    Wiener, "Structural determination of paraffin boiling points", Journal of the American Chemical Society 69, 1947.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> apsp.wiener_index(graph)
    22
    """
    return summary(graph, **options).wiener_index()


@memory_told
def global_efficiency(graph: Any, **options: Any) -> float:
    """Return the mean of 1 / distance over all ordered pairs of two vertices.

    A pair without a path counts as 0.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    **options : optional
        Those of `apsp.stream` that concern whole rows: sources, cutoff, dtype, method, device, gpu_memory, pages_file,
        threads, rows and progress. A cutoff counts longer distances as "no path".

    Returns
    -------
    float
        The efficiency.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
        If the input or the request is invalid; `targets` and `paths` are not options here.
    NegativeCycleError
        If a requested source reaches a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        Before the work, if it does not fit.

    Notes
    -----
    Latora and Marchiori, "Efficient behavior of small-world networks", Physical Review Letters 87, 2001.
    `networkx.global_efficiency` counts hops; here the distances are those of the weights.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> round(apsp.global_efficiency(graph), 3)
    0.404
    """
    return summary(graph, **options).global_efficiency()


@memory_told
def distance_histogram(
    graph: Any, *, bins: int = 1024, edges: npt.ArrayLike | None = None, **options: Any
) -> Histogram:
    """Count the ordered pairs of two vertices by their distance.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    bins : int
        Most bins. Their width is a power of two, found on the way. Ignored if `edges` is given.
    edges : (B + 1,) increasing numbers, optional
        Edges of the bins; distances outside are not counted.
    **options : optional
        Those of `apsp.stream` that concern whole rows: sources, cutoff, dtype, method, device, gpu_memory, pages_file,
        threads, rows and progress. A cutoff counts longer distances as "no path".

    Returns
    -------
    Histogram
        Edges and counts; pairs without a path are not counted.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
        If the input or the request is invalid; `targets` and `paths` are not options here.
    NegativeCycleError
        If a requested source reaches a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        Before the work, if it does not fit.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> found = apsp.distance_histogram(graph)
    >>> found.edges
    array([1, 2, 3, 4, 5, 6, 7, 8])
    >>> found.counts
    array([2, 2, 2, 2, 2, 0, 2])
    """
    return summary(graph, bins=0 if edges is not None else bins, edges=edges, **options).histogram()


@memory_told
def k_nearest(graph: Any, k: int, *, sources: Vertices = None, **options: Any) -> Nearest:
    """Find the k nearest vertices of every source, nearest first.

    Rows that a GPU computes stay there; only the result is copied to the host.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    k : int
        How many, at least 1. The source itself is not one of them.
    sources : sequence of vertices, optional
        Only these rows; all vertices by default.
    **options : optional
        Those of `apsp.stream` that concern whole rows: cutoff, dtype, method, device, gpu_memory, pages_file, threads,
        rows and progress. A cutoff counts longer distances as "no path".

    Returns
    -------
    Nearest
        Vertices and distances, (S, k) each, in the order of the sources.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
        If the input or the request is invalid; `targets` and `paths` are not options here.
    NegativeCycleError
        If a requested source reaches a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        Before the work, if it does not fit.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> found = apsp.k_nearest(graph, 1)
    >>> found.vertices.ravel().tolist(), found.distances.ravel().tolist()
    ([1, 2, 0], [4, 1, 2])
    """
    graph = as_graph(graph)
    _check_options(options)
    given = positions_of(graph, sources, "sources")
    once = None if given is None else graph.labels.take(np.unique(given))
    blocks = stream_where_computed(graph, sources=once, reuse=True, **options)
    found = nearest_of_blocks(blocks, graph.n, k, threads=options.get("threads"), labels=graph.labels)
    return found if given is None else found.of(given)
