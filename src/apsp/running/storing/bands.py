"""The bands of a store in one process: what computes them, and how they are claimed, computed and written.

One band is computed while those before it are compressed and written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from apsp.errors import DeviceError, MemoryLimitError, OutputError, format_bytes
from apsp.gpu.memory import free_on_failure, free_unused
from apsp.methods.problem import IntArray, KernelProgress, Solver
from apsp.running.blocks import going_on
from apsp.running.planned_rows import PlannedRows
from apsp.store.header import StoreHeader
from apsp.store.storage import Storage
from apsp.store.writer import BandWriter
from apsp.system.limits import allowed_cores
from apsp.system.progress import ProgressReport, offset

if TYPE_CHECKING:
    from apsp.running.measure_job import MeasureJob
    from apsp.running.reduction import PlannedReduction

__all__ = ["BandSource", "Computer", "DiskSpace", "DistanceBands", "ReducedBands"]

_COMPRESSORS = 8
"""Most threads that compress: 14 GB per second, more than disks and networks take."""


class BandSource(Protocol):
    """Computes bands.

    Attributes
    ----------
    stage : str
        As progress shows it.
    threads : int or None
        As requested.
    band_bytes : int
        Of a band, without compression.
    """

    stage: str
    threads: int | None
    band_bytes: int

    def compute(self, band: slice, progress: KernelProgress | None) -> dict[str, Any]:
        """Return the arrays of a band by name; they stay until the call after the next one."""
        ...

    def close(self) -> None:
        """Free what is no longer needed."""
        ...


class ReducedBands:
    """Bands of what is kept of sources.

    Parameters
    ----------
    sources : PlannedReduction or MeasureJob
        All sources of the store.
    """

    def __init__(self, sources: PlannedReduction[Any, Any] | MeasureJob[Any, Any], header: StoreHeader) -> None:
        self._sources, self._header = sources.of_store(header), header
        self.stage, self.threads, self.band_bytes = sources.stage, sources.threads, header.band_bytes

    def compute(self, band: slice, progress: KernelProgress | None) -> dict[str, Any]:
        """Compute a band."""
        return self._sources.encode(self._sources.part(band.start, band.stop, progress), self._header)

    def close(self) -> None:
        """Each part frees what it needs."""


class DistanceBands:
    """Distances, and predecessors if they are stored.

    Parameters
    ----------
    rows : PlannedRows
        All rows of the store.
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
        self.band_bytes = sum(array.nbytes for array in self._arrays[0].values())

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


class Computer:
    """Computes bands: one is computed while the ones before it are compressed and written."""

    def __init__(self, storage: Storage, header: StoreHeader, work: BandSource) -> None:
        self._storage, self._header, self._work = storage, header, work
        threads = work.threads or allowed_cores()
        self._writer = BandWriter(storage, header, min(threads, _COMPRESSORS))
        self.disk = DiskSpace(storage, header)

    def run(self, bands: Sequence[int], report: ProgressReport | None) -> int:
        """Compute those of the bands that no other run computes; return the number of their rows."""
        computed, total = 0, self._header.shape[0]
        left = sum(map(self._header.bands.count_of, bands))
        for band in bands:
            if self.disk.bytes_per_row is None:
                self.disk.check_band(self._work.band_bytes)
            claim = self._storage.claim(str(band))
            if claim is None:
                continue
            try:
                if self._writer.is_there(band):  # another run has written it since
                    claim.release()
                    continue
                progress = offset(report, self._work.stage, total - left, total)
                arrays = self._work.compute(self._header.bands.slice(band), progress)
            except BaseException:
                claim.release()
                raise
            self._writer.write(band, arrays, claim)
            if self.disk.bytes_per_row is None:
                self.disk.bytes_per_row = self._writer.finish() / self._header.bands.count_of(band)
                self.disk.check_rows(left - self._header.bands.count_of(band))
            computed += self._header.bands.count_of(band)
            left -= self._header.bands.count_of(band)
        self._writer.finish()
        return computed

    def close(self) -> None:
        """Wait until the last band is written."""
        self._writer.close()
        self._work.close()


class DiskSpace:
    """The free space on the disk of a store.

    Attributes
    ----------
    bytes_per_row : float or None
        After compression; None before the first band is written.
    """

    def __init__(self, storage: Storage, header: StoreHeader) -> None:
        self._storage, self._header = storage, header
        self.bytes_per_row: float | None = None

    def check_band(self, needed: int) -> None:
        """Raise OutputError if a band does not fit, without compression."""
        self._check(needed, "a band")

    def check_rows(self, rows: int) -> None:
        """Raise OutputError if so many rows do not fit, by the size of those that were written."""
        assert self.bytes_per_row is not None
        what = f"the {rows:,} rows that are left (by the size of those that are there)"
        self._check(int(self.bytes_per_row * rows), what)

    def _check(self, needed: int, what: str) -> None:
        free = self._storage.free_bytes()
        if free is None or needed <= free:
            return
        remedies = ["choose sources", *(["leave out paths"] if self._header.paths else []), "or free some of the disk"]
        raise OutputError(
            f"{self._storage.name} needs about {format_bytes(needed)} for {what}, but its disk has "
            f"{format_bytes(free)} left: {', '.join(remedies)}, and make the same call again"
        )
