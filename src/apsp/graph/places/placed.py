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
from apsp.graph.arc_positions import arcs_of
from apsp.graph.bends import Bends, joined
from apsp.graph.costs import Costs
from apsp.graph.labels.placed import PlacedLabels
from apsp.graph.links import Links, Rows
from apsp.graph.model import Graph
from apsp.graph.places.ends import at_one_point, check_places, direct_count, direct_pairs, equal_pairs
from apsp.graph.places.frames import frame_of
from apsp.graph.places.joins import PlaceStreets, joined_with
from apsp.graph.places.places import Places
from apsp.graph.places.street_lines import StreetLines, beside
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
    labels = graph.labels.own if isinstance(graph.labels, PlacedLabels) else graph.labels  # with turns: not of copies
    own, added = len(labels), sum(map(len, parts))
    starts = dict(zip(map(id, parts), own + np.cumsum([0, *map(len, parts)]), strict=False))
    moved = np.arange(graph.n) + np.where(np.arange(graph.n) < own, 0, added)
    for each in parts:
        check_places(graph, each, "places")
    begins, ends = ([each for each in parts if any(each is one for one in side)] for side in (leaving, entering))
    again: list[Ints] = [] if graph.n == own else [graph.labels.again.astype(np.int64)]  # type: ignore[attr-defined]
    count, streets = own + added, {id(each): joined_with(graph, each, moved) for each in parts}
    arcs = [_entering(each, streets[id(each)], starts[id(each)]) for each in ends]
    joins = _Arcs.joined(arcs) if arcs else None
    for each in begins:
        about = each, streets[id(each)], starts[id(each)], count, again
        arcs += [_leaving(*about, on_streets=on_streets), *_begun(graph, *about, moved, joins)]
    arcs += [
        _between(one, other, streets[id(one)], starts[id(one)], starts[id(other)]) for one in begins for other in ends
    ]
    weights = np.ones(graph.m) if graph.weights is None else graph.weights.astype(np.float64)
    more, lengths = _sorted(_Arcs.joined(arcs), weights)
    further = np.concatenate([*again, np.empty(0, np.int64)]).astype(np.int32)
    first = next((number for number, each in enumerate(parts) if each is rows), -1)
    named = PlacedLabels(labels, tuple(each.labels for each in parts), further, first, keys=tuple(parts))
    n = count + len(further)
    indptr = np.zeros(n + 1, dtype=np.int64)
    counts = np.bincount(more.tails, minlength=n)
    counts[moved] += np.diff(graph.indptr)
    np.cumsum(counts, out=indptr[1:])
    at = _places_in_rows(graph, moved, n, more)
    both = [each for each in begins if any(each is one for one in ends)]
    directed = graph.directed or len(both) < len(parts) or bool(len(further))
    indices = moved[graph.indices].astype(np.int32)
    made = PlacedGraph(
        Graph._made(
            indptr, _inserted(at, indices, more.heads.astype(np.int32)), _inserted(at, weights, lengths),
            directed=directed, labels=named, coordinates=_coordinates(graph, own, parts, further),
            zones=_zones(graph, own, n, [starts[id(one)] for one in both], both), crs=graph.crs,
        ),
        at, more.streets, more.shares,
    )  # fmt: skip
    if graph.costs:
        made.graph.costs = Costs({name: made.extended(costs) for name, costs in graph.costs.items()})
    if graph.links is not None:
        made.graph.links = _links(graph, graph.links, made, more, lengths, parts)
    if graph._turned is not None:
        made.graph._turned = graph._turned.placed(at, more.streets)
        if on_streets:
            plain = graph._turned.whole.graph
            alone = with_places(plain, leaving=leaving, entering=entering, rows=rows, on_streets=True)
            found = graph._turned.whole._placed_streets(made.graph, alone)
            made.graph._turned = made.graph._turned._replace(placed_streets=found)
    return made


