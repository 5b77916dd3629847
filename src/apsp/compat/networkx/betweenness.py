"""`networkx.algorithms.centrality`: betweenness of nodes, also of subsets, and of edges; of all or of sampled sources.

`edge_betweenness_centrality_subset` stays with NetworkX, which divides what goes on from a node equally among the
predecessors of the node, not among the shortest paths.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection
from types import ModuleType
from typing import Any

import networkx.algorithms.centrality.betweenness as of_all
import networkx.algorithms.centrality.betweenness_subset as of_subsets
import numpy as np
import numpy.typing as npt

from apsp.compat.networkx.converted import Converted
from apsp.compat.networkx.function import of_networkx
from apsp.errors import RequestError
from apsp.graph.model import Graph
from apsp.graph.networkx_arcs import Weight
from apsp.methods.flows.cost import FlowWork
from apsp.methods.flows.flows import Demand, Flows, flows
from apsp.planning.sources import choose
from apsp.system.machine import threads_from

__all__ = ["betweenness_centrality", "betweenness_centrality_subset", "edge_betweenness_centrality"]

IntArray = npt.NDArray[np.int32]


@of_networkx("measure")
def betweenness_centrality(
    G: Converted,
    k: int | None = None,
    normalized: bool = True,
    weight: Weight = None,
    endpoints: bool = False,
    seed: Any = None,
) -> dict[Any, float]:
    """Return the share of shortest paths that pass each node, from all nodes or from k that NetworkX would choose."""
    graph = _graph(G, weight)
    pivots = None if k is None or k == len(G) else _chosen(seed, G, k)
    starts = _all(graph) if pivots is None else _positions(G, pivots)
    found = _flows(graph, starts, None, along=False)
    values = found.through
    if endpoints:
        values = values + found.arrived
        values[starts] += found.served
    return _rescaled(
        of_all, "_rescale", dict(zip(G.nodes, values.tolist(), strict=True)), G,
        normalized=normalized, endpoints=endpoints, k=None if pivots is None else k, sampled_nodes=pivots,
    )  # fmt: skip


@of_networkx("measure")
def betweenness_centrality_subset(
    G: Converted, sources: Any, targets: Any, normalized: bool = False, weight: Weight = None
) -> dict[Any, float]:
    """Return the share of the shortest paths from some nodes to some nodes that pass each node."""
    graph = _graph(G, weight)
    starts, ends = _subsets(G, sources, targets)
    values = dict(zip(G.nodes, _flows(graph, starts, ends, along=False).through.tolist(), strict=True))
    return _rescaled(of_subsets, "_rescale", values, G, normalized=normalized, endpoints=False)


@of_networkx("measure")
def edge_betweenness_centrality(
    G: Converted, k: int | None = None, normalized: bool = True, weight: Weight = None, seed: Any = None
) -> dict[Any, float]:
    """Return the share of shortest paths along each edge, from all nodes or from k that NetworkX would choose."""
    graph = _graph(G, weight)
    pivots = None if k is None else _chosen(seed, G, k)
    starts = _all(graph) if pivots is None else _positions(G, pivots)
    values = _of_edges(G, graph, _flows(graph, starts, None, along=True))
    values = _rescaled(of_all, "_rescale_e", values, G, normalized=normalized, k=k, sampled_nodes=pivots)
    return _with_keys(G, values, weight)


def _graph(G: Converted, weight: Weight) -> Graph:
    """The arcs, whose lengths are positive: along others NetworkX's numbers depend on the order of its search."""
    graph = G.graph(weight, hiding=False)
    if graph.weights is not None and graph.m and not graph.weights.min() > 0:
        raise NotImplementedError("some weights are 0: NetworkX's numbers of paths depend on the order of its search")
    return graph


