"""The work of one run: claim a band, compute it, and hand it to the writer while the next one is computed."""

from __future__ import annotations

from collections.abc import Sequence

from apsp.errors import OutputError, format_bytes
from apsp.running.storing.work import Work
from apsp.store.header import StoreHeader
from apsp.store.storage import Storage
from apsp.store.writer import BandWriter
from apsp.system.limits import allowed_cores
from apsp.system.progress import ProgressReport, offset

__all__ = ["Computer", "Room"]

_COMPRESSORS = 8
"""Most threads that compress: 14 GB per second, more than disks and networks take."""


class Computer:
    """Computes bands: one is computed while the ones before it are compressed and written.

    Parameters
    ----------
    storage : Storage
    header : StoreHeader
    work : Work

    Attributes
    ----------
    room : Room
    """

    def __init__(self, storage: Storage, header: StoreHeader, work: Work) -> None:
        self._storage, self._header, self._work = storage, header, work
        threads = work.threads or allowed_cores()
        self._writer = BandWriter(storage, header, min(threads, _COMPRESSORS))
        self.room = Room(storage, header)

    def run(self, bands: Sequence[int], report: ProgressReport | None) -> int:
        """Compute those of the bands that no other run computes; return the number of their rows."""
        computed, total = 0, self._header.shape[0]
        left = sum(map(self._header.bands.count_of, bands))
        for band in bands:
            if self.room.bytes_per_row is None:
                self.room.check_band(self._work.band_bytes)
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
            if self.room.bytes_per_row is None:
                self.room.bytes_per_row = self._writer.finish() / self._header.bands.count_of(band)
                self.room.check_rows(left - self._header.bands.count_of(band))
            computed += self._header.bands.count_of(band)
            left -= self._header.bands.count_of(band)
        self._writer.finish()
        return computed

    def close(self) -> None:
        """Wait until the last band is written."""
        self._writer.close()
        self._work.close()


class Room:
    """The room on the disk of a store.

    Parameters
    ----------
    storage : Storage
    header : StoreHeader

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
        room = self._storage.room()
        if room is None or needed <= room:
            return
        remedies = ["choose sources", *(["leave out paths"] if self._header.paths else []), "or free some of the disk"]
        raise OutputError(
            f"{self._storage.name} needs about {format_bytes(needed)} for {what}, but its disk has "
            f"{format_bytes(room)} left: {', '.join(remedies)}, and make the same call again"
        )
