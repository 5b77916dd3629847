"""The streets of a graph, put one after the other into trails that go straight on at crossings.

Lines with a buffer around them take the less time the fewer there are. So streets that are reached one after the other
become one line: at every vertex a street is continued by the straightest other one, if both prefer each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from apsp.graph.model import Graph
from apsp.graph.places.frames import Frame
from apsp.graph.places.street_lines import StreetLines, ranges
from apsp.graph.places.streets import opposite_arcs, street_arcs

__all__ = ["Trails"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_STRAIGHT = 0.5
"""The least cosine of the angle by which a trail turns."""


@dataclass(frozen=True)
class Trails:
    """Streets in the order of trails: a street is at most two arcs, between vertices with coordinates, no zones.

    Attributes
    ----------
    count : int
        Streets.
    street_of_arc : (m,) int64
        The street of each arc; -1 for none.
    is_against : (m,) bool
        Whether the arc leads against the direction of the trail.
    begins, ends : (count,) int64
        Vertices where the streets begin and end, in the direction of the trail.
    is_continued : (count,) bool
        Whether the next street continues the trail.
    space : (n, d) float64
        The vertices as points of the frame.
    lines : StreetLines or None
        The streets, in the direction of their trail; None if none bends.
    """

    count: int
    street_of_arc: Ints
    is_against: npt.NDArray[np.bool_]
    begins: Ints
    ends: Ints
    is_continued: npt.NDArray[np.bool_]
    space: Floats
    lines: StreetLines | None = None

    @classmethod
    def of(cls, graph: Graph, frame: Frame) -> Trails:
        """Find trails of a graph with coordinates."""
        assert graph.coordinates is not None
        among = np.asarray(np.isfinite(graph.coordinates).all(axis=1))
        if graph.zones is not None:
            among &= ~graph.zones
        arcs = street_arcs(graph, among)
        space = frame.spaced(graph.coordinates)
        tails = np.searchsorted(graph.indptr, arcs, side="right") - 1
        ends = np.stack([tails, graph.indices[arcs].astype(np.int64)], axis=1)
        ahead, bend = space[ends[:, ::-1]], graph.links is not None and graph.links.bends is not None
        if bend:
            forward = StreetLines.of(graph, frame, arcs)
            ahead = forward.space[np.stack([forward.indptr[:-1] + 1, forward.indptr[1:] - 2], axis=1)]
        place, is_turned, is_continued = _ordered(_next_ends(ends, ahead - space[ends]))
        order = np.argsort(place)
        street, against = np.full(graph.m, -1, dtype=np.int64), np.zeros(graph.m, dtype=bool)
        street[arcs], against[arcs] = place, is_turned
        back = opposite_arcs(graph, arcs) if len(arcs) else arcs
        two_way = back >= 0
        street[back[two_way]], against[back[two_way]] = place[two_way], ~is_turned[two_way]
        turned = np.where(is_turned[:, None], ends[:, ::-1], ends)[order]
        lines = StreetLines.of(graph, frame, arcs[order], against=is_turned[order]) if bend else None
        return cls(len(arcs), street, against, turned[:, 0], turned[:, 1], is_continued[order], space, lines)

    def points(
        self, frame: Frame, streets: Ints, begins: Floats, ends: Floats, starts: npt.NDArray[np.bool_]
    ) -> tuple[Floats, Ints]:
        """The points of parts of streets in their order, and the part of each: begins only where a line starts."""
        first = np.flatnonzero(starts)
        every = np.arange(len(streets))
        if self.lines is None:
            tails, heads = self.space[self.begins[streets]], self.space[self.ends[streets]]
            straight = frame.between(tails[first], heads[first], begins[first]), frame.between(tails, heads, ends)
            order = np.argsort(np.concatenate([2 * first, 2 * every + 1]))
            return np.concatenate(straight)[order], np.concatenate([first, every])[order]
        low, high = self.lines.between(streets, begins, ends)
        corners = self.lines.space[ranges(low, high)]
        found = self.lines.at(streets[first], begins[first]), corners, self.lines.at(streets, ends)
        part = np.concatenate([first, np.repeat(every, high - low), every])
        order = np.argsort(part, kind="stable")
        return np.concatenate(found)[order], part[order]


def _next_ends(ends: Ints, ahead: Floats) -> Ints:
    """The end of a street that continues each end (2 * street, 2 * street + 1) across their vertex; -1 for none.

    Parameters
    ----------
    ends : (count, 2) int64
        Vertices.
    ahead : (count, 2, d) float64
        From each end to the next corner of the street.
    """
    vertices = ends.ravel()
    ahead = ahead.reshape(len(vertices), ahead.shape[2])
    length = np.linalg.norm(ahead, axis=1, keepdims=True)
    ahead = np.divide(ahead, length, out=np.zeros_like(ahead), where=length > 0)
    order = np.argsort(vertices, kind="stable")
    at = vertices[order]
    first = np.searchsorted(at, at)
    degree = np.searchsorted(at, at, side="right") - first
    best, cosine = np.full(len(vertices), -1, dtype=np.int64), np.full(len(vertices), _STRAIGHT)
    place = np.arange(len(order))
    for step in range(1, min(int(degree.max(initial=0)), 16)):  # of a crossing with more streets some are not compared
        some = np.flatnonzero(degree > step)
        one, other = order[some], order[first[some] + (place[some] - first[some] + step) % degree[some]]
        found = -(ahead[one] * ahead[other]).sum(axis=1)
        better = found > cosine[one]
        best[one[better]], cosine[one[better]] = other[better], found[better]
    mutual = (best >= 0) & (best[best] == np.arange(len(best)))
    return np.where(mutual, best, -1)


def _ordered(following: Ints) -> tuple[Ints, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """The place of each street in the order of trails, whether its trail leads to its first end, and goes on."""
    count = len(following) // 2
    place, is_turned, is_continued = [-1] * count, [False] * count, [False] * count
    after, at = following.tolist(), 0
    ends = [end for end in range(2 * count) if after[end] < 0]
    for start in [*ends, *range(0, 2 * count, 2)]:  # first those that have an end, then circles
        end = start
        while end >= 0 and place[street := end >> 1] < 0:
            place[street], is_turned[street] = at, bool(end & 1)
            at += 1
            end = after[end ^ 1]
            is_continued[street] = end >= 0 and place[end >> 1] < 0
    return np.array(place, dtype=np.int64), np.array(is_turned, dtype=bool), np.array(is_continued, dtype=bool)
