"""Searches on a GPU, in batches: the rows of distances stay there, and only what they prove is copied to the host.

As many rounds are spent on bounds as are cheap, compared with all rows there. The first batch is from the vertex with
the most arcs and from random ones: their rows serve as hubs for pairs of vertices that are far from each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.bounds.bounded_search import LIMITS, Searches, SearchLimits
from apsp.errors import DeviceError, MemoryLimitError, MethodRefusedError
from apsp.facts.placement import usable_on
from apsp.facts.request import Request
from apsp.gpu.memory import free_on_failure
from apsp.gpu.page import Page, allocate
from apsp.graph.equality import equal
from apsp.graph.model import Graph
from apsp.methods import emulated
from apsp.methods.problem import Solver
from apsp.methods.searches.few_sources import FewSources
from apsp.planning.decision import Decision, decide
from apsp.planning.planner import decision_for
from apsp.reductions.eccentricity_bounds import EccentricityBounds, Positions, Searched
from apsp.reductions.far_pairs import MOST_HUBS, FarPairs
from apsp.reductions.kernels.bound import HubsOnGpu, searched
from apsp.reductions.strong_parts import Ends, StrongParts
from apsp.running.arguments import prepared
from apsp.semiring import unreachable
from apsp.system.array_device import to_host

__all__ = ["Rounds", "SearchesOnGpu", "rounds_on_gpu"]

_MEMORY = 1 / 4
_PAGES = 4
"""The share of the free memory for the rows of a round: from and to its vertices, and the first."""

_LAUNCHES, _OF_VERTEX = 5e-4, 3e-8
"""Seconds of a round beside the searches: launches, and the copy and the choice on the host, per vertex."""


class Rounds(NamedTuple):
    """Rounds of searches on a GPU.

    Attributes
    ----------
    decision : Decision
        The method of the searches, on one GPU.
    at_once : int
        Vertices of a round.
    most : int
        Rounds that may be spent.
    rest : int
        The number of rows that take as long as a round.
    """

    request: Request
    decision: Decision
    at_once: int
    most: int
    rest: int


def rounds_on_gpu(graph: Graph, dtype: np.dtype[Any], options: Request, limits: SearchLimits = LIMITS) -> Rounds | None:
    """Return the rounds that may be spent on the GPU of the options, or the first of several.

    None if all rows take about as long, or if no GPU can search: the computation of all rows then raises the error.
    """
    request = Request(
        sources=limits.at_once, dtype=dtype.name, device=options.device, gpus=options.gpus[:1], threads=options.threads,
        mode="stream", rows=limits.at_once,
    )  # fmt: skip
    try:
        few = decision_for(graph, request, coarse=True)
        every = decide(few.facts.statistics, few.facts.machine, _all_of(request), few.facts.constants)
    except (DeviceError, MemoryLimitError, MethodRefusedError):
        return None
    if few.best.placement is None:
        return None
    at_once = min(limits.at_once, _most_vertices(few, graph, dtype))
    if at_once < limits.least_at_once:
        return None
    round_seconds = few.seconds_of(at_once) * _ways(graph) + _LAUNCHES + _OF_VERTEX * graph.n
    all_seconds = every.seconds_of(graph.n)
    most = min(limits.most, int(limits.share * all_seconds / round_seconds))
    if most < limits.fewest:
        return None
    return Rounds(request, few, at_once, most, int(graph.n * round_seconds / all_seconds))


def _most_vertices(few: Decision, graph: Graph, dtype: np.dtype[Any]) -> int:
    """The vertices of a round whose rows fit on the GPU, beside the searches from vertices and to them."""
    placement = few.best.placement
    assert placement is not None
    facts = few.facts.on(few.best.device)
    usable = usable_on(facts.machine.gpus[placement.gpus[0]], facts.request.gpu_memory)
    left = min(int(_MEMORY * usable), usable - _ways(graph) * placement.bytes_on_gpu)
    return left // (_PAGES * graph.n * dtype.itemsize)


def _ways(graph: Graph) -> int:
    """The searches per vertex: from it and to it, which are one in an undirected graph."""
    return 2 if graph.directed else 1


def _all_of(request: Request) -> Request:
    return replace(request, sources=None, rows=None)


_DRAWN = 8
"""Arcs that are drawn for each vertex of the first batch, which are their heads."""


class SearchesOnGpu(Searches):
    """The first searches show the component of the vertex with the most arcs.

    Parameters
    ----------
    dtype : numpy dtype
        Of the distances: `searched_dtype`.
    threads : int
        Of the CPU.
    deep : int
        As of `SearchLimits`.
    """

    def __init__(self, graph: Graph, dtype: np.dtype[Any], rounds: Rounds, threads: int, deep: int) -> None:
        self.few = FewSources(graph, dtype, threads)
        self.at_once, self.count = rounds.at_once, 0
        self._rounds, self._spent, self._n, self._dtype = rounds, 0, graph.n, dtype
        self._plan = rounds.decision.plan()
        self._gpu = self._plan.gpus[0]
        self._pages: list[Page] = []
        first = _first_vertices(graph, self.at_once)
        with self._there():
            self._out = self._solver(graph)
            self._into = self._backwards(graph) if graph.directed else None
            out, into = self._both(first)
            parts = StrongParts(graph, dtype, ends=_ends(out, into, 0))
            self.bounds = EccentricityBounds(graph, parts, dtype, deep)
            largest = np.flatnonzero(parts.part[first] == parts.largest)
            if not len(largest):
                first = np.array([self.bounds.first()], dtype=np.int32)
                out, into = self._both(first)
                largest = np.zeros(1, dtype=np.int64)
            found = searched(first, out, into)
            hubs = HubsOnGpu(out, into, largest[:MOST_HUBS], found.eccentricities)
            self.pairs = FarPairs(parts, hubs, threads)
            self._merge(found, _ends(out, into, int(largest[0])))
        self._pages = []  # those of the hubs stay as they are

    def add(self, vertices: npt.NDArray[np.int32]) -> None:
        """Search from vertices and to them, and bound others."""
        with self._there():
            for start in range(0, len(vertices), self.at_once):
                part = vertices[start : start + self.at_once]
                self._merge(searched(part, *self._both(part)))

    def is_lost(self, remaining: int) -> bool:
        """Whether the rounds that may be spent are spent, or so few rows are left that they take less than a round."""
        rounds = self._rounds
        return remaining > self.at_once and (self._spent >= rounds.most or remaining <= rounds.rest)

    def is_end(self, remaining: int, closed: int, searched: int) -> bool:
        """Whether a round can search from all."""
        del closed, searched
        return remaining <= self.at_once

    def finish(self, remaining: Positions) -> None:
        """Search from all."""
        self.add(remaining.astype(np.int32))

    def _merge(self, found: Searched, ends: Ends | None = None) -> None:
        self.count += int(np.count_nonzero(~self.bounds.searched[found.vertices]))
        self._spent += 1
        self.bounds.merge(found, ends)
        self.bounds.propagate()

    @contextmanager
    def _there(self) -> Iterator[None]:
        """Work on the GPU of the plan, which may be emulated."""
        with free_on_failure(self._plan.gpus), emulated.inside(self._plan):
            yield

    def _solver(self, graph: Graph) -> Solver:
        return prepared(graph, self._plan, None, self._rounds.request)

    def _backwards(self, graph: Graph) -> Solver | None:
        """Return the solver of distances to vertices; None if these are the distances from them."""
        found = self._out.backwards()
        if found is None:
            backward = graph.reversed()
            return None if equal(graph, backward) else self._solver(backward)
        return None if found is self._out else found

    def _both(self, vertices: npt.NDArray[np.int32]) -> tuple[Page, Page]:
        """Rows of distances from vertices, and to them."""
        out = self._rows(self._out, vertices, 0)
        return out, out if self._into is None else self._rows(self._into, vertices, 1)

    def _rows(self, solver: Solver, vertices: npt.NDArray[np.int32], which: int) -> Page:
        while len(self._pages) <= which:
            self._pages.append(allocate(self._gpu, self.at_once, self._n, self._dtype))
        page = self._pages[which][: len(vertices)]
        solver.fill(vertices, page, None)
        return page


def _first_vertices(graph: Graph, count: int) -> npt.NDArray[np.int32]:
    """The vertex with the most arcs, and random ones at the ends of arcs."""
    degree = np.diff(graph.indptr)
    lead = int(degree.argmax())
    if not graph.m or count == 1:
        return np.array([lead], dtype=np.int32)
    random = np.random.default_rng(0)
    others = np.unique(graph.indices[random.integers(0, graph.m, _DRAWN * count)])
    others = random.permutation(others[(degree[others] > 0) & (others != lead)])
    return np.append(lead, others[: count - 1]).astype(np.int32)


def _ends(out: Page, into: Page, row: int) -> Ends:
    """The vertices that the vertex of a row reaches, and those that reach it."""
    reached = to_host(out[row]) != unreachable(out.dtype)
    return reached, (reached if into is out else to_host(into[row]) != unreachable(into.dtype))
