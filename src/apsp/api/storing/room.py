"""Whether a disk has room for what is left to write."""

from __future__ import annotations

from apsp.errors import OutputError, format_bytes
from apsp.store.header import StoreHeader
from apsp.store.storage import Storage

__all__ = ["Room"]


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
