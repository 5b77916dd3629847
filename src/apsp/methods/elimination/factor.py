"""The factor of a graph: a compressed form of all distances, and rows computed from it.

Sources: Carré 1971, "An algebra for network routing problems"; Sao, Kannan, Gera, Vuduc 2020, "A supernodal all-pairs
shortest path algorithm"; Delling, Goldberg, Nowatzyk, Werneck 2011 (PHAST: one source per SIMD lane). Input: any graph,
any of the five dtypes. Output: `Factor`. Cost: `EliminationTree.factor_pairs` (add, min) pairs, and `row_pairs` for
each row. Raises NegativeCycleError, DtypeRangeError.

The idea: a vertex is eliminated by connecting its neighbours through it. A supernode stores the distances among its
columns and to and from its rows, so a path leads up the tree from its source and down to its target.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import ApspError, DtypeRangeError, GraphError, MethodRefusedError
from apsp.facts.statistics import statistics_of
from apsp.graph.csr import arc_arrays
from apsp.graph.equality import shared
from apsp.graph.model import Graph
from apsp.graph.places.ends import Ends
from apsp.graph.signed import sums_may_cancel
from apsp.methods.elimination.tree import EliminationTree
from apsp.methods.problem import IntArray, KernelProgress
from apsp.methods.rows.ends_by_rows import between_by_rows
from apsp.methods.searches.negative_cycle import refuse_negative_cycle
from apsp.reductions.row_sums import RowSums
from apsp.reductions.weighing import Weighing
from apsp.semiring import infinite
from apsp.system.cached import cached_property
from apsp.system.machine import Machine, usable
from apsp.system.progress import ProgressReport, offset

__all__ = ["NO_PATH", "Elsewhere", "Factor", "factorise", "fitting", "sound_factor"]

NO_PATH: dict[np.dtype[Any], int] = {
    np.dtype(np.uint16): 2**16 - 1, np.dtype(np.int32): (2**31 - 1) // 2, np.dtype(np.int64): (2**63 - 1) // 2
}  # fmt: skip
"""That of the kernels, of integers."""

_LONGEST_TABLE = 1 << 20
"""Longest distance in a table of a function of the distance."""


class Elsewhere(Protocol):
    """Values in another memory, which are copied to the host when they are first needed there."""

    @property
    def dtype(self) -> np.dtype[Any]: ...  # noqa: D102
    @property
    def nbytes(self) -> int: ...  # noqa: D102
    @property
    def on_host(self) -> npt.NDArray[Any]: ...  # noqa: D102


@dataclass(frozen=True)
class Factor:
    """The factor of a graph that elimination computes.

    Attributes
    ----------
    graph : Graph
    tree : EliminationTree
    held : (tree.entries,) array, or Elsewhere
        The values, of the dtype of the distances, in the layout of the tree; "no path" is that of the kernels.
    """

    graph: Graph
    tree: EliminationTree
    held: npt.NDArray[Any] | Elsewhere

    @property
    def values(self) -> npt.NDArray[Any]:
        """(tree.entries,) the values, in the memory of the host."""
        return self.held if isinstance(self.held, np.ndarray) else self.held.on_host

    @property
    def is_elsewhere(self) -> bool:
        """Whether `values` may copy them to the host first."""
        return not isinstance(self.held, np.ndarray)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Dtype of the distances."""
        return self.held.dtype

    def rows(
        self,
        sources: IntArray,
        targets: IntArray | None,
        dist: npt.NDArray[Any],
        *,
        pred: IntArray | None = None,
        cutoff: float | None = None,
        threads: int = 1,
        progress: KernelProgress | None = None,
    ) -> None:
        """Write distances, dist (S, T): rows are sources, columns targets (all n vertices by default).

        Parameters
        ----------
        pred : (S, n) int32, optional
            For predecessors, of graphs without negative arcs.
        cutoff : number of the dtype, optional
            Longer distances are written as "no path".

        Raises
        ------
        DtypeRangeError
            If a distance does not fit the dtype.
        """
        with fitting():
            rows = _cpu.RowArrays(sources, dist, pred, targets, cutoff)
            in_range = _cpu.elimination_rows(self.arrays, rows, threads, progress)
        self._refuse_unless(in_range)

    def pairs(
        self,
        sources: IntArray,
        targets: IntArray,
        dist: npt.NDArray[Any],
        *,
        threads: int = 1,
        progress: KernelProgress | None = None,
    ) -> None:
        """Write dist (k,), the distance of every pair of a source and a target, (k,) each."""
        with fitting():
            _cpu.elimination_pairs(
                self.arrays, sources=sources, targets=targets, dist=dist, threads=threads, progress=progress
            )

    @property
    def has_between(self) -> bool:
        """Whether `between` needs one search per source: no negative arcs, zones, or integers beyond half the range."""
        graph = self.graph
        return not graph.has_negative_arc and graph.zones is None and self._doubled_for(0) is not None

    def between(
        self, sources: Ends, targets: Ends, dist: npt.NDArray[np.float64], *, threads: int = 1,
        progress: KernelProgress | None = None,
    ) -> None:  # fmt: skip
        """Write dist (S, T): distances between points, infinite where there is no path.

        If it `has_between`, one search per source begins at both ends. For integers, all values are doubled, so that
        the lowest bit tells which end a path begins at, and the fractions of the lengths are added to exact sums.
        Otherwise rows are computed from the ends of the sources to those of the targets.
        """
        if not self.has_between:
            between_by_rows(sources, targets, dist, partial(self._between_vertices, threads), progress)
            return
        first, second = sources.lengths
        both = np.isfinite(first) & np.isfinite(second)
        apart = np.abs(np.subtract(second, first, where=both, out=np.zeros(len(first)))).max(initial=0.0)
        doubled = self._doubled_for(int(apart) + 1)
        if doubled is None:
            raise DtypeRangeError(f"{self.dtype} is too narrow for both ends of these streets; use float weights")
        with fitting():
            _cpu.elimination_between(
                doubled.arrays, sources=sources.vertices, source_lengths=sources.lengths, targets=targets.vertices,
                target_lengths=targets.lengths, dist=dist, threads=threads, progress=progress,
            )  # fmt: skip

    def _between_vertices(self, threads: int, sources: IntArray, targets: IntArray) -> npt.NDArray[np.float64]:
        found = np.empty((len(sources), len(targets)), self.dtype)
        self.rows(sources, targets, found, threads=threads)
        return infinite(found)

    def _doubled_for(self, apart: int) -> Factor | None:
        """The factor whose integers are doubled, with room for numbers so far apart; None if no dtype has that."""
        if self.dtype.kind == "f":
            return self
        most = 2 * (int(statistics_of(self.graph).bound.high) + apart) + 1
        dtype = next((each for each, none in NO_PATH.items() if most < none), None)
        if dtype is None or not apart:
            return None if dtype is None else self
        known: Factor | None = self.__dict__.get("_doubled")
        return known if known is not None and known.dtype == dtype else self._doubled(dtype)

    def _doubled(self, dtype: np.dtype[Any]) -> Factor:
        """The factor whose integers are doubled; it is kept for the next call if there is memory for two."""
        most = min(NO_PATH[dtype] // 2, NO_PATH[self.dtype] - 1)
        beyond = self.values > most  # longer than any distance, or no path
        values = np.where(beyond, 0, self.values).astype(dtype)
        values *= 2
        values[beyond] = NO_PATH[dtype]
        made = Factor(self.graph, self.tree, values)
        if values.nbytes <= usable(Machine.detect()) // 2:
            self.__dict__["_doubled"] = made
        return made

    @property
    def nbytes(self) -> int:
        """Bytes of the values, and of those that are doubled."""
        doubled: Factor | None = self.__dict__.get("_doubled")
        return self.held.nbytes + (0 if doubled is None else doubled.held.nbytes)

    @property
    def is_mirrored(self) -> bool:
        """Whether every distance is the same in both directions."""
        return self.is_surely_mirrored or _cpu.elimination_is_mirrored(self.arrays)

    @property
    def is_surely_mirrored(self) -> bool:
        """Whether the graph proves that it `is_mirrored`: its edges have one length, and integers are exact."""
        return self.dtype.kind in "iu" and not self.graph.directed and not self.graph.has_zones

    @property
    def has_sums(self) -> bool:
        """Whether `measure` can sum up rows: for uint16 and int32."""
        return self.dtype.name in ("uint16", "int32")

    def measure(
        self,
        sources: IntArray,
        *,
        cutoff: float | None = None,
        threads: int = 1,
        progress: KernelProgress | None = None,
    ) -> RowSums:
        """Sum up the rows of some vertices without storing them; only if the factor `has_sums`.

        Raises
        ------
        DtypeRangeError
            As `rows`.
        """
        sums = RowSums.empty(sources, np.int32)
        with fitting():
            most = None if cutoff is None else int(cutoff)
            in_range = _cpu.elimination_measures(self.arrays, _cpu.SumArrays(**vars(sums)), most, threads, progress)
        self._refuse_unless(in_range)
        return sums

    def can_weigh(self, weighing: Weighing) -> bool:
        """Whether `weigh` can add up amounts: for uint16 and int32 without negative arcs, and with a function of the
        distance only over distances that a table holds.
        """
        if not self.has_sums or self.graph.has_negative_arc:
            return False
        return not weighing.has_decay or int(weighing.bounds(self.dtype)[-1]) <= _LONGEST_TABLE

    def weigh(
        self,
        sources: IntArray,
        weighing: Weighing,
        *,
        threads: int = 1,
        progress: KernelProgress | None = None,
    ) -> npt.NDArray[np.float64]:
        """Sums of amounts over the rows of the sources, (S, cutoffs, kinds); only if it `can_weigh`."""
        sums = weighing.empty(len(sources))
        with fitting():
            _cpu.elimination_weigh(self.arrays, sources, weighing.arrays(self.dtype, sums), threads, progress)
        return sums

    def _refuse_unless(self, in_range: bool) -> None:
        if not in_range:
            raise DtypeRangeError(f"{self.dtype} is too narrow for the distances of this graph; use a wider dtype")

    @cached_property
    def arrays(self) -> _cpu.FactorArrays:
        """The argument of all kernels on a factor; ValueError if tree, values and graph are inconsistent."""
        graph = self.graph
        return _cpu.FactorArrays(self.tree, self.values, self._arcs, graph.weights, not graph.has_negative_arc)

    @property
    def _arcs(self) -> _cpu.ArcArrays:
        """The arcs without weights, which kernels check once: they are stored with the graph."""
        kept = self.graph.__dict__
        if "_checked_arcs" not in kept:
            kept["_checked_arcs"] = arc_arrays(self.graph)
        found: _cpu.ArcArrays = kept["_checked_arcs"]
        return found

    def on(self, graph: Graph, values: npt.NDArray[Any]) -> Factor:
        """The factor of a graph of the same vertices on the same tree."""
        if shared(graph.indices, self.graph.indices):
            graph.__dict__.setdefault("_checked_arcs", self._arcs)
        return Factor(graph, self.tree, values)

    def __reduce__(self) -> tuple[Any, ...]:
        return Factor, (self.graph, self.tree, self.values)


@contextlib.contextmanager
def fitting() -> Iterator[None]:
    """Raise GraphError if tree, values and graph, which may come from a file, are inconsistent."""
    try:
        yield
    except ApspError:
        raise
    except ValueError as error:
        raise GraphError(f"{error}: prepare the oracle again") from None


def factorise(
    graph: Graph,
    dtype: np.dtype[Any],
    tree: EliminationTree,
    *,
    threads: int = 1,
    progress: ProgressReport | None = None,
) -> Factor | None:
    """Compute the factor of a graph on its elimination tree (or that of a graph with the same arcs).

    Return None if sums of negative floats may cancel: if a cycle is zero within rounding.

    Raises
    ------
    GraphError
        If the tree is of a graph with other arcs.
    NegativeCycleError
    """
    if sums_may_cancel(graph, dtype):
        return None
    if graph.has_zones:
        refuse_negative_cycle(graph)  # it may pass through a zone, which elimination does not consider
    values = np.empty(tree.entries, dtype=dtype)
    with fitting():
        bad_vertex = _cpu.elimination_factor(
            tree=tree, arcs=arc_arrays(graph, graph.weights), nonnegative=not graph.has_negative_arc, values=values,
            threads=threads, progress=offset(progress, "factor", 0, int(tree.factor_pairs)),
        )  # fmt: skip
    if bad_vertex >= 0:
        refuse_negative_cycle(graph)
        raise DtypeRangeError(f"{dtype} is too narrow for the distances of this graph; use a wider dtype")
    return Factor(graph, tree, values)


def sound_factor(
    graph: Graph, dtype: np.dtype[Any], tree: EliminationTree, threads: int, progress: ProgressReport | None = None
) -> Factor:
    """Return the factor; MethodRefusedError if rounding makes it inexact, NegativeCycleError for such a cycle."""
    factor = factorise(graph, dtype, tree, threads=threads, progress=progress)
    if factor is None:
        reason = "a cycle of this graph is zero within rounding, so sums of negative floats may cancel"
        raise MethodRefusedError("elimination", reason, ["johnson"])
    return factor
