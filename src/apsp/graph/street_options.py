"""Turn restrictions and hours of the day of generated streets.

Turns: at a fifth of the crossings, left turns (45 to 135 degrees) are forbidden; at half of the crossings, U-turns are.
Crossings are vertices with three neighbours or more. Movements along a spanning tree of two-way streets stay allowed,
so that every vertex remains in reach of every other.

Hours: travel times grow by a part of PEAK[hour] that depends on the speed of the arc between its ends.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from apsp.graph.arc_positions import arcs_between
from apsp.graph.model import Graph
from apsp.graph.periods import Periods
from apsp.graph.streets import Floats, Ints, whole
from apsp.graph.turns.making import with_turns
from apsp.graph.turns.turn_graph import TurnGraph

__all__ = ["PEAK", "at_hours", "restricted"]

NO_LEFT, NO_BACK = 0.2, 0.5  # share of crossings
PEAK = (0, 0, 0, 0, 0, 0, 0.2, 0.6, 1, 0.6, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.6, 1, 0.8, 0.4, 0.2, 0, 0, 0)
FASTEST, MORE = (9.0, 17.0), (0.2, 0.6, 0.9)  # metres per second of streets and avenues; the part of each class


def restricted(graph: Graph, seed: int) -> TurnGraph:
    """Forbid movements at some crossings, the same ones for the same graph and seed."""
    assert graph.coordinates is not None
    rng = np.random.default_rng([seed, 1])
    tails, heads = graph.tails().astype(np.int64), graph.indices.astype(np.int64)
    ends = np.unique(np.concatenate([tails * graph.n + heads, heads * graph.n + tails]))
    is_crossing = np.bincount(ends // max(graph.n, 1), minlength=graph.n) >= 3
    no_left, no_back = (is_crossing & (rng.random(graph.n) < share) for share in (NO_LEFT, NO_BACK))
    counts = np.diff(graph.indptr)
    before = np.repeat(np.arange(graph.m), counts[heads])
    first = np.cumsum(counts[heads]) - counts[heads]
    after = graph.indptr[heads[before]] + np.arange(len(before)) - first[before]
    a, via, b = tails[before], heads[before], heads[after]
    back = (a == b) & no_back[via]
    left = (a != b) & no_left[via] & _is_left(graph.coordinates, a, via, b)
    kept = _in_tree(graph, tails, heads)
    forbidden = (back | left) & ~(kept[before] & kept[after] & (a != b))
    labels = [graph.labels.take(each[forbidden]) for each in (a, via, b)]
    return with_turns(graph, dict(zip(("from", "via", "to"), labels, strict=True)))


def _is_left(points: Floats, a: Ints, via: Ints, b: Ints) -> np.ndarray:
    (x, y), (u, v) = (points[via] - points[a]).T, (points[b] - points[via]).T
    angle = np.degrees(np.arctan2(x * v - y * u, x * u + y * v))
    left: np.ndarray = (angle >= 45) & (angle <= 135)
    return left


def _in_tree(graph: Graph, tails: Ints, heads: Ints) -> np.ndarray:
    """For each arc whether it belongs to a spanning tree of two-way streets."""
    two_way = arcs_between(graph.indptr, graph.indices, heads.astype(np.int32), tails.astype(np.int32)) >= 0
    some = two_way & (tails < heads)
    matrix = sp.csr_array((np.ones(some.sum()), (tails[some], heads[some])), shape=(graph.n, graph.n))
    tree = csgraph.minimum_spanning_tree(matrix).tocoo()
    u, v = tree.row.astype(np.int64), tree.col.astype(np.int64)
    found: np.ndarray = np.isin(tails * graph.n + heads, np.concatenate([u * graph.n + v, v * graph.n + u]))
    return found


def at_hours(graph: Graph, hours: Sequence[int]) -> Periods:
    """The travel times of some hours of a day."""
    assert graph.coordinates is not None
    seconds = graph.arc_weights(np.float64)
    metres = np.hypot(*(graph.coordinates[graph.tails()] - graph.coordinates[graph.indices]).T)
    part = np.array(MORE)[np.searchsorted(FASTEST, metres / seconds, side="right")]
    return graph.with_periods({hour: whole(seconds * (1 + PEAK[hour] * part)) for hour in hours})
