"""Rows of distances for measures, planned and computed component by component.

A row has entries in its own component only. Where a graph falls into components, the rows of each part of it
(`apsp.graph.weak_parts`) are those of the subgraph, so that all rows take what the components take, not n^2. All parts
have the same plan, that of the largest one: results do not depend on how the sources are divided among blocks and
workers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import NegativeCycleError
from apsp.facts.request import Request
from apsp.facts.statistics import statistics_of
from apsp.graph.csr import arc_lengths
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.graph.turns.turn_graph import own_vertices
from apsp.graph.weak_parts import TOGETHER, WeakParts, weak_parts
from apsp.methods import registry
from apsp.methods.problem import IntArray, Solver
from apsp.planning.candidates import refusal
from apsp.planning.dtype_choice import decide_dtype
from apsp.planning.plan import Plan
from apsp.planning.planner import plan_for
from apsp.planning.reason import reason
from apsp.reductions.component_block import ComponentBlock
from apsp.reductions.overflow import overflow_errors
from apsp.reductions.row_sums import RowSums
from apsp.running.arguments import prepared, without_far_cycles
from apsp.running.planned_rows import PlannedRows, plan_in, plan_of, planned_rows, rows_in
from apsp.semiring import bound_in, unreachable
from apsp.system.machine import threads_from
from apsp.system.progress import Progress, ProgressReport, reporting

__all__ = ["ComponentRows", "RowsToReduce", "plan_to_reduce", "reduced_by"]

_FEWEST = 64
"""Sources from which on it takes less time to look for components than to compute whole rows."""


class Piece(NamedTuple):
    """The rows of a part.

    Attributes
    ----------
    places : (S,) int
        Their places among all rows.
    vertices : (C,) int32
        The vertices of the part.
    rows : PlannedRows
        Of the subgraph.
    """

    number: int
    places: npt.NDArray[np.int64]
    vertices: IntArray
    rows: PlannedRows


@dataclass(frozen=True)
class ComponentRows:
    """Rows of a graph that falls into components, planned but not computed yet: as `PlannedRows`, without targets.

    Attributes
    ----------
    sources : (S,) int32
        Positions.
    parts : WeakParts
        Of the graph.
    solvers : dict
        Those of parts that take long to prepare, by part.
    """

    graph: Graph
    request: Request
    sources: IntArray
    plan: Plan
    parts: WeakParts
    solvers: dict[int, PlannedRows] = field(default_factory=dict)

    def part(self, start: int, stop: int) -> ComponentRows:
        """Return the rows from start to stop."""
        return replace(self, sources=self.sources[start:stop])

    def blocks(self, *, reuse: bool, progress: Progress, where_computed: bool) -> Iterator[ComponentBlock]:
        """Yield blocks as `PlannedRows.blocks`, in the order of the parts."""
        with reporting(progress) as report:
            for piece, part_progress in self.pieces(report):
                with self.named(piece.number):
                    for block in piece.rows.blocks(reuse=reuse, progress=part_progress, where_computed=where_computed):
                        sources = piece.vertices[block.source_positions]
                        yield ComponentBlock(sources, block.distances, piece.vertices)

    def pieces(
        self, report: ProgressReport | None, *, beside: npt.NDArray[np.bool_] | None = None
    ) -> Iterator[tuple[Piece, Progress]]:
        """Yield the rows of each part that has any, and their progress.

        Parameters
        ----------
        beside : (S,) bool, optional
            Rows that are done already.
        """
        places = self.parts.places[self.sources]
        part = self.parts.part_of(places)
        rows = np.arange(len(places)) if beside is None else np.flatnonzero(~beside)
        rows = rows[np.argsort(part[rows], kind="stable")]
        done = len(places) - len(rows)
        for chosen in np.split(rows, np.flatnonzero(np.diff(part[rows])) + 1) if len(rows) else ():
            number = int(part[chosen[0]])
            local = places[chosen] - np.int32(self.parts.first[number])
            of_part = replace(self._of_part(number), sources=local)
            yield Piece(number, chosen, self.parts.vertices_of(number), of_part), self._progress(report, done)
            done += len(chosen)

    def small_sums(self) -> tuple[RowSums, npt.NDArray[np.bool_]] | None:
        """Sums over the rows of small components, from one kernel for all of them; and which rows these are.

        None if there are none, or the kernel does not do what is requested.
        """
        parts, dtype, request = self.parts, self.plan.dtype, self.request
        few, graph = int(parts.small[-1]), self.graph
        own = self.parts.places[self.sources] < few
        other = request.method != "auto" or request.device not in ("auto", "cpu")
        if not own.any() or other or graph.has_negative_arc or graph.has_zones:
            return None
        sums = RowSums.empty(parts.vertices[:few], dtype)
        arcs = slice(0, int(parts.indptr[few]))
        lengths = None if graph.weights is None else arc_lengths(graph, dtype)[parts.arcs[arcs]]
        cutoff = bound_in(request.cutoff, dtype)
        with overflow_errors():
            _cpu.small_components(
                parts.small, _cpu.ArcArrays(parts.indptr[: few + 1], parts.indices[arcs], lengths),
                unreachable(dtype) if cutoff is None else cutoff, sums.reached, sums.total, sums.reciprocals,
                sums.largest, sums.farthest, threads_from(request.threads),
            )  # fmt: skip
        rows = parts.places[self.sources[own]]
        return RowSums(
            self.sources[own], sums.reached[rows], sums.total[rows], sums.reciprocals[rows], sums.largest[rows],
            parts.vertices[sums.farthest[rows]],
        ), own  # fmt: skip

    def prepare(self) -> None:
        """Prepare the largest part, and all parts if some cycle may be negative, so that errors come now."""
        largest = int(self.parts.sizes.argmax())
        for part in range(len(self.parts.sizes)) if self.graph.has_negative_arc else (largest,):
            self.solvers[part] = self._of_part(part)

    def _of_part(self, number: int) -> PlannedRows:
        """The rows of a part, prepared."""
        known = self.solvers.get(number)
        if known is not None:
            return known
        graph, request = self.parts.subgraph(number), replace(self.request, dtype=self.plan.dtype.name, sources=None)
        with self.named(number):
            solver: Solver = prepared(graph, self.plan, None, request)
        found = PlannedRows(graph, request, np.arange(graph.n, dtype=np.int32), None, self.plan, solver)
        if graph.n > 2 * TOGETHER:
            self.solvers[number] = found
        return found

    @contextmanager
    def named(self, number: int) -> Iterator[None]:
        """Errors name vertices of the graph, not of a part."""
        try:
            yield
        except NegativeCycleError as error:
            vertices = self.parts.vertices_of(number)
            raise NegativeCycleError(
                vertices[list(error.positions)].tolist(), error.length, self.graph.labels
            ) from None

    def _progress(self, report: ProgressReport | None, done: int) -> Progress:
        if report is None:
            return False
        return lambda stage, more, _: report(stage, done + more, len(self.sources))


RowsToReduce = PlannedRows | ComponentRows
"""Rows of which something is kept, but not the rows themselves."""


def reduced_by(graph: Graph, chosen: IntArray | None, request: Request, *, copies: bool = False) -> RowsToReduce:
    """Plan and prepare rows that are reduced, from positions: by components, if the graph falls into several.

    Those of an expanded graph (`apsp.with_turns`) have columns for the vertices, and with `copies` for the copies, too.
    Errors are those of `apsp.stream`.
    """
    if graph._turned is not None:
        own = np.arange(own_vertices(graph), dtype=np.int32)
        columns = None if copies else own
        rows = own if chosen is None else chosen
        return planned_rows(graph, rows, columns, replace(request, targets=None if columns is None else len(columns)))

    def act(part: Graph) -> RowsToReduce:
        parts = _parts_for(part, request)
        if parts is None:
            return rows_in(part, chosen, None, request)
        sources = np.arange(part.n, dtype=np.int32) if chosen is None else chosen
        found = ComponentRows(part, request, sources, _plan(part, parts, chosen, request, explained=False), parts)
        found.prepare()
        return found

    return without_far_cycles(graph, chosen, act)


def plan_to_reduce(graph: Graph, chosen: IntArray | None, request: Request, *, explained: bool) -> Plan:
    """Plan rows that are reduced; with sentences and seconds also of small work."""
    if graph._turned is not None:
        return plan_of(graph, chosen, request, explained=explained)

    def decide(part: Graph) -> Plan:
        parts = _parts_for(part, request)
        if parts is None:
            return plan_in(part, request, explained=explained)
        return _plan(part, parts, chosen, request, explained=explained)

    return without_far_cycles(graph, chosen, decide)


def _parts_for(graph: Graph, request: Request) -> WeakParts | None:
    few = request.sources is not None and request.sources < _FEWEST
    if few or isinstance(graph, DeviceGraph) or request.pages_file is not None:
        return None
    return weak_parts(graph)


def _plan(graph: Graph, parts: WeakParts, chosen: IntArray | None, request: Request, *, explained: bool) -> Plan:
    """The plan of the largest part, in the dtype of the whole graph, with the seconds of all parts.

    Another part may have what the method of the largest one refuses, such as negative arcs: then the plan of the graph.
    """
    statistics = statistics_of(graph)
    dtype, _ = decide_dtype(statistics, request)
    of_part = parts.sizes
    if chosen is not None:
        of_part = np.bincount(parts.part_of(parts.places[chosen]), minlength=len(of_part))
    number = int(parts.sizes.argmax())
    share = min(request.share * graph.n / int(parts.sizes[number]), 1.0)
    sources = None if chosen is None else max(int(of_part[number]), 1)
    part_request = replace(request, dtype=dtype, sources=sources, share=share)
    largest = parts.subgraph(number)
    plan = plan_in(largest, part_request, explained=explained)
    if refusal(registry.get(plan.method), statistics, part_request, dtype, plan.device) is not None:
        plan = plan_for(graph, part_request)
    work = of_part * (parts.sizes + parts.sizes_in_arcs)
    least = max(int(work[number]), largest.n + largest.m)
    why = plan.why
    if explained:
        of_parts = reason("components", components=parts.count, largest=largest.n)
        why = (reason("graph", statistics=statistics), of_parts, *why[1:])
    return replace(plan, seconds=plan.seconds * int(work.sum()) / least, bound=statistics.bound, why=why)
