"""How paths may go on in a graph with turns, from what names its turns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from apsp.errors import GraphError
from apsp.graph.model import Graph
from apsp.graph.turns.expansion import Ways, expanded, ways_of
from apsp.graph.turns.references import NO_MOVEMENTS, movements_of, sequences_of
from apsp.graph.turns.rules import Rules
from apsp.graph.turns.uses import Uses, uses_of

__all__ = ["checked_ways"]


def checked_ways(
    graph: Graph, made: Graph, vertices: Any, movements: Mapping[str, Any], forbidden: tuple[tuple[int, ...], ...],
    rules: Mapping[str, Any],
) -> Ways:  # fmt: skip
    """How paths may go on, after a check that the expanded graph follows from it.

    Raises
    ------
    GraphError
        If it does not.
    """
    uses = uses_of(graph)
    ways = _ways(graph, uses, movements, forbidden, rules)
    again = expanded(graph, uses, ways).graph
    if not (np.array_equal(ways.vertices, vertices) and again.m == made.m and again == made):
        raise GraphError("the expanded graph is not that of these turns: apsp.with_turns makes it again")
    return ways


def _ways(
    graph: Graph, uses: Uses, movements: Mapping[str, Any], forbidden: tuple[tuple[int, ...], ...],
    rules: Mapping[str, Any],
) -> Ways:  # fmt: skip
    some = bool(movements) and len(movements["penalty"]) > 0
    named = movements_of(dict(movements), graph, uses, None) if some else NO_MOVEMENTS
    numbers = dict(rules)
    crs = numbers.pop("crs", None)
    return ways_of(graph, uses, named, sequences_of(forbidden, graph, uses), Rules(**numbers), crs)
