"""Paths of pairs from a factor.

Sources: Strasser and Wagner 2015, "Customizable contraction hierarchies", section 6 (the query, on supernodes);
Geisberger, Sanders, Schultes and Delling 2008, "Contraction hierarchies", section 4.3 (unpacking). Input: any factor.
Cost: a pair costs its distance, and per arc of its path the search for a step: what an entry of the factor stands for,
an arc or two other entries. For many pairs the steps of all entries are found first, which takes about as long as the
factor, once; then a pair costs little more than its distance, and its vertices are copied from parts that paths have in
common. Both choose the same paths.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import MemoryLimitError
from apsp.methods.elimination.factor import Factor, fitting
from apsp.methods.problem import IntArray, KernelProgress
from apsp.result import paths
from apsp.system.machine import Machine, refuse_unless_fits, usable

__all__ = ["FactorPaths", "PathsOfPairs", "Steps", "steps_of"]

_STEP_BYTES = 12
"""Per value of the factor."""

_MOST = 2**31 - 1
"""Values that have a number in steps."""

_VALUES_PER_PAIR = 1536
"""With fewer values of the factor per pair, steps of all of them pay."""

_PAIR_BYTES = 200
"""Per pair, besides the distance: order, offsets, and some twenty entries of the factor, twice for a moment."""

_VERTEX_BYTES = 6
"""Per vertex of a path: its number, and half of that again for parts that paths have in common."""

_REMEDY = "oracle.stream_paths(), some of the pairs at a time"

_NO_STEPS: IntArray = np.empty((0, 2), dtype=np.int32)
_NO_ARCS: IntArray = np.empty(0, dtype=np.int32)


class PathsOfPairs(NamedTuple):
    """The paths of k pairs.

    Attributes
    ----------
    offsets : (k + 1,) int64
        The vertices of the i-th path are vertices[offsets[i] : offsets[i + 1]]; none if there is no path.
    vertices : int32
    distances : (k,) array of the dtype of the factor
    """

    offsets: npt.NDArray[np.int64]
    vertices: IntArray
    distances: npt.NDArray[Any]


@dataclass(frozen=True)
class Steps:
    """What the entries of a factor stand for: arcs, or two other entries.

    Attributes
    ----------
    steps : (entries, 2) int32
    arcs : (entries,) int32
        Arcs on the path of each entry, 0 if it is not known.
    """

    steps: IntArray
    arcs: IntArray


class FactorPaths:
    """Paths from a factor.

    Parameters
    ----------
    factor : Factor
    search : PairSearch or None
        That of the factor, if it is known.
    labels : PairLabels or None
        Those of the factor, if it has some: they tell where the search for a path ends.
    threads : int
    """

    def __init__(
        self, factor: Factor, search: _cpu.PairSearch | None, labels: _cpu.PairLabels | None, threads: int
    ) -> None:
        self._factor, self.search, self._labels, self._threads = factor, search, labels, threads
        self._steps: Steps | None = None

    @property
    def nbytes(self) -> int:
        """Bytes of what earlier paths have left for the next ones."""
        steps, search = self._steps, self.search
        found = 0 if steps is None else steps.steps.nbytes + steps.arcs.nbytes
        return found if search is None else found + search.nbytes

    def path(self, source: int, target: int) -> list[int] | None:
        """Return the positions of a shortest path; None without a path."""
        with fitting():
            found = self.searching().path(source, target, loops=self._may_have_loops)
        if found is None:
            return paths.walk(self._tree(source), source, target)
        return found.tolist() or None

    def searching(self) -> _cpu.PairSearch:
        """The search, which is prepared with its first use."""
        if self.search is None:
            self.search = _cpu.PairSearch(self._factor.arrays)
        return self.search

    def of_pairs(
        self, sources: IntArray, targets: IntArray, progress: KernelProgress | None = None, *, total: int | None = None
    ) -> PathsOfPairs:
        """Find the paths of pairs, (k,) each, which are some of so many; by default they are all.

        Raises
        ------
        GraphError
            If tree, values and graph, which may come from a file, are inconsistent.
        MemoryLimitError
        """
        count = len(sources)
        what = f"the paths of {count:,} pairs"
        most = refuse_unless_fits(count * (self._factor.dtype.itemsize + _PAIR_BYTES), what, _REMEDY)
        steps = self._steps_for(count if total is None else total)
        found = np.empty(count, dtype=self._factor.dtype)
        if self._labels is not None:
            self._labels.pairs(sources=sources, targets=targets, dist=found, threads=self._threads)
        try:
            with fitting():
                start, entries, lengths = self.searching().routes(
                    arcs=None if steps is None else steps.arcs, sources=sources, targets=targets, dist=found,
                    has_dist=self._labels is not None, most=most, threads=self._threads, progress=progress,
                )  # fmt: skip
        except MemoryError:
            raise MemoryLimitError(what, most + 1, Machine.detect().memory_available, [_REMEDY]) from None
        searched = self._searched(lengths, sources, targets)
        counts = lengths.copy()
        for pair, path in searched.items():
            counts[pair] = len(path)
        offsets = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(counts, out=offsets[1:])
        refuse_unless_fits(int(offsets[-1]) * _VERTEX_BYTES + 4 * self._factor.tree.entries, what, _REMEDY)
        vertices = np.empty(offsets[-1], dtype=np.int32)
        _cpu.elimination_unfold(
            steps=_NO_STEPS if steps is None else steps.steps, arcs=_NO_ARCS if steps is None else steps.arcs,
            start=start, entry=entries, length=lengths, sources=sources, loops=self._may_have_loops, offsets=offsets,
            vertices=vertices, threads=self._threads,
        )  # fmt: skip
        for pair, path in searched.items():
            vertices[offsets[pair] : offsets[pair + 1]] = path
            lengths[pair] = len(path)
        if (lengths != counts).any():  # cycles of length zero (or below rounding) were cut out
            offsets, vertices = _closed_up(offsets, vertices, lengths)
        return PathsOfPairs(offsets, vertices, found)

    @property
    def _may_have_loops(self) -> bool:
        graph = self._factor.graph
        return self._factor.dtype.kind == "f" or graph.has_negative_arc or graph.has_zero_arc

    def _steps_for(self, pairs: int) -> Steps | None:
        """The steps of all entries, if so many pairs pay for them and there is memory; kept for the next call."""
        values = self._factor.tree.entries
        pays = values < min(pairs * _VALUES_PER_PAIR, _MOST)
        if self._steps is None and pays and values * _STEP_BYTES <= usable(Machine.detect()):
            self._steps = steps_of(self._factor, self._threads)
        return self._steps

    def _searched(self, lengths: npt.NDArray[np.int64], sources: IntArray, targets: IntArray) -> dict[int, list[int]]:
        """The paths that the factor does not tell, because sums of floats are rounded differently."""
        found: dict[int, list[int]] = {}
        missing = np.flatnonzero(lengths < 0)
        before, tree = -1, _NO_ARCS
        for pair in missing[np.argsort(sources[missing], kind="stable")].tolist():
            source = int(sources[pair])
            if source != before:
                before, tree = source, self._tree(source)
            found[pair] = paths.walk(tree, source, int(targets[pair]))
        return found

    def _tree(self, source: int) -> IntArray:
        """The predecessors of all vertices, from a row of distances."""
        row = np.empty((1, self._factor.graph.n), dtype=self._factor.dtype)
        self._factor.rows(np.array([source], dtype=np.int32), None, row, threads=self._threads)
        return paths.predecessors_from_distances(self._factor.graph, source, row[0])


def steps_of(factor: Factor, threads: int) -> Steps:
    """Return the steps of a factor, of which 2^31 - 1 values have numbers."""
    count = factor.tree.entries
    steps, arcs = np.empty((count, 2), dtype=np.int32), np.empty(count, dtype=np.int32)
    with fitting():
        _cpu.elimination_steps(factor.arrays, steps=steps, arcs=arcs, threads=threads)
    return Steps(steps, arcs)


def _closed_up(
    offsets: npt.NDArray[np.int64], vertices: IntArray, lengths: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], IntArray]:
    """The same without the unused entries of paths of which loops were cut out."""
    new = np.zeros_like(offsets)
    np.cumsum(lengths, out=new[1:])
    moved = np.flatnonzero(new[:-1] != offsets[:-1])
    for old, start, count in zip(offsets[moved].tolist(), new[moved].tolist(), lengths[moved].tolist(), strict=True):
        vertices[start : start + count] = vertices[old : old + count]
    return new, vertices[: new[-1]].copy()
