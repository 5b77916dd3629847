"""Places as vertices of the graph whose streets they are on.

A place becomes a vertex, with arcs to and from the ends of its street: the part of the street up to there, and the way
between the point and the street. Two places on one street, or at one point, have an arc between them. No path passes
through a place: it has arcs in one direction only, or is a zone. So the distances between vertices stay what they are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.errors import MemoryLimitError
from apsp.graph.bends import Bends
from apsp.graph.costs import Costs
from apsp.graph.labels.placed import PlacedLabels
from apsp.graph.links import Links, Rows
from apsp.graph.model import Graph
from apsp.graph.places.ends import at_one_point, check_places, direct_count, direct_pairs
from apsp.graph.places.frames import Frame, frame_of
from apsp.graph.places.places import Places
from apsp.graph.places.street_lines import StreetLines
from apsp.graph.places.streets import opposite_arcs
from apsp.system.machine import Machine, usable

__all__ = ["PlacedGraph", "own_vertices", "placed", "with_places"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_PAIR_BYTES = 80
"""Memory of a pair of places on one street, while it becomes an arc."""


class _Arcs(NamedTuple):
    """Arcs of places: a share of a street (-1: none) and a way beside it, in units of the weights.

    The share is the part between two fractions of the line of an arc: of the street, or of that which leads back.
    """

    tails: Ints
    heads: Ints
    streets: Ints
    lines: Ints
    begins: Floats
    ends: Floats
    ways: Floats

    @property
    def shares(self) -> Floats:
        return np.abs(self.ends - self.begins)

    @classmethod
    def joined(cls, parts: list[_Arcs]) -> _Arcs:
        columns: list[Any] = [np.concatenate(each) for each in zip(*parts, strict=True)]
        return cls(*columns)

    def where(self, some: npt.NDArray[Any]) -> _Arcs:
        columns: list[Any] = [column[some] for column in self]
        return _Arcs(*columns)


class PlacedGraph(NamedTuple):
    """A graph with places as vertices.

    Attributes
    ----------
    graph : Graph
        The vertices first, then the places.
    at : (e,) int64
        Where the arcs of places stand among those of the graph before, as in `numpy.insert`.
    streets, shares : (e,) int64 and float64
        The part of each of these arcs that is on a street: an arc of the graph before, -1 for none.
    """

    graph: Graph
    at: Ints
    streets: Ints
    shares: Floats

    def extended(self, numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return costs of the arcs before as costs of all arcs; ways beside the streets have none."""
        return _inserted(self.at, numbers, _shares_of(numbers, self.streets, self.shares))


def placed(
    graph: Graph, *, leaving: tuple[object, ...], entering: tuple[object, ...], rows: object = None,
    on_streets: bool = False,
) -> Graph:  # fmt: skip
    """Return the graph with places as vertices, or the graph itself if no argument is places.

    Parameters
    ----------
    graph : Graph
    leaving, entering : tuples of arguments of a caller
        Those that are `Places` become vertices that paths begin or end at. `positions_of` finds their positions.
    rows : object
        The argument whose labels are those of the rows of the result.
    on_streets : bool
        Places beside their street, which paths leave, have a further vertex on it: so arcs lie where the ways are.

    Raises
    ------
    As `with_places`.
    """
    if not any(isinstance(each, Places) for each in (*leaving, *entering)):
        return graph
    return with_places(graph, leaving=leaving, entering=entering, rows=rows, on_streets=on_streets).graph


def own_vertices(graph: Graph) -> int:
    """Return how many vertices a graph has without the places that were added to it."""
    return len(graph.labels.own) if isinstance(graph.labels, PlacedLabels) else graph.n


