"""Pairs within a cutoff as a measure job: which sources, what is kept of each, and the memory that this takes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp._types import ArrayLike, GraphLike, JsonObject, VerticesLike
from apsp.errors import MemoryLimitError, RequestError
from apsp.facts.dtypes import INTEGER_DTYPES, SUM_LIMITS, choose_dtype
from apsp.facts.request import Request
from apsp.facts.statistics import statistics_of
from apsp.graph.accept import graph_with_turns
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.places.placed import placed
from apsp.graph.turns.turn_graph import TurnGraph, refuse_turns
from apsp.methods.near.cost import NearWork
from apsp.methods.near.estimate import sampled
from apsp.methods.near.solver import NearProblem, NearSolver
from apsp.methods.problem import IntArray, KernelProgress
from apsp.methods.registry import source_solver
from apsp.methods.searches.near import NearRows, near_searches
from apsp.methods.skims.arc_costs import SkimCosts, costs_along, costs_with_places
from apsp.result.near_pairs import NearPairs
from apsp.running.arguments import own_positions
from apsp.running.measure_job import MeasureJob
from apsp.store.header import Arrays, StoreHeader
from apsp.system.arguments import flag, longest_distance, one_of, whole_number
from apsp.system.cached import PartsCache, cached_property
from apsp.system.machine import Machine, usable
from apsp.system.numbers import number_words

if TYPE_CHECKING:
    from apsp.store.reading import StoredArrays

__all__ = ["Parts", "WithinJob", "within_job"]

Parts = dict[int, NearRows]
"""Rows by the number of their first source."""

_FEW = 64
"""Sources whose pairs are found without an estimate of the memory."""

_NAMES = ("source", "target", "next_hop")
"""Columns of the table beside the distance and other costs."""


@dataclass(frozen=True)
class WithinJob(MeasureJob[Parts, NearRows]):
    """A request for pairs, with the graph; other attributes are those of `MeasureJob`.

    Attributes
    ----------
    dtype : numpy dtype
        Of the distances.
    hops, by_target : bool
        As of `NearSolver.find`.
    k : int or None
    costs : SkimCosts or None
        Those of the arcs that are added up along the paths, behind the lengths.
    """

    purpose, stage = "within", "pairs"
    copies = 2
    """Pairs are in memory twice while they are put into their order."""
    block_bytes = 64 << 20

    graph: Graph
    sources: IntArray
    targets: IntArray | None
    cutoff: float
    dtype: np.dtype[Any]
    k: int | None
    hops: bool
    by_target: bool
    costs: SkimCosts | None
    options: Request
    cache: PartsCache = field(default_factory=PartsCache)

    def part(self, start: int, stop: int, progress: KernelProgress | None) -> NearRows:
        """Find the pairs of some sources.

        Raises
        ------
        MemoryLimitError
            If they do not fit into memory.
        """
        machine = Machine.detect()
        most = usable(machine) // (self.copies * self.pair_bytes)
        found = self._solver.find(
            self.sources[start:stop], self.cutoff, k=self.k, is_target=self._is_target, hops=self.hops,
            sums=self.costs is not None, by_target=self.by_target, most=most, threads=self.cores, progress=progress,
        )  # fmt: skip
        if found is None:
            raise self._too_many(f"more than {most:,} pairs", most + 1, machine)
        return replace(found, first=start)

    def merge(self, found: Parts, start: int, part: NearRows) -> None:
        """Keep a part."""
        found[start] = part

    def check_memory(self) -> None:
        """Raise MemoryLimitError if the pairs of all sources, about, do not fit into memory."""
        count, machine = len(self.sources), Machine.detect()
        targets = self.graph.n if self.targets is None else len(self.targets)
        limit = usable(machine)
        if count * min(targets, self.k or targets) * self.copies * self.pair_bytes <= limit or count <= _FEW:
            return
        pairs = int(self.pairs_of_source * count)
        if pairs * self.copies * self.pair_bytes > limit:
            raise self._too_many(f"about {pairs:,} pairs", pairs, machine)

    @property
    def pairs_of_source(self) -> float:
        """The mean number of pairs of some sources."""
        return self._estimate[0]

    @property
    def work(self) -> NearWork:
        """What the choice depends on."""
        _, reached, settled = self._estimate
        sums = self.costs is not None
        return NearWork(
            self.graph, self.dtype, len(self.sources), self.cutoff, reached, settled, self.hops, sums
        )  # fmt: skip

    @property
    def _estimate(self) -> tuple[float, float, float]:
        """Of some sources: the mean number of pairs, of vertices within the cutoff, and of those that are settled."""
        return self.cache.once("estimate", self._estimated)

    def _estimated(self) -> tuple[float, float, float]:
        if not len(self.sources):
            return 0.0, 0.0, 0.0
        searches = near_searches(self.graph, self.dtype, 1)
        sample = sampled(searches, self.sources, self.cutoff, self.cores)
        assert sample is not None
        first, found = sample
        reached = sample.reached
        if self.k is None:
            pairs = (
                reached if self._is_target is None else np.count_nonzero(self._is_target[found.targets]) / len(first)
            )
            return pairs, reached, reached
        near = searches.find(first, self.cutoff, k=self.k, is_target=self._is_target, threads=self.cores)
        assert near is not None
        settled = 0
        for row in range(len(first)):
            all_of_row = found.distances[found.starts[row] : found.starts[row + 1]]
            last = near.distances[near.starts[row] : near.starts[row + 1]][self.k - 1 :]
            settled += int(np.searchsorted(all_of_row, last[0], side="right")) if len(last) else len(all_of_row)
        return len(near.targets) / len(first), reached, settled / len(first)

    @property
    def pair_bytes(self) -> int:
        """Bytes of a pair."""
        return self.dtype.itemsize + (8 if self.hops else 4) + 8 * len(self.along)

    @property
    def along(self) -> tuple[str, ...]:
        """The names of the costs that are added up along the paths."""
        return () if self.costs is None else self.costs.names[1:]

    def result(self, found: Parts) -> NearPairs:
        """Return all pairs, whose parts are no longer needed."""
        parts = [found.pop(start) for start in sorted(found)]
        return self.pairs_of(NearRows.joined(parts, self.dtype, hops=self.hops, costs=len(self.along)), self.sources)

    def block(self, start: int, part: NearRows) -> NearPairs:
        """Return the pairs of a part, whose first source has this number."""
        return self.pairs_of(part, self.sources[start : start + len(part.starts) - 1])

    def pairs_of(self, rows: NearRows, sources: IntArray) -> NearPairs:
        """Return the pairs of some sources."""
        along = {}
        if self.costs is not None and rows.sums is not None:
            for name, whole, column in zip(self.along, self.costs.integers[1:], rows.sums, strict=True):
                along[name] = column.astype(np.int64) if whole else column
        return NearPairs(
            self.graph.labels, self.cutoff, sources, self.targets, rows.starts, rows.targets, rows.distances,
            rows.next_hops, along,
        )  # fmt: skip

    # -- in a store --------------------------------------------------------------------------------------------------

    @property
    def pinned(self) -> bool:
        """Sums of floats, and next hops of equally short paths, depend on the method."""
        exact = self.costs is None or self.costs.are_exact
        return self.hops or self.dtype.kind == "f" or not exact

    def identity(self) -> JsonObject:
        """What is kept, and hashes of the other costs."""
        identity: JsonObject = {
            "name": "within", "dtype": self.dtype.name, "sort": "target" if self.by_target else "distance",
            "k": self.k, "next_hop": self.hops, "along": list(self.along),
        }  # fmt: skip
        if self.costs is not None:
            identity |= self.costs.hashes()
        return identity

    def layout(self) -> Arrays:
        """A table of the pairs per band, and the number of pairs of each source, which completes the band."""
        return {"pairs": ("uint8", "table", self.row_bytes), "count": ("int64", "row", 1)}

    def encode(self, part: NearRows, header: StoreHeader) -> dict[str, Any]:
        """Return the pairs of some sources as a table, and their numbers."""
        del header
        return {"pairs": self.block(part.first, part)._table(), "count": np.diff(part.starts).reshape(-1, 1)}

    def decode(self, found: Parts, stored: StoredArrays) -> None:
        """Rows are read from the store when they are needed."""

    @property
    def row_bytes(self) -> int:
        """Bytes of the pairs of a source, about."""
        return max(math.ceil(self.pairs_of_source * self.pair_bytes), 1)

    @property
    def _solver(self) -> NearSolver:
        by = self.method
        if by is None or by not in self.cache:
            choice = self.choice()
            by = choice.method
            if by not in self.cache:
                others = None if self.costs is None else np.ascontiguousarray(self.costs.columns[:, 1:])
                problem = NearProblem(self.graph, self.dtype, len(self.sources), self.cores, others)
                self.cache[by] = source_solver(self.purpose, by)(problem, choice)
        solver: NearSolver = self.cache[by]
        return solver

    @cached_property
    def _is_target(self) -> npt.NDArray[np.bool_] | None:
        if self.targets is None:
            return None
        found = np.zeros(self.graph.n, dtype=bool)
        found[self.targets] = True
        return found

    def _too_many(self, words: str, pairs: int, machine: Machine) -> MemoryLimitError:
        remedies = [
            "apsp.stream_within, which yields blocks of sources, and writes them to a file",
            "store=, which keeps them in files, and resumes",
            "k=, so many of the nearest of each source",
            "a smaller cutoff",
        ]
        what = f"{words} within {number_words(self.cutoff)}"
        return MemoryLimitError(what, pairs * self.copies * self.pair_bytes, machine.memory_available, remedies)


def within_job(
    graph: GraphLike | TurnGraph,
    cutoff: float,
    sources: VerticesLike | Places | None,
    targets: VerticesLike | Places | None,
    *,
    next_hop: bool = False,
    along: Sequence[str] | Mapping[str, ArrayLike | Graph] | None = None,
    k: int | None = None,
    sort: str = "distance",
    options: Request,
) -> WithinJob:
    """Return the job of a request; parameters and errors are those of `apsp.within`."""
    graph, costs = graph_with_turns(graph), None
    if next_hop is not False:
        refuse_turns(graph, "next_hop=")
    if graph.has_negative_arc:
        least = graph.weight_range[0] if graph.weight_range is not None else 0
        raise RequestError(
            f"pairs within a cutoff need lengths of at least 0, and the smallest is {least}: apsp.stream(graph, "
            "cutoff=...) computes whole rows, also with negative lengths"
        )
    if along is None:
        graph = placed(graph, leaving=(sources,), entering=(targets,), rows=sources)
    else:
        graph, costs = costs_with_places(graph, costs_along(graph, along, "distance"), sources, targets)
    cutoff = longest_distance(cutoff)
    by_target = one_of(sort, "sort", ("distance", "target")) == "target"
    hops = flag(next_hop, "next_hop")
    k = None if k is None else min(whole_number(k, "k", least=1), max(graph.n, 1))
    chosen, ends = own_positions(graph, sources, "sources"), own_positions(graph, targets, "targets")
    if ends is not None:
        ends = ends[np.sort(np.unique(ends, return_index=True)[1])]
    chosen = np.arange(graph.n, dtype=np.int32) if chosen is None else np.ascontiguousarray(chosen, dtype=np.int32)
    for name in () if costs is None else costs.names[1:]:
        if name in _NAMES:
            raise RequestError(f"the table has a column {name!r} of vertices: give the cost {name!r} another name")
    if costs is not None and len(costs.names) == 1:
        costs = None
    job = WithinJob(graph, chosen, ends, cutoff, _dtype(graph, cutoff, options), k, hops, by_target, costs, options)
    if options.device not in ("auto", "cpu"):
        job.plan(job.cores)  # raises what is wrong with the device
    return job


def _dtype(graph: Graph, cutoff: float, options: Request) -> np.dtype[Any]:
    """Return the dtype of the distances: of integers the narrowest that holds the cutoff, or all distances."""
    statistics = statistics_of(graph)
    if options.dtype == "auto" and statistics.has_integer_weights:
        longest = min(statistics.bound.high, cutoff)
        fitting = (name for name in INTEGER_DTYPES if longest < SUM_LIMITS[name])
        name = next(fitting, None)
        if name is not None:
            return np.dtype(name)
    return np.dtype(choose_dtype(statistics, options)[0])
