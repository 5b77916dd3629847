"""NetworkX -> Graph, and back. Nodes are the labels of the vertices."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import USUAL, NetworkXGraph, Usual
from apsp.errors import GraphError, RequestError, shown
from apsp.graph.checks import check_symmetric
from apsp.graph.convert import from_edges
from apsp.graph.foreign.edge_weights import attribute_of
from apsp.graph.foreign.positions import coordinates_of
from apsp.graph.missing import lack_of_lengths, length_of_missing
from apsp.graph.model import Graph
from apsp.graph.networkx_arcs import MISSING, Arcs, Weight, arcs_of
from apsp.graph.networkx_bends import bends_of_edges
from apsp.graph.networkx_costs import attributes_of_edges, names_of_costs
from apsp.graph.python_numbers import array_of_numbers, is_number
from apsp.system.arguments import flag
from apsp.system.lack_of_memory import memory_errors

__all__ = ["Weight", "from_networkx"]


@memory_errors
def from_networkx(
    G: NetworkXGraph,
    weight: Weight | Usual = USUAL,
    *,
    costs: Sequence[str] = (),
    missing: float | None = None,
    links: bool = False,
) -> Graph:
    """Build a graph from a NetworkX graph, directed or not, multigraph or not.

    Parameters
    ----------
    G : networkx.Graph
        Its nodes, in their order, are the labels of the vertices. A node attribute `pos` (x, y) on every node becomes
        the coordinates, or the attributes `x` and `y`. In a street network of OSMnx, lines of shapely in the edge
        attribute `geometry` become the bends of links (`Graph.links.bends`), unless `weight` is a function. Of other
        graphs they do if all of them begin and end exactly where their nodes are, as those of `Graph.to_networkx`.
    weight : str, callable or None
        The edge attribute with the length. By default `weight`, or in a street network of OSMnx `length`, and hops if
        no edge has it; None counts hops. Of several edges between two nodes the shortest counts. Or a function of
        (u, v, attributes), as in NetworkX, that returns the length of the edge in the direction from u to v (of a
        multigraph the attributes are a dictionary from edge keys to attributes). An edge whose length is None is
        hidden.
    costs : sequence of str, optional
        Edge attributes with further costs, which every edge has (`Graph.costs`, for `apsp.skim`). With costs, parallel
        edges are all kept (`Graph.links`), in the order of `G.edges`.
    missing : number, optional
        The length of edges without the attribute, if some have it: 1 as in NetworkX. Without it they are an error.
    links : bool
        Keep the edges as links, in the order of `G.edges`, also if there are no costs or none are parallel.

    Returns
    -------
    Graph
        The graph, with the nodes as labels.

    Raises
    ------
    GraphError, RequestError
        If a weight or a cost is not a number, or an edge does not have it; the message names the edge. If no edge has
        the attribute that `weight` names; the message lists those that exist. If there are costs or links, and
        `weight` is a function for an undirected graph or a multigraph, or the graph is an undirected view of a directed
        one.

    Examples
    --------
    >>> import apsp, networkx
    >>> roads = networkx.Graph()
    >>> roads.add_weighted_edges_from([("Rome", "Florence", 273), ("Florence", "Bologna", 105)])
    >>> apsp.solve(apsp.from_networkx(roads)).distance("Rome", "Bologna")
    378
    """
    if not (weight is None or weight is USUAL or isinstance(weight, str) or callable(weight)):
        raise RequestError(f"weight must be the name of an edge attribute, a function or None, not {shown(weight)}")
    if not all(hasattr(G, name) for name in ("nodes", "edges", "adj", "is_directed")):
        raise GraphError(f"{type(G).__name__} is not a NetworkX graph")
    missing = length_of_missing(missing)
    named = isinstance(weight, str)
    weight = _usual_weight(G) if weight is USUAL else weight
    names, links = names_of_costs(costs), flag(links, "links")
    if names or links:
        G = _with_edges(G, weight, "links=True needs" if links else "costs need")
    nodes = list(G.nodes)
    positions = dict(zip(nodes, range(len(nodes)), strict=True))
    arcs = arcs_of(G, weight, positions)
    if isinstance(weight, str):
        arcs = _complete(G, arcs, weight, named, missing)
    kept, lengths = _lengths(arcs, nodes, weight)
    along = attributes_of_edges(G, names, arcs, kept, positions)
    tails, heads = (arcs.tails, arcs.heads) if kept is None else (arcs.tails[kept], arcs.heads[kept])
    coordinates = _coordinates(G)
    bends = None
    if coordinates is not None and not callable(weight):
        bends = bends_of_edges(G, arcs, kept, coordinates, positions, exact=not _has_lines(G))
    directed = G.is_directed()
    # a view of a directed graph as an undirected one has lengths for each direction, of which the shorter counts
    both_ways = not (directed or arcs.symmetric or callable(weight))
    if arcs.symmetric and (along or links or bends is not None):  # each edge is one link
        once = tails <= heads
        tails, heads, lengths = tails[once], heads[once], None if lengths is None else lengths[once]
        along = {name: numbers[once] for name, numbers in along.items()}
        bends = None if bends is None else bends.along(np.flatnonzero(once), False)
        both_ways = True
    graph = from_edges(
        tails, heads, lengths, n=len(nodes), directed=not both_ways, labels=nodes, coordinates=coordinates,
        costs=along or None, links=links, crs=None if coordinates is None else _crs(G),
        bends=bends,
    )  # fmt: skip
    if arcs.symmetric:
        graph.directed = False
    elif not directed and not both_ways:  # a function may return different lengths for the two directions of an edge
        with contextlib.suppress(GraphError):
            check_symmetric(graph.tails(), graph.indices, graph.weights)
            graph.directed = False
    return graph


def _with_edges(G: Any, weight: Weight, needs: str) -> Any:
    """The graph with each of its edges once; an undirected view is copied.

    Raises
    ------
    RequestError
        If its edges may have two lengths.
    """
    if callable(weight) and (getattr(G, "is_multigraph", bool)() or not G.is_directed()):
        raise RequestError(f"{needs} one length per edge: name an edge attribute as weight, not a function")
    if G.is_directed() or type(getattr(G, "_adj", None)) is dict:
        return G
    inner = G
    while hasattr(inner, "_graph"):
        inner = inner._graph
    if inner.is_directed():
        raise RequestError(f"{needs} one length per edge: G.to_undirected() copies this view of a directed graph")
    return G.copy()


def _usual_weight(G: Any) -> str:
    """`weight`; of a street network of OSMnx, whose edges do not have it, `length`."""
    if "crs" in getattr(G, "graph", ()):  # the coordinate reference system, which OSMnx sets
        edge = next(iter(G.edges(data=True)), None)
        if edge is not None and "weight" not in edge[-1] and "length" in edge[-1]:
            return "length"
    return "weight"


def _has_lines(G: Any) -> bool:
    """Whether edges may have lines as OSMnx adds them, in the coordinates x and y."""
    return "crs" in getattr(G, "graph", ()) and not any("pos" in data for _, data in G.nodes(data=True))


def _crs(G: Any) -> str | None:
    """What the coordinates of a graph of OSMnx are; None if it is not clear."""
    crs = getattr(G, "graph", {}).get("crs")
    if crs is None or not _has_lines(G):
        return None
    name = str(crs).lower()
    if getattr(crs, "is_geographic", False) or name in ("epsg:4326", "ogc:crs84"):
        return "degrees"
    return "plane" if getattr(crs, "is_projected", False) else None


def _coordinates(G: Any) -> Any:
    places = [place for _, place in G.nodes(data="pos")]
    if places and all(isinstance(place, (Sequence, np.ndarray)) and len(place) == 2 for place in places):
        return coordinates_of([place[0] for place in places], [place[1] for place in places])
    if None not in places:
        return None
    return coordinates_of([x for _, x in G.nodes(data="x")], [y for _, y in G.nodes(data="y")])


def _complete(G: Any, arcs: Arcs, name: str, named: bool, missing: float | None) -> Arcs:
    """The arcs, all of which have the attribute, or none (hops).

    Raises
    ------
    RequestError, GraphError
        If the caller named an attribute that no edge has; if some edges have it, and there is no number for the others.
    """
    values = arcs.values
    if values is not None and (isinstance(values, np.ndarray) or type(MISSING) not in set(map(type, values))):
        return arcs
    if values is None or all(value is MISSING for value in values):
        if named and len(arcs.tails):
            attribute_of(name, {key: 0 for _, _, data in G.edges(data=True) for key in data}, "NetworkX")
        return arcs._replace(values=None)
    if missing is not None:
        return arcs._replace(values=[missing if value is MISSING else value for value in values])
    ends = [(u, v) for u, v, data in G.edges(data=True) if name not in data]
    first = f"edge {shown(ends[0][0])} - {shown(ends[0][1])}"
    raise GraphError(lack_of_lengths(f"the attribute {shown(name)}", len(ends), G.number_of_edges(), first))


def _lengths(arcs: Arcs, nodes: list[Any], weight: Weight) -> tuple[npt.NDArray[np.bool_] | None, Any]:
    """Which arcs count (None: all), and their lengths (None: hops).

    Raises
    ------
    GraphError
        Naming the edge: a length that is not a number.
    """
    values, kept = arcs.values, None
    if values is None or isinstance(values, np.ndarray):
        return None, values
    kinds = set(map(type, values))
    if type(None) in kinds:
        kept = np.fromiter((value is not None for value in values), bool, len(values))
        values = [value for value in values if value is not None]
    if kinds <= {type(None)}:
        return kept, None

    def name(index: int) -> str:
        arc = index if kept is None else int(np.flatnonzero(kept)[index])
        source = ": the weight function returns " if callable(weight) else f" has {weight}="
        return f"edge {shown(nodes[arcs.tails[arc]])} - {shown(nodes[arcs.heads[arc]])}{source}"

    if not kinds <= {int, float, type(None)}:
        for index, value in enumerate(values):
            if not is_number(value):
                raise GraphError(f"{name(index)}{shown(value)}: a weight must be a number")
    return kept, array_of_numbers(values, name)
