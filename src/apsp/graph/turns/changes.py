"""Other weights and penalties of the expanded graph that an oracle was prepared with."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp.errors import GraphError, RequestError
from apsp.graph.model import Graph
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.system.arguments import flag, is_flag

__all__ = ["changed_turns"]


def changed_turns(now: Graph, given: Any, links: Any) -> Graph:
    """The expanded graph with other weights, or that of another graph with turns.

    Parameters
    ----------
    now : Graph
        Of an oracle.
    given, links
        Of `Oracle.update`.

    Raises
    ------
    RequestError
        If only one of them has turns.
    GraphError
        If other vertices are expanded; as `TurnGraph.with_weights`.
    """
    if now._turned is None:
        raise RequestError("this oracle has no turns: apsp.prepare(turned) is one that has")
    whole = now._turned.whole
    if isinstance(given, Graph):
        if given._turned is None:
            raise RequestError("this oracle has turns: give weights, or a graph with turns (apsp.with_turns)")
        given = given._turned.whole
    if not isinstance(given, TurnGraph):
        return whole.with_weights(given, links=links)._searched
    if not is_flag(links) or flag(links, "links"):
        raise RequestError("links belong to weights: a graph with turns has those of its own links")
    if given.graph.n != whole.n or given.labels != whole.labels:
        raise GraphError(
            f"the graph has other vertices ({given.n:,}) than that of the oracle ({whole.n:,}): apsp.prepare(turned)"
        )
    if not np.array_equal(given.vertices, whole.vertices):
        raise GraphError(
            "other movements are restricted than when the oracle was prepared, so that other vertices are expanded: "
            "penalties may change, but not become or cease to be 0: apsp.prepare(turned)"
        )
    if not np.array_equal(_zones(given), _zones(whole)):
        raise GraphError("other vertices of the graph are zones than of that of the oracle: apsp.prepare(turned)")
    return given._searched


def _zones(turned: TurnGraph) -> Any:
    return np.zeros(turned.n, bool) if turned.graph.zones is None else turned.graph.zones
