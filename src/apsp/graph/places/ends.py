"""From places to the ends of their streets, and between two places that share a street or a point.

A path from a place leaves its street at an end, or ends before: at a place on the same street. So the distance is the
least over at most two ends of each, and the way along the street.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.errors import RequestError
from apsp.graph.equality import same_arcs
from apsp.graph.places.places import Places
from apsp.graph.places.streets import opposite_arcs

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = [
    "Ends", "at_one_point", "check_places", "direct", "direct_count", "direct_pairs", "ends_of", "equal_pairs",
    "street_weights",
]  # fmt: skip

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Ends(NamedTuple):
    """The ends of the streets of k places, or k vertices: two each, or more where there are turns.

    Attributes
    ----------
    vertices : (e, k) int32
        By position; a vertex stands for itself, twice.
    lengths : (e, k) float64
        Between the place and each end, the way to the street included; infinite where one does not lead to the other.
    are_starts : (e, k) bool or None
        Ends that only paths which begin at that vertex lead on from; None: there are none.
    """

    vertices: npt.NDArray[np.int32]
    lengths: Floats
    are_starts: npt.NDArray[np.bool_] | None = None

    @classmethod
    def listed(
        cls, count: int, rows: Ints, vertices: Ints, lengths: Floats, are_starts: npt.NDArray[np.bool_]
    ) -> Ends:  # fmt: skip
        """Ends of `count` places, each given by the number of its place, its vertex and its length."""
        order = np.argsort(rows, kind="stable")
        rows = rows[order]
        layer = np.arange(len(rows)) - np.searchsorted(rows, rows)
        shape = max(int(layer.max(initial=0)) + 1, 2), count
        found = cls(np.zeros(shape, np.int32), np.full(shape, np.inf), np.zeros(shape, bool))
        for array, given in zip(found, (vertices, lengths, are_starts), strict=True):
            array[layer, rows] = given[order]  # type: ignore[index]
        return found

    def passing(self) -> npt.NDArray[np.bool_]:
        """(e, k) the ends that all paths may lead on from."""
        open_ = np.isfinite(self.lengths)
        return open_ if self.are_starts is None else open_ & ~self.are_starts

    def lead_on(self, side: int, which: npt.NDArray[Any], starts: npt.NDArray[np.int32]) -> npt.NDArray[Any]:
        """Whether paths that begin at some vertices lead on from one of the ends of some places."""
        if self.are_starts is None:
            return np.ones(len(which), bool)
        found: npt.NDArray[np.bool_] = ~self.are_starts[side][which] | (starts == self.vertices[side][which])
        return found


def check_places(graph: Graph, places: Places, word: str) -> None:
    """Check that places may be used with a graph.

    Raises
    ------
    RequestError
        If they are on the streets of another graph, or some are beyond the limit.
    """
    if graph._turned is not None and not graph._turned.has_places:
        graph = graph._turned.whole.graph
    own = places.graph
    if own is not graph and not same_arcs(own, graph):
        raise RequestError(
            f"{word}: these places are on the streets of another graph: snap the points to this one, graph.snap(...)"
        )
    if graph.zones is not None:
        heads = np.where(places.arcs >= 0, graph.indices[places.arcs] if graph.m else 0, places.vertices)
        if graph.zones[np.concatenate([heads, places.vertices])[np.tile(places.snapped, 2)]].any():
            raise RequestError(f"{word}: these places are at zones of the graph: snap the points to this graph")
    if places.unsnapped == "error" and not places.snapped.all():
        beyond = np.flatnonzero(~places.snapped)
        more = f" and {len(beyond) - 1:,} more" if len(beyond) > 1 else ""
        raise RequestError(
            f"{word}: the place {places.labels.word(int(beyond[0]))}{more} is beyond the limit of its snap: "
            "snap(..., unsnapped='unreachable') makes it one that no path reaches; places[places.snapped] are the rest"
        )


def street_weights(graph: Graph, places: Places) -> tuple[Floats, Floats]:
    """The weights of the arcs of places, and of those back, infinite where there is none; zero at vertices."""
    if graph._turned is not None:
        return graph._turned.whole._places.street_lengths(graph, places)
    along, back = np.zeros(len(places)), np.zeros(len(places))
    on = np.flatnonzero(places.arcs >= 0)
    arcs = places.arcs[on]
    opposite = opposite_arcs(graph, arcs)
    along[on] = _weights(graph, arcs)
    back[on] = np.where(opposite < 0, np.inf, _weights(graph, opposite))
    return along, back


def _weights(graph: Graph, arcs: Ints) -> Floats:
    if graph.weights is None or not graph.m:
        return np.ones(len(arcs))
    return graph.weights[arcs].astype(np.float64)


def ends_of(graph: Graph, places: Places, *, leaving: bool) -> Ends:
    """The ends of checked places.

    Parameters
    ----------
    graph : Graph
    places : Places
    leaving : bool
        Paths begin at the places; otherwise they end there.
    """
    if graph._turned is not None:
        return graph._turned.whole._places.ends(graph, places, leaving=leaving)
    along, back = street_weights(graph, places)
    on, snapped = places.arcs >= 0, places.snapped
    tails = np.where(snapped, places.vertices, 0)
    heads = np.where(on, graph.indices[places.arcs] if graph.m else 0, tails)
    with np.errstate(invalid="ignore"):  # zero times infinity, at vertices, where it is not used
        by_tail = places.fractions * (back if leaving else along)
        by_head = (1 - places.fractions) * (along if leaving else back)
    costs = places.costs
    lengths = np.stack([np.where(on, by_tail, 0.0) + costs, np.where(on, by_head + costs, np.inf)])
    return Ends(np.stack([tails, heads]).astype(np.int32), np.where(snapped, lengths, np.inf))


def direct(graph: Graph, sources: Places, targets: Places, rows: Ints, columns: Ints) -> Floats:
    """The lengths of ways between pairs of places that pass no end of a street; infinite where there is none.

    Places at one point are at distance zero.
    """
    found = np.full(len(rows), np.inf)
    along, back = street_weights(graph, sources)
    same = (sources.arcs[rows] == targets.arcs[columns]) & (sources.arcs[rows] >= 0)
    pairs = np.flatnonzero(same)
    row, column = rows[pairs], columns[pairs]
    far = targets.fractions[column] - sources.fractions[row]
    street = np.where(far >= 0, along[row], back[row])
    with np.errstate(invalid="ignore"):
        way = np.where(far == 0, 0.0, np.abs(far) * street)
    found[pairs] = way + sources.costs[row] + targets.costs[column]
    found[at_one_point(sources, targets, rows, columns)] = 0.0
    return found


def at_one_point(sources: Places, targets: Places, rows: Ints, columns: Ints) -> npt.NDArray[np.bool_]:
    """Whether the places of pairs are at the same point beside the street: a path between them needs no street."""
    found: Any = (sources.points[rows] == targets.points[columns]).all(axis=1)
    for places, chosen in ((sources, rows), (targets, columns)):
        found &= (places.snapped & (places.costs > 0))[chosen]
    same: npt.NDArray[np.bool_] = found
    return same


def direct_count(sources: Places, targets: Places) -> int:
    """How many pairs of places are on one street, which `direct_pairs` would return, without those at one point."""
    streets, counts = np.unique(sources.arcs[sources.arcs >= 0], return_counts=True)
    others, more = np.unique(targets.arcs[targets.arcs >= 0], return_counts=True)
    _, one, other = np.intersect1d(streets, others, assume_unique=True, return_indices=True)
    return int((counts[one] * more[other]).sum())


def direct_pairs(sources: Places, targets: Places) -> tuple[Ints, Ints]:
    """The pairs of places on one street, or at one point."""
    on_street = equal_pairs(sources.arcs, targets.arcs)
    is_on_street = sources.arcs[on_street[0]] >= 0
    both = np.ascontiguousarray(np.concatenate([sources.points, targets.points]))
    _, keys = np.unique(both.view(np.complex128).ravel(), return_inverse=True)  # numbers are sorted faster than rows
    at_point = equal_pairs(keys[: len(sources)], keys[len(sources) :])
    rows, columns = (
        np.concatenate([street[is_on_street], point]) for street, point in zip(on_street, at_point, strict=True)
    )
    pairs = np.unique(rows * max(len(targets), 1) + columns)
    return pairs // max(len(targets), 1), pairs % max(len(targets), 1)


def equal_pairs(some: npt.NDArray[Any], others: npt.NDArray[Any]) -> tuple[Ints, Ints]:
    """All pairs (i, j) with some[i] == others[j], of keys from 0 on; others are left out."""
    order = np.argsort(others, kind="stable")
    first, end = (np.searchsorted(others[order], some, side=side) for side in ("left", "right"))
    counts = np.where(some >= 0, end - first, 0)
    rows = np.repeat(np.arange(len(some)), counts)
    number = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    return rows, order[first[rows] + number]
