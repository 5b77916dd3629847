"""The parts of streets that are within cutoffs of sources.

A street is one arc, or two in opposite directions. From an end at distance d the part min(1, (cutoff - d) / w) of it is
reached, along an arc of weight w: from one end, or from both, where the parts may meet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.areas.trails import Trails
from apsp.graph.model import Graph
from apsp.graph.turns.entered import entered
from apsp.methods.searches.near import NearRows
from apsp.semiring import bound_in, unreachable

__all__ = ["Pieces", "ReachedStreets", "fractions_within", "longest_within"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


def longest_within(limit: float, dtype: np.dtype[Any]) -> int | float:
    """The largest distance within a cutoff, as a number of the dtype of distances."""
    bound = bound_in(limit, dtype)
    return unreachable(dtype) if bound is None else bound


def fractions_within(limit: float, distances: npt.NDArray[Any], lengths: Floats) -> Floats:
    """The part of each arc, from its tail on, that is within a limit, of tails at distances within it."""
    left = _left(limit, distances)
    fractions = np.ones(len(left))
    np.divide(left, lengths, out=fractions, where=lengths > left)
    return np.clip(fractions, 0.0, 1.0)


def _left(limit: float, distances: npt.NDArray[Any]) -> Floats:
    """What is left of a cutoff beyond distances within it, in float64: of integers exact, also beyond 2^53."""
    if distances.dtype.kind == "f" or math.isinf(limit):
        return limit - distances.astype(np.float64)
    whole = min(math.floor(limit), np.iinfo(np.int64).max)
    left: Floats = np.asarray((whole - distances.astype(np.int64)) + float(limit - whole), dtype=np.float64)
    return left


class Pieces(NamedTuple):
    """Parts of streets, ordered by source and along trails.

    Attributes
    ----------
    rows : (k,) int64
        The number of the source.
    streets : (k,) int64
        By their place in the trails.
    begins, ends : (k,) float64
        Fractions of the street, in the direction of its trail.
    """

    rows: Ints
    streets: Ints
    begins: Floats
    ends: Floats


@dataclass(frozen=True)
class ReachedStreets:
    """Streets that begin within the longest cutoff of some sources, ordered by source and along trails.

    Attributes
    ----------
    rows, streets : (k,) int64
        As of `Pieces`; a street of which several parallel links are entered occurs once for each.
    is_reached : (2, k) bool
        Whether the street is entered within the longest cutoff: in the direction of its trail, and against it.
    distances : (2, k) array
        Of these ends of the street, from the source.
    lengths : (2, k) float64
        Weights of the arcs from these ends.
    """

    rows: Ints
    streets: Ints
    is_reached: Bools
    distances: npt.NDArray[Any]
    lengths: Floats

    @classmethod
    def of(cls, graph: Graph, trails: Trails, sources: npt.NDArray[np.int32], near: NearRows) -> ReachedStreets:
        """Find them; `near` has what is within the longest cutoff of each source."""
        rows = np.repeat(np.arange(len(sources)), np.diff(near.starts))
        found = entered(graph, near.targets, near.distances, near.targets == sources[rows])
        street = trails.street_of_arc[found.arcs]
        some = np.flatnonzero(street >= 0)
        key = (rows[found.which[some]] * (trails.count + 1) + street[some]) * 2 + trails.is_against[found.arcs[some]]
        other = None if found.others is None else found.others[some]
        if other is None:
            order = np.argsort(key, kind="stable")
        else:
            order = np.lexsort([found.distances[some], key % 2, other, key // 2])  # the least distance first
            other = other[order]
        some, key = some[order], key[order]
        row, street, against = rows[found.which[some]], street[some], key % 2
        distances, lengths = found.distances[some], found.lengths[some]
        is_first = np.ones(len(row), dtype=bool)
        is_first[1:] = key[1:] // 2 != key[:-1] // 2
        if other is not None:
            is_first[1:] |= other[1:] != other[:-1]
        is_least = is_first.copy()
        is_least[1:] |= against[1:] != against[:-1]
        at, count = (np.cumsum(is_first) - 1)[is_least], int(is_first.sum())
        reached = cls(
            row[is_first], street[is_first], np.zeros((2, count), dtype=bool),
            np.zeros((2, count), dtype=distances.dtype), np.zeros((2, count)),
        )  # fmt: skip
        side = against[is_least]
        reached.is_reached[side, at] = True
        reached.distances[side, at] = distances[is_least]
        reached.lengths[side, at] = lengths[is_least]
        return reached

    def within(self, limit: float) -> Pieces:
        """The parts within one of the cutoffs."""
        bound = longest_within(limit, self.distances.dtype)
        parts = np.full(self.is_reached.shape, -1.0)
        for part, reached, distances, lengths in zip(parts, self.is_reached, self.distances, self.lengths, strict=True):
            some = reached & (distances <= bound)
            part[some] = fractions_within(limit, distances[some], lengths[some])
        there = parts >= 0
        whole = np.maximum(parts, 0).sum(axis=0) >= 1
        begins = np.stack([np.zeros(len(whole)), 1 - parts[1]], axis=1)
        ends = np.stack([np.where(whole, 1.0, parts[0]), np.ones(len(whole))], axis=1)
        present = np.stack([there[0] | whole, there[1] & ~whole], axis=1)
        rows, streets = (np.repeat(each, 2).reshape(-1, 2)[present] for each in (self.rows, self.streets))
        return Pieces(rows, streets, begins[present], ends[present])
