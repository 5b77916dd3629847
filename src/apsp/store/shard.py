"""The bytes of a shard: the chunks of a band, compressed, and their index (Zarr's codec "sharding_indexed").

zarr-python writes the same format, and reads what is written here; this takes a third of its time, so that the disk is
the limit and not the CPU, which computes the next band meanwhile. The rows are copied into chunks only at the edges of
the matrix.

Chunks and index have checksums, but an empty file has nothing to compare, and a shard in the place of another one is
consistent. So 16 bytes between the chunks and the index are a hash of the request, the key, the size and the index: the
end of a file shows whether it is the shard that was written there. Zarr finds chunks by the index, and allows other
bytes between them. Stores of version 1 lack the hash.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import struct
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import FileFormatError
from apsp.store.header import StoreHeader
from apsp.store.storage import Storage, required

__all__ = ["COMPRESSION", "ShardCodec"]

COMPRESSION = {"cname": "lz4", "clevel": 5, "shuffle": "bitshuffle"}
"""Blosc: 1.3 to 2.7 GB per second and core, more than most disks; distances of roads take 1/1.8 of their bytes, hops
1/6. Zstandard at level 1 saves 2% more in three times the time.
"""

_NOTHING = np.uint64(2**64 - 1)
"""In the index: a chunk beyond the last row."""

_HASH = 16
"""Bytes of the hash before the index."""

_AT_ONCE = 2 << 20
"""Bytes that take a millisecond."""

_BLOSC_NEEDS, _BLOSC_CONTEXT = 5, 1 << 14
"""Bytes that Blosc allocates per byte of a chunk (three blocks, and the result), at most, and besides. It ends the
process if it cannot."""

Mapped = Callable[..., Iterable[Any]]

_SHUFFLES = {"noshuffle": 0, "shuffle": 1, "bitshuffle": 2}


class ShardCodec:
    """Turns bands into the bytes of shards, and back, by the metadata of the store.

    Parameters
    ----------
    name : str
        Of the array.

    Raises
    ------
    FileFormatError
        If the metadata is damaged, or of a layout that this version does not write.
    """

    def __init__(self, storage: Storage, header: StoreHeader, name: str) -> None:
        self._header, self._name = header, name
        self._checksum = required("google_crc32c").value
        try:
            told = json.loads(storage.read(f"{name}/zarr.json") or b"")
            self._chunk = self._read_layout(told)
        except (ValueError, LookupError, TypeError) as error:
            raise FileFormatError(
                storage.name,
                f"{name}/zarr.json is damaged, or written by another version of apsp ({error!r}): make the call that "
                "wrote the store again, or name another store",
            ) from error

    def _read_layout(self, told: dict[str, Any]) -> tuple[int, int]:
        """The shape of chunks; the compression is kept."""
        (sharding,) = told["codecs"]
        inner = sharding["configuration"]
        (order, blosc, checksum) = inner["codecs"]
        names = sharding["name"], order["name"], blosc["name"], checksum["name"]
        if names != ("sharding_indexed", "bytes", "blosc", "crc32c"):
            raise ValueError(f"codecs {names}")
        if inner["index_location"] != "end" or [codec["name"] for codec in inner["index_codecs"]] != [
            "bytes",
            "crc32c",
        ]:
            raise ValueError("another index")
        # A number per row is a column, and all further axes are columns, too.
        (rows, *across), (height, *within) = told["chunk_grid"]["configuration"]["chunk_shape"], inner["chunk_shape"]
        self._columns, width = math.prod(across), math.prod(within)
        if rows != self._header.shard_rows(self._name) or rows % height or self._columns % width:
            raise ValueError("chunks do not fit shards")
        self.shape = tuple(told["shape"])
        self._index = int(rows // height), int(self._columns // width)
        self._fill = float(told["fill_value"]) if told["data_type"].startswith("float") else told["fill_value"]
        self.dtype = np.dtype(told["data_type"])
        chosen = blosc["configuration"]
        self._codec = required("numcodecs").Blosc(
            chosen["cname"], chosen["clevel"], _SHUFFLES[chosen["shuffle"]], chosen["blocksize"]
        )
        return height, width

    @property
    def folder(self) -> str:
        """The folder of the shards of all bands."""
        return f"{self._name}/c"

    def key(self, band: int) -> str:
        """Return the key of the shard of a band."""
        return self._header.key(self._name, band)

    def encode(
        self, band: int, rows: npt.NDArray[Any], mapped: Mapped = map, *, bytes_at_once: int = _AT_ONCE
    ) -> list[bytes]:
        """Return the bytes of a shard, in pieces.

        Parameters
        ----------
        band : int
        rows : (R, C) or (R,) array
            The rows of a band, contiguous.
        mapped : callable
            `map`, or that of an executor, whose threads then compress chunks at the same time.
        bytes_at_once : int
            What a thread compresses without a look at Python.
        """
        rows = rows.reshape(len(rows), -1) if rows.size else np.empty((len(rows), 1), dtype=rows.dtype)
        height, width = self._chunk
        places = [(i, j) for i in range(-(-len(rows) // height)) for j in range(-(-rows.shape[1] // width))]
        several = max(bytes_at_once // (height * width * self.dtype.itemsize), 1)
        runs = [places[start : start + several] for start in range(0, len(places), several)]
        chunks = itertools.chain.from_iterable(mapped(lambda run: [self._encoded(rows, at) for at in run], runs))
        index = np.full((*self._index, 2), _NOTHING, dtype="<u8")
        pieces, position = [], 0
        for at, (data, checksum) in zip(places, chunks, strict=True):
            pieces += [data, checksum]
            index[at] = position, len(data) + 4
            position += len(data) + 4
        end = index.tobytes()
        identity = self._identity(band, position + self.tail, end)
        return [*pieces, identity, end, struct.pack("<I", self._checksum(end))]

    def _encoded(self, rows: npt.NDArray[Any], at: tuple[int, int]) -> tuple[bytes, bytes]:
        """A chunk, compressed, and its checksum."""
        (height, width), (i, j) = self._chunk, at
        part = rows[i * height : (i + 1) * height, j * width : (j + 1) * width]
        if part.shape != self._chunk:
            whole = np.full(self._chunk, self._fill, dtype=self.dtype)
            whole[: part.shape[0], : part.shape[1]] = part
            part = whole
        part = np.ascontiguousarray(part)
        np.empty(_BLOSC_NEEDS * part.nbytes + _BLOSC_CONTEXT, dtype=np.uint8)  # MemoryError, not the end of the process
        data: bytes = self._codec.encode(part)
        return data, struct.pack("<I", self._checksum(data))

    @property
    def tail(self) -> int:
        """Bytes at the end of a shard that `damage` takes."""
        return len(self._identity(0, 0, b"")) + 16 * self._index[0] * self._index[1] + 4

    def damage(self, band: int, size: int, tail: bytes) -> str | None:
        """Return what is wrong with a file that should be the shard of a band; None if nothing is.

        Parameters
        ----------
        band : int
        size : int
            Of the file.
        tail : bytes
            Its last bytes, as many as `tail`, or all.
        """
        if not size:
            return "it is empty"
        start = len(self._identity(0, 0, b""))
        end, checksum = tail[start:-4], tail[-4:]
        if len(tail) < self.tail or struct.pack("<I", self._checksum(end)) != checksum:
            return "its end is missing or damaged"
        if tail[:start] != self._identity(band, size, end):
            return "it is another file than the one that was written here"
        return None

    def decode(self, band: int, data: bytes) -> npt.NDArray[Any]:
        """Return the rows of a band.

        Raises
        ------
        ValueError
            If the bytes are damaged.
        """
        words = self.damage(band, len(data), data[-self.tail :])
        if words is not None:
            raise ValueError(words)
        (height, width), count = self._chunk, self._rows_of(band)
        index = np.frombuffer(data[-4 - 16 * self._index[0] * self._index[1] : -4], dtype="<u8")
        rows = np.empty((-(-count // height) * height, self._columns), dtype=self.dtype)
        columns = math.prod(self.shape[1:])
        for i, j in itertools.product(range(-(-count // height)), range(-(-columns // width))):
            start, size = (int(each) for each in index.reshape(*self._index, 2)[i, j])
            chunk = self._decoded(data[start : start + size], size)
            rows[i * height : (i + 1) * height, j * width : (j + 1) * width] = chunk
        return rows[:count, :columns].reshape(count, *self.shape[1:])

    def _decoded(self, data: bytes, size: int) -> npt.NDArray[Any]:
        """A chunk, after a look at its checksum."""
        if len(data) != size or size < 4 or struct.pack("<I", self._checksum(data[:-4])) != data[-4:]:
            raise ValueError("a chunk differs from its checksum")
        return np.frombuffer(self._codec.decode(data[:-4]), dtype=self.dtype).reshape(self._chunk)

    def _rows_of(self, band: int) -> int:
        """Rows of the array in a shard."""
        height, rows = self._header.shard_rows(self._name), int(self.shape[0])
        return min(height, rows - band * height)

    def _identity(self, band: int, size: int, index: bytes) -> bytes:
        """The hash that ties a shard to its place; nothing in stores of version 1."""
        if not self._header.identity:
            return b""
        place = f"{self._header.identity}/{self.key(band)}/{size}/".encode()
        return hashlib.blake2b(place + index, digest_size=_HASH).digest()