def with_places(
    graph: Graph, *, leaving: tuple[object, ...], entering: tuple[object, ...], rows: object = None,
    on_streets: bool = False,
) -> PlacedGraph:  # fmt: skip
    """Add places to a graph as vertices.

    Parameters
    ----------
    leaving, entering, rows, on_streets
        As of `placed`.

    Raises
    ------
    RequestError
        If places are on the streets of another graph, beyond the limit of their snap, or their ways have no cost.
    MemoryLimitError
        If too many places are on one street.
    """
    parts = list({id(each): each for each in (*leaving, *entering) if isinstance(each, Places)}.values())
    starts = dict(zip(map(id, parts), graph.n + np.cumsum([0, *map(len, parts)]), strict=False))
    count = graph.n + sum(map(len, parts))
    for each in parts:
        check_places(graph, each, "places")
    begins, ends = ([each for each in parts if any(each is one for one in side)] for side in (leaving, entering))
    again: list[Ints] = []
    arcs = [
        *(_leaving(graph, each, starts[id(each)], count, again, on_streets=on_streets) for each in begins),
        *(_entering(graph, each, starts[id(each)]) for each in ends),
        *(_between(graph, one, other, starts[id(one)], starts[id(other)]) for one in begins for other in ends),
    ]
    more = _Arcs.joined(arcs)
    more = more.where(np.lexsort([more.heads, more.tails]))
    further = np.concatenate([*again, np.empty(0, np.int64)]).astype(np.int32)
    first = next((number for number, each in enumerate(parts) if each is rows), -1)
    labels = PlacedLabels(graph.labels, tuple(each.labels for each in parts), further, first, keys=tuple(parts))
    n = count + len(further)
    indptr = np.zeros(n + 1, dtype=np.int64)
    counts = np.bincount(more.tails, minlength=n)
    counts[: graph.n] += np.diff(graph.indptr)
    np.cumsum(counts, out=indptr[1:])
    at = graph.indptr[np.minimum(more.tails + 1, graph.n)]
    weights = np.ones(graph.m) if graph.weights is None else graph.weights.astype(np.float64)
    added = _shares_of(weights, more.streets, more.shares) + more.ways
    both = [each for each in begins if any(each is one for one in ends)]
    directed = graph.directed or len(both) < len(parts) or bool(len(further))
    made = PlacedGraph(
        Graph._made(
            indptr, _inserted(at, graph.indices, more.heads.astype(np.int32)), _inserted(at, weights, added),
            directed=directed, labels=labels, coordinates=_coordinates(graph, parts, further),
            zones=_zones(graph, n, [starts[id(one)] for one in both], both), crs=graph.crs,
        ),
        at, more.streets, more.shares,
    )  # fmt: skip
    if graph.costs:
        made.graph.costs = Costs({name: made.extended(costs) for name, costs in graph.costs.items()})
    if graph.links is not None:
        made.graph.links = _links(graph, graph.links, made, more, added, frame_of(parts[0].crs))
    return made


def _links(graph: Graph, links: Links, made: PlacedGraph, more: _Arcs, added: Floats, frame: Frame) -> Links:
    """The links of the graph, and those that the arcs of places are: one each, or one per edge."""
    n, directed, count = made.graph.n, made.graph.directed, len(links)
    some = np.arange(len(added)) if directed else np.flatnonzero(more.tails > more.heads)
    weights = np.ones(count) if links.weights is None else links.weights.astype(np.float64)
    costs = {
        name: np.append(links.costs[name], _shares_of(of_arcs, more.streets[some], more.shares[some]))
        for name, of_arcs in graph.costs.items()
    }
    one_way = links.one_way
    if directed and (one_way is not None or not graph.directed):
        one_way = np.append(np.zeros(count, dtype=bool) if one_way is None else one_way, np.ones(len(some), dtype=bool))
    rows = Rows(
        np.append(links.tails, more.tails[some]), np.append(links.heads, more.heads[some]),
        np.append(weights, added[some]), Costs(costs), one_way, _bends(graph, links, more.where(some), frame),
    )  # fmt: skip
    keys = (np.maximum(more.tails, more.heads) * n + np.minimum(more.tails, more.heads)) if not directed else some
    numbers = count + np.searchsorted(keys[some], keys)
    return Links(rows, np.insert(links.chosen, made.at, numbers.astype(links.chosen.dtype)))


def _bends(graph: Graph, links: Links, more: _Arcs, frame: Frame) -> Bends | None:
    """The bends of the links, and of parts of streets."""
    if links.bends is None:
        return None
    on = np.flatnonzero(more.streets >= 0)
    lines = StreetLines.of(graph, frame, more.lines[on])
    parts = lines.bends_between(np.arange(len(on)), more.begins[on], more.ends[on])
    counts = np.zeros(len(more.streets), dtype=np.int64)
    counts[on] = np.diff(parts.indptr)
    indptr = np.concatenate([links.bends.indptr, links.bends.indptr[-1] + np.cumsum(counts)])
    return Bends(indptr, np.concatenate([links.bends.points, parts.points]))


def _leaving(graph: Graph, places: Places, start: int, count: int, again: list[Ints], *, on_streets: bool) -> _Arcs:
    """The arcs from places to the ends of their streets; `again` receives those that have a vertex on the street."""
    number = np.arange(len(places))
    own = start + number
    begin, ways, first = own.copy(), places.costs, []
    if on_streets:
        beside = np.flatnonzero((places.arcs >= 0) & (places.legs > 0))
        begin[beside] = count + sum(map(len, again)) + np.arange(len(beside))
        none, zero = np.full(len(beside), -1), np.zeros(len(beside))
        first = [_Arcs(own[beside], begin[beside], none, none, zero, zero, ways[beside])]
        ways = ways.copy()
        ways[beside] = 0.0
        again.append(own[beside])
    (along, back), (tails, heads) = _streets(graph, places), _ends(graph, places)
    line, here, zero = places.arcs, places.fractions, np.zeros(len(places))
    return _Arcs.joined([
        *first,
        _Arcs(begin, heads, along, line, here, zero + 1, ways).where(along >= 0),
        _Arcs(begin, tails, back, line, here, zero, ways).where(_to_tail(places, back)),
    ])  # fmt: skip


