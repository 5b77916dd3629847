"""Bounds on eccentricities from pairs of vertices: the distances of each pair over several vertices between them.

A search from u bounds ecc(v) by d(v, u) + ecc(u), although the farthest vertex from u may be near v. Over searches from
several u, ecc(v) is at most the largest, over t, of the smallest d(v, u) + d(u, t). Only pairs of two vertices far from
a central vertex matter, which are few once most vertices are excluded.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.reductions.strong_parts import StrongParts
from apsp.semiring import unreachable

__all__ = ["MOST_HUBS", "FarPairs", "Hubs", "HubsOnHost"]

MOST_HUBS = 64
_BYTES = 128 << 20
"""Most searches whose distances are kept, and the memory for them."""

_PAIRS = 16
_TABLE = 8
"""Pairs to look at, and distances to gather, per vertex of the graph: what a search or two take."""

_BRIEF = 1 << 19
"""Distances to add and compare that take less than the start of a thread."""

_OPEN = 1 / 4
"""Share of the vertices above which pairs are too many."""

Positions = npt.NDArray[np.int64]


class Hubs(Protocol):
    """Distances from and to some vertices of the largest component, in host or device memory.

    Attributes
    ----------
    ecc : list of int
        Their eccentricities.
    """

    ecc: list[int]

    def out_of(self, hub: int) -> npt.NDArray[Any]:
        """(n,) distances from one."""

    def out(self, order: Positions, vertices: Positions) -> npt.NDArray[Any]:
        """(V, hubs) distances to some vertices, the hubs in an order."""

    def into(self, order: Positions, vertices: Positions) -> npt.NDArray[Any]:
        """(V, hubs) distances from some vertices, the hubs in an order."""


class HubsOnHost:
    """Hubs in host memory."""

    def __init__(self) -> None:
        self.ecc: list[int] = []
        self._out: list[npt.NDArray[Any]] = []
        self._into: list[npt.NDArray[Any]] = []

    def add(self, out: npt.NDArray[Any], into: npt.NDArray[Any], ecc: int) -> None:
        """Keep the distances from a vertex and those to it, (n,) each, if there is room."""
        most = min(MOST_HUBS, _BYTES // (out.nbytes * (1 if into is out else 2)))
        if len(self.ecc) < most:
            self._out.append(out)
            self._into.append(into)
            self.ecc.append(ecc)

    def out_of(self, hub: int) -> npt.NDArray[Any]:
        """(n,) distances from one."""
        return self._out[hub]

    def out(self, order: Positions, vertices: Positions) -> npt.NDArray[Any]:
        """(V, hubs) distances to some vertices."""
        return _table(self._out, order, vertices)

    def into(self, order: Positions, vertices: Positions) -> npt.NDArray[Any]:
        """(V, hubs) distances from some vertices."""
        return _table(self._into, order, vertices)


class FarPairs:
    """What the distances from and to hubs prove of the other vertices.

    Parameters
    ----------
    parts : StrongParts
    hubs : Hubs
    threads : int
    """

    def __init__(self, parts: StrongParts, hubs: Hubs, threads: int) -> None:
        self._parts = parts
        self._hubs = hubs
        self._threads = threads

    def within(self, vertices: Positions, limit: int) -> Positions:
        """Those of some vertices whose eccentricity is at most a limit; none if there are too many pairs to look at."""
        none = np.empty(0, dtype=np.int64)
        parts = self._parts
        n, hubs = len(parts.part), len(self._hubs.ecc)
        if hubs < 2 or len(vertices) > max(n * _OPEN, 64):
            return none
        if parts.count > 1:
            vertices = vertices[parts.part[vertices] == parts.largest]
        if not len(vertices):
            return none
        order = np.argsort(self._hubs.ecc, kind="stable")
        into, out = self._hubs.into(order[:1], vertices)[:, 0], self._hubs.out_of(int(order[0]))
        far = out > limit - into.max()
        if parts.count > 1:
            far &= out != unreachable(out.dtype)
        others = np.flatnonzero(far)
        if (len(vertices) + len(others)) * hubs > _TABLE * n:
            return none
        others = others[np.argsort(-out[others], kind="stable")]
        pairs = len(others) * len(vertices) - np.searchsorted(out[others][::-1], limit - into, side="right").sum()
        if pairs > _PAIRS * n:
            return none
        may = np.empty(len(vertices), dtype=bool)
        threads = self._threads if pairs * hubs > _BRIEF else 1
        _cpu.may_be_farther(
            self._hubs.into(order, vertices), self._hubs.out(order, others), limit, may, threads
        )  # fmt: skip
        return vertices[~may]


def _table(rows: list[npt.NDArray[Any]], order: Positions, vertices: Positions) -> npt.NDArray[Any]:
    """(V, hubs) distances of some vertices."""
    found = np.empty((len(vertices), len(order)), dtype=rows[0].dtype)
    for column, row in enumerate(order.tolist()):
        found[:, column] = rows[row][vertices]
    return found
