"""How places are joined with the ends of their streets: where paths go that leave them, and where paths come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.graph.places.places import Places
from apsp.graph.places.streets import opposite_arcs

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["Joins", "PlaceStreets", "joined_with", "joins_of"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Joins(NamedTuple):
    """Ways between places and the vertices of a graph.

    Attributes
    ----------
    rows : (k,) int64
        Numbers of places.
    vertices : (k,) int64
        Positions in the graph.
    streets : (k,) int64
        The arcs whose parts the ways are; -1 of places at vertices.
    ends : (k,) float64
        Where on the line of the street the vertex is: 1 at its head, otherwise 0.
    further : (k,) float64
        What the way costs besides.
    """

    rows: Ints
    vertices: Ints
    streets: Ints
    ends: Floats
    further: Floats


class PlaceStreets(NamedTuple):
    """The streets of places.

    Attributes
    ----------
    along, back : (p,) int64
        Arcs of the graph, whose weights are the lengths; -1 where there is none.
    leaving, entering : Joins
    begun : (b,) int64
        Places at vertices where paths begin along any street although no path leads through, and
    begun_at : (b,) int64
        these vertices.
    """

    along: Ints
    back: Ints
    leaving: Joins
    entering: Joins
    begun: Ints
    begun_at: Ints


def joined_with(graph: Graph, places: Places, moved: Ints) -> PlaceStreets:
    """The streets of checked places; (n,) `moved` are new positions of the vertices, to which joins lead."""
    if graph._turned is not None:
        found = graph._turned.whole._places.streets(graph, places)
        leaving, entering = (each._replace(vertices=moved[each.vertices]) for each in (found.leaving, found.entering))
        return found._replace(leaving=leaving, entering=entering)
    number = np.arange(len(places))
    back = np.full(len(places), -1, dtype=np.int64)
    on, at = places.arcs >= 0, (places.arcs < 0) & places.snapped
    back[on] = opposite_arcs(graph, places.arcs[on])
    tails, heads = places.vertices.astype(np.int64), np.where(on, graph.indices[places.arcs] if graph.m else 0, -1)
    leaving = joins_of(
        (number[on], heads[on], places.arcs[on], 1), (number[back >= 0], tails[back >= 0], back[back >= 0], 0),
        (number[at], tails[at], None, 0),
    )  # fmt: skip
    entering = joins_of(
        (number[on], tails[on], places.arcs[on], 0), (number[back >= 0], heads[back >= 0], back[back >= 0], 1),
        (number[at], tails[at], None, 0),
    )  # fmt: skip
    none = np.empty(0, np.int64)
    return PlaceStreets(places.arcs, back, leaving, entering, none, none)


def joins_of(*parts: tuple[Ints, Ints, Ints | None, int] | tuple[Ints, Ints, Ints | None, int, Floats]) -> Joins:
    """Joins of several kinds: rows, vertices, streets (None: of places at vertices), the end, and further costs."""
    columns: list[list[npt.NDArray[np.generic]]] = [[] for _ in range(5)]
    for rows, vertices, streets, end, *further in parts:
        count = len(rows)
        given = (
            rows, vertices, np.full(count, -1) if streets is None else streets, np.full(count, float(end)),
            further[0] if further else np.zeros(count),
        )  # fmt: skip
        for column, array in zip(columns, given, strict=True):
            column.append(array)
    return Joins(*map(np.concatenate, columns))  # type: ignore[arg-type]
