"""Skims of several periods in bands of sources: a band holds the rows of all periods."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from apsp._types import JsonObject
from apsp.api.skims.job import SkimJob, SkimRows
from apsp.graph.model import Graph
from apsp.methods.problem import KernelProgress
from apsp.methods.skims.arc_costs import SkimCosts
from apsp.methods.skims.skims import SkimSolver
from apsp.methods.skims.stored_forms import forms_in_store, stored_rows
from apsp.planning.plan import Plan
from apsp.store.header import Arrays, StoreHeader
from apsp.system.machine import Machine, usable

__all__ = ["PeriodSkimJob"]


@dataclass(frozen=True, kw_only=True)
class PeriodSkimJob(SkimJob):
    """A request for skims of periods; other attributes are those of `SkimJob`, of the graph without periods.

    Attributes
    ----------
    periods : tuple of str or int
    each : tuple of (Graph, SkimCosts)
        The graph of each period and its costs.
    """

    periods: tuple[str | int, ...]
    each: tuple[tuple[Graph, SkimCosts], ...]

    @property
    def row_bytes(self) -> float:
        """Bytes of a row of all matrices."""
        return len(self.periods) * super().row_bytes

    def empty(self, rows: int) -> SkimRows:
        """Rows of the matrices, (P, K, rows, T)."""
        return SkimRows(np.empty((len(self.periods), self.shape[0], rows, self.shape[2])))

    def _fill(self, found: SkimRows, rows: slice, progress: KernelProgress | None) -> None:
        choice, key = self.choice(), (self.method, self.device, self.cores)
        needed = 0 if choice.tree is None else 8 * self.shape[0] * choice.tree.entries * len(self.periods)
        keeps = 2 * needed <= usable(Machine.detect())
        if any(known[:-1] != key for known in self.cache):
            self.cache.clear()  # before other factors need memory
        for place, (graph, costs) in enumerate(self.each):
            if not keeps:
                self.cache.clear()
            make = partial(SkimSolver, graph, costs.columns, self.targets, choice, self.cores)
            solver = self.cache.once((*key, place), make)
            self._fill_with(solver, found, found.matrices[place], rows, self._of_period(place, rows, progress))

    def _of_period(self, place: int, rows: slice, progress: KernelProgress | None) -> KernelProgress | None:
        """The progress of all periods, from that of one."""
        if progress is None:
            return None
        count, periods = len(self.sources[rows]), len(self.periods)
        return lambda done: progress((place * count + done) // periods)

    @property
    def pinned(self) -> bool:
        """Sums of floats depend on the method."""
        return not all(costs.are_exact for _, costs in self.each)

    def identity(self) -> JsonObject:
        """The names of the costs and periods, and hashes of all costs of each period."""
        named = {name: value for name, value in super().identity().items() if not name.startswith("values of ")}
        columns = [np.ascontiguousarray(costs.columns, dtype="<f8").tobytes() for _, costs in self.each]
        pairs = zip(self.periods, columns, strict=True)
        hashes = {f"values in {period}": hashlib.sha256(each).hexdigest() for period, each in pairs}
        return {**named, "periods": list(self.periods), **hashes}

    def layout(self) -> Arrays:
        """A matrix per cost and period."""
        forms = forms_in_store(self.costs.names, [costs for _, costs in self.each], self.graph.n, self.scales)
        return {name: (dtype, "period", len(self.periods) * len(self.targets)) for name, dtype in forms.items()}

    def band_rows(self, plan: Plan, workers: int) -> int:
        """As the bands of one period that takes as long."""
        height = super().band_rows(plan, workers)
        return height if self.options.rows else max(height // len(self.periods), min(height, 64), 1)

    def encode(self, part: SkimRows, header: StoreHeader) -> dict[str, Any]:
        """Return the rows of each matrix, one period after the other."""
        rows = part.matrices.transpose(1, 2, 0, 3)
        return stored_rows(
            [np.ascontiguousarray(each).reshape(each.shape[0], -1) for each in rows], self.scales, header
        )
