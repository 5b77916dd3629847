"""Writes bands while others are computed: some threads compress them, another one writes to the disk or the network."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

from apsp.store.header import StoreHeader
from apsp.store.shards import ArrayShards
from apsp.store.storage import Claim, Storage
from apsp.system.threads import Threads

__all__ = ["BandWriter"]

Pieces = dict[str, list[bytes]]
"""The bytes of shards by the names of their arrays."""


class BandWriter:
    """Compresses one band while the one before it is written.

    Parameters
    ----------
    storage : Storage
    header : StoreHeader
    threads : int
        That compress.
    """

    def __init__(self, storage: Storage, header: StoreHeader, threads: int = 1) -> None:
        self._storage = storage
        self._shards = {name: ArrayShards(storage, header, name) for name in header.arrays}
        self._compressor = Threads(1, "apsp-compress")
        self._helpers = Threads(threads, "apsp-helper") if threads > 1 else None
        self._disk = Threads(1, "apsp-write")
        self._compressing: Future[None] | None = None
        self._writing: Future[int] | None = None

    def is_there(self, band: int) -> bool:
        """Whether a band was written, by any run, and is whole."""
        return all(shards.is_whole(band) for shards in self._shards.values())

    def write(self, band: int, arrays: Mapping[str, Any], claim: Claim) -> None:
        """Begin to write a band; the claim is released at its end. The arrays must not change until the next call.

        Raises
        ------
        OutputError
            If a band before this one could not be written.
        """
        try:
            self._wait_for_compression()
            self._compressing = self._compressor.submit(self._compress, band, arrays, claim)
        except BaseException:
            claim.release()
            raise

    def finish(self) -> int:
        """Wait until all bands are written; return the bytes of the last one.

        Raises
        ------
        OutputError
            If one of them could not be written.
        """
        self._wait_for_compression()
        writing, self._writing = self._writing, None
        return 0 if writing is None else writing.result()

    def close(self) -> None:
        """Wait until all bands are written that can be."""
        with contextlib.suppress(Exception):
            self.finish()
        self._compressor.shutdown()
        if self._helpers is not None:
            self._helpers.shutdown()
        self._disk.shutdown()

    def _wait_for_compression(self) -> None:
        compressing, self._compressing = self._compressing, None
        if compressing is not None:
            compressing.result()

    def _compress(self, band: int, arrays: Mapping[str, Any], claim: Claim) -> None:
        mapped = map if self._helpers is None else self._helpers.map
        try:
            pieces: Pieces = {
                name: shards.codec.encode(band, arrays[name], mapped) for name, shards in self._shards.items()
            }
            if self._writing is not None:
                self._writing.result()  # at most one band waits for the disk
            self._writing = self._disk.submit(self._write, band, pieces, claim)
        except BaseException:
            claim.release()
            raise

    def _write(self, band: int, written: Pieces, claim: Claim) -> int:
        """Write the shards of a band, the distances last; return their bytes. Only a damaged one is replaced."""
        try:
            for name, pieces in written.items():
                shards = self._shards[name]
                key = shards.codec.key(band)
                if not self._storage.create(key, pieces) and not shards.is_whole(band):
                    self._storage.remove(key)
                    self._storage.create(key, pieces)
        finally:
            claim.release()
        return sum(len(piece) for pieces in written.values() for piece in pieces)
