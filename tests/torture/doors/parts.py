"""`apsp.components`: strong and weak, against what reaches what."""

from __future__ import annotations

import random
from typing import Any

import apsp
from torture.exact import reached_from
from torture.judging import Judging
from torture.promise import WrongError

__all__ = ["parts"]


def parts(judging: Judging, call: dict[str, Any]) -> None:
    n, naming = judging.case.n, judging.naming
    graph = judging.fresh_graph()
    forward = judging.truth.arcs
    both = {pair: 1 for tail, head in forward for pair in ((tail, head), (head, tail))}
    reached = [reached_from(n, forward, [vertex], frozenset()) for vertex in range(n)]
    near = [reached_from(n, both, [vertex], frozenset()) for vertex in range(n)]
    expected = {
        "strong": _numbered(n, lambda u, v: v in reached[u] and u in reached[v]),
        "weak": _numbered(n, lambda u, v: v in near[u]),
    }
    for connection, membership in expected.items():
        found = apsp.components(graph, connection=connection)  # type: ignore[arg-type]
        if found.membership.tolist() != membership:
            raise WrongError(f"{connection} components are {found.membership.tolist()}, not {membership}")
        if found.count != len(set(membership)):
            raise WrongError(f"there are {found.count} {connection} components, not {len(set(membership))}")
        if found.sizes.tolist() != [membership.count(number) for number in range(found.count)]:
            raise WrongError(f"the {connection} components have sizes {found.sizes.tolist()}")
        if not n:
            continue
        one = random.Random(call["seed"]).randrange(found.count)
        members = [vertex for vertex, number in enumerate(membership) if number == one]
        if naming.hear(found.members(one).tolist()) != members:
            raise WrongError(f"{connection} component {one} is {found.members(one).tolist()}")
        _check_subgraph(judging, found.subgraph(one), members)
    judging.count("components")


def _numbered(n: int, together: Any) -> list[int]:
    """The component of each vertex, numbered in the order of their first vertices."""
    firsts: list[int] = []
    found = []
    for vertex in range(n):
        number = next((k for k, first in enumerate(firsts) if together(first, vertex)), None)
        if number is None:
            number = len(firsts)
            firsts.append(vertex)
        found.append(number)
    return found


def _check_subgraph(judging: Judging, part: apsp.Graph, members: list[int]) -> None:
    """The arcs between the members, each with its weight."""
    whole = judging.fresh_graph()
    inside = set(members)
    expected = sorted(_arcs(whole, range(whole.n), inside))
    found = sorted(_arcs(part, members, inside))
    if part.n != len(members) or found != expected:
        raise WrongError(f"the graph of the component {members} has arcs {found}, not {expected}")


def _arcs(graph: apsp.Graph, positions: Any, inside: set[int]) -> list[tuple[int, int, float]]:
    weights = [1] * graph.m if graph.weights is None else graph.weights.tolist()
    arcs = zip(graph.tails().tolist(), graph.indices.tolist(), weights, strict=True)
    named = [(positions[tail], positions[head], weight) for tail, head, weight in arcs]
    return [arc for arc in named if arc[0] in inside and arc[1] in inside]
