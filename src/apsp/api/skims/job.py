"""Skims in bands of sources: every row is computed alone, so that its bits do not depend on the bands."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp._types import JsonObject
from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray, KernelProgress
from apsp.methods.skims.arc_costs import SkimCosts
from apsp.methods.skims.cost import SkimWork
from apsp.methods.skims.half_nearest import fill_half_nearest
from apsp.methods.skims.skims import SkimSolver
from apsp.methods.skims.stored_forms import forms_in_store, stored_rows
from apsp.running.measure_job import MeasureJob
from apsp.store.header import Arrays, StoreHeader
from apsp.system.cached import PartsCache

if TYPE_CHECKING:
    from apsp.store.reading import StoredArrays

__all__ = ["SkimJob", "SkimRows"]

FloatArray = npt.NDArray[np.float64]


@dataclass
class SkimRows:
    """Rows of the matrices.

    Attributes
    ----------
    matrices : (K, S, T) float64
    method, device : str
        'elimination' or 'searches'; 'cpu', 'cuda' or 'emulated'.
    """

    matrices: FloatArray
    method: str = "searches"
    device: str = "cpu"


@dataclass(frozen=True)
class SkimJob(MeasureJob[SkimRows, SkimRows]):
    """A request for skims, with the graph; other attributes are those of `MeasureJob`.

    Attributes
    ----------
    half_nearest : bool
        Costs within a zone are half of those to the nearest other one.
    scales : dict of str to int
        Of the matrices that a store keeps as integers.
    """

    purpose = stage = "skims"
    cutoff = None
    dtype = np.dtype(np.float64)

    graph: Graph
    costs: SkimCosts
    sources: IntArray
    targets: IntArray
    half_nearest: bool
    options: Request
    cache: PartsCache = field(default_factory=PartsCache)
    scales: dict[str, int] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of all matrices."""
        return len(self.costs.names), len(self.sources), len(self.targets)

    @property
    def work(self) -> SkimWork:
        """What the choice depends on."""
        return SkimWork(self.graph, self.shape)

    @property
    def row_bytes(self) -> float:
        """Bytes of a row of all matrices."""
        return 8 * self.shape[0] * self.shape[2]

    def empty(self, rows: int) -> SkimRows:
        """Rows of the matrices."""
        return SkimRows(np.empty((self.shape[0], rows, self.shape[2])))

    def part(self, start: int, stop: int, progress: KernelProgress | None) -> SkimRows:
        """Compute the rows of some sources."""
        found = self.empty(stop - start)
        self._fill(found, slice(start, stop), progress)
        return found

    def merge(self, found: SkimRows, start: int, part: SkimRows) -> None:
        """Copy rows into the matrices."""
        found.matrices[..., start : start + part.matrices.shape[-2], :] = part.matrices
        found.method, found.device = part.method, part.device

    def fill(self, found: SkimRows, progress: KernelProgress | None) -> None:
        """Compute all rows in place."""
        self._fill(found, slice(None), progress)

    def _fill(self, found: SkimRows, rows: slice, progress: KernelProgress | None) -> None:
        key = self.method, self.device, self.cores
        if key not in self.cache:
            self.cache.clear()  # before another factor needs memory
        solver = self.cache.once(
            key, lambda: SkimSolver(self.graph, self.costs.columns, self.targets, self.choice(), self.cores)
        )
        self._fill_with(solver, found, found.matrices, rows, progress)

    def _fill_with(
        self, solver: SkimSolver, found: SkimRows, out: FloatArray, rows: slice, progress: KernelProgress | None
    ) -> None:
        solver.fill(self.sources[rows], out, progress)
        if self.half_nearest:
            fill_half_nearest(out, self.sources[rows], self.targets)
        found.method, found.device = solver.method, solver.device

    @property
    def pinned(self) -> bool:
        """Sums of floats depend on the method."""
        return not self.costs.are_exact

    def identity(self) -> JsonObject:
        """The names of the costs, and hashes of those that are not the weights of the graph."""
        cost, *along = self.costs.names
        intrazonal = "half_nearest" if self.half_nearest else "zero"
        scales: JsonObject = {"scales": self.scales} if self.scales else {}
        return {"name": "skim", "cost": cost, "along": along, "intrazonal": intrazonal, **scales, **self.costs.hashes()}

    def layout(self) -> Arrays:
        """A matrix per cost."""
        forms = forms_in_store(self.costs.names, [self.costs], self.graph.n, self.scales)
        return {name: (dtype, "pair", len(self.targets)) for name, dtype in forms.items()}

    def of_store(self, header: StoreHeader) -> SkimJob:
        """With the method and the device, if bits depend on them."""
        if not header.pinned:
            return self
        device = header.device if self.device == "auto" else self.device
        return replace(self, options=replace(self.options, method=header.method, device=device))

    def encode(self, part: SkimRows, header: StoreHeader) -> dict[str, Any]:
        """Return the rows of each matrix."""
        return stored_rows(part.matrices, self.scales, header)

    def decode(self, found: SkimRows, stored: StoredArrays) -> None:
        """Rows are read from the store when they are indexed."""