def _sorted(more: _Arcs, weights: Floats) -> tuple[_Arcs, Floats]:
    """Arcs by tail and head, with their lengths; of several from one vertex to another the shortest, as on a loop."""
    lengths = _shares_of(weights, more.streets, more.shares) + more.ways
    order = np.lexsort([lengths, more.heads, more.tails])
    tails, heads = more.tails[order], more.heads[order]
    first = np.ones(len(order), dtype=bool)
    first[1:] = (tails[1:] != tails[:-1]) | (heads[1:] != heads[:-1])
    return more.where(order[first]), lengths[order[first]]


def _places_in_rows(graph: Graph, moved: Ints, n: int, more: _Arcs) -> Ints:
    """Where arcs belong among those of the graph, whose vertices have moved; rows are sorted by head."""
    if graph._turned is None:
        return graph.indptr[np.minimum(more.tails + 1, graph.n)]
    keys = moved[graph.tails()] * n + moved[graph.indices]
    return np.searchsorted(keys, more.tails * n + more.heads)


def _links(graph: Graph, links: Links, made: PlacedGraph, more: _Arcs, added: Floats, parts: list[Places]) -> Links:
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
        np.append(weights, added[some]), Costs(costs), one_way,
        _bends(graph, links, more.where(some), own_vertices(made.graph), parts),
        np.append(np.arange(count), np.append(links.chosen, -1)[more.streets[some]]),
    )  # fmt: skip
    keys = (np.maximum(more.tails, more.heads) * n + np.minimum(more.tails, more.heads)) if not directed else some
    numbers = count + np.searchsorted(keys[some], keys)
    return Links(rows, np.insert(links.chosen, made.at, numbers.astype(links.chosen.dtype)))


def _bends(graph: Graph, links: Links, more: _Arcs, own: int, places: list[Places]) -> Bends | None:
    """The bends of the links, and of parts of streets; the point on the street of a place beside it is one."""
    on = np.flatnonzero(more.lines >= 0)
    lines = StreetLines.of(graph, frame_of(places[0].crs), more.lines[on])
    between = lines.bends_between(np.arange(len(on)), more.begins[on], more.ends[on])
    heads = np.where(more.begins == more.ends, -1, more.heads)  # otherwise at the same point as the tails
    parts = joined([beside(places, more.tails[on] - own), between, beside(places, heads[on] - own)])
    before = Bends(np.zeros(len(links) + 1, np.int64), np.empty((0, 2))) if links.bends is None else links.bends
    if not len(before.points) + len(parts.points):
        return None
    counts = np.zeros(len(more.streets), dtype=np.int64)
    counts[on] = np.diff(parts.indptr)
    indptr = np.concatenate([before.indptr, before.indptr[-1] + np.cumsum(counts)])
    return Bends(indptr, np.concatenate([before.points, parts.points]))


def _leaving(
    places: Places, streets: PlaceStreets, start: int, count: int, again: list[Ints], *, on_streets: bool
) -> _Arcs:
    """The arcs from places to the ends of their streets; `again` receives those that have a vertex on the street."""
    own = start + np.arange(len(places))
    begin, ways, first = own.copy(), places.costs, []
    if on_streets:
        beside = np.flatnonzero((places.arcs >= 0) & (places.legs > 0))
        begin[beside] = count + sum(map(len, again)) + np.arange(len(beside))
        first = [_beside(own[beside], begin[beside], ways[beside])]
        ways = ways.copy()
        ways[beside] = 0.0
        again.append(own[beside])
    join = streets.leaving
    rows = join.rows
    lines, here = places.arcs[rows], places.fractions[rows]
    return _Arcs.joined([
        *first,
        _Arcs(begin[rows], join.vertices, join.streets, lines, here, join.ends, ways[rows] + join.further),
    ])  # fmt: skip


