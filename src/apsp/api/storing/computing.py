"""The work of one run: claim a band, compute it, and hand it to the writer while the next one is computed."""

from __future__ import annotations

from collections.abc import Sequence

from apsp.api.storing.work import Work
from apsp.errors import OutputError, format_bytes
from apsp.store.facts import Facts
from apsp.store.places import Place
from apsp.store.writer import BandWriter
from apsp.system.limits import allowed_cores
from apsp.system.progress import ProgressReport, offset

__all__ = ["Computer"]

_COMPRESSORS = 8
"""Most threads that compress: 14 GB per second, more than disks and networks take."""


class Computer:
    """Computes bands: one is computed while the ones before it are compressed and written.

    Parameters
    ----------
    place : Place
    facts : Facts
    work : Work
    """

    def __init__(self, place: Place, facts: Facts, work: Work) -> None:
        self._place, self._facts, self._work = place, facts, work
        threads = work.rows.request.threads or allowed_cores()
        self._writer = BandWriter(place, facts, min(threads, _COMPRESSORS))
        self._bytes_per_row: float | None = None

    def run(self, bands: Sequence[int], report: ProgressReport | None) -> int:
        """Compute those of the bands that no other run computes; return the number of their rows."""
        computed, total = 0, self._facts.shape[0]
        left = sum(map(self._rows_of, bands))
        for band in bands:
            if self._bytes_per_row is None:
                self._check_room(left)
            claim = self._place.claim(str(band))
            if claim is None:
                continue
            try:
                if self._writer.is_there(band):  # another run has written it since
                    claim.release()
                    continue
                told = offset(report, self._work.rows.decided.method, total - left, total)
                arrays = self._work.compute(self._facts.bands.slice(band), told)
            except BaseException:
                claim.release()
                raise
            self._writer.write(band, arrays, claim)
            if self._bytes_per_row is None:
                self._bytes_per_row = self._writer.finish() / self._rows_of(band)
                self._check_room(left - self._rows_of(band))
            computed += self._rows_of(band)
            left -= self._rows_of(band)
        self._writer.finish()
        return computed

    def _rows_of(self, band: int) -> int:
        rows = self._facts.bands.slice(band)
        return int(rows.stop - rows.start)

    def _check_room(self, rows: int) -> None:
        """Raise OutputError if the rows that are left do not fit: without compression before, with it after the first
        band.
        """
        room = self._place.room()
        if room is None:
            return
        if self._bytes_per_row is None:
            needed, what = self._work.band_bytes, "a band"
        else:
            needed = int(self._bytes_per_row * rows)
            what = f"the {rows:,} rows that are left (by the size of those that are there)"
        if needed > room:
            raise self._lack(needed, room, what)

    def _lack(self, needed: int, room: int, what: str) -> OutputError:
        remedies = ["choose sources", *(["leave out paths"] if self._facts.paths else []), "or free some of the disk"]
        return OutputError(
            f"{self._place.name} needs about {format_bytes(needed)} for {what}, but its disk has {format_bytes(room)} "
            f"left: {', '.join(remedies)}, and make the same call again"
        )

    def close(self) -> None:
        """Wait until the last band is written."""
        self._writer.close()
        self._work.close()
