"""An oracle of one set of weights, which a call reads from its beginning to its end.

`Oracle.update` makes another snapshot and then puts it in the place of the old one, in one step. A snapshot is never
changed, so that a call that began with it needs no lock, and ends with the weights that it began with.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import GraphError
from apsp.facts.request import Request
from apsp.facts.result_bytes import block_rows
from apsp.facts.statistics import statistics_of
from apsp.graph.closed_links import Change, Closed
from apsp.graph.model import Graph
from apsp.graph.places.ends import Ends
from apsp.graph.some_edges import SomeWeights, with_some_weights
from apsp.graph.turns.turn_graph import own_vertices
from apsp.methods.elimination.changes import CHANGES_BYTES, Changed, FactorChanges, changed_factor
from apsp.methods.elimination.dtype_after import dtype_after
from apsp.methods.elimination.factor import Factor
from apsp.methods.elimination.labels import OracleLabels, labels_for
from apsp.methods.elimination.routes import FactorPaths
from apsp.methods.problem import IntArray, KernelProgress
from apsp.reductions.row_sums import RowSums
from apsp.running.blocks import Block
from apsp.semiring import unreachable
from apsp.system.cached import cached_property
from apsp.system.machine import Machine, refuse_unless_fits
from apsp.system.progress import Progress, ProgressReport, offset, reporting
from apsp.system.two_copies import TwoCopies

if TYPE_CHECKING:
    from apsp.methods.elimination.oracle_on_gpu import OracleOnGpu

__all__ = ["Snapshot", "blocks_of"]

_NO_ARCS: npt.NDArray[np.int64] = np.empty(0, dtype=np.int64)

_FEW_PAIRS = 64
"""Pairs that are searched one by one: the memory of threads for many pairs takes longer to prepare."""

_LANES_BYTES = 256
"""Bytes per vertex and thread: distances of the sources of a batch."""


class Snapshot:
    """The factor of some weights, on the CPU and perhaps on a GPU.

    Raises MemoryLimitError before labels are computed, if they do not fit.

    Parameters
    ----------
    threads : int
        Threads of the CPU.
    gpu : int or None
        Number of the GPU that computes rows, blocks, sums and many pairs.
    labels : bool
        Keep the distances of every vertex to its ancestors, for pairs: on the CPU, and on the GPU if they fit there.
    after : (Snapshot, Changed), optional
        The snapshot that this one replaces, and what has changed.
    closed : Closed, optional
        The links that the graph lacks.

    Attributes
    ----------
    quick : callable or None
        The distance of two vertices that are called by their positions, or None for anything else.
    """

    def __init__(
        self, factor: Factor, threads: int, gpu: int | None, labels: bool,
        after: tuple[Snapshot, Changed] | None = None, closed: Closed | None = None,
        progress: ProgressReport | None = None,
    ) -> None:  # fmt: skip
        self.factor, self.threads, self.gpu, self.closed = factor, threads, gpu, closed
        changes = None if after is None else after[1].changes
        self._changes = [] if changes is None else [changes]
        self.graph, self.dtype = factor.graph, factor.dtype
        old, changed = after or (None, None)
        before = None if old is None else old._labels
        self._labels: OracleLabels | None = None
        if labels:
            self._labels = labels_for(factor, threads, before, changed, progress)
        self.labels = None if self._labels is None else self._labels.labels
        has_quick = self.labels is not None and self.graph.labels.are_positions
        self.quick = self.labels.distance if self.labels is not None and has_quick else None
        self.on_gpu: OracleOnGpu | None = (
            None if gpu is None else _on_gpu(factor, gpu, labels, None if old is None else old.on_gpu)
        )
        searched = None if after is None else after[0].paths.search
        is_later = factor.is_elsewhere or (labels and searched is None)  # with the first search
        search = None if is_later else _search(factor, searched, changed)
        self.paths: FactorPaths = FactorPaths(factor, search, self.labels, threads)
        self._far: int | None = None if after is None else after[0]._far

    def _taken(self) -> FactorChanges | None:
        """What the factor is computed from: one update changes it, another one of the same time has none."""
        try:
            return self._changes.pop()
        except IndexError:
            return None

    def _with_some(self, some: SomeWeights, changes: FactorChanges | None) -> Graph:
        """The graph with other weights of some arcs."""
        old = self.graph.weights
        assert old is not None
        copies = TwoCopies() if changes is None else changes.weights
        weights, stale = copies.begin(old, _NO_ARCS)
        weights[stale] = old[stale]
        weights[some.arcs] = some.weights
        copies.end(old, weights, some.arcs)
        return with_some_weights(self.graph, some, weights)

    def own(self, chosen: Any) -> Any:
        """Places on the streets of this graph; vertices as they are."""
        return chosen if self.closed is None else self.closed.moved(chosen)

    def changed(self, change: Change, request: Request) -> Snapshot:
        """The snapshot of a graph of the same vertices, whose edges fit the order.

        Raises DtypeRangeError, MemoryLimitError, MethodRefusedError or NegativeCycleError.
        """
        (graph, some, closed), changes = change, self._taken()
        if graph is None:
            assert some is not None
            graph = self._with_some(some, changes)
        found = dtype_after(self.factor, graph, request, some, lambda: self.longest)
        needed = self.factor.tree.entries * found.dtype.itemsize
        fits = refuse_unless_fits(
            needed,
            "the factor of other weights, beside the old one,",
            "apsp.prepare(oracle.graph.with_weights(weights)) after `del oracle`",
        )
        changed = changed_factor(
            self.factor, changes, graph, found.dtype, some, threads=self.threads,
            on_gpu=None if self.on_gpu is None or self.labels is not None else self.on_gpu.factors,
            keep=2 * needed + (CHANGES_BYTES + found.dtype.itemsize) * graph.m <= fits,
        )  # fmt: skip
        after = Snapshot(changed.factor, self.threads, self.gpu, self.labels is not None, (self, changed), closed)
        if found.is_confirmed(graph, lambda: after.longest):
            return after
        return after.changed(Change(graph, None, closed), request)

    @property
    def nbytes(self) -> int:
        """Bytes of the factor, its tree, and the labels; also of what the next update, table or path needs."""
        tree = sum(array.nbytes for array in self.factor.tree.arrays().values())
        changes = sum(each.nbytes for each in list(self._changes))
        labels = 0 if self.labels is None else self.labels.nbytes
        return self.factor.nbytes + changes + tree + labels + self.paths.nbytes

    @cached_property
    def longest(self) -> int | float:
        """Some distance, as a rule a long one."""
        if self.on_gpu is not None and self.factor.is_elsewhere and self.graph.n:
            return self.on_gpu.longest_from(0)
        if self._far is not None and (known := self.distance(0, self._far)) != math.inf:
            return known
        found = {target: self.distance(0, target) for target in range(0, self.graph.n, max(self.graph.n // 16, 1))}
        self._far = max(found, key=lambda target: -1 if found[target] == math.inf else found[target], default=None)
        return max((each for each in found.values() if each != math.inf), default=0)

    @property
    def has_sums(self) -> bool:
        """Whether `sums` can sum up rows."""
        return (self.on_gpu or self.factor).has_sums

    def distance(self, source: int, target: int) -> int | float:
        """The distance of one pair of positions; inf without a path."""
        if self.labels is not None:
            return self.labels.distance(source, target)  # type: ignore[return-value]  # these positions exist
        try:
            found = self.paths.searching().distance(source, target)
        except ValueError as error:
            raise GraphError(f"{error}: the oracle does not fit its graph; prepare it again") from None
        if found is None:
            return math.inf
        return 0 if found < 0 and source == target else found  # rounding: no cycle is negative

    def path(self, source: int, target: int) -> list[int] | None:
        """The positions of a shortest path; None without a path."""
        return self.paths.path(source, target)

    def filling(self, report: ProgressReport | None) -> Callable[[Ends, Ends, npt.NDArray[np.float64]], None]:
        """What writes distances between points."""

        def fill(sources: Ends, targets: Ends, dist: npt.NDArray[np.float64]) -> None:
            progress = offset(report, "oracle", 0, len(dist))
            self.factor.between(sources, targets, dist, threads=self.threads, progress=progress)

        return fill

    def pairs(self, sources: IntArray, targets: IntArray, progress: KernelProgress | None = None) -> npt.NDArray[Any]:
        """The distance of every pair (k,), in host memory."""
        found: npt.NDArray[Any] = np.empty(len(sources), dtype=self.dtype)
        if self.on_gpu is not None and self.on_gpu.takes_pairs(len(sources)):
            self.on_gpu.pairs(sources, targets, found, progress)
        elif self.labels is not None:
            self.labels.pairs(sources=sources, targets=targets, dist=found, threads=self.threads, progress=progress)
        elif len(sources) <= _FEW_PAIRS:
            for pair, (source, target) in enumerate(zip(sources.tolist(), targets.tolist(), strict=True)):
                length = self.distance(source, target)
                found[pair] = unreachable(self.dtype) if length == math.inf else length
            if progress is not None:
                progress(len(sources))
        else:
            self.factor.pairs(sources, targets, found, threads=self.threads, progress=progress)
        return found

    def empty(self, shape: tuple[int, int]) -> Any:
        """An array for distances, where they are computed.

        Raises MemoryLimitError.
        """
        if self.on_gpu is not None:
            return self.on_gpu.empty(*shape)
        needed = shape[0] * shape[1] * self.dtype.itemsize + self.graph.n * _LANES_BYTES * self.threads
        refuse_unless_fits(
            needed,
            lambda: f"{shape[0]:,} x {shape[1]:,} distances in {self.dtype}",
            "oracle.stream(), a block of rows at a time",
        )
        return np.empty(shape, dtype=self.dtype)

    def fill(
        self, sources: IntArray | None, targets: IntArray | None, out: Any, progress: KernelProgress | None
    ) -> None:
        """Write the distances (S, T); None means all vertices."""
        if self.on_gpu is not None:
            self.on_gpu.matrix(sources, targets, out, progress)
        else:
            rows = np.arange(self.graph.n, dtype=np.int32) if sources is None else sources
            self.factor.rows(rows, targets, out, threads=self.threads, progress=progress)

    def sums(self, sources: IntArray, progress: KernelProgress | None) -> RowSums:
        """Sum up rows without storing them, if the snapshot `has_sums`."""
        if self.on_gpu is not None:
            return self.on_gpu.measure(sources, progress)
        return self.factor.measure(sources, threads=self.threads, progress=progress)


def _search(factor: Factor, before: _cpu.PairSearch | None, changed: Changed | None) -> _cpu.PairSearch:
    renewed = None if changed is None else changed.renewed_unless_mirrored
    if before is None or renewed is None:
        return _cpu.PairSearch(factor.arrays)
    return _cpu.PairSearch(factor.arrays, before, renewed)


def _on_gpu(factor: Factor, gpu: int, labels: bool, before: OracleOnGpu | None) -> OracleOnGpu:
    from apsp.methods.elimination.oracle_on_gpu import OracleOnGpu  # what GPUs need is loaded where one is used

    return OracleOnGpu(factor, gpu, labels=labels, before=before)


def blocks_of(
    now: Snapshot, chosen: IntArray | None, rows: int | None, reuse: bool, progress: Progress
) -> Iterator[Block]:
    """The rows of some vertices or all, a block at a time, as `Oracle.stream` gives them."""
    own = np.arange(own_vertices(now.graph), dtype=np.int32)
    sources = own if chosen is None else chosen
    request = Request(mode="stream", sources=len(sources), rows=rows)
    height = block_rows(statistics_of(now.graph), Machine.detect(), request, now.dtype.name, now.threads)
    if now.on_gpu is not None and rows is None:
        height = now.on_gpu.block_rows()
    return _blocks(now, sources, None if now.graph._turned is None else own, height or 1, reuse, progress)


def _blocks(
    now: Snapshot, sources: IntArray, targets: IntArray | None, height: int, reuse: bool, progress: Progress
) -> Iterator[Block]:
    dist: Any = None
    width = now.graph.n if targets is None else len(targets)
    with reporting(progress) as report:
        for start in range(0, len(sources), height):
            part = sources[start : start + height]
            if dist is None or not reuse:
                dist = None  # before others are made
                dist = now.empty((len(part), width))
            now.fill(part, targets, dist[: len(part)], offset(report, "oracle", start, len(sources)))
            yield Block(part, dist[: len(part)], labels=now.graph.labels, target_positions=targets)
