"""Efficiency among the neighbours of each vertex."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import GraphLike, VerticesLike
from apsp.errors import RequestError
from apsp.facts.request import Request
from apsp.graph.accept import as_graph
from apsp.graph.model import Graph
from apsp.graph.neighbourhoods import Neighbourhoods, neighbourhoods
from apsp.measures.row_summary import SummaryParts
from apsp.measures.summary import summarized
from apsp.reductions.float_sum import float_sum
from apsp.running.arguments import positions_of
from apsp.running.public import public
from apsp.semiring import MIN_PLUS, unreachable
from apsp.system.machine import threads_from

__all__ = ["local_efficiencies", "local_efficiency"]

_BRIEF = 1 << 20
"""Arcs relaxed in matrices, which one thread does in the time that a second one takes to start."""

_SUMS_BELOW = 2**62


@public
def local_efficiency(graph: GraphLike, *, vertices: VerticesLike | None = None, threads: int | None = None) -> float:
    """Return the mean over all vertices of the global efficiency among the neighbours of a vertex.

    Parameters
    ----------
    {graph}
    {vertices}
    {threads}

    Returns
    -------
    float
        The mean; 0 for the empty graph.

    Raises
    ------
    GraphError, RequestError
        If the input or the request is invalid, or weights are negative.
    MemoryLimitError
        If a subgraph does not fit.

    See Also
    --------
    local_efficiencies : The value of each vertex.

    Notes
    -----
    Latora and Marchiori, "Efficient behavior of small-world networks", Physical Review Letters 87, 2001.
    `networkx.local_efficiency` counts hops and does not accept directed graphs; here distances are sums of weights.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 0, 0, 1, 1], [1, 2, 3, 2, 3], directed=False)
    >>> round(apsp.local_efficiency(graph), 4)
    0.9167
    """
    values = local_efficiencies(graph, vertices=vertices, threads=threads)
    return float_sum(values.tolist()) / len(values) if len(values) else 0.0


@public
def local_efficiencies(
    graph: GraphLike, *, vertices: VerticesLike | None = None, threads: int | None = None
) -> npt.NDArray[np.float64]:
    """Return, for each vertex, the global efficiency of the subgraph of its neighbours.

    That is the mean of 1 / distance over all ordered pairs of neighbours, along paths that leave neither the
    neighbours nor lead through the vertex itself. A pair without such a path counts as 0.

    Parameters
    ----------
    {graph}
    {vertices}
    {threads}

    Returns
    -------
    (S,) float64
        Efficiencies in the order of the vertices; 0 for a vertex with fewer than two neighbours.

    Raises
    ------
    GraphError, RequestError
        If the input or the request is invalid, or weights are negative.
    MemoryLimitError
        If a subgraph does not fit.

    See Also
    --------
    local_efficiency : Their mean.

    Notes
    -----
    In a directed graph the neighbours of a vertex are those at either end of its arcs. A vertex with a self-loop is a
    neighbour of itself, as in NetworkX.

    Up to 256 neighbours the subgraphs are solved together, as by `solve_batch`; larger ones one after the other.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 0, 0, 1, 1], [1, 2, 3, 2, 3], directed=False)
    >>> apsp.local_efficiencies(graph).round(3)
    array([0.833, 0.833, 1.   , 1.   ])
    """
    graph = as_graph(graph)
    given = positions_of(graph, vertices, "vertices")
    threads = threads_from(threads)
    if graph.has_negative_arc:
        least = graph.weight_range[0]
        raise RequestError(f"the local efficiency needs weights that are not negative; the smallest is {least}")
    positions = np.arange(graph.n) if given is None else np.asarray(given, dtype=np.int64)
    values = np.zeros(len(positions))
    largest = 0 if graph.has_zones else 256
    for part in neighbourhoods(graph, positions, largest=largest):
        sums = _sums_of_batch(part, threads) if part.side else _sum_alone(graph, part, threads)
        pairs = part.sizes * (part.sizes - 1)
        values[part.which] = np.divide(sums, pairs, out=np.zeros(len(pairs)), where=pairs > 0)
    return values


def _sums_of_batch(part: Neighbourhoods, threads: int) -> npt.NDArray[np.float64]:
    """Return the sums of 1 / distance of subgraphs of similar sizes."""
    from apsp.api.batch.arrays import solve_array
    from apsp.api.batch.request import BatchRequest

    weights = _weights(part, part.side)
    dtype = _dtype(weights)
    lengths = np.full((len(part.which), part.side, part.side), unreachable(dtype), dtype)
    lengths[part.owner, part.tails, part.heads] = 1 if weights is None else weights
    sizes = part.sizes.astype(np.int32)
    work = BatchRequest(MIN_PLUS, "auto", threads if lengths.size * part.side > _BRIEF else 1, None, False)
    distances, _ = solve_array(lengths, sizes, work)
    known = (distances != 0) & (distances != unreachable(distances.dtype))
    with np.errstate(over="ignore"):  # infinite if it is beyond float64
        inverse = np.divide(1.0, distances, out=np.zeros(distances.shape), where=known, dtype=np.float64)
        return inverse.reshape(len(sizes), -1).sum(axis=1)  # type: ignore[no-any-return]


def _weights(part: Neighbourhoods, size: int) -> npt.NDArray[Any] | None:
    """The lengths of arcs in a dtype that is wide enough for exact sums, or float64.

    Floats become float64, as the values that are returned; so do integers whose sums do not fit int64.
    """
    weights = part.weights
    if weights is None or (weights.dtype.kind == "i" and int(weights.max(initial=0)) * size**2 < _SUMS_BELOW):
        return weights
    return weights.astype(np.float64)


def _dtype(weights: npt.NDArray[Any] | None) -> np.dtype[Any]:
    """Return the narrowest dtype that holds the lengths beside "no path"; that of the distances follows from it."""
    if weights is None:
        return np.dtype(np.uint16)
    largest = weights.max(initial=0)
    fitting = (np.dtype(name) for name in ("uint16", "int32") if largest < unreachable(name))
    return weights.dtype if weights.dtype.kind == "f" else next(fitting, np.dtype(np.int64))


def _sum_alone(graph: Graph, part: Neighbourhoods, threads: int) -> npt.NDArray[np.float64]:
    """Return the sum of 1 / distance of one subgraph."""
    from apsp.graph.convert import from_edges

    zones = None if graph.zones is None else graph.zones[part.members]
    size = int(part.sizes[0])
    subgraph = from_edges(part.tails, part.heads, _weights(part, size), n=size, directed=graph.directed, zones=zones)
    found = summarized(subgraph, None, Request(threads=threads), SummaryParts())
    return np.array([float_sum(found.harmonic_centrality("out").tolist())])
