"""`can_run` and `should_run`: which calls of NetworkX this backend takes."""

from __future__ import annotations

import sys
from collections.abc import Sized
from typing import Any

from apsp.compat.networkx.converted import Converted
from apsp.compat.networkx.function import FUNCTIONS, Kind
from apsp.compat.networkx.version import networkx_version
from apsp.graph.networkx_arcs import Weight

__all__ = ["can_run", "should_run"]

_ANSWERS = {"e": "the eccentricities", "sp": "the distances"}
"""Arguments that hold what would be computed."""

_BY_HOPS = {"global_reaching_centrality"}
"""Functions whose weights are strengths, by which the values depend on the choice among shortest paths."""

_LINEAR_ON_TREES = {"center": (3, 5), "barycenter": (3, 6)}
"""Functions for which NetworkX knows a method for trees, and since which version."""

_NEVER = sys.maxsize

_FEWEST: dict[Kind, tuple[int, int]] = {
    "measure": (15, 8),
    "local": (6, 6),
    "lengths": (25, 8),
    "paths": (_NEVER, 9),
    "source": (_NEVER, 2_000),
    "pair": (_NEVER, _NEVER),
    "ranked": (2_000, 100),
    "closure": (30, _NEVER),
    "regular": (_NEVER, _NEVER),
    "composed": (_NEVER, _NEVER),
}
"""Nodes from which a kind of function is faster here than in NetworkX, by hops and by weights, conversion included.

Measured on sparse graphs. NetworkX's functions call a search for each node, and each of these calls is dispatched too
where the backend has priority: 4 us of 10 for the smallest.
"""

_FEWEST_KEPT = (2_000, 200)
"""The same for one source, where the arcs were converted before."""

_FEWEST_CLOSED = 1_000
"""The same for a transitive closure, where there are fewer edges than nodes: perhaps few pairs have a path."""

_FEW = 4
"""Searches that take no longer than the conversion of the graph."""

_WHY_NEVER: dict[Kind, str] = {
    "paths": "the time is that of making lists, as in NetworkX",
    "source": "few searches take as long as the conversion of the graph, which was not converted before",
    "regular": "NetworkX ends with the first pair of nodes that differs, in most graphs the first or second",
    "pair": "NetworkX searches from both ends, or as far as the target",
    "composed": "the functions that it calls are dispatched themselves",
}


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Tell whether the result would be NetworkX's; otherwise the reason why not.

    Weights are looked at when the graph is converted: NetworkX then runs on a NotImplementedError.
    """
    function = FUNCTIONS.get(name)
    if function is None:
        return f"{name} is not a function of this backend"
    G = args[0] if args else kwargs["G"]
    given = function.arguments(args, kwargs)
    weight = given[function.weight] if function.weight else None
    if not len(G):
        return "the null graph has no distances"
    if callable(weight) and not function.callables:
        return f"{function.weight} must be the name of an attribute"
    if weight is not None and name in _BY_HOPS:
        return "the values depend on the choice among shortest paths"
    for parameter, what in _ANSWERS.items():
        if given.get(parameter) is not None:
            return f"{what} are given: there is nothing to compute"
    if given.get("attr") is not None:
        return "the result is written into the graph"
    if weight is None and _is_tree_of(name, G):
        return "NetworkX has a method for trees, in linear time"
    return True


def _is_tree_of(name: str, G: Any) -> bool:
    """Whether the graph has the edges of a tree, and the function a method for it."""
    since = _LINEAR_ON_TREES.get(name)
    if since is None or networkx_version() < since or G.is_directed():
        return False
    return bool(G.number_of_edges() == len(G) - 1)


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Tell whether this backend is faster than NetworkX; otherwise the reason why not."""
    function = FUNCTIONS[name]
    G = args[0] if args else kwargs["G"]
    given = function.arguments(args, kwargs)
    weight = given[function.weight] if function.weight else None
    weighted = weight is not None
    kind: Kind = "source" if function.kind == "measure" and _of_few_nodes(G, given) else function.kind
    fewest = _FEWEST[kind][weighted]
    if kind == "source":
        if callable(weight):
            return "the function of the weight would be called for every edge, as in NetworkX"
        if _keeps(G, weight):
            fewest = _FEWEST_KEPT[weighted]
    elif kind == "closure" and G.number_of_edges() < len(G):
        fewest = _FEWEST_CLOSED
    if len(G) >= fewest:
        return True
    return _WHY_NEVER[kind] if fewest == _NEVER else f"NetworkX is faster below {fewest:,} nodes"


def _of_few_nodes(G: Any, given: dict[str, Any]) -> bool:
    """Whether a measure is requested of a few nodes only, so that there are few searches."""
    for parameter in ("u", "v", "nbunch", "sources"):
        nodes = given.get(parameter)
        if nodes is not None and (nodes in G or (isinstance(nodes, Sized) and len(nodes) <= _FEW)):
            return True
    return False


def _keeps(G: Any, weight: Weight) -> bool:
    """Whether NetworkX keeps a conversion of the graph that has the arcs with these weights."""
    cache = getattr(G, "__networkx_cache__", None) or {}
    kept = cache.get("backends", {}).get("apsp", {})
    return any(isinstance(each, Converted) and each.keeps(weight) for each in list(kept.values()))