def _entering(graph: Graph, places: Places, start: int) -> _Arcs:
    """The arcs to places from the ends of their streets."""
    own, ways = start + np.arange(len(places)), places.costs
    (along, back), (tails, heads) = _streets(graph, places), _ends(graph, places)
    line, here, zero = places.arcs, places.fractions, np.zeros(len(places))
    return _Arcs.joined([
        _Arcs(tails, own, along, line, zero, here, ways).where(_to_tail(places, along)),
        _Arcs(heads, own, back, line, zero + 1, here, ways).where(back >= 0),
    ])  # fmt: skip


def _between(graph: Graph, sources: Places, targets: Places, start: int, end: int) -> _Arcs:
    """The arcs from places to others on the same street, or at the same point."""
    pairs = direct_count(sources, targets)
    if pairs * _PAIR_BYTES > usable(machine := Machine.detect()):
        raise MemoryLimitError(
            f"{pairs:,} pairs of places on the same street", pairs * _PAIR_BYTES, machine.memory_available,
            ["some of the places at a time"],
        )  # fmt: skip
    rows, columns = direct_pairs(sources, targets)
    along, back = _streets(graph, sources)
    on_one = (sources.arcs[rows] == targets.arcs[columns]) & (sources.arcs[rows] >= 0)
    begins, ends = sources.fractions[rows], targets.fractions[columns]
    ways = sources.costs[rows] + targets.costs[columns]
    at_one = at_one_point(sources, targets, rows, columns)
    ends = np.where(at_one | ~on_one, begins, ends)
    ways[at_one] = 0.0
    street = np.where(ends > begins, along[rows], np.where(ends < begins, back[rows], -1))
    is_way = (at_one | (on_one & ((ends == begins) | (street >= 0)))) & (start + rows != end + columns)
    return _Arcs(start + rows, end + columns, street, sources.arcs[rows], begins, ends, ways).where(is_way)


def _streets(graph: Graph, places: Places) -> tuple[Ints, Ints]:
    """The arcs of places, and those back; -1 where there is none."""
    back = np.full(len(places), -1, dtype=np.int64)
    on = np.flatnonzero(places.arcs >= 0)
    back[on] = opposite_arcs(graph, places.arcs[on])
    return places.arcs, back


def _ends(graph: Graph, places: Places) -> tuple[Ints, Ints]:
    """The tails of the arcs of places, or the vertices where these are, and the heads of the arcs, -1 for none."""
    heads = np.where(places.arcs >= 0, graph.indices[places.arcs] if graph.m else 0, -1)
    return places.vertices.astype(np.int64), heads.astype(np.int64)


def _to_tail(places: Places, street: Ints) -> npt.NDArray[np.bool_]:
    """Whether a place is joined with the tail of its arc, by a street in this direction, or is at this vertex."""
    return np.where(places.arcs < 0, places.snapped, street >= 0)


def _shares_of(numbers: npt.NDArray[Any], streets: Ints, shares: Floats) -> Floats:
    found = np.zeros(len(streets))
    on = streets >= 0
    found[on] = shares[on] * numbers[streets[on]]
    return found


def _inserted(at: Ints, before: npt.NDArray[Any], more: npt.NDArray[Any]) -> npt.NDArray[Any]:
    found: npt.NDArray[Any] = np.insert(before.astype(more.dtype, copy=False), at, more)
    return found


def _coordinates(graph: Graph, parts: list[Places], further: npt.NDArray[np.int32]) -> Floats | None:
    if graph.coordinates is None:
        return None
    points = np.concatenate([each.points for each in parts])
    on_street = np.concatenate([each.on_street for each in parts])
    return np.concatenate([graph.coordinates, points, on_street[further - graph.n]])


def _zones(graph: Graph, n: int, starts: list[int], both: list[Places]) -> npt.NDArray[np.bool_] | None:
    if graph.zones is None and not both:
        return None
    found = np.zeros(n, dtype=bool)
    found[: graph.n] = False if graph.zones is None else graph.zones
    for start, each in zip(starts, both, strict=True):
        found[start : start + len(each)] = True
    return found
