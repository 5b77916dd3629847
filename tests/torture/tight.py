"""Flows of a demand along the exact shortest paths from a source, as fractions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

__all__ = ["Carried", "carried"]

Arcs = Mapping[tuple[int, int], int]
_NONE = Fraction(0)


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
    demand : of vertices; that of vertices without a path, and of the source, is left out
    arcs : without cycles of length zero
    first : every vertex is reached from its smallest predecessor instead
    """
    into: dict[int, list[int]] = {}
    for (tail, head), weight in sorted(arcs.items()):
        near, passable = row[tail], tail == source or tail not in closed
        if tail != head != source and passable and near is not None and row[head] == near + weight:
            into.setdefault(head, []).append(tail)
    if first:
        into = {head: tails[:1] for head, tails in into.items()}
    paths: dict[int, int] = {source: 1}

    open_ = [v for v, distance in enumerate(row) if distance is not None][::-1]
    while open_:  # dictionaries keep the order in which vertices are counted: tails come first
        v = open_[-1]
        tails = into.get(v, [])
        missing = [u for u in tails if u not in paths] if v not in paths else []
        if not missing:
            paths.setdefault(v, sum(paths[u] for u in tails))
            open_.pop()
        open_ += missing
    through = [_NONE] * len(row)
    along: dict[tuple[int, int], Fraction] = {}
    served = _NONE
    for v in reversed(paths):
        ends = Fraction(demand.get(v, 0)) if v != source else _NONE
        served += ends
        for u in into.get(v, ()):
            share = (through[v] + ends) * Fraction(paths[u], paths[v])
            through[u] += share
            along[u, v] = share
    through[source] = _NONE
    return Carried(through, along, served)
