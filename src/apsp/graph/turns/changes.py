"""Another graph with turns for what was prepared of one."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp.errors import GraphError, RequestError
from apsp.graph.model import Graph
from apsp.graph.turns.turn_graph import TurnGraph

__all__ = ["checked_turns"]


def checked_turns(now: Graph, given: Graph | TurnGraph) -> TurnGraph:
    """A graph with turns of which the same vertices are expanded.

    Parameters
    ----------
    now : Graph
        Of an oracle.
    given : Graph or TurnGraph

    Raises
    ------
    RequestError
        If only one of them has turns.
    GraphError
        If other vertices are expanded.
    """
    if now._turned is None:
        raise RequestError("this oracle has no turns: apsp.prepare(turned) is one that has")
    whole = now._turned.whole
    if isinstance(given, Graph):
        if given._turned is None:
            raise RequestError("this oracle has turns: give weights, or a graph with turns (apsp.with_turns)")
        given = given._turned.whole
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
    return given


def _zones(turned: TurnGraph) -> Any:
    return np.zeros(turned.n, bool) if turned.graph.zones is None else turned.graph.zones
