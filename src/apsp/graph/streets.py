"""What generated street networks have in common: streets, travel times, and which streets are one-way."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse import csgraph

__all__ = [
    "AVENUE", "AVENUE_EVERY", "BLOCK", "STREET", "Bools", "Floats", "Ints", "Streets", "directions", "in_tree",
    "travel_times", "whole",
]  # fmt: skip

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

BLOCK = 110.0  # metres between crossings
AVENUE_EVERY = 8
STREET, AVENUE = 8.0, 14.0  # metres per second
CROSSING = 6.0  # seconds lost at the end of a small street
ONE_WAY = 0.25  # share of small streets that are one-way, if the graph stays connected


class Streets(NamedTuple):
    """Two-way streets, with their speeds in metres per second."""

    tails: Ints
    heads: Ints
    speed: Floats


def travel_times(points: Floats, streets: Streets, rng: np.random.Generator) -> Floats:
    """Seconds of travel along each street."""
    metres = np.hypot(*(points[streets.tails] - points[streets.heads]).T)
    detours = rng.uniform(1.0, 1.25, len(metres))
    times: Floats = metres / streets.speed * detours + CROSSING * (streets.speed == STREET)
    return times


def whole(seconds: Floats) -> Any:
    """Whole seconds, one at least."""
    return np.maximum(1, np.rint(seconds)).astype(np.int32)


def in_tree(streets: Streets, weights: Floats, n: int) -> Bools:
    """For each street whether it belongs to a least spanning tree of the n vertices."""
    tree = csgraph.minimum_spanning_tree(sp.csr_array((weights, (streets.tails, streets.heads)), shape=(n, n))).tocoo()
    found: Bools = np.isin(streets.tails * n + streets.heads, tree.row.astype(np.int64) * n + tree.col)
    return found


def directions(may_be_one_way: Bools, rng: np.random.Generator) -> tuple[Bools, Bools]:
    """For each street whether it leads from its tail to its head, and back; a part of some is one-way."""
    one_way = may_be_one_way & (rng.random(len(may_be_one_way)) < ONE_WAY)
    turned = rng.random(len(may_be_one_way)) < 0.5
    return ~(one_way & turned), ~(one_way & ~turned)
