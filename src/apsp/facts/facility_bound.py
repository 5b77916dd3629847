"""The dtype of all distances from those to the nearest facilities: a proof that costs nothing once they are known.

In an undirected graph whose vertices all reach one of k facilities, at most M away, neighbours with different nearest
facilities join these: the facilities are at most 2 M plus the longest arc apart, and k - 1 such steps lead from any of
them to any other in its component. So no distance exceeds B = 2 M + (k - 1) (2 M + the longest arc), and the proof of
`apsp.facts.bounds`, which is at most twice the longest distance there, is at most 2 B. The dtype is the same.
"""

from __future__ import annotations

from apsp.facts.dtypes import SUM_LIMITS
from apsp.graph.model import Graph

__all__ = ["dtype_by_facilities", "dtype_to_try"]


def dtype_to_try(graph: Graph) -> str | None:
    """The dtype of a search whose distances may prove that it is the right one; None if there is none."""
    if not graph.has_integer_weights or graph.has_negative_arc or graph.longest_arc >= SUM_LIMITS["int32"]:
        return None
    return "int32" if _is_undirected(graph) or _at_most(graph) < SUM_LIMITS["int32"] else None


def dtype_by_facilities(graph: Graph, facilities: int, farthest: int, *, all_reached: bool) -> str | None:
    """The dtype that `choose_dtype` finds for the graph, or None if these distances do not prove it.

    Parameters
    ----------
    facilities : int
        How many there are.
    farthest : int
        The largest finite distance between a vertex and its nearest facility.
    all_reached : bool
        Whether every vertex has one.
    """
    bound = _at_most(graph)
    if _is_undirected(graph) and all_reached:
        bound = min(bound, 2 * (2 * farthest + max(facilities - 1, 0) * (2 * farthest + int(graph.longest_arc))))
    bound, farthest = max(bound, int(graph.longest_arc)), max(farthest, int(graph.longest_arc))
    if bound < SUM_LIMITS["uint16"]:
        return "uint16"
    return "int32" if bound < SUM_LIMITS["int32"] and farthest >= SUM_LIMITS["uint16"] else None


def _is_undirected(graph: Graph) -> bool:
    return not graph.directed and not graph.has_zones


def _at_most(graph: Graph) -> int:
    return (graph.n - 1) * int(graph.longest_arc)
