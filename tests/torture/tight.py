"""Numbers of shortest paths, and flows of a demand along them as fractions; paths visit no vertex twice.

Arcs of length zero may lead there and back along the edges of a tree. A path that has entered such a tree goes one way
to each other vertex of it. Therefore the tight arcs are unfolded: a vertex of a tree stands once per vertex at which
paths enter the tree, and the copies have no cycles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import networkx as nx

__all__ = ["Carried", "carried", "knotted", "path_numbers", "tight_tails"]

Arcs = Mapping[tuple[int, int], int]
Tails = Mapping[int, Sequence[int]]
Node = tuple[int, int]
"""A vertex, and the one where paths enter its tree of arcs of length zero: itself outside of trees."""
_NONE = Fraction(0)


def tight_tails(
    source: int, row: Sequence[int | None], arcs: Arcs, closed: frozenset[int], *, back: bool = False
) -> dict[int, list[int]]:
    """Return the tails of the arcs on shortest paths from a source, of every vertex, in ascending order.

    Parameters
    ----------
    row : exact distances from the source
    back : with the arcs on which paths come back to the source, if they may pass it
    """
    ends = (source,) if not back or source in closed else ()
    into: dict[int, list[int]] = {v: [] for v in range(len(row))}
    for (tail, head), weight in sorted(arcs.items()):
        near, passable = row[tail], tail == source or tail not in closed
        if tail != head and head not in ends and passable and near is not None and row[head] == near + weight:
            into[head].append(tail)
    return into


def knotted(into: Tails) -> set[int]:
    """Return the vertices on cycles other than those there and back along the edges of a tree."""
    return {v for v, tree in _cycles(into).items() if not tree}


def path_numbers(into: Tails, source: int) -> dict[int, int]:
    """Return the numbers of paths of the vertices that no cycle precedes, trees aside."""
    unfolded = _unfolded(into)
    numbers = _counted(unfolded, source)
    found: dict[int, int] = {}
    for (v, _), number in numbers.items():
        found[v] = found.get(v, 0) + number
    return {v: number for v, number in found.items() if all(node in numbers for node in unfolded.copies[v])}


@dataclass(frozen=True)
class _Unfolded:
    """The copies of each vertex, and the tails of the copies."""

    copies: dict[int, list[Node]]
    into: dict[Node, list[Node]]


def _cycles(into: Tails) -> dict[int, frozenset[int]]:
    """The vertices on cycles, with the trees that they are in; none for other cycles."""
    graph = nx.DiGraph([(tail, head) for head, tails in into.items() for tail in tails])
    found: dict[int, frozenset[int]] = {}
    for part in nx.strongly_connected_components(graph):
        inside = graph.subgraph(part)
        pairs = all(inside.has_edge(head, tail) for tail, head in inside.edges)
        tree = pairs and inside.number_of_edges() == 2 * (len(part) - 1)
        if len(part) > 1:
            found.update(dict.fromkeys(part, frozenset(part if tree else ())))
    return found


def _unfolded(into: Tails) -> _Unfolded:
    trees = _cycles(into)
    entrances = {
        tree: [v for v in sorted(tree) if any(tail not in tree for tail in into[v])] for tree in set(trees.values())
    }
    copies = {v: [(v, e) for e in entrances[trees[v]]] if trees.get(v) else [(v, v)] for v in into}
    found: dict[Node, list[Node]] = {}
    for v, tails in into.items():
        tree = trees.get(v, frozenset())
        for node in copies[v]:
            found[node] = [one for tail in tails if tail not in tree for one in copies[tail] if node == (v, v)]
    for tree, ways_in in entrances.items():
        for entrance in ways_in:
            waiting = [entrance]
            while waiting:
                tail = waiting.pop()
                for head in tree:
                    if tail in into[head] and (head, entrance) not in found[tail, entrance]:
                        found[head, entrance].append((tail, entrance))
                        waiting.append(head)
    return _Unfolded(copies, found)


def _counted(unfolded: _Unfolded, source: int) -> dict[Node, int]:
    """The numbers of paths of copies that no cycle precedes, tails first."""
    waiting = {node: len(tails) for node, tails in unfolded.into.items()}
    after: dict[Node, list[Node]] = {node: [] for node in waiting}
    for node, tails in unfolded.into.items():
        for tail in tails:
            after[tail].append(node)
    numbers, ready = {(source, source): 1}, [(source, source)]
    while ready:
        for node in after[ready.pop()]:
            waiting[node] -= 1
            if waiting[node] == 0:
                numbers[node] = sum(numbers[tail] for tail in unfolded.into[node])
                ready.append(node)
    return numbers


@dataclass(frozen=True)
class Carried:
    """What passes each vertex, what each arc carries, and what arrives."""

    through: list[Fraction]
    along: dict[tuple[int, int], Fraction]
    served: Fraction


def carried(
    source: int,
    row: Sequence[int | None],
    demand: Mapping[int, int | Fraction],
    arcs: Arcs,
    closed: frozenset[int],
    *,
    first: bool = False,
) -> Carried:
    """Send a demand from a source to vertices, divided among all shortest paths.

    Parameters
    ----------
    row : exact distances from the source
    demand : of vertices with a path; that of the source is left out
    first : every vertex is reached from its smallest predecessor instead

    Raises
    ------
    ValueError
        If a cycle of length zero, other than those of trees, precedes a vertex of the demand.
    """
    into = tight_tails(source, row, arcs, closed)
    if first:
        into = {head: tails[:1] for head, tails in into.items()}
    unfolded = _unfolded(into)
    numbers = _counted(unfolded, source)
    through, flow = [_NONE] * len(row), dict.fromkeys(numbers, _NONE)
    along: dict[tuple[int, int], Fraction] = {}
    served = _NONE
    for v, amount in demand.items():
        if v == source or not amount:
            continue
        copies = unfolded.copies[v]
        if any(copy not in numbers for copy in copies):
            raise ValueError(f"a cycle of length zero precedes vertex {v}")
        served += amount
        ways = sum(numbers[copy] for copy in copies)
        for copy in copies:
            flow[copy] += amount * Fraction(numbers[copy], ways)
            through[v] -= amount * Fraction(numbers[copy], ways)  # it ends here
    for node in reversed(numbers):
        through[node[0]] += flow[node]
        for tail in unfolded.into[node]:
            share = flow[node] * Fraction(numbers[tail], numbers[node])
            flow[tail] += share
            arc = tail[0], node[0]
            along[arc] = along.get(arc, _NONE) + share
    through[source] = _NONE
    return Carried(through, along, served)
