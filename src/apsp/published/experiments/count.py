"""Counts contestants on emulated GPUs: each once, on graphs that fit the limit, and compared with Dijkstra."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from apsp.errors import ApspError
from apsp.graph.model import Graph
from apsp.published.experiments.cells import Cell, Cells
from apsp.published.experiments.contest import NotRunError, Rows, device_of, ready
from apsp.published.experiments.counting import counted
from apsp.published.experiments.effort import Effort, StoppedError, empty_cell, watch
from apsp.published.experiments.expected import ExpectedRows
from apsp.published.experiments.extrapolate import TWO_SIZES
from apsp.published.experiments.inputs import make
from apsp.published.experiments.model import Case, Contestant, Input, Series
from apsp.published.experiments.sizes import sizes_for

__all__ = ["Counting", "input_key"]

_LEAST_HALF = 32


class Counting:
    """The part of `Measuring` that runs on emulated GPUs; without cells, nothing was counted before."""

    def __init__(self, cells: Cells | None, effort: Effort) -> None:
        self._cells, self._effort = cells, effort

    def takes(self, one: Contestant) -> bool:
        """Whether a contestant is counted instead of timed."""
        try:
            return self._effort.emulated and device_of(one, emulated=True).startswith("emulated")
        except NotRunError:
            return False

    def size(self, series: Series, case: Case, wanted: list[Contestant]) -> Input:
        """The input of a case: of the size given by the scale, or the largest that can be counted within the limit."""
        effort = self._effort
        size = case.input.scaled(effort.scale)
        if not effort.emulated or self._cells is None:
            return size
        sizes = self._cells.sizes
        if series.name not in sizes:
            on_gpu = [one for one in wanted if self.takes(one)]
            sizes[series.name] = sizes_for(series, on_gpu, effort.scale, effort.limit, partial(self._pilot, series))
        n = sizes[series.name].get(case.name, size.n)
        return size if n >= size.n else case.input.scaled(n / case.input.n)

    def _pilot(self, series: Series, case: Case, one: Contestant, n: int) -> None:
        """Count at this number of vertices, to measure the time."""
        graph = make(case.input.scaled(n / case.input.n), self._effort.caida)
        try:
            sources = self._sources(series, graph.n)
            ready(graph, one, series.problem, self._effort.threads, emulated=True, sources=sources).count(None)
        except Exception:  # it will fail again when it is counted, and the reason is recorded then
            return

    def _sources(self, series: Series, n: int) -> Rows | None:
        """Sources, evenly spread, whose rows are counted; None for all."""
        if series.sources is None or series.sources >= n:
            return None
        return np.unique(np.linspace(0, n - 1, series.sources).astype(np.int32))

    def contestant(self, series: Series, case: Case, one: Contestant, graph: Graph, oracle: ExpectedRows) -> Cell:
        """The counts of a run on the emulated GPU, or of the same run for another table."""
        empty = empty_cell(self._effort, series, case, one, graph.n, graph.m)
        key = input_key(series, case, one, graph)
        for cell in () if self._cells is None else self._cells.every():
            if cell.counts is not None and cell.input_key == key:
                return replace(cell, series=series.name, case=case.name, label=one.label, printed=empty.printed,
                               paper_n=empty.paper_n)  # fmt: skip
        try:
            found = replace(self._run(series, one, graph, oracle, empty), input_key=key)
            return replace(found, half=self._half(series, case, one, found))
        except StoppedError:
            limit = self._effort.limit
            return replace(empty, reason=f"stopped after {limit:g} s (--limit)", stopped_after=limit)
        except (NotRunError, ApspError, MemoryError) as error:
            return replace(empty, reason=str(error))
        except Exception as error:  # a failing method must not prevent the counts of the others
            return replace(empty, reason=f"failed: {type(error).__name__}: {error}")

    def _run(self, series: Series, one: Contestant, graph: Graph, oracle: ExpectedRows, empty: Cell) -> Cell:
        sources = self._sources(series, graph.n)
        run = ready(graph, one, series.problem, self._effort.threads, emulated=True, sources=sources)
        total = graph.n if sources is None else len(sources)
        recorder = run.count(
            watch(self._effort.limit, total, time.process_time)
        )  # CPU time: other work must not matter
        expected = oracle if sources is None else ExpectedRows.of(graph, self._effort.threads, sources)
        wrong = expected.difference(run.rows)
        if wrong is not None:
            raise NotRunError(wrong)
        totals, kernels = counted(recorder)
        return replace(
            empty, rounds=1, checked=expected.words, method=run.method, device=run.device, dtype=run.dtype,
            sources=None if sources is None else len(sources), counts=totals, by_kernel=kernels,
        )  # fmt: skip

    def _half(self, series: Series, case: Case, one: Contestant, cell: Cell) -> list[dict[str, Any]] | None:
        """The counts of a graph of half the size, if those of the paper's graph are extrapolated from two sizes (see
        `extrapolate`).
        """
        n = cell.n // 2
        if case.input.kind not in TWO_SIZES or cell.printed is None or case.input.n == cell.n or n < _LEAST_HALF:
            return None
        graph = make(case.input.scaled(n / case.input.n), self._effort.caida)
        sources = self._sources(series, graph.n)
        if (None if sources is None else len(sources)) != cell.sources:
            return None
        run = ready(graph, one, series.problem, self._effort.threads, emulated=True, sources=sources)
        return counted(run.count(None))[1]


def input_key(series: Series, case: Case, one: Contestant, graph: Graph) -> str:
    """Return all that the counts depend on: the graph, the number of sources, and the method with its options."""
    drawn = replace(case.input, n=graph.n, m=graph.m)
    options = ", ".join(f"{name}={value}" for name, value in sorted(one.options.items()))
    return (
        f"{drawn}, {series.problem} from {series.sources or 'all'} sources; {one.method} on {one.device or 'one GPU'}, "
        f"options {options or 'none'}, paths={one.paths}"
    )
