"""What a run computes of a band: its distances and predecessors, or sums over its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from apsp.errors import DeviceError, MemoryLimitError
from apsp.gpu.memory import free_on_failure, free_unused
from apsp.methods.problem import IntArray, KernelProgress, Solver
from apsp.running.blocks import going_on
from apsp.running.planned_rows import PlannedRows
from apsp.store.header import StoreHeader

if TYPE_CHECKING:
    from apsp.running.measure_job import MeasureJob
    from apsp.running.reduction import PlannedReduction

__all__ = ["DistancesWork", "ReducedWork", "Work"]


class Work(Protocol):
    """Computes bands."""

    @property
    def stage(self) -> str:
        """As progress shows it."""
        ...

    @property
    def threads(self) -> int | None:
        """As requested."""
        ...

    @property
    def band_bytes(self) -> int:
        """Bytes of a band, without compression."""
        ...

    def compute(self, band: slice, progress: KernelProgress | None) -> dict[str, Any]:
        """Return the arrays of a band by name; they stay until the call after the next one."""
        ...

    def close(self) -> None:
        """Free what is no longer needed."""
        ...


class ReducedWork:
    """Bands of what is kept of sources.

    Parameters
    ----------
    sources : PlannedReduction or MeasureJob
        All sources of the store.
    header : StoreHeader
    """

    def __init__(self, sources: PlannedReduction[Any, Any] | MeasureJob[Any, Any], header: StoreHeader) -> None:
        self._sources, self._header = sources.of_store(header), header
        self.stage, self.threads, self.band_bytes = sources.stage, sources.threads, header.band_bytes

    def compute(self, band: slice, progress: KernelProgress | None) -> dict[str, Any]:
        """Compute a band."""
        return self._sources.encode(self._sources.part(band.start, band.stop, progress), self._header)

    def close(self) -> None:
        """Each part frees what it needs."""


class DistancesWork:
    """Distances, and predecessors if they are stored.

    Parameters
    ----------
    rows : PlannedRows
        All rows of the store.
    header : StoreHeader
    """

    def __init__(self, rows: PlannedRows, header: StoreHeader) -> None:
        self.rows = rows
        self.stage, self.threads = rows.plan.method, rows.request.threads
        self._solver: Solver = rows.solver
        self._instead = rows.instead
        height = min(header.band_rows, header.shape[0])
        widths = {"distances": header.shape[1], "predecessors": rows.graph.n}
        self._arrays = [
            {name: np.empty((height, widths[name]), dtype=header.dtype_of(name)) for name in header.arrays}
            for _ in range(2)
        ]

    @property
    def band_bytes(self) -> int:
        """Bytes of a band, without compression."""
        return sum(array.nbytes for array in self._arrays[0].values())

    def compute(self, band: slice, progress: KernelProgress | None) -> dict[str, Any]:
        """Fill one of two sets of arrays: the other one is being written."""
        self._arrays.reverse()
        sources: IntArray = self.rows.sources[band]
        arrays = {name: array[: len(sources)] for name, array in self._arrays[0].items()}
        dist, pred = arrays["distances"], arrays.get("predecessors")
        try:
            with free_on_failure(self.rows.plan.gpus):
                self._solver.fill(sources, dist, pred, progress)
        except (MemoryLimitError, DeviceError) as error:
            instead, self._instead = self._instead, None
            self._solver = going_on(error, None if instead is None else lambda: instead().solver)
            self._solver.fill(sources, dist, pred, progress)
        return arrays

    def close(self) -> None:
        """Without a request for a GPU, its memory must not stay allocated."""
        if self.rows.instead is not None:
            free_unused(self.rows.plan.gpus)
