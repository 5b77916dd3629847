"""Paths of many pairs from a factor.

Sources: Strasser and Wagner 2015, "Customizable contraction hierarchies", section 6 (the query, on supernodes);
Geisberger, Sanders, Schultes and Delling 2008, "Contraction hierarchies", section 4.3 (unpacking). Input: any factor.
Cost: the steps take about as long as the factor, once; then a pair costs little more than its distance, and its
vertices are copied from parts that paths have in common.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.methods.elimination.factor import Factor, fitting
from apsp.methods.problem import IntArray, KernelProgress
from apsp.semiring import is_unreachable

__all__ = ["STEP_BYTES", "EntryPaths", "Steps", "closed_up", "steps_of"]

STEP_BYTES = 12
"""Per value of the factor."""

_MOST = 2**31 - 1
"""Entries that have a number."""


class EntryPaths(NamedTuple):
    """The paths of k pairs, in a few entries of the factor each.

    Attributes
    ----------
    distances : (k,) array of the dtype of the factor
    start : (k + 1,) int64
        Of the entries of each pair.
    entries : int32
    lengths : (k,) int64
        Vertices of each path: 0 without a path, -1 if the factor does not tell it.
    """

    distances: npt.NDArray[Any]
    start: npt.NDArray[np.int64]
    entries: IntArray
    lengths: npt.NDArray[np.int64]

    @classmethod
    def unknown(cls, distances: npt.NDArray[Any]) -> EntryPaths:
        """Routes of which only the distances are known."""
        lengths = np.where(is_unreachable(distances), 0, -1)
        return cls(distances, np.zeros(len(distances) + 1, np.int64), np.empty(0, np.int32), lengths)


@dataclass(frozen=True)
class Steps:
    """What the entries of a factor stand for: arcs, or two other entries.

    Attributes
    ----------
    factor : Factor
    steps : (entries, 2) int32
    arcs : (entries,) int32
        Arcs on the path of each entry, 0 if it is not known.
    """

    factor: Factor
    steps: IntArray
    arcs: IntArray

    def routes(
        self, sources: IntArray, targets: IntArray, *, threads: int = 1, progress: KernelProgress | None = None
    ) -> EntryPaths:
        """Find the distances and routes of pairs, (k,) each."""
        distances = np.empty(len(sources), dtype=self.factor.dtype)
        with fitting():
            found = _cpu.elimination_routes(
                self.factor.arrays, arcs=self.arcs, sources=sources, targets=targets, dist=distances,
                threads=threads, progress=progress,
            )  # fmt: skip
        return EntryPaths(distances, *found)

    def write(
        self,
        routes: EntryPaths,
        sources: IntArray,
        offsets: npt.NDArray[np.int64],
        vertices: IntArray,
        *,
        threads: int = 1,
    ) -> None:
        """Write the vertices of each path from its offset on.

        Where cycles of length zero (or below rounding) were cut out of a path, `routes.lengths` becomes smaller.
        """
        graph = self.factor.graph
        simple = self.factor.dtype.kind != "f" and not graph.has_negative_arc and not graph.has_zero_arc
        _cpu.elimination_unfold(
            steps=self.steps, arcs=self.arcs, start=routes.start, entry=routes.entries, length=routes.lengths,
            sources=sources, n=graph.n, loops=not simple, offsets=offsets, vertices=vertices, threads=threads,
        )  # fmt: skip


def steps_of(factor: Factor, threads: int) -> Steps | None:
    """Return the steps of a factor; None if it has too many values."""
    count = len(factor.values)
    if count > _MOST:
        return None
    steps, arcs = np.empty((count, 2), dtype=np.int32), np.empty(count, dtype=np.int32)
    with fitting():
        _cpu.elimination_steps(factor.arrays, steps=steps, arcs=arcs, threads=threads)
    return Steps(factor, steps, arcs)


def closed_up(
    offsets: npt.NDArray[np.int64], vertices: IntArray, lengths: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], IntArray]:
    """The same without the unused entries of paths of which loops were cut out."""
    new = np.zeros_like(offsets)
    np.cumsum(lengths, out=new[1:])
    moved = np.flatnonzero(new[:-1] != offsets[:-1])
    for old, start, count in zip(offsets[moved].tolist(), new[moved].tolist(), lengths[moved].tolist(), strict=True):
        vertices[start : start + count] = vertices[old : old + count]
    return new, vertices[: new[-1]].copy()
