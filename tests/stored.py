"""The files of a store, as tests compare them before and after a call, and change them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from apsp.running import in_store
from apsp.store.folder import Folder
from apsp.store.header import header_at
from apsp.store.layout import Chunks
from apsp.store.shard import ShardCodec


@contextlib.contextmanager
def bands_of_measures(**limits: Any) -> Iterator[None]:
    """Stores of measures have bands within such limits: attributes of `BandLimits`."""
    rows_of_band = partial(in_store.rows_of_band, limits=in_store.BandLimits(**limits))
    with mock.patch.object(in_store, "rows_of_band", rows_of_band):
        yield


@contextlib.contextmanager
def small_chunks() -> Iterator[None]:
    """Chunks of at most 2 KiB."""
    with mock.patch.object(Chunks, "of", partial(Chunks.of, chunk_bytes=1 << 10, row_bytes=1 << 11)):
        yield


def shards(place: Path, *patterns: str) -> dict[str, tuple[int, int]]:
    """The shards that are there, by key: each with its inode and the time of its last change.

    A shard that is written again differs. The inode alone is not enough: a new file often takes that of one just
    deleted.
    """
    found = (path for pattern in patterns or ("*/c/*/0",) for path in place.glob(pattern))
    states = {path: path.stat() for path in found if path.is_file() and path.suffix != ".part"}
    return {path.relative_to(place).as_posix(): (state.st_ino, state.st_mtime_ns) for path, state in states.items()}


class Entries:
    """The entries of a matrix of a store. Others are written as by a run that computed them, with their checksums."""

    def __init__(self, place: Path, name: str) -> None:
        header = header_at(Folder(place))
        assert header is not None
        self._place, self._bands = place, header.bands
        self._codec = ShardCodec(Folder(place), header, name)

    def __getitem__(self, at: tuple[int, int]) -> Any:
        return self._rows(at[0])[at[0] % self._bands.height, at[1]]

    def __setitem__(self, at: tuple[int, int], value: Any) -> None:
        rows = self._rows(at[0])
        rows[at[0] % self._bands.height, at[1]] = value
        self._path(at[0]).write_bytes(b"".join(self._codec.encode(self._bands.of(at[0]), rows)))

    def _path(self, row: int) -> Path:
        return self._place / self._codec.key(self._bands.of(row))

    def _rows(self, row: int) -> Any:
        return self._codec.decode(self._bands.of(row), self._path(row).read_bytes())
