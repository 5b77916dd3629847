"""The bytes of a shard that is a table: a Parquet file, for rows of different lengths, which no array of Zarr has.

Pages have checksums, and the metadata at the end of the file has a hash of the request and the key: the end of a file
shows whether it is the table that was written there, and the sizes in it whether the file is whole.
"""

from __future__ import annotations

import hashlib
import io
from typing import Any

from apsp._types import ArrowTable
from apsp.errors import OutputError
from apsp.graph.long_table import LongTable
from apsp.graph.table_file import parquet_options
from apsp.store.header import StoreHeader
from apsp.system.optional import needed

__all__ = ["TableCodec"]

_KEY = b"apsp"
"""Of the hash in the metadata."""

_MAGIC = b"PAR1"

_ROW_GROUP, _MOST_GROUPS = 1 << 20, 16
"""Rows of a row group, unless there would be more groups: their metadata must be within `TableCodec.tail`."""


class TableCodec:
    """Turns the tables of bands into the bytes of shards, and back.

    Parameters
    ----------
    header : StoreHeader
    name : str
        Of the tables.
    """

    tail = 1 << 18
    """Bytes at the end of a file in which its metadata is, and some more."""

    def __init__(self, header: StoreHeader, name: str) -> None:
        self._header, self._name = header, name
        self._arrow, self._parquet = needed("pyarrow", "a store"), needed("pyarrow.parquet", "a store")

    @property
    def folder(self) -> str:
        """The folder of the shards of all bands."""
        return self._header.folder(self._name)

    def key(self, band: int) -> str:
        """Return the key of the shard of a band."""
        return self._header.key(self._name, band)

    def encode(self, band: int, table: LongTable, mapped: object = map) -> list[bytes]:
        """Return the bytes of a shard; `mapped` is that of other shards.

        Raises
        ------
        OutputError
            If its end would not be recognised, such as that of a table with very long names of columns.
        """
        del mapped
        arrow = table.to_arrow("a store")
        arrow = arrow.replace_schema_metadata({_KEY: self._identity(band)})
        numbers = [name for name, kind in zip(arrow.column_names, arrow.schema.types, strict=True) if _is_number(kind)]
        sink = io.BytesIO()
        self._parquet.write_table(
            arrow, sink, row_group_size=max(_ROW_GROUP, -(-len(arrow) // _MOST_GROUPS)), write_page_checksum=True,
            write_statistics=numbers, **parquet_options(table, arrow.schema),
        )  # fmt: skip
        data = sink.getvalue()
        words = self.damage(band, len(data), data[-self.tail :])
        if words is not None:
            raise OutputError(f"{self.key(band)} cannot be kept in a store ({words}): use shorter names of columns")
        return [data]

    def damage(self, band: int, size: int, tail: bytes) -> str | None:
        """Return what is wrong with a shard; None if its end is right.

        Parameters
        ----------
        size : int
            Of the file.
        tail : bytes
            Its last bytes, as many as `tail`, or all.
        """
        if not size:
            return "it is empty"
        if not tail.endswith(_MAGIC):
            return "its end is missing or damaged"
        try:
            metadata = self._parquet.read_metadata(self._arrow.BufferReader(tail))
        except Exception:  # PyArrow raises several kinds
            return "its end is missing or damaged"
        if (metadata.metadata or {}).get(_KEY) != self._identity(band):
            return "it is another file than the one that was written here"
        end = int.from_bytes(tail[-8:-4], "little") + 8
        return None if len(_MAGIC) + _bytes_of(metadata) + end == size else "a part of it is missing"

    def decode(self, band: int, data: bytes) -> ArrowTable:
        """Return the table of a band.

        Raises
        ------
        ValueError, OSError
            If the bytes are damaged.
        """
        words = self.damage(band, len(data), data[-self.tail :])
        if words is not None:
            raise ValueError(words)
        return self._parquet.read_table(self._arrow.BufferReader(data), page_checksum_verification=True)

    def _identity(self, band: int) -> bytes:
        place = f"{self._header.identity}/{self.key(band)}".encode()
        return hashlib.blake2b(place, digest_size=16).hexdigest().encode()


def _is_number(kind: Any) -> bool:
    """Whether a type of Arrow is that of numbers, whose statistics are short."""
    return str(kind).startswith(("int", "uint", "float", "double"))


def _bytes_of(metadata: Any) -> int:
    """The bytes of all columns."""
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    return sum(group.column(j).total_compressed_size for group in groups for j in range(group.num_columns))