def _chosen(seed: Any, G: Converted, k: int) -> list[Any]:
    """The nodes that NetworkX chooses; it has made a generator of random numbers of `seed` already."""
    if not hasattr(seed, "sample"):
        raise NotImplementedError("the seed is not a generator of random numbers")
    return list(seed.sample(list(G.nodes), k))


def _positions(G: Converted, nodes: Collection[Any]) -> IntArray:
    """Positions of nodes."""
    return np.fromiter(map(G.positions.__getitem__, nodes), np.int32, len(nodes))


def _all(graph: Graph) -> IntArray:
    return np.arange(graph.n, dtype=np.int32)


def _subsets(G: Converted, sources: Any, targets: Any) -> tuple[IntArray, IntArray]:
    """Positions of the sources, as often as they are given, and of the targets that are nodes."""
    if not isinstance(sources, (list, tuple, set, frozenset, dict)) or not isinstance(
        targets, (list, tuple, set, frozenset, dict)
    ):
        raise NotImplementedError("sources and targets are not lists, tuples, sets or dictionaries")
    try:
        if not all(source in G.positions for source in sources):
            raise NotImplementedError("a source is not in the graph: NetworkX raises an error")
        ends = [target for target in targets if target in G.positions]
    except TypeError as error:
        raise NotImplementedError(f"a source or target cannot be hashed: {error}") from None
    return _positions(G, sources), _positions(G, ends)


def _flows(graph: Graph, sources: IntArray, targets: IntArray | None, *, along: bool) -> Flows:
    to = np.ones(graph.n)
    if targets is not None:
        to[:] = 0
        to[targets] = 1
    try:
        threads = threads_from(None)
        choice = choose("flows", FlowWork(graph, len(sources), None, split=True), device="cpu", threads=threads)
        return flows(graph, Demand(sources, to), choice, along=along, threads=threads)
    except RequestError as error:  # numbers of paths that NetworkX counts in the order of its search, or beyond float64
        raise NotImplementedError(str(error)) from error


def _of_edges(G: Converted, graph: Graph, found: Flows) -> dict[Any, float]:
    """Flows of the edges by their nodes; that of an undirected edge is the sum of both directions."""
    pairs = list(G.origin.edges())
    ends = np.fromiter((G.positions[node] for pair in pairs for node in pair), np.int64, 2 * len(pairs))
    tails, heads = ends[::2], ends[1::2]
    assert found.along is not None
    values = _at(graph, found.along, tails, heads)
    if not G.is_directed():
        values = values + _at(graph, found.along, heads, tails)
    return dict(zip(pairs, values.tolist(), strict=True))


def _at(
    graph: Graph, along: npt.NDArray[np.float64], tails: npt.NDArray[np.int64], heads: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Values of arcs, in the order of some pairs; 0 where there is no arc (of self-loops)."""
    if not graph.m:
        return np.zeros(len(tails))
    keys = graph.tails().astype(np.int64) * graph.n + graph.indices
    wanted = tails * graph.n + heads
    place = np.minimum(np.searchsorted(keys, wanted), graph.m - 1)
    return np.where(keys[place] == wanted, along[place], 0.0)


def _rescaled(
    module: ModuleType, name: str, values: dict[Any, float], G: Converted, **options: Any
) -> dict[Any, float]:
    """What NetworkX makes of the sums; its versions differ in the factors for samples."""
    rescale = getattr(module, name, None) or getattr(module, "_rescale", None)
    if rescale is None:
        raise NotImplementedError("this version of NetworkX has other functions for its factors")
    known = inspect.signature(rescale).parameters
    options = {key: value for key, value in options.items() if key in known}
    found: dict[Any, float] = rescale(values, len(G), directed=G.is_directed(), **options)
    return found


def _with_keys(G: Converted, values: dict[Any, float], weight: Weight) -> dict[Any, float]:
    """Values of the parallel edges of a multigraph."""
    if not G.is_multigraph():
        return values
    found: dict[Any, float] = of_all._add_edge_keys(G.origin, values, weight=weight)
    return found
