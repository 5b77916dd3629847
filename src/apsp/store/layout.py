"""The shapes of a store: bands of rows, which are shards, and the chunks inside of them.

A band is what one run computes and writes in one step. A chunk is what is read and decompressed at once: whole rows, so
that a path, which is found from the distances of one row, costs one chunk; of rows beyond a mebibyte, parts.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BAND_BYTES", "Bands", "Chunks", "band_rows"]

BAND_BYTES = 64 << 20
"""Of distances: seconds of work, and an object that one request writes."""

_LEAST_ROWS = 64
"""As many sources as methods compute at once."""

_BANDS_PER_WORKER = 4


def band_rows(rows: int, columns: int, itemsize: int, most: int, workers: int = 1) -> int:
    """Return the rows of a band.

    Parameters
    ----------
    rows, columns : int
        Of the matrix of distances.
    itemsize : int
        Bytes of a distance.
    most : int
        What fits in memory.
    workers : int
        How many compute bands at the same time: each computes several, if there are enough rows.
    """
    if workers > 1:
        most = min(most, max(-(-rows // (_BANDS_PER_WORKER * workers)), _LEAST_ROWS))
    wanted = max(BAND_BYTES // max(columns * itemsize, 1), _LEAST_ROWS)
    if rows <= min(max(wanted // 4, 512), most):
        return max(rows, 1)
    height = max(min(wanted, most, rows), 1)
    for unit in (512, _LEAST_ROWS):
        if height >= unit:
            return height - height % unit
    return height


@dataclass(frozen=True)
class Bands:
    """The rows of a store, cut into bands.

    Attributes
    ----------
    rows : int
        All rows.
    height : int
        Rows of a band; the last may have fewer.
    """

    rows: int
    height: int

    @property
    def count(self) -> int:
        """Number of bands."""
        return -(-self.rows // self.height)

    def slice(self, band: int) -> slice:
        """Return the rows of a band."""
        start = band * self.height
        return slice(start, min(start + self.height, self.rows))

    def count_of(self, band: int) -> int:
        """Return the number of rows of a band."""
        rows = self.slice(band)
        return int(rows.stop - rows.start)

    def of(self, row: int) -> int:
        """Return the band of a row."""
        return row // self.height


@dataclass(frozen=True)
class Chunks:
    """The shapes of the chunks and shards of a matrix.

    Attributes
    ----------
    chunk, shard : (int, int)
        Rows and columns; a shard is as wide as the matrix, or wider by a part of a chunk.
    """

    chunk: tuple[int, int]
    shard: tuple[int, int]

    @classmethod
    def of(
        cls, height: int, columns: int, itemsize: int, *, unit: int = 1, chunk_bytes: int = 256 << 10,
        row_bytes: int = 1 << 20,
    ) -> Chunks:  # fmt: skip
        """Return the shapes for bands.

        Parameters
        ----------
        height, columns : int
            Of a band.
        itemsize : int
        unit : int
            Columns that no chunk divides.
        chunk_bytes, row_bytes : int
            The most of a chunk of several rows, and of a chunk of one.
        """
        parts = max(-(-columns * itemsize // row_bytes), 1)
        width = max(-(-columns // (parts * unit)), 1) * unit
        parts = max(-(-columns // width), 1)
        rows = 1
        while height % (2 * rows) == 0 and 2 * rows * width * itemsize <= chunk_bytes:
            rows *= 2
        return cls((rows, width), (height, parts * width))
