"""Which shards are whole: those whose end shows that they are what was written there, see `apsp.store.shard`."""

from __future__ import annotations

from apsp.errors import FileFormatError
from apsp.store.header import StoreHeader
from apsp.store.shard import ShardCodec
from apsp.store.storage import Storage, for_each
from apsp.store.table_shard import TableCodec

__all__ = ["ArrayShards", "Shards", "codec_of"]


def codec_of(storage: Storage, header: StoreHeader, name: str) -> ShardCodec | TableCodec:
    """Return what turns the bands of an array or of tables into bytes.

    Raises
    ------
    FileFormatError
        As `ShardCodec`.
    """
    return TableCodec(header, name) if header.is_table(name) else ShardCodec(storage, header, name)


class ArrayShards:
    """The shards of an array. Those that were whole once are taken to be so until `forget`.

    Parameters
    ----------
    storage : Storage
    header : StoreHeader
    name : str
        Of the array.

    Raises
    ------
    FileFormatError
        As `ShardCodec`.
    """

    def __init__(self, storage: Storage, header: StoreHeader, name: str) -> None:
        self.codec = codec_of(storage, header, name)
        self._storage, self._count = storage, header.bands.count
        self._whole: set[int] = set()

    def has_band(self, band: int, remedy: str = "make the same call again, which computes it again") -> bool:
        """Whether the shard of a band is there.

        Parameters
        ----------
        remedy : str
            For the message.

        Raises
        ------
        FileFormatError
            If it is damaged.
        """
        if band in self._whole:
            return True
        words = self._damage(band)
        if words:
            raise FileFormatError(self._storage.name, f"{self.codec.key(band)} is damaged ({words}): {remedy}")
        return words is None

    def is_whole(self, band: int) -> bool:
        """Whether the shard of a band is there, and is not damaged."""
        return band in self._whole or self._damage(band) is None

    def forget(self, band: int) -> None:
        """Look at a shard again when it is needed."""
        self._whole.discard(band)

    def whole(self) -> set[int]:
        """Return the bands whose shards are whole; those that were not are read again."""
        if len(self._whole) < self._count:
            others = self.listed() - self._whole
            for _ in for_each(self._storage, self._damage, sorted(others)):
                pass
        return self._whole

    def listed(self) -> set[int]:
        """Return the bands that have a shard, whole or not, from one list: for buckets, one request."""
        keys = {self.codec.key(band): band for band in range(self._count)}
        return {keys[key] for key in self._storage.keys(self.codec.folder) if key in keys}

    def _damage(self, band: int) -> str | None:
        """What is wrong with a shard; "" if there is none, None if it is whole."""
        found = self._storage.tail(self.codec.key(band), self.codec.tail)
        if found is None:
            return ""
        words = self.codec.damage(band, *found)
        if words is None:
            self._whole.add(band)
        return words


class Shards:
    """The shards of all arrays of a store.

    Parameters
    ----------
    storage : Storage
    header : StoreHeader
    """

    def __init__(self, storage: Storage, header: StoreHeader) -> None:
        self._count = header.bands.count
        self._arrays = [ArrayShards(storage, header, name) for name in header.arrays]

    def missing(self) -> list[int]:
        """Return the bands that must be computed: a shard of some array is missing or damaged."""
        whole = [array.whole() for array in self._arrays]
        return [band for band in range(self._count) if not all(band in bands for bands in whole)]

    def check(self, band: int) -> None:
        """Raise FileFormatError if a shard of a band is damaged."""
        for array in self._arrays:
            array.has_band(band)