def _begun(
    graph: Graph, places: Places, streets: PlaceStreets, start: int, count: int, again: list[Ints], moved: Ints,
    entering: _Arcs | None,
) -> list[_Arcs]:  # fmt: skip
    """The arcs from places at vertices through which no path leads, by a further vertex, to all that follow these."""
    if not len(streets.begun):
        return []
    begin = count + sum(map(len, again)) + np.arange(len(streets.begun))
    again.append(streets.begun_at)
    which, arcs = arcs_of(graph.indptr, streets.begun_at.astype(np.int32))
    zero = np.zeros(len(arcs))
    found = [
        _beside(start + streets.begun, begin, places.costs[streets.begun]),
        _Arcs(begin[which], moved[graph.indices[arcs]], arcs, np.full(len(arcs), -1), zero, zero + 1, zero),
    ]
    if entering is not None:
        which, arcs = equal_pairs(streets.begun_at, entering.tails)
        found.append(entering.where(arcs)._replace(tails=begin[which]))
    return found


def _beside(tails: Ints, heads: Ints, ways: Floats) -> _Arcs:
    """Arcs that are no part of a street."""
    none, zero = np.full(len(tails), -1), np.zeros(len(tails))
    return _Arcs(tails, heads, none, none, zero, zero, ways)


def _entering(places: Places, streets: PlaceStreets, start: int) -> _Arcs:
    """The arcs to places from the ends of their streets."""
    join = streets.entering
    rows = join.rows
    lines, here = places.arcs[rows], places.fractions[rows]
    ways = places.costs[rows] + join.further
    return _Arcs(join.vertices, start + rows, join.streets, lines, join.ends, here, ways)


def _between(sources: Places, targets: Places, streets: PlaceStreets, start: int, end: int) -> _Arcs:
    """The arcs from places to others on the same street, or at the same point."""
    pairs = direct_count(sources, targets)
    if pairs * _PAIR_BYTES > usable(machine := Machine.detect()):
        raise MemoryLimitError(
            f"{pairs:,} pairs of places on the same street", pairs * _PAIR_BYTES, machine.memory_available,
            ["some of the places at a time"],
        )  # fmt: skip
    rows, columns = direct_pairs(sources, targets)
    on_one = (sources.arcs[rows] == targets.arcs[columns]) & (sources.arcs[rows] >= 0)
    begins, ends = sources.fractions[rows], targets.fractions[columns]
    ways = sources.costs[rows] + targets.costs[columns]
    at_one = at_one_point(sources, targets, rows, columns)
    ends = np.where(at_one | ~on_one, begins, ends)
    ways[at_one] = 0.0
    street = np.where(ends > begins, streets.along[rows], np.where(ends < begins, streets.back[rows], -1))
    is_way = (at_one | (on_one & ((ends == begins) | (street >= 0)))) & (start + rows != end + columns)
    lines = np.where(at_one | ~on_one, -1, sources.arcs[rows])
    return _Arcs(start + rows, end + columns, street, lines, begins, ends, ways).where(is_way)


def _shares_of(numbers: npt.NDArray[Any], streets: Ints, shares: Floats) -> Floats:
    found = np.zeros(len(streets))
    on = streets >= 0
    found[on] = shares[on] * numbers[streets[on]]
    return found


def _inserted(at: Ints, before: npt.NDArray[Any], more: npt.NDArray[Any]) -> npt.NDArray[Any]:
    found: npt.NDArray[Any] = np.insert(before.astype(more.dtype, copy=False), at, more)
    return found


def _coordinates(graph: Graph, own: int, parts: list[Places], further: npt.NDArray[np.int32]) -> Floats | None:
    if graph.coordinates is None:
        return None
    points = np.concatenate([each.points for each in parts])
    on_street = np.concatenate([graph.coordinates[:own], *(each.on_street for each in parts)])
    return np.concatenate([graph.coordinates[:own], points, on_street[further]])


def _zones(graph: Graph, own: int, n: int, starts: list[int], both: list[Places]) -> npt.NDArray[np.bool_] | None:
    if graph.zones is None and not both:
        return None
    found = np.zeros(n, dtype=bool)
    found[:own] = False if graph.zones is None else graph.zones[:own]
    for start, each in zip(starts, both, strict=True):
        found[start : start + len(each)] = True
    return found
